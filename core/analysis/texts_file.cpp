// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/texts_file.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/utf8.h"
#include "core/tokenizer/text_limit.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

namespace headscope {

std::vector<DiagnosisText> readTextsFile(const std::filesystem::path& file, const TextInput& rules,
                                         bool hasDecoder) {
    const std::string name = escapeForMessage(file.filename().string());
    const std::string content = readWholeFile(file, kMaxTextBytes);
    requireUtf8(content, name);
    std::vector<DiagnosisText> texts;
    int number = 0;
    for (std::string_view rest = content; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
        DiagnosisText text{fmt::format("line {}", number), rules};
        if (const std::size_t tab = line.find('\t'); hasDecoder && tab != std::string_view::npos) {
            text.input.target = line.substr(tab + 1);
            line = line.substr(0, tab);
        }
        text.input.text = line;
        texts.push_back(std::move(text));
    }
    if (texts.empty()) fail(name, "it holds no text", "expected one text a line");
    return texts;
}

} // namespace headscope
