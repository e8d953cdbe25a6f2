// SPDX-License-Identifier: GPL-3.0-or-later
// How classes lay out their vocabulary: the sentencepiece model's ids as they are, fairseq's four tokens
// before them, languages behind them.
#include "core/tokenizer/forms/sentence_piece_vocabulary.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/language_codes.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <unicode/uchar.h>

namespace headscope {

namespace {

using Names = std::vector<std::string_view>;

/// A vocabulary while it is put together.
struct Layout {
    const FormInputs& form;
    const SentencePieceModel& model;
    std::vector<ScoredPiece> pieces; ///< of the fast tokenizer
    std::int64_t unkId = 0;
    TokensById added; ///< of the slow tokenizer
    Names names;      ///< of the slow tokenizer, by id; empty: `ids` counts
    PieceMap<std::int64_t> ids;
    /// The slow tokenizer's id of a piece that is not added; nullopt for the unknown token.
    std::function<std::optional<std::int64_t>(std::string_view)> idOf;

    void add(std::string_view text, double score) { pieces.push_back({std::string(text), score}); }
    void addModel(std::size_t first) {
        for (std::size_t i = first; i < model.pieces.size(); ++i)
            add(model.pieces[i].text, double{model.pieces[i].score});
    }
    std::int64_t modelSize() const { return static_cast<std::int64_t>(model.pieces.size()); }
    std::int64_t modelId(std::string_view text) const { return static_cast<std::int64_t>(model.idOf(text)); }
    const std::string& token(std::string_view key) const { return form.special.content(key); }
};

NamedToken specialToken(const std::string& content) {
    NamedToken named = bareToken(content);
    named.isObject = true;
    named.token.special = true;
    return named;
}

/// Python's str.isdigit() of one character.
bool isPythonDigit(char32_t c) {
    const int type = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_NUMERIC_TYPE);
    return type == U_NT_DECIMAL || type == U_NT_DIGIT;
}

/// "1," and the like, which ALBERT and XLNet would rather not use.
bool endsWithDigitAndComma(std::string_view text) {
    if (!text.ends_with(',')) return false;
    const std::u32string points = toCodePoints(text);
    return points.size() >= 2 && isPythonDigit(points[points.size() - 2]);
}

Names namesOf(const SentencePieceModel& model) {
    Names names;
    for (const SentencePiece& piece : model.pieces) names.push_back(piece.text);
    return names;
}

/// The model's own ids.
void layOutPlain(Layout& layout) {
    layout.addModel(0);
    layout.unkId = layout.model.unkId;
    layout.names = namesOf(layout.model);
    layout.idOf = [&layout](std::string_view text) { return layout.modelId(text); };
}

void layOutCommas(Layout& layout) {
    layOutPlain(layout);
    for (ScoredPiece& piece : layout.pieces)
        if (endsWithDigitAndComma(piece.text)) piece.score -= 100.0;
}

void layOutDebertaV2(Layout& layout) {
    layOutPlain(layout);
    for (std::size_t i = 0; i < layout.names.size(); ++i)
        layout.ids[std::string(layout.names[i])] = static_cast<std::int64_t>(i);
    layout.names.clear();
}

void layOutT5(Layout& layout) {
    layOutPlain(layout);
    const std::int64_t count = layout.form.settings().integer("extra_ids", 100, INT32_MAX);
    for (std::int64_t i = count; i-- > 0;) layout.add(fmt::format("<extra_id_{}>", i), 0.0);

    // The slow class knows them as tokens only where it is given them, or no list at all.
    std::int64_t named = count;
    const bool isRebuilt = layout.form.inputs.isRebuilt;
    if (isRebuilt || layout.form.declared.hasAdditional) {
        const TokensByKey& given = isRebuilt ? layout.form.special.byKey : layout.form.declared.byKey;
        named = std::ranges::count_if(given.find(kAdditionalTokens)->second, [](const NamedToken& token) {
            return token.token.content.find("<extra_id_") != std::string::npos;
        });
    }
    TokensById extra;
    for (std::int64_t i = 0; i < named; ++i)
        extra.set(layout.modelSize() - 1 + count - i, specialToken(fmt::format("<extra_id_{}>", i)));
    for (const auto& [id, token] : layout.added.inOrder()) extra.set(id, token);
    layout.added = std::move(extra);
}

void layOutLlama(Layout& layout) {
    layOutPlain(layout);
    layout.unkId = 0;
    if (layout.modelSize() < 3)
        fail(layout.form.vocabularyFile, fmt::format("{} pieces", layout.modelSize()),
             "expected at least three");
    for (std::int64_t i = 0; i < 3; ++i)
        if (const NamedToken* named = layout.added.find(i))
            layout.pieces[static_cast<std::size_t>(i)].text = named->token.content;
    for (std::size_t i = 0; i < 3; ++i) layout.pieces[i].score = 0.0;
}

void layOutGemma(Layout& layout) {
    layOutPlain(layout);
    layout.unkId = 3;
    layout.pieces.clear();
    for (const char* key : {"pad_token", "eos_token", "bos_token"}) layout.add(layout.token(key), 0.0);
    layout.addModel(3);
    // Older files lack the tab: it takes the place of its byte.
    const auto named = [&](std::string_view text) {
        return std::ranges::find(layout.pieces, text, &ScoredPiece::text);
    };
    if (const auto byte = named("<0x09>"); named("\t") == layout.pieces.end() && byte != layout.pieces.end())
        *byte = {"\t", 0.0};
}

/// <s> <pad> </s> <unk>, the model without its first three, languages, <mask>.
void layOutFairseq(Layout& layout, std::span<const std::string_view> languages, bool hasMask) {
    static constexpr std::string_view kFirst[] = {"<s>", "<pad>", "</s>", "<unk>"};
    layout.unkId = 3;
    for (const std::string_view token : kFirst) layout.add(token, 0.0);
    layout.addModel(3);
    for (const std::string_view language : languages) layout.add(language, 0.0);
    if (hasMask) layout.add("<mask>", 0.0);

    layout.names.assign(kFirst, std::end(kFirst));
    for (std::size_t i = 3; i < layout.model.pieces.size(); ++i)
        layout.names.push_back(layout.model.pieces[i].text);
    layout.names.insert(layout.names.end(), languages.begin(), languages.end());
    if (hasMask) layout.names.emplace_back("<mask>");

    PieceMap<std::int64_t> fixed;
    const auto behind = layout.modelSize() + 1;
    if (hasMask) { // NLLB knows its first tokens as added ones only
        for (std::int64_t i = 0; i < 4; ++i) fixed[std::string(kFirst[i])] = i;
        for (std::size_t i = 0; i < languages.size(); ++i)
            fixed[std::string(languages[i])] = behind + static_cast<std::int64_t>(i);
        fixed["<mask>"] = behind + static_cast<std::int64_t>(languages.size());
    }
    layout.idOf = [&layout, fixed](std::string_view text) -> std::optional<std::int64_t> {
        if (const auto at = fixed.find(text); at != fixed.end()) return at->second;
        const std::int64_t id = layout.modelId(text);
        return id == 0 ? std::nullopt : std::optional(id + 1);
    };
}

void layOutNllb(Layout& layout) {
    layOutFairseq(layout, {}, false);
    TokensById first;
    std::int64_t id = 0;
    for (const char* key : {"bos_token", "pad_token", "eos_token", "unk_token"}) {
        layout.token(key);
        first.set(id++, *layout.form.special.find(key));
    }
    for (const auto& [number, token] : layout.added.inOrder()) first.set(number, token);
    layout.added = std::move(first);
}

void layOutCamembert(Layout& layout) {
    static constexpr std::string_view kFirst[] = {"<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>",
                                                  "<unk>NOTUSED"};
    layout.unkId = 3;
    for (const std::string_view token : kFirst) layout.add(token, token == kFirst[4] ? -100.0 : 0.0);
    layout.addModel(1);
    layout.add("<mask>", 0.0);

    layout.names.assign(4, std::string_view());
    for (const SentencePiece& piece : layout.model.pieces) layout.names.push_back(piece.text);
    for (const std::int64_t i : {0, 1, 2, 3, 4}) {
        const std::string content(kFirst[i]);
        layout.added.set(i, specialToken(i == 1   ? layout.token("pad_token")
                                         : i == 3 ? layout.token("unk_token")
                                                  : content));
    }
    layout.idOf = [&layout](std::string_view text) -> std::optional<std::int64_t> {
        const std::int64_t id = layout.modelId(text);
        return id == 0 ? std::nullopt : std::optional(id + 4);
    };
}

/// A class that rebuilds hands its filled tokens to the slow one, which fills them once more.
void refuseDoublePegasusTokens(const SpecialTokens& special, std::int64_t offset) {
    const auto at = special.byKey.find(kAdditionalTokens);
    if (at == special.byKey.end()) return;
    for (auto i = static_cast<std::int64_t>(at->second.size()); i < offset - 1; ++i)
        for (const NamedToken& named : at->second)
            if (named.token.content == fmt::format("<unk_{}>", i))
                fail(ClassSettings::subjectOf("mask_token_sent"), "null",
                     fmt::format("expected a token: <unk_{}> comes twice without it", i));
}

void layOutPegasus(Layout& layout) {
    const ClassSettings settings = layout.form.settings();
    const std::int64_t offset = settings.integer("offset", 103, INT32_MAX);
    const std::string& pad = layout.token("pad_token");
    const std::string& end = layout.token("eos_token");
    const NamedToken* mask = layout.form.special.find("mask_token");
    const std::optional<std::string> sentence = settings.find("mask_token_sent") == nullptr
                                                    ? std::optional<std::string>("<mask_1>")
                                                    : settings.text("mask_token_sent");
    if (layout.form.inputs.isRebuilt) refuseDoublePegasusTokens(layout.form.special, offset);
    std::vector<std::string> first = {pad, end};
    if (sentence) {
        first.push_back(*sentence);
        first.push_back(mask == nullptr ? "None" : mask->token.content); // Python's name of a null
    }
    for (std::int64_t i = 2; i < offset; ++i) first.push_back(fmt::format("<unk_{}>", i));
    for (std::size_t i = 0; i < first.size(); ++i)
        layout.added.set(static_cast<std::int64_t>(i), specialToken(first[i]));

    layout.names.assign(static_cast<std::size_t>(offset), std::string_view());
    for (const SentencePiece& piece : layout.model.pieces) layout.names.push_back(piece.text);
    layout.idOf = [&layout, offset](std::string_view text) { return layout.modelId(text) + offset; };

    layout.add(pad, 0.0);
    layout.add(end, 0.0);
    if (sentence) layout.add(*sentence, 0.0);
    if (mask != nullptr) {
        const SlowTokens slow(vocabularyById(layout.names, layout.added), layout.added, layout.form.special);
        if (slow.id(mask->token.content).value() < offset) layout.add(mask->token.content, 0.0);
    }
    for (std::int64_t i = 2; i < offset; ++i) layout.add(fmt::format("<unk_{}>", i), -100.0);
    layout.addModel(2);
    layout.unkId = layout.model.unkId + offset;
}

void layOut(Layout& layout) {
    const std::string_view name = layout.form.rule.name;
    const std::span<const std::string_view> codes(languages::kMBart50);
    switch (layout.form.rule.more) {
    case MoreTokens::T5:
        return layOutT5(layout);
    case MoreTokens::Pegasus:
        return layOutPegasus(layout);
    case MoreTokens::Nllb:
        return layOutNllb(layout);
    case MoreTokens::MBart:
        return layOutFairseq(layout, codes.first(languages::kMBartCount), true);
    case MoreTokens::MBart50:
        return layOutFairseq(layout, codes, true);
    case MoreTokens::Camembert:
        return layOutCamembert(layout);
    case MoreTokens::CodeLlama:
        return layOutLlama(layout);
    case MoreTokens::XlNet:
        return layOutCommas(layout);
    case MoreTokens::ByT5: // has no sentencepiece model
    case MoreTokens::Listed:
        break;
    }
    if (name == "AlbertTokenizer") return layOutCommas(layout);
    if (name == "LlamaTokenizer") return layOutLlama(layout);
    if (name == "GemmaTokenizer") return layOutGemma(layout);
    if (name == "DebertaV2Tokenizer") return layOutDebertaV2(layout);
    if (name == "XLMRobertaTokenizer") return layOutFairseq(layout, {}, true);
    layOutPlain(layout);
    if (name == "BarthezTokenizer") layout.unkId = 3; // whatever the model says
}

} // namespace

SentencePieceVocabulary sentencePieceVocabulary(const FormInputs& form, const SentencePieceModel& model) {
    const auto layout = std::make_shared<Layout>(Layout{form, model, {}, 0, form.slowTokens(), {}, {}, {}});
    layOut(*layout);
    const bool byId = !layout->names.empty();
    const auto slow = std::make_shared<SlowTokens>(
        byId ? vocabularyById(layout->names, layout->added) : layout->ids, layout->added, form.special);
    SentencePieceVocabulary result;
    result.pieces = std::move(layout->pieces);
    result.unkId = layout->unkId;
    result.idOf = [layout, slow](const std::string& token) {
        if (const auto added = slow->id(token)) return *added;
        if (const auto known = layout->idOf(token)) return *known;
        return slow->id(layout->token("unk_token")).value();
    };
    return result;
}

} // namespace headscope
