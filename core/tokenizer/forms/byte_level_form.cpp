// SPDX-License-Identifier: GPL-3.0-or-later
// vocab.json and merges.txt: GPT-2 and its kin.
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/byte_level_stages.h"
#include "core/tokenizer/class_templates.h"
#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/forms/slow_tokens.h"
#include "core/tokenizer/forms/text_lines.h"
#include "core/tokenizer/forms/whisper_prefix.h"
#include "core/tokenizer/stage_json.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kMergesFile = "merges.txt";

constexpr const char* kClipPreTokenizer =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Removed","invert":true,"pattern":{"Regex":)"
    R"("'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+"}},)"
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}]})";
constexpr const char* kClipNormalizer =
    R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Replace","pattern":{"Regex":"\\s+"},)"
    R"("content":" "},{"type":"Lowercase"}]})";

/// Which lines of merges.txt are merges.
enum class MergeLines { BetweenFirstAndLast, NotEmpty, Clip };

struct Line {
    std::string_view text;
    std::size_t number; ///< from 1
};

std::vector<Line> mergeLines(std::string_view text, MergeLines kind) {
    constexpr std::size_t kMaxClip = 49152 - 256 - 2;
    std::vector<Line> lines;
    for (const std::string_view line : textLines(text)) lines.push_back({line, lines.size() + 1});
    // A last line counts only with its end.
    const bool endsWithLine = text.ends_with('\n') || text.ends_with('\r');
    if (kind == MergeLines::BetweenFirstAndLast) {
        if (!endsWithLine && !lines.empty()) lines.pop_back();
        if (!lines.empty()) lines.erase(lines.begin());
        return lines;
    }
    const auto isBlank = [](const Line& line) { return pythonWords(line.text).empty(); };
    if (kind == MergeLines::NotEmpty) {
        const std::vector<std::string_view> first =
            lines.empty() ? std::vector<std::string_view>() : pythonWords(lines[0].text);
        if (!first.empty() && first[0].starts_with("#version:")) lines.erase(lines.begin());
        std::erase_if(lines, isBlank);
        return lines;
    }
    while (!lines.empty() && isBlank(lines.back())) lines.pop_back();
    lines.erase(lines.begin(), std::ranges::find_if_not(lines, isBlank));
    if (!lines.empty()) lines.erase(lines.begin());
    if (lines.size() > kMaxClip) lines.resize(kMaxClip, Line());
    return lines;
}

/// [["a", "b"], ...]; a pair that stands twice counts where it stands first.
Json merges(const FormInputs& form, MergeLines kind) {
    const std::string text = form.read(kMergesFile);
    requireUtf8(text, kMergesFile);
    PieceMap<bool> seen;
    std::vector<Json> pairs;
    for (const Line& line : mergeLines(text, kind)) {
        const std::vector<std::string_view> words = pythonWords(line.text);
        if (words.size() != 2)
            fail(kMergesFile, fmt::format("line {} has {} words", line.number, words.size()),
                 "expected the two pieces of a merge");
        if (seen.emplace(fmt::format("{} {}", words[0], words[1]), true).second)
            pairs.push_back(jsonPair(jsonText(words[0]), jsonText(words[1])));
    }
    return jsonArray(std::move(pairs));
}

Json byteLevel(bool addPrefixSpace) {
    return JsonObject()
        .add("type", jsonText("ByteLevel"))
        .add("add_prefix_space", Json(addPrefixSpace))
        .add("trim_offsets", Json(true))
        .add("use_regex", Json(true))
        .take();
}

/// The vocabulary as the slow class knows it.
class SlowVocabulary {
  public:
    SlowVocabulary(const FormInputs& form, const Json& vocab) : m_form(form) {
        for (const auto& [piece, id] : vocab.members())
            if (id.isInteger()) m_ids[piece] = id.asInteger(); // others are refused when the model is read
        // Whisper's class spells its vocabulary from the ids.
        const bool byId = form.rule.name == "WhisperTokenizer";
        m_slow.emplace(byId ? vocabularyById(piecesById(), form.slowTokens()) : m_ids, form.slowTokens(),
                       form.special);
    }

    /// convert_tokens_to_ids. Throws Error for a token without an id.
    std::int64_t id(const std::string& token) const {
        if (const auto added = m_slow->id(token)) return *added;
        if (const auto at = m_ids.find(token); at != m_ids.end()) return at->second;
        if (const NamedToken* unknown = m_form.special.find("unk_token"))
            if (const auto at = m_ids.find(unknown->token.content); at != m_ids.end()) return at->second;
        fail(m_form.vocabularyFile, fmt::format("there is no \"{}\"", escapeForMessage(token, 40)),
             fmt::format("expected it, as {} adds it to every text", m_form.rule.name));
    }
    const TokensById& added() const { return m_slow->byId(); }

