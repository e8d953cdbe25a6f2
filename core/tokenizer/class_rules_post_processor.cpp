// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tokenizer/class_rules_stages.h"
#include "core/tokenizer/class_templates.h"
#include "core/tokenizer/language_codes.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr StageSwitch kRobertaSwitches[] = {{"add_prefix_space", "add_prefix_space", false},
                                            {"trim_offsets", "trim_offsets", true}};
/// ByteLevel takes a null for its own default, RobertaProcessing does not take it.
constexpr StageSwitch kByteLevelSwitches[] = {{"add_prefix_space", "add_prefix_space", false, true},
                                              {"trim_offsets", "trim_offsets", true, true}};

/// The two flags of RobertaProcessing or ByteLevel at the top.
void setFlags(const ClassChange& change) {
    const Json* stage = change.file.find("post_processor");
    if (stage == nullptr || (typeOf(*stage) != "RobertaProcessing" && typeOf(*stage) != "ByteLevel")) return;
    // Without both the library reads another stage, which has no such flags.
    for (const StageSwitch& one : kRobertaSwitches)
        if (stage->find(one.field) == nullptr) return;
    bool isChanged = false;
    const bool isByteLevel = typeOf(*stage) == "ByteLevel";
    const Json changed =
        withSwitches(change, *stage, isByteLevel ? kByteLevelSwitches : kRobertaSwitches, isChanged);
    if (isChanged)
        change.stages.postProcessor = parsePostProcessor(changed, "tokenizer.json: post_processor");
}

/// The id of a token, or that of the unknown token.
std::int64_t idOf(const ClassChange& change, const std::string& token) {
    if (const auto added = change.stages.added.id(token)) return *added;
    if (const auto known = change.stages.model->id(token)) return *known;
    if (const NamedToken* unknown = change.special.find("unk_token"))
        if (const auto id = change.stages.added.id(unknown->token.content)) return *id;
    fail("tokenizer_config.json", fmt::format("\"{}\" is not in the vocabulary", escapeForMessage(token, 40)),
         "expected it there, or an unknown token");
}

/// Equal but for the order of members, as far as the fields of `wanted` go.
bool holds(const Json& json, const Json& wanted) {
    if (wanted.isObject())
        return std::ranges::all_of(wanted.members(), [&](const Json::Member& member) {
            const Json* value = json.find(member.first);
            return value != nullptr && holds(*value, member.second);
        });
    if (wanted.isArray()) return json.isArray() && std::ranges::equal(json.items(), wanted.items(), holds);
    if (wanted.isString()) return json.isString() && json.asString() == wanted.asString();
    return json.isInteger() && json.asInteger() == wanted.asInteger();
}

std::string shown(const std::vector<TemplatePlace>& places) {
    std::string text;
    for (const TemplatePlace& place : places)
        text += fmt::format("{}{}", text.empty() ? "" : " ", escapeForMessage(place.token, 40));
    return text;
}

PostProcessorPtr fromPlaces(const ClassChange& change, const std::vector<TemplatePlace>& single,
                            const std::vector<TemplatePlace>& pair, TemplateForm form) {
    const Json stage = templateStage(
        single, pair, [&](const std::string& token) { return idOf(change, token); }, form);
    const Json* old = change.file.find("post_processor");
    if (change.notes && (old == nullptr || !holds(*old, stage)))
        change.notes(fmt::format("tokenizer.json: the post_processor is replaced by the template of {}, {}",
                                 change.rule.name, shown(single)));
    return parsePostProcessor(stage, std::string(change.rule.name));
}

