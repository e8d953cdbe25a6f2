// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/stage_fields.h"

namespace headscope {

namespace {

struct SpecialToken {
    std::string spelling;
    std::int64_t id;
};

/// From ["[CLS]", 101].
SpecialToken readSpecialToken(const StageFields& fields, std::string_view key) {
    const std::vector<Json>& pair = fields.array(key);
    if (pair.size() != 2 || !pair[0].isString())
        fail(fields.subjectOf(key), "an array of another form", "expected [\"spelling\", id]");
    return {pair[0].asString(), readId(pair[1], fields.subjectOf(key))};
}

EncodedToken encoded(const SpecialToken& token, std::int32_t typeId) {
    EncodedToken result;
    result.id = token.id;
    result.value = token.spelling;
    result.special = true;
    result.typeId = typeId;
    return result;
}

/// `cls A sep` with type 0, then `B sep` with type 1.
class BertProcessing : public PostProcessor {
  public:
    explicit BertProcessing(const StageFields& fields)
        : m_sep(readSpecialToken(fields, "sep")), m_cls(readSpecialToken(fields, "cls")) {}

    std::vector<TokenList> process(std::vector<TokenList> texts, bool addSpecial) const override {
        if (!addSpecial) return texts;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (i == 0) texts[i].insert(texts[i].begin(), encoded(m_cls, 0));
            texts[i].push_back(encoded(m_sep, i == 0 ? 0 : 1));
        }
        return texts;
    }

  private:
    SpecialToken m_sep;
    SpecialToken m_cls;
};

} // namespace

PostProcessorPtr parseBertProcessing(const Json& json, const std::string& subject) {
    return std::make_unique<BertProcessing>(StageFields(json, subject));
}

} // namespace headscope
