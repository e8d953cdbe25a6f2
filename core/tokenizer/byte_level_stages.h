// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Stages of byte-level tokenizers as tokenizer.json writes them, which files without one only name.
namespace headscope {

inline constexpr const char* kQwen2PreTokenizer =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Isolated","invert":false,"pattern":{"Regex":)"
    R"("(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|)"
    R"(\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}},)"
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false}]})";
/// A post-processor that leaves the spans of spaces alone.
inline constexpr const char* kUntrimmedByteLevel =
    R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":false,"use_regex":true})";

} // namespace headscope
