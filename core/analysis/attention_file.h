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
///   decoder_input_ids  int64 [target tokens], where there is a decoder
/// and what a reader needs beside them. Safetensors metadata hold it as JSON text, an npz archive as arrays:
///   tokens             one string per position of the single stack or the decoder   '<U' [tokens]
///   special            positions of special tokens       int64 [n]
///   segments           where the text is a pair: which of the two each token is of, -1 for special ones
///                                                        int64 [tokens]
///   source_tokens, source_special, source_segments   the same of the encoder, where there is one
///   causal             true or false                     int64 scalar, 0 or 1
///   window             a number, null for none, or a list with one for each layer
///                                                        int64 scalar or [layers], 0 for none; absent: none
///   learned_sink       true: rows sum to 1 minus a sink  int64 scalar, 0 or 1
enum class AttentionFileFormat { Safetensors, Npz };

std::optional<AttentionFileFormat>
attentionFileFormatOf(std::string_view extension); ///< "safetensors", "npz"

/// Bytes of all maps: what such a file takes, give or take its header.
std::uint64_t denseMapsBytes(const ModelSpec& spec, const SequenceLengths& lengths);

/// Streams map by map; the file appears only when complete. Throws Error (unwritable, disk full, cancelled).
void writeAttentionFile(const Analysis& analysis, AttentionFileFormat format,
                        const std::filesystem::path& target, const ExportEvents& events);

} // namespace headscope
