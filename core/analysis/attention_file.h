// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/export_data.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace headscope {

/// Every map of an analysis as tensors: an "attention file", which can be opened and diagnosed again.
///   attentions.L       float32 [heads, queries, keys] (or encoder_attentions.L, ...), one per layer
///   input_ids          int64 [tokens]
/// and what a reader needs beside them. Safetensors metadata hold it as JSON text, an npz archive as arrays:
///   tokens             one string per position           '<U' [tokens]
///   special            positions of special tokens       int64 [n]
///   causal             true or false                     int64 scalar, 0 or 1
///   window             a number, or null for none        int64 scalar; absent for none
///   learned_sink       true: rows sum to 1 minus a sink  int64 scalar, 0 or 1
enum class AttentionFileFormat { Safetensors, Npz };

std::optional<AttentionFileFormat>
attentionFileFormatOf(std::string_view extension); ///< "safetensors", "npz"

/// Bytes of all maps of a text of `tokens` tokens: what such a file takes, give or take its header.
std::uint64_t denseMapsBytes(const ModelSpec& spec, std::int64_t tokens);

/// Streams map by map; the file appears only when complete. Throws Error (unwritable, disk full, cancelled).
void writeAttentionFile(const Analysis& analysis, AttentionFileFormat format,
                        const std::filesystem::path& target, const ExportEvents& events);

} // namespace headscope
