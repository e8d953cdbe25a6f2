// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// What to do about a file that ends early, and about one that contradicts itself.
inline constexpr const char* kIncompleteHint = "the download is incomplete: get the file again";
inline constexpr const char* kDamagedHint = "the file is damaged or was made to mislead";

/// The name of a file as it stands in messages: without its folder, control characters escaped.
std::string messageName(const std::filesystem::path& path);

/// `"encoder.bias"`: a name from a file as it stands in messages, quoted and escaped.
std::string quotedName(std::string_view name);

/// What a file really is when its first bytes belong to something else than its name promises.
struct ForeignContent {
    std::string found; ///< "the file is a web page (HTML), not weights"
    std::string hint;
};

/// Whether a file starts as one in the safetensors format does.
bool looksLikeSafetensors(std::string_view head);

/// Recognises what downloads commonly leave behind: Git LFS pointers, web pages, archives, GGUF files. `head`
/// = the first bytes (512 are enough), `fileBytes` = the size of the whole, `wanted` = what it should be
/// ("weights").
std::optional<ForeignContent> recogniseForeign(std::string_view head, std::uint64_t fileBytes,
                                               std::string_view wanted);

} // namespace headscope
