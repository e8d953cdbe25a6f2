// SPDX-License-Identifier: GPL-3.0-or-later
// ByT5, which has no fast tokenizer and no vocabulary file: a byte's id is 3 more than the byte.
#include "core/base/utf8.h"
#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/forms/slow_tokenizer.h"
#include "core/tokenizer/stage_json.h"
#include "core/tokenizer/text_limit.h"

namespace headscope {

namespace {

constexpr int kBytes = 256;
constexpr std::int64_t kFirstByte = 3; ///< id of byte 0

/// A byte as Python's chr() spells it.
std::string spelled(int byte) {
    std::string text;
    appendUtf8(text, static_cast<char32_t>(byte));
    return text;
}

class ByteEncoder : public TextEncoder {
  public:
    ByteEncoder() {
        for (int byte = 0; byte < kBytes; ++byte) m_spellings.push_back(spelled(byte));
    }

    std::vector<EncodedPiece> encode(const NormalizedText& text) const override {
        std::vector<EncodedPiece> pieces;
        for (std::size_t i = 0; i < text.size(); ++i) {
            requireRoomForToken(pieces.size());
            const Span span = text.span(i, i + 1);
            pieces.push_back({m_spellings[static_cast<unsigned char>(text.text()[i])], span.begin, span.end});
        }
        return pieces;
    }

  private:
    std::vector<std::string> m_spellings;
};

std::shared_ptr<const PieceIds> byteIds() {
    std::vector<Json::Member> members;
    for (int byte = 0; byte < kBytes; ++byte) members.emplace_back(spelled(byte), Json(byte + kFirstByte));
    return std::make_shared<PieceIds>(jsonObject(std::move(members)), "the bytes");
}

/// The tokens of the first three ids, and those that are declared.
TokensById addedTokens(const FormInputs& form) {
    TokensById added;
    std::int64_t id = 0;
    for (const char* key : {"pad_token", "eos_token", "unk_token"}) {
        form.special.content(key); // an Error where there is none
        added.set(id++, *form.special.find(key));
    }
    const TokensById declared = form.slowTokens();
    for (const auto& [number, token] : declared.inOrder()) added.set(number, token);
    return added;
}

} // namespace

std::shared_ptr<const Tokenizer> buildBytes(const FormInputs& form) {
    SlowSide side;
    side.encoder = std::make_shared<ByteEncoder>();
    side.vocabulary = byteIds();
    std::vector<std::string_view> names(kFirstByte);
    for (const auto& [id, piece] : side.vocabulary->pieces) names.push_back(piece);
    const TokensById known = addedTokens(form);
    const SlowTokens added(vocabularyById(names, known), known, form.special);
    side.suffix = {added.id(form.special.content("eos_token")).value()};
    SlowParts parts(side, side, added);
    parts.splitter = slowSplitter(form, added);
    parts.endsEachText = true;
    parts.isBytes = true;
    return makeSlowTokenizer(std::move(parts));
}

} // namespace headscope