  private:
    /// As many as there are pieces; empty where no piece has the id.
    std::vector<std::string_view> piecesById() const {
        std::vector<std::string_view> pieces(m_ids.size());
        for (const auto& [piece, id] : m_ids)
            if (id >= 0 && id < static_cast<std::int64_t>(pieces.size()))
                pieces[static_cast<std::size_t>(id)] = piece;
        return pieces;
    }

    const FormInputs& m_form;
    PieceMap<std::int64_t> m_ids;
    std::optional<SlowTokens> m_slow;
};

Json robertaProcessing(const FormInputs& form, const SlowVocabulary& slow, bool trims, bool prefix) {
    const bool isClip = form.rule.name == "CLIPTokenizer";
    const auto pair = [&](std::string_view key) {
        const std::string& token = form.special.content(key);
        const std::int64_t id = slow.id(token);
        return jsonPair(jsonText(token), Json(id));
    };
    Json sep = pair(isClip ? "eos_token" : "sep_token");
    Json cls = pair(isClip ? "bos_token" : "cls_token");
    return JsonObject()
        .add("type", jsonText("RobertaProcessing"))
        .add("sep", std::move(sep))
        .add("cls", std::move(cls))
        .add("trim_offsets", Json(trims))
        .add("add_prefix_space", Json(prefix))
        .take();
}

} // namespace

Json buildByteLevelBpe(const FormInputs& form) {
    const std::string_view name = form.rule.name;
    const bool isClip = name == "CLIPTokenizer";
    const bool isQwen2 = name == "Qwen2Tokenizer";
    const ClassSettings settings = form.settings();
    const bool prefix = isQwen2 || isClip ? false : settings.flag("add_prefix_space", false);

    if (isQwen2 && settings.loose("add_prefix_space", false))
        fail(ClassSettings::subjectOf("add_prefix_space"), "true",
             "expected false, since Qwen2Tokenizer fails at it");

    Json vocab = parseJson(form.read(form.vocabularyFile), form.vocabularyFile);
    if (!vocab.isObject())
        fail(form.vocabularyFile, fmt::format("found {}", vocab.typeName()),
             "expected an object of pieces and ids");
    const SlowVocabulary slow(form, vocab);
    const auto idOf = [&](const std::string& token) { return slow.id(token); };
    const auto placed = [&](const char* single, const char* pair) {
        return templateStage(templatePlaces(single), templatePlaces(pair), idOf);
    };

    Json normalizer;
    Json preTokenizer = byteLevel(prefix);
    Json postProcessor = constantStage(kUntrimmedByteLevel);
    MergeLines lines = MergeLines::BetweenFirstAndLast;
    Json model = JsonObject().add("type", jsonText("BPE")).take();
    if (name == "RobertaTokenizer" || name == "BartTokenizer") {
        postProcessor = robertaProcessing(form, slow, true, prefix);
    } else if (name == "DebertaTokenizer") {
        postProcessor = placed("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1");
    } else if (name == "WhisperTokenizer") {
        postProcessor = whisperTemplate(form, {idOf, slow.added(), vocab});
    } else if (isQwen2) {
        normalizer = constantStage(R"({"type":"NFC"})");
        preTokenizer = constantStage(kQwen2PreTokenizer);
        lines = MergeLines::NotEmpty;
    } else if (isClip) {
        normalizer = constantStage(kClipNormalizer);
        preTokenizer = constantStage(kClipPreTokenizer);
        postProcessor = robertaProcessing(form, slow, false, false);
        lines = MergeLines::Clip;
        model.members().emplace_back("unk_token", jsonText(form.special.content("unk_token")));
        model.members().emplace_back("end_of_word_suffix", jsonText("</w>"));
    } else if (settings.loose("add_bos_token", false)) {
        const TemplatePlace begin = {form.special.content("bos_token")};
        postProcessor = templateStage({begin, {"$A"}}, {begin, {"$A"}, {"$B", 1}}, idOf);
    }
    model.members().emplace_back("merges", merges(form, lines));
    model.members().emplace_back("vocab", std::move(vocab));
    return JsonObject()
        .add("normalizer", std::move(normalizer))
        .add("pre_tokenizer", std::move(preTokenizer))
        .add("post_processor", std::move(postProcessor))
        .add("model", std::move(model))
        .take();
}

} // namespace headscope
