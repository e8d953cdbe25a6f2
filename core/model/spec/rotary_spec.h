// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace headscope {

/// How the frequencies of rotary embeddings are stretched for texts longer than the model was trained on.
enum class RotaryScaling { None, Linear, Dynamic, Llama3, Yarn, LongRope };

/// Rotary position embedding (Su et al. 2021): pairs of a head's numbers are turned by position * frequency.
/// The scalings follow transformers 4.57, modeling_rope_utils.py.
struct RotarySpec {
    std::int64_t dims = 0;  ///< of each head are turned, the first ones; even
    double theta = 10000.0; ///< frequency i = theta^(-2i/dims)
    bool roundedUp = false; ///< dims is one more than the frequencies are computed for: theta^(-2i/(dims-1))
    bool interleaved = false; ///< pairs (0,1), (2,3), ...; else (i, i + dims/2)
    RotaryScaling scaling = RotaryScaling::None;
    double factor = 1.0;
    std::int64_t originalPositions = 0; ///< positions before stretching (Dynamic, Llama3, Yarn, LongRope)
    double lowFrequencyFactor = 1.0;    ///< Llama3
    double highFrequencyFactor = 4.0;
    double betaFast = 32.0; ///< Yarn
    double betaSlow = 1.0;
    bool truncate = true;             ///< Yarn: its range is rounded to whole dimensions
    double attentionFactor = 1.0;     ///< multiplies cosine and sine
    std::vector<double> shortFactors; ///< LongRope, dims / 2 numbers each
    std::vector<double> longFactors;

    friend bool operator==(const RotarySpec&, const RotarySpec&) = default;
};

} // namespace headscope
