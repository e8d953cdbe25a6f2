// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/foreign_content.h"

#include "core/base/error.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace headscope {

std::string messageName(const std::filesystem::path& path) {
    return escapeForMessage(path.filename().string());
}

std::string quotedName(std::string_view name) {
    return '"' + escapeForMessage(name) + '"';
}

namespace {

bool looksLikeHtml(std::string_view head) {
    if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
    const auto isSpace = [](unsigned char c) { return std::isspace(c) != 0; };
    while (!head.empty() && isSpace(static_cast<unsigned char>(head.front()))) head.remove_prefix(1);
    std::string start(head.substr(0, 16));
    std::transform(start.begin(), start.end(), start.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return start.starts_with("<!doctype") || start.starts_with("<html") || start.starts_with("<head") ||
           start.starts_with("<?xml");
}

} // namespace

bool looksLikeSafetensors(std::string_view head) {
    // The length of the header, which is below 2^32, then the header.
    return head.size() > 8 && head.substr(4, 4) == std::string_view("\0\0\0\0", 4) && head[8] == '{';
}

std::optional<ForeignContent> recogniseForeign(std::string_view head, std::uint64_t fileBytes,
                                               std::string_view wanted) {
    if (head.starts_with("version https://git-lfs"))
        return ForeignContent{
            fmt::format("the file is a Git LFS pointer ({} bytes of text), not {}", fileBytes, wanted),
            "run \"git lfs pull\" in the folder"};
    if (looksLikeHtml(head))
        return ForeignContent{fmt::format("the file is a web page (HTML), not {}", wanted),
                              "the download was answered by a login or error page: get the file again"};
    if (head.starts_with("PK\x03\x04"))
        return ForeignContent{fmt::format("the file is a zip archive, not {}", wanted),
                              "a file of torch.save may have been renamed"};
    if (head.starts_with("\x93NUMPY"))
        return ForeignContent{fmt::format("the file is an array of numpy, not {}", wanted),
                              "its name should end in .npy"};
    if (head.starts_with("GGUF"))
        return ForeignContent{fmt::format("the file is a GGUF file, not {}", wanted),
                              "it was given another file's name"};
    return std::nullopt;
}

} // namespace headscope
