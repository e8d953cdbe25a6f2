// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

/// One place of a template: a whole text, or special tokens. The special tokens' ids and spellings have the
/// same number.
struct Slot {
    std::int32_t text = -1; ///< 0 or 1; -1 for special tokens
    std::int32_t typeId = 0;
    std::vector<std::int64_t> ids;
    std::vector<std::string> spellings;
};

using Template = std::vector<Slot>;

/// Fills in what special_tokens says of the name `id`.
void readSpecialTokens(const StageFields& stage, const std::string& id, Slot& slot) {
    const Json* entry = stage.required("special_tokens").find(id);
    const std::string subject =
        fmt::format("{}: \"{}\"", stage.subjectOf("special_tokens"), escapeForMessage(id, 40));
    if (entry == nullptr) fail(subject, "the template names it and it is missing");
    const StageFields fields(*entry, subject);
    for (const Json& value : fields.array("ids")) slot.ids.push_back(readId(value, fields.subjectOf("ids")));
    for (const Json& value : fields.array("tokens")) {
        if (!value.isString())
            fail(fields.subjectOf("tokens"), fmt::format("found {}", value.typeName()), "expected a string");
        slot.spellings.push_back(value.asString());
    }
    if (slot.ids.size() != slot.spellings.size())
        fail(subject, fmt::format("{} ids and {} tokens", slot.ids.size(), slot.spellings.size()),
             "expected as many of both");
}

Slot readSlot(const StageFields& stage, const Json& json, const std::string& subject, bool isPair) {
    const StageFields outer(json, subject);
    Slot slot;
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
    readSpecialTokens(stage, fields.string("id"), slot);
    return slot;
}

Template readTemplate(const StageFields& stage, std::string_view key, bool isPair) {
    Template result;
    for (const Json& json : stage.array(key))
        result.push_back(
            readSlot(stage, json, fmt::format("{}: {}", stage.subjectOf(key), result.size()), isPair));
    return result;
}

/// Texts and special tokens in any order; a text may come twice or not at all. Type ids are set with and
/// without special tokens.
class TemplateProcessing : public PostProcessor {
  public:
    explicit TemplateProcessing(const StageFields& fields)
        : m_single(readTemplate(fields, "single", false)), m_pair(readTemplate(fields, "pair", true)) {}

    std::vector<TokenList> process(std::vector<TokenList> texts, bool addSpecial) const override {
        const Template& slots = texts.size() == 1 ? m_single : m_pair;
        std::vector<TokenList> result;
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
    static TokenList specialTokens(const Slot& slot) {
        TokenList tokens(slot.ids.size());
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            tokens[i].id = slot.ids[i];
            tokens[i].value = slot.spellings[i];
            tokens[i].special = true;
            tokens[i].typeId = slot.typeId;
        }
        return tokens;
    }

    Template m_single;
    Template m_pair;
};

} // namespace

PostProcessorPtr parseTemplateProcessing(const Json& json, const std::string& subject) {
    return std::make_unique<TemplateProcessing>(StageFields(json, subject));
}

} // namespace headscope
