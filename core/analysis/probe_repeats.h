// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/tokenizer.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope {

/// Ids, rising, of tokens that mean something by themselves: whole words of letters where the vocabulary has
/// enough of them, no special, unused or one-letter ones, and of a large vocabulary neither the commonest
/// tenth nor the rarer half (vocabularies are ordered by frequency). Without a tokenizer by number alone.
std::vector<std::int64_t> contentIds(const Tokenizer* tokenizer, std::int64_t vocabularySize);

/// A block of 10 to 25 different ids, four times, with 1 to 8 others between two copies. The three gaps
/// differ, so that a head which looks back by a fixed distance is not taken for one that looks for the
/// earlier copy. No other id comes twice. Where there is little room or a small vocabulary, blocks of as few
/// as 6 and shorter gaps; nothing where there is not room even for these.
std::optional<std::vector<std::int64_t>> repeatedIds(std::vector<std::int64_t> vocabulary, std::int64_t room,
                                                     std::uint64_t seed);

} // namespace headscope
