// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace headscope {

/// How sure several texts make a label that fired on k of the n texts that could test it.
enum class Confidence {
    NotTested,      ///< n = 0
    NotListed,      ///< k/n < 0.2
    InputDependent, ///< 0.2 <= k/n < 0.8
    Observed,       ///< k/n >= 0.8
    Likely,         ///< k/n >= 0.8 and n >= 3
    Confirmed       ///< k/n >= 0.8, n >= 8 and the Wilson bound is at least 0.65
};

/// "not_tested", "not_listed", "input_dependent", "observed", "likely", "confirmed".
std::string_view nameOf(Confidence confidence);

/// Texts that tested a label, and those of them on which it fired.
struct TextCount {
    int fired = 0;
    int tested = 0;

    double share() const { return tested > 0 ? static_cast<double>(fired) / tested : 0.0; }
    /// The share that the texts rule out being below, with 95 % confidence (Wilson 1927); 0 without a text.
    double lowerBound() const;
    Confidence confidence() const;
};

} // namespace headscope
