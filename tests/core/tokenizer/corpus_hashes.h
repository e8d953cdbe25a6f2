// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/tokenizer/tokenizer.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {

/// The lines of tests/data/tokenizer/token_lines.txt.
inline const std::vector<std::string>& corpusLines() {
    static const std::vector<std::string> lines = [] {
        const std::string bytes = readBytes(dataPath("tokenizer/token_lines.txt"));
        std::vector<std::string> result;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t end = bytes.find('\n', at);
            result.push_back(bytes.substr(at, end - at));
            at = end + 1;
        }
        return result;
    }();
    return lines;
}

/// FNV-1a (64 bits) of a line's tokens, written as `pack_tokens` of tests/tools/make_tokenizer_fixtures.py
/// does; of it the lower 32 bits, which as bytes are the first four.
class TokensHash {
  public:
    static std::uint32_t of(const std::vector<Token>& tokens) {
        TokensHash hash;
        hash.add(tokens.size());
        std::int64_t last = 0;
        for (const Token& token : tokens) {
            hash.add(2 * static_cast<std::uint64_t>(token.id) + (token.special ? 1 : 0));
            if (token.special) continue;
            hash.addSigned(token.start - last);
            hash.addSigned(token.end - token.start);
            last = token.end;
        }
        return static_cast<std::uint32_t>(hash.m_state);
    }

  private:
    void add(std::uint64_t number) {
        for (; number >= 0x80; number >>= 7) addByte((number & 0x7f) | 0x80);
        addByte(number);
    }
    void addSigned(std::int64_t number) {
        add(number >= 0 ? static_cast<std::uint64_t>(number) << 1
                        : (static_cast<std::uint64_t>(-number) << 1) - 1);
    }
    void addByte(std::uint64_t byte) { m_state = (m_state ^ byte) * 0x100000001b3U; }

    std::uint64_t m_state = 0xcbf29ce484222325U;
};

/// Compares the tokens of every line of the corpus with the hashes in tests/data/tokenizer/NAME.hashes: four
/// bytes a line, little end first; 0 where the library refuses the line, which must be an Error here.
inline void expectCorpusHashes(const Tokenizer& tokenizer, const std::string& name) {
    const std::string bytes = readBytes(dataPath("tokenizer/" + name + ".hashes"));
    const std::vector<std::string>& lines = corpusLines();
    ASSERT_EQ(lines.size(), 2206U);
    ASSERT_EQ(bytes.size(), 4 * lines.size()) << name;
    int different = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::uint32_t want = 0;
        for (std::size_t byte = 4; byte-- > 0;)
            want = want << 8 | static_cast<unsigned char>(bytes[4 * i + byte]);
        std::uint32_t found = 0;
        std::string tokens;
        try {
            const std::vector<Token> encodedLine = tokenizer.encode(lines[i], std::nullopt, {});
            found = TokensHash::of(encodedLine);
            tokens = shown(encodedLine);
        } catch (const Error& error) {
            tokens = error.what();
        }
        if (found == want || ++different > 3) continue;
        ADD_FAILURE() << name << ", line " << i + 1 << ": " << lines[i] << "\n  found " << tokens
                      << (want == 0 ? "\n  expected to be refused" : "");
    }
    EXPECT_EQ(different, 0) << name;
}

} // namespace headscope::test
