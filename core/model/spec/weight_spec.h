// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope {

enum class Activation { GeluErf, GeluTanh, QuickGelu, Relu, Silu, Tanh };

/// How a matrix that maps `in` numbers to `out` lies in the file.
enum class WeightLayout {
    OutIn,  ///< [out, in], a Linear
    InOut,  ///< [in, out], GPT-2's Conv1D
    InHeads ///< [in, heads, headSize] (XLNet's q, k, v, r); out = heads * headSize
};

/// A linear map, by the names of its tensors.
struct LinearSpec {
    std::string weight; ///< empty: there is no such map
    std::string bias;   ///< empty: none
    WeightLayout layout = WeightLayout::OutIn;

    bool exists() const { return !weight.empty(); }
};

/// `name`.weight and, with `bias`, `name`.bias.
inline LinearSpec linearSpec(const std::string& name, bool bias = true) {
    return {name + ".weight", bias ? name + ".bias" : std::string(), WeightLayout::OutIn};
}

enum class NormKind {
    Layer,     ///< (x - mean) / sqrt(variance + epsilon) * weight + bias
    Rms,       ///< x / sqrt(mean of squares + epsilon) * weight
    RmsPlusOne ///< the same * (1 + weight): Gemma
};

/// A normalisation over the last dimension, by the names of its tensors; either may be missing.
struct NormSpec {
    std::string weight;
    std::string bias;
    NormKind kind = NormKind::Layer;
    double epsilon = 1e-5;
};

/// LayerNorm with weight and bias.
inline NormSpec layerNormSpec(const std::string& name, double epsilon) {
    return {name + ".weight", name + ".bias", NormKind::Layer, epsilon};
}
inline NormSpec rmsNormSpec(const std::string& name, double epsilon, NormKind kind = NormKind::Rms) {
    return {name + ".weight", {}, kind, epsilon};
}

} // namespace headscope