/// [bos] A [eos], pair [bos] A [eos] [bos]:1 B:1 [eos]:1.
PostProcessorPtr beginAndEnd(const ClassChange& change) {
    const ClassSettings settings = change.settings();
    const bool begins = settings.loose("add_bos_token", change.rule.addsBegin);
    const bool ends = settings.loose("add_eos_token", false);
    std::vector<TemplatePlace> single;
    std::vector<TemplatePlace> pair;
    for (const std::int64_t text : {0, 1}) {
        std::vector<TemplatePlace> places;
        if (begins) places.push_back({change.special.content("bos_token"), text});
        places.push_back({text == 0 ? "$A" : "$B", text});
        if (ends) places.push_back({change.special.content("eos_token"), text});
        if (text == 0) single = places;
        pair.insert(pair.end(), places.begin(), places.end());
    }
    return fromPlaces(change, single, pair, TemplateForm::Text);
}

bool isLanguage(const ClassRule& rule, std::string_view language) {
    std::span<const std::string_view> codes(languages::kMBart50);
    if (rule.postProcessor == PostProcessorRule::MBart) codes = codes.first(languages::kMBartCount);
    return std::ranges::find(codes, language) != codes.end();
}

/// mBART: A </s> language. mBART-50 and NLLB: language A </s>; with legacy_behaviour NLLB is as mBART.
PostProcessorPtr forLanguage(const ClassChange& change, const std::string& language) {
    const bool behind = change.rule.postProcessor == PostProcessorRule::MBart ||
                        (change.rule.postProcessor == PostProcessorRule::Nllb &&
                         change.settings().loose("legacy_behaviour", false));
    // A language without an id is read as the unknown token.
    const bool isKnown = change.stages.added.id(language) || change.stages.model->id(language);
    const TemplatePlace code = {isKnown ? language : change.special.content("unk_token")};
    const TemplatePlace end = {change.special.content("eos_token")};
    const auto places = [&](std::vector<TemplatePlace> texts) {
        if (!behind) texts.insert(texts.begin(), code);
        texts.push_back(end);
        if (behind) texts.push_back(code);
        return texts;
    };
    return fromPlaces(change, places({{"$A"}}), places({{"$A"}, {"$B"}}), TemplateForm::List);
}

/// Stands in for the template of target texts where no language is set for them.
class NoTargetLanguage : public PostProcessor {
  public:
    std::vector<TokenList> process(std::vector<TokenList>, bool) const override {
        fail("tokenizer_config.json", "no tgt_lang, the language of target texts", {},
             "add it, or give the target as token ids with --target-ids");
    }
};

void setLanguages(const ClassChange& change) {
    const ClassSettings settings = change.settings();
    const std::string fallback = change.rule.postProcessor == PostProcessorRule::Nllb ? "eng_Latn" : "en_XX";
    const std::string source = settings.text("src_lang").value_or(fallback);
    const bool mustBeKnown = change.rule.postProcessor == PostProcessorRule::MBart50 ||
                             (change.rule.postProcessor == PostProcessorRule::MBart && change.inputs.isBuilt);
    if (mustBeKnown && !isLanguage(change.rule, source))
        fail(ClassSettings::subjectOf("src_lang"), fmt::format("\"{}\"", escapeForMessage(source, 40)),
             fmt::format("expected a language of {}", change.rule.name));
    change.stages.postProcessor = forLanguage(change, source);
    const std::optional<std::string> target = settings.text("tgt_lang");
    const NoteSink none;
    const ClassChange withoutNotes = {change.rule, change.inputs, change.special,
                                      change.file, change.stages, none};
    change.stages.targetPostProcessor =
        target ? forLanguage(withoutNotes, *target) : std::make_unique<NoTargetLanguage>();
}

} // namespace

void changePostProcessor(const ClassChange& change) {
    switch (change.rule.postProcessor) {
    case PostProcessorRule::Kept:
        return;
    case PostProcessorRule::Roberta:
        setFlags(change);
        return;
    case PostProcessorRule::BeginAndEnd:
        change.stages.postProcessor = beginAndEnd(change);
        return;
    case PostProcessorRule::MBart:
    case PostProcessorRule::MBart50:
    case PostProcessorRule::Nllb:
        setLanguages(change);
        return;
    }
}

} // namespace headscope
