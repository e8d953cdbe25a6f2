// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/tokenizer.h"
#include "tests/core/tokenizer/tokenizer_json.h"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace headscope::test {

inline constexpr const char* kSplitWords = R"({"type":"BertPreTokenizer"})";

/// A tokenizer of a model alone (its JSON), without other stages unless a pre-tokenizer is given.
inline std::shared_ptr<const Tokenizer> tokenizerOf(const std::string& model,
                                                    const std::string& preTokenizer = "null") {
    return parseTokenizer(fmt::format(R"({{"pre_tokenizer":{},"model":{}}})", preTokenizer, model),
                          "tokenizer.json", {});
}

/// A BPE model whose pieces have the ids 0, 1, ...; `merges` are the items of the list, `fields` starts with
/// a comma where it says anything.
inline std::string bpeModel(const std::vector<std::string>& pieces, const std::string& merges = "",
                            const std::string& fields = "") {
    std::string vocab;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        vocab += fmt::format("{}\"{}\":{}", i == 0 ? "" : ",", pieces[i], i);
    return fmt::format(R"({{"type":"BPE","vocab":{{{}}},"merges":[{}]{}}})", vocab, merges, fields);
}

/// A Unigram model; `pieces` are the items of the list.
inline std::string unigramModel(const std::string& pieces, const std::string& fields = R"(,"unk_id":0)") {
    return fmt::format(R"({{"type":"Unigram","vocab":[{}]{}}})", pieces, fields);
}

/// The byte pieces of `bytes`, to go on with a list of pieces.
inline std::vector<std::string> withBytePieces(std::vector<std::string> pieces, std::string_view bytes) {
    for (const char byte : bytes)
        pieces.push_back(fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte)));
    return pieces;
}

} // namespace headscope::test
