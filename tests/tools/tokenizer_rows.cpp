// SPDX-License-Identifier: GPL-3.0-or-later
// What `headscope tokens --json` says of every line of a file, as numbers that a script reads at once:
//   tokenizer_rows FOLDER LINES OUT [SECOND]
// For each line the number of tokens n, n ids, n pairs of start and end, n special flags and n texts (-1: of
// none), each an int64 in the machine's order. SECOND is the second text of every line.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/tokenizer.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace headscope;

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{512} << 20;

void append(std::vector<std::int64_t>& rows, const std::vector<Token>& tokens) {
    rows.push_back(static_cast<std::int64_t>(tokens.size()));
    for (const Token& token : tokens) rows.push_back(token.id);
    for (const Token& token : tokens) {
        rows.push_back(token.start);
        rows.push_back(token.end);
    }
    for (const Token& token : tokens) rows.push_back(token.special ? 1 : 0);
    for (const Token& token : tokens) rows.push_back(token.text);
}

void write(const char* path, const std::vector<std::int64_t>& rows) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(rows.data()),
              static_cast<std::streamsize>(rows.size() * sizeof(std::int64_t)));
    if (!out.flush()) fail(path, "it cannot be written");
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 4 || argc > 5) {
        std::fputs("usage: tokenizer_rows FOLDER LINES OUT [SECOND]\n", stderr);
        return 2;
    }
    try {
        const auto tokenizer = loadTokenizer(openCheckpoint(argv[1]), {});
        const std::string text = readWholeFile(argv[2], kMaxFileBytes);
        const auto second = argc == 5 ? std::optional<std::string_view>(argv[4]) : std::nullopt;
        std::vector<std::int64_t> rows;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            append(rows, tokenizer->encode(std::string_view(text).substr(at, end - at), second, {}));
            at = end + 1;
        }
        write(argv[3], rows);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
