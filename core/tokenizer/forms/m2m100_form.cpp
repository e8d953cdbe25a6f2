// SPDX-License-Identifier: GPL-3.0-or-later
// sentencepiece.bpe.model and vocab.json: M2M-100, which has no fast tokenizer.
#include "core/base/error.h"
#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/forms/piece_encoder.h"
#include "core/tokenizer/forms/slow_tokenizer.h"
#include "core/tokenizer/language_codes.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

std::span<const std::string_view> languageCodes(const ClassSettings& settings) {
    const std::string name = settings.text("language_codes").value_or("m2m100");
    if (name == "m2m100") return languages::kM2m100;
    if (name == "wmt21") return languages::kWmt21;
    fail(ClassSettings::subjectOf("language_codes"), fmt::format("\"{}\"", escapeForMessage(name, 40)),
         "expected \"m2m100\" or \"wmt21\"");
}

/// get_vocab(): as many pieces as there are, by their ids; the unknown token where there is none.
PieceMap<std::int64_t> slowVocabulary(const PieceIds& vocabulary, const FormInputs& form,
                                      const TokensById& added) {
    std::vector<std::string_view> pieces(vocabulary.ids.size(), form.special.content("unk_token"));
    for (const auto& [id, piece] : vocabulary.pieces)
        if (id < static_cast<std::int64_t>(pieces.size())) pieces[static_cast<std::size_t>(id)] = piece;
    return vocabularyById(pieces, added);
}

} // namespace

std::shared_ptr<const Tokenizer> buildM2m100(const FormInputs& form) {
    const ClassSettings settings = form.settings();
    const Json json = parseJson(form.read(form.vocabularyFile), form.vocabularyFile);
    const auto vocabulary = std::make_shared<PieceIds>(json, form.vocabularyFile);
    const std::span<const std::string_view> codes = languageCodes(settings);
    const auto tokenOf = [](std::string_view code) { return fmt::format("__{}__", code); };
    PieceMap<std::int64_t> languages;
    auto next = static_cast<std::int64_t>(vocabulary->ids.size());
    for (const std::string_view code : codes) languages[tokenOf(code)] = next++;

    const TokensById declared = form.slowTokens();
    const SlowTokens added(slowVocabulary(*vocabulary, form, declared), declared, form.special);
    SlowSide side;
    side.encoder =
        std::make_shared<PieceEncoder>(form.read("sentencepiece.bpe.model"), "sentencepiece.bpe.model");
    side.vocabulary = vocabulary;
    side.suffix = {added.id(form.special.content("eos_token")).value()};
    SlowSide source = side;
    const std::string from = settings.text("src_lang").value_or("en");
    const auto sourceAt = languages.find(tokenOf(from));
    if (sourceAt == languages.end())
        fail(ClassSettings::subjectOf("src_lang"), fmt::format("\"{}\"", escapeForMessage(from, 40)),
             "expected a language of M2M-100, such as \"en\"");
    source.prefix = {sourceAt->second};
    SlowSide target = side;
    const std::optional<std::string> code = settings.text("tgt_lang");
    if (!code)
        target.missing = "no tgt_lang, the language of target texts";
    else if (const auto at = languages.find(tokenOf(*code)); at != languages.end())
        target.prefix = {at->second};
    else
        target.missing =
            fmt::format("the tgt_lang \"{}\" is no language of M2M-100", escapeForMessage(*code, 40));
    SlowParts parts(std::move(source), std::move(target), added);
    parts.splitter = slowSplitter(form, added);
    parts.unknown = form.special.content("unk_token");
    parts.languages = std::move(languages);
    return makeSlowTokenizer(std::move(parts));
}

} // namespace headscope
