// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// What a layer that was never loaded or never trained looks like: everything as the initialiser left it.
struct WeightFingerprint {
    std::optional<bool>
        gainsAreOne; ///< of the norms around the attention; none where there is no such tensor
    std::optional<bool> biasesAreZero; ///< of its projections; likewise
    double spread = 0.0;               ///< standard deviation of the query projection (of a stretch of it)
    double initializerRange = 0.02;    ///< what the configuration gives untrained weights

    /// Gains exactly 1, biases exactly 0, and a spread within 3 % of the initialiser's; at least one of the
    /// first two must be there to tell.
    bool looksUntrained() const;
};

/// What may explain a head that is flat or one-hot, as far as it is known.
struct CauseFacts {
    std::optional<double> stateCosine; ///< LayerResult::stateCosine
    double scale = 1.0;                ///< of the dot products
    std::int64_t headSize = 1;
    double productNorm =
        0.0; ///< scale times mean |q| times mean |k|: a score that average vectors cannot exceed
    std::optional<WeightFingerprint> weights;
};

/// One explanation that fits the numbers. It is evidence, not proof.
struct Cause {
    std::string name; ///< JSON: "untrained_weights", "states_alike", "short_vectors", "unusual_scale",
                      ///< "saturated_softmax"
    std::string sentence;
};

/// Whether causes would be looked for: the head is uniform, or half of its rows give all to one key.
bool wantsCauses(const HeadMetrics& metrics, const Verdict& verdict);
/// Those that fit; empty where none does. CHECKs wantsCauses().
std::vector<Cause> causesOf(const HeadMetrics& metrics, const Verdict& verdict, const CauseFacts& facts);

} // namespace headscope
