// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace headscope::test {

/// Which stages a pipeline has, one byte each; any byte stands for one of the stages there are.
struct PipelineChoice {
    static constexpr std::size_t kBytes = 8; ///< the last one is left to the caller

    unsigned char model = 0;
    unsigned char firstNormalizer = 0;
    unsigned char secondNormalizer = 0;
    unsigned char firstPreTokenizer = 0;
    unsigned char secondPreTokenizer = 0;
    unsigned char postProcessor = 0;
    unsigned char addedTokens = 0;

    /// From the first bytes of an input; equal pipelines have equal choices.
    static PipelineChoice read(std::string_view input);
    /// Whether its model spells a prefix or suffix in bytes.
    bool hasBytesOfAffixes() const;
    friend auto operator<=>(const PipelineChoice&, const PipelineChoice&) = default;
};

/// The tokenizer.json of that pipeline, which can be read.
std::string pipelineJson(const PipelineChoice& choice);

} // namespace headscope::test
