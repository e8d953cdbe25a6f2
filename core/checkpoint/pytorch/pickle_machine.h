// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/pytorch/pickle_tree.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope {

/// Longest pickle that is read; about 150 bytes describe a tensor.
inline constexpr std::uint64_t kPickleBytesLimit = std::uint64_t{64} << 20U;
/// Most values, memo entries and stack entries of one pickle: some 230,000 tensors of about 17 values each.
inline constexpr std::uint32_t kPickleValueLimit = 4'000'000;

/// What to do about a file that holds more than plain tensors.
inline constexpr const char* kConvertHint =
    "nothing in the file was run; where you trust it, save its tensors alone: a model with save_pretrained, "
    "maps with torch.save as a list of tensors";

/// Runs the instructions of one pickle, from the first byte of `bytes` to its STOP; what follows is left
/// alone. A pickle is a program; this machine knows only the instructions that build numbers, strings, lists,
/// tuples and dictionaries, and the closed list of names in pickle_globals.h, which it notes and never calls.
/// Time and memory are linear in the bytes read, there is no recursion. `bytes` must outlive the tree.
/// Throws Error{subject, ..., byteOffset = base + place} for anything else.
PickleTree readPickle(std::string_view bytes, const std::string& subject, std::uint64_t base = 0);

} // namespace headscope
