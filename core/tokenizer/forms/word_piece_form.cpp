// SPDX-License-Identifier: GPL-3.0-or-later
// vocab.txt: BERT and its kin.
#include "core/base/utf8.h"
#include "core/tokenizer/class_templates.h"
#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/forms/slow_tokens.h"
#include "core/tokenizer/forms/text_lines.h"
#include "core/tokenizer/stage_json.h"

namespace headscope {

namespace {

Json normalizer(const ClassSettings& settings) {
    const auto switchOf = [](const std::optional<bool>& value) { return value ? Json(*value) : Json(); };
    const bool basic = settings.loose("do_basic_tokenize", true);
    const bool lower = settings.flag("do_lower_case", true);
    const std::optional<bool> accents = settings.optional("strip_accents", std::nullopt);
    const bool chinese = settings.flag("tokenize_chinese_chars", true);
    return JsonObject()
        .add("type", jsonText("BertNormalizer"))
        .add("clean_text", Json(true))
        .add("handle_chinese_chars", Json(basic && chinese))
        .add("strip_accents", basic ? switchOf(accents) : Json(false))
        .add("lowercase", Json(basic && lower))
        .take();
}

} // namespace

Json buildWordPiece(const FormInputs& form) {
    const std::string text = form.read(form.vocabularyFile);
    requireUtf8(text, form.vocabularyFile);

    // A piece that comes twice has the number of its last line.
    PieceMap<std::int64_t> ids;
    std::vector<Json::Member> pieces;
    std::int64_t line = 0;
    for (const std::string_view piece : textLines(text)) {
        ids[std::string(piece)] = line;
        pieces.emplace_back(piece, Json(line++));
    }

    const bool isMpNet = form.rule.name == "MPNetTokenizer";
    const SlowTokens slow(ids, form.slowTokens(), form.special,
                          isMpNet ? SlowTokens::Precedence::Vocabulary : SlowTokens::Precedence::Added);
    const std::string& cls = form.special.content("cls_token");
    const std::string& sep = form.special.content("sep_token");
    const std::vector<TemplatePlace> single = {{cls}, {"$A"}, {sep}};
    std::vector<TemplatePlace> pair = single;
    if (isMpNet) pair.push_back({sep});
    pair.push_back({"$B", 1});
    pair.push_back({sep, 1});
    const auto idOf = [&](const std::string& token) { return slow.id(token).value(); };

    const std::string& unknown = form.special.content("unk_token");
    Json normalizing = normalizer(form.settings());
    Json framing = templateStage(single, pair, idOf);
    Json model = JsonObject()
                     .add("type", jsonText("WordPiece"))
                     .add("unk_token", jsonText(unknown))
                     .add("continuing_subword_prefix", jsonText("##"))
                     .add("max_input_chars_per_word", Json(std::int64_t{100}))
                     .add("vocab", jsonObject(std::move(pieces)))
                     .take();
    return JsonObject()
        .add("normalizer", std::move(normalizing))
        .add("pre_tokenizer", constantStage(R"({"type":"BertPreTokenizer"})"))
        .add("post_processor", std::move(framing))
        .add("model", std::move(model))
        .take();
}

} // namespace headscope
