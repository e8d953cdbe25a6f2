// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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

/// Thrown in place of a guess: the array is there, and only its axes are not known.
class AxesNeeded : public Error {
  public:
    AxesNeeded(ErrorParts parts, std::vector<std::int64_t> shape)
        : Error(std::move(parts)), m_shape(std::move(shape)) {}
    /// Of the array, or of each of those that are the layers.
    std::span<const std::int64_t> shape() const { return m_shape; }

  private:
    std::vector<std::int64_t> m_shape;
};

} // namespace headscope
