// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/stage_fields.h"
#include "core/tokenizer/text_limit.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <utility>

namespace headscope {

namespace {

/// What special_tokens says of a name; as many spellings as ids.
struct SpecialTokens {
    std::vector<std::int64_t> ids;
    std::vector<std::string> spellings;
};

/// One place of a template: a whole text, or special tokens.
struct Slot {
    std::int32_t text = -1; ///< 0 or 1; -1 for special tokens
    std::int32_t typeId = 0;
    std::shared_ptr<const SpecialTokens> tokens; ///< null for a text
};

using Template = std::vector<Slot>;

/// Every name may stand in a template any number of times, with all its ids.
constexpr std::size_t kMaxSpecialTokens = 65536;

SpecialTokens readSpecialTokens(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    fields.string("id"); // required, though the name counts
    SpecialTokens tokens;
    for (const Json& value : fields.array("ids"))
        tokens.ids.push_back(readId(value, fields.subjectOf("ids")));
    for (const Json& value : fields.array("tokens")) {
        if (!value.isString())
            fail(fields.subjectOf("tokens"), fmt::format("found {}", value.typeName()), "expected a string");
        tokens.spellings.push_back(value.asString());
    }
    if (tokens.ids.size() != tokens.spellings.size())
        fail(subject, fmt::format("{} ids and {} tokens", tokens.ids.size(), tokens.spellings.size()),
             "expected as many of both");
    return tokens;
}

using SpecialTokensByName = std::map<std::string, std::shared_ptr<const SpecialTokens>>;

SpecialTokensByName readSpecialTokensByName(const StageFields& stage) {
    const Json& json = stage.required("special_tokens");
    const StageFields fields(json, stage.subjectOf("special_tokens"));
    SpecialTokensByName result;
    for (const Json::Member& entry : json.members())
        result[entry.first] = std::make_shared<SpecialTokens>(readSpecialTokens(
            entry.second, fmt::format("{}: \"{}\"", fields.subject(), escapeForMessage(entry.first, 40))));
    return result;
}

Slot readSlot(const Json& json, const std::string& subject, const SpecialTokensByName& special, bool isPair) {
    const StageFields outer(json, subject);
    Slot slot;
    if (json.members().size() > 1)
        fail(subject, fmt::format("{} members", json.members().size()), "expected Sequence or SpecialToken");
    if (const Json* sequence = outer.find("Sequence")) {
        const StageFields fields(*sequence, outer.subjectOf("Sequence"));
        const std::string& name = fields.string("id");
        if (name != "A" && name != "B")
            fail(fields.subjectOf("id"), fmt::format("found \"{}\"", escapeForMessage(name, 40)),
                 "expected \"A\" or \"B\"");
        if (name == "B" && !isPair)
            fail(fields.subjectOf("id"), "\"B\" in the template of a single text", "expected \"A\"");
        slot.text = name == "A" ? 0 : 1;
        slot.typeId = static_cast<std::int32_t>(fields.integer("type_id", 0, kMaxTypeId));
        return slot;
    }
    const StageFields fields(outer.required("SpecialToken"), outer.subjectOf("SpecialToken"));
    slot.typeId = static_cast<std::int32_t>(fields.integer("type_id", 0, kMaxTypeId));
    const std::string& name = fields.string("id");
    const auto tokens = special.find(name);
    if (tokens == special.end())
        fail(fields.subjectOf("id"), fmt::format("found \"{}\"", escapeForMessage(name, 40)),
             "expected a name that special_tokens has");
    slot.tokens = tokens->second;
    return slot;
}

Template readTemplate(const StageFields& stage, std::string_view key, bool isPair) {
    const SpecialTokensByName special = readSpecialTokensByName(stage);
    Template result;
    std::size_t count = 0;
    for (const Json& json : stage.array(key)) {
        result.push_back(
            readSlot(json, fmt::format("{}: {}", stage.subjectOf(key), result.size()), special, isPair));
        if (const auto& tokens = result.back().tokens) count += tokens->ids.size();
        if (count > kMaxSpecialTokens)
            fail(stage.subjectOf(key), fmt::format("more than {} special tokens", kMaxSpecialTokens),
                 "expected at most that");
    }
    return result;
}

/// Texts and special tokens in any order; a text may come twice or not at all. Type ids are set with and
/// without special tokens.
class TemplateProcessing : public PostProcessor {
  public:
    explicit TemplateProcessing(const StageFields& fields)
        : m_subject(fields.subject()), m_single(readTemplate(fields, "single", false)),
          m_pair(readTemplate(fields, "pair", true)) {}

    std::vector<TokenList> process(std::vector<TokenList> texts, bool addSpecial) const override {
        if (texts.size() != 1 && texts.size() != 2)
            fail(m_subject, fmt::format("{} parts from the processor before it", texts.size()),
                 "expected one or two", "the tokenizers library stops at this too");
        const Template& slots = texts.size() == 1 ? m_single : m_pair;
        std::vector<TokenList> result;
        requireFewTokens(slots, texts);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const Slot& slot = slots[i];
            if (slot.text >= 0) {
                TokenList& text = texts[static_cast<std::size_t>(slot.text)];
                // Long texts are copied only where the template has them again.
                const bool again =
                    std::any_of(slots.begin() + static_cast<std::ptrdiff_t>(i) + 1, slots.end(),
                                [&](const Slot& later) { return later.text == slot.text; });
                result.push_back(again ? text : std::move(text));
                for (EncodedToken& token : result.back()) token.typeId = slot.typeId;
            } else if (addSpecial) {
                result.push_back(specialTokens(slot));
            }
        }
        return result;
    }

  private:
    /// A template may have a text any number of times.
    static void requireFewTokens(const Template& slots, const std::vector<TokenList>& texts) {
        std::size_t count = 0;
        for (const Slot& slot : slots)
            if (slot.text >= 0) count += texts[static_cast<std::size_t>(slot.text)].size();
        if (count > kMaxTokens) refuseTokens();
    }

    static TokenList specialTokens(const Slot& slot) {
        const SpecialTokens& special = *slot.tokens;
        TokenList tokens(special.ids.size());
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            tokens[i].id = special.ids[i];
            tokens[i].value = special.spellings[i];
            tokens[i].special = true;
            tokens[i].typeId = slot.typeId;
        }
        return tokens;
    }

    std::string m_subject;
    Template m_single;
    Template m_pair;
};

} // namespace

PostProcessorPtr parseTemplateProcessing(const Json& json, const std::string& subject) {
    return std::make_unique<TemplateProcessing>(StageFields(json, subject));
}

} // namespace headscope
