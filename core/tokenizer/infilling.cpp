// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/infilling.h"

#include "core/base/error.h"
#include "core/tokenizer/class_rules_settings.h"

#include <fmt/format.h>

namespace headscope {

namespace {

class WithoutInfilling : public Tokenizer {
  public:
    WithoutInfilling(std::shared_ptr<const Tokenizer> tokenizer, std::string fillToken)
        : m_tokenizer(std::move(tokenizer)), m_fillToken(std::move(fillToken)) {}

    std::vector<Token> encode(std::string_view text, std::optional<std::string_view> pair,
                              const EncodeOptions& options) const override {
        const char* hint = "give the text as token ids with --ids";
        if (pair && !pair->empty())
            fail("the second text", "Code Llama reads it as what stands behind a gap",
                 "expected none, as that is not computed", hint);
        if (!pair && !m_fillToken.empty() && text.find(m_fillToken) != std::string_view::npos)
            fail("the text",
                 fmt::format("Code Llama fills a gap at \"{}\"", escapeForMessage(m_fillToken, 40)),
                 "expected none, as that is not computed", hint);
        return m_tokenizer->encode(text, pair, options);
    }
    std::optional<std::string> piece(std::int64_t id) const override { return m_tokenizer->piece(id); }
    std::optional<std::int64_t> id(std::string_view piece) const override { return m_tokenizer->id(piece); }
    std::optional<std::string> bytes(std::int64_t id) const override { return m_tokenizer->bytes(id); }
    bool isSpecial(std::int64_t id) const override { return m_tokenizer->isSpecial(id); }
    std::int64_t idLimit() const override { return m_tokenizer->idLimit(); }

  private:
    std::shared_ptr<const Tokenizer> m_tokenizer;
    std::string m_fillToken;
};

} // namespace

std::shared_ptr<const Tokenizer> withoutInfilling(std::shared_ptr<const Tokenizer> tokenizer,
                                                  const ClassInputs& inputs) {
    const ClassSettings settings(inputs);
    const bool isWritten = settings.find("fill_token") != nullptr;
    return std::make_shared<WithoutInfilling>(
        std::move(tokenizer), isWritten ? settings.text("fill_token").value_or("") : "<FILL_ME>");
}

} // namespace headscope
