// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// What one dimension of an array of maps counts.
enum class ArrayAxis : std::uint8_t { Layers, Batch, Heads, Queries, Keys };

/// What the dimensions of an array count, the outermost first. Queries and keys are always there, the others
/// once at most. Without heads the weights are averages over them.
using ArrayAxes = std::vector<ArrayAxis>;

/// "layers,heads,q,k"; "query" and "key" are understood as well. Throws Error{subject, ...} for a word that
/// is none of these, for one that stands twice, and without queries and keys.
ArrayAxes parseArrayAxes(std::string_view text, const std::string& subject);
std::string textOf(const ArrayAxes& axes);

/// The orders in which frameworks write an array of so many dimensions, the commonest first; none where there
/// is no usual one. Two readings of one shape are as likely as each other, so somebody has to choose.
std::vector<ArrayAxes> usualAxes(std::size_t dimensions);

/// How to read arrays whose names or shapes do not say it. What is given here goes before "axes" and "sample"
/// in NAME.json and in the metadata of .safetensors.
struct ReadingRules {
    std::optional<ArrayAxes> axes;
    std::optional<std::int64_t> sample; ///< of a batch

    friend bool operator==(const ReadingRules&, const ReadingRules&) = default;
};

/// What has to be known of an array before its maps can be read.
struct AxesQuestion {
    std::vector<std::int64_t> shape = {}; ///< of the array, or of each of those that are the layers
    ArrayAxes known = {};     ///< empty: its axes; else they are these, and the sample is asked for
    ArrayAxes suggested = {}; ///< what the numbers speak for, where they do
    bool ofOneLayer = false;  ///< none of the axes counts layers

    friend bool operator==(const AxesQuestion&, const AxesQuestion&) = default;
};

/// Thrown in place of a guess: the array is there, and only what to read of it is not known.
class AxesNeeded : public Error {
  public:
    AxesNeeded(ErrorParts parts, AxesQuestion question)
        : Error(std::move(parts)), m_question(std::move(question)) {}
    const AxesQuestion& question() const { return m_question; }

  private:
    AxesQuestion m_question;
};

} // namespace headscope
