// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace headscope::test {

/// A tokenizer.json with the byte-level vocabulary of the fixtures: adds nothing, also for a pair.
std::string byteLevelTokenizer();
/// One with the SentencePiece vocabulary of the fixtures and its "</s>" behind every text.
std::string sentencePieceTokenizer();
/// The tokenizer.json of a model folder below tests/data.
std::string readTokenizer(const std::string& folder);

/// A model of any size that has no weights: for what is decided before anything runs.
struct ProbeModel {
    std::string tokenizer; ///< JSON; empty: none
    std::optional<std::int64_t> maxPositions;
    std::optional<std::int64_t> trainedPositions;
    bool causal = false;
    std::optional<std::int64_t> decoderPositions;
    std::optional<std::int64_t> decoderStart;      ///< any of these three: there is a decoder
    std::optional<std::int64_t> decoderVocabulary; ///< where it is not the encoder's

    std::shared_ptr<const OpenModel> open() const;
};

} // namespace headscope::test
