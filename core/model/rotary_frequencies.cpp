// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/rotary_frequencies.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {

namespace {

/// The dimensions that the frequencies are computed for.
double dimsOf(const RotarySpec& spec) {
    return static_cast<double>(spec.dims - (spec.roundedUp ? 1 : 0));
}

at::Tensor exponentsOf(const RotarySpec& spec) {
    return at::arange(0, spec.dims, 2, at::kLong).to(at::kFloat).div(dimsOf(spec));
}

/// theta^(2i/dims), float32.
at::Tensor powersOf(const RotarySpec& spec) {
    return at::pow(at::Scalar(spec.theta), exponentsOf(spec));
}

at::Tensor plainFrequencies(const RotarySpec& spec) {
    return powersOf(spec).reciprocal();
}

/// The base grows with texts beyond the original length (NTK-aware scaling); in float32, as the length is a
/// tensor upstream.
at::Tensor dynamicFrequencies(const RotarySpec& spec, std::int64_t tokens) {
    if (tokens <= spec.originalPositions) return plainFrequencies(spec);
    const double dims = dimsOf(spec);
    const at::Tensor length = at::scalar_tensor(tokens, at::kLong);
    const at::Tensor stretch =
        length * spec.factor / static_cast<double>(spec.originalPositions) - (spec.factor - 1.0);
    const at::Tensor theta = stretch.pow(dims / (dims - 2.0)) * spec.theta;
    return at::pow(theta, exponentsOf(spec)).reciprocal();
}

/// Long waves are divided by the factor, short ones kept, those between blended.
at::Tensor llama3Frequencies(const RotarySpec& spec) {
    const at::Tensor plain = plainFrequencies(spec);
    const auto original = static_cast<double>(spec.originalPositions);
    const double longest = original / spec.lowFrequencyFactor;
    const double shortest = original / spec.highFrequencyFactor;
    const at::Tensor wavelengths = plain.reciprocal() * (2.0 * std::numbers::pi);
    const at::Tensor stretched = at::where(wavelengths > longest, plain / spec.factor, plain);
    const at::Tensor smooth = (wavelengths.reciprocal() * original - spec.lowFrequencyFactor) /
                              (spec.highFrequencyFactor - spec.lowFrequencyFactor);
    const at::Tensor blended = (1 - smooth) * stretched / spec.factor + smooth * stretched;
    const at::Tensor between =
        at::logical_and(at::logical_not(wavelengths < shortest), at::logical_not(wavelengths > longest));
    return at::where(between, blended, stretched);
}

/// YaRN (Peng et al. 2023): a ramp over the dimensions from kept to divided.
at::Tensor yarnFrequencies(const RotarySpec& spec) {
    const auto dims = static_cast<double>(spec.dims);
    const auto dimensionOf = [&](double rotations) {
        return dims *
               std::log(static_cast<double>(spec.originalPositions) / (rotations * 2.0 * std::numbers::pi)) /
               (2.0 * std::log(spec.theta));
    };
    double low = dimensionOf(spec.betaFast);
    double high = dimensionOf(spec.betaSlow);
    if (spec.truncate) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, dims - 1.0);
    if (low == high) high += 0.001;
    const at::Tensor powers = powersOf(spec);
    const at::Tensor kept = powers.reciprocal();
    const at::Tensor divided = (powers * spec.factor).reciprocal();
    const at::Tensor ramp = ((at::arange(spec.dims / 2, at::kFloat) - low) / (high - low)).clamp(0.0, 1.0);
    const at::Tensor keptShare = 1 - ramp;
    return divided * (1 - keptShare) + kept * keptShare;
}

/// One set of factors for short texts and one for long ones, chosen for all positions of a text at once.
at::Tensor longRopeFrequencies(const RotarySpec& spec, std::int64_t tokens) {
    const std::vector<double>& factors =
        tokens > spec.originalPositions ? spec.longFactors : spec.shortFactors;
    HS_CHECK_EQ(static_cast<std::int64_t>(factors.size()), spec.dims / 2);
    at::Tensor stretch = at::empty({spec.dims / 2}, at::kFloat);
    std::transform(factors.begin(), factors.end(), stretch.data_ptr<float>(),
                   [](double factor) { return static_cast<float>(factor); });
    return (stretch * powersOf(spec)).reciprocal();
}

} // namespace

at::Tensor rotaryFrequencies(const RotarySpec& spec, std::int64_t tokens) {
    HS_CHECK(spec.dims > 0 && spec.dims % 2 == 0);
    switch (spec.scaling) {
    case RotaryScaling::None:
        return plainFrequencies(spec);
    case RotaryScaling::Linear:
        return plainFrequencies(spec) / spec.factor;
    case RotaryScaling::Dynamic:
        return dynamicFrequencies(spec, tokens);
    case RotaryScaling::Llama3:
        return llama3Frequencies(spec);
    case RotaryScaling::Yarn:
        return yarnFrequencies(spec);
    case RotaryScaling::LongRope:
        return longRopeFrequencies(spec, tokens);
    }
    HS_CHECK(false);
    return {};
}

RotaryTable rotaryTable(const RotarySpec& spec, std::int64_t tokens, at::Device device) {
    const at::Tensor positions = at::arange(tokens, at::kFloat);
    const at::Tensor angles = positions.unsqueeze(1) * rotaryFrequencies(spec, tokens).unsqueeze(0);
    const auto scaled = [&](const at::Tensor& values) {
        return (spec.attentionFactor == 1.0 ? values : values * spec.attentionFactor).to(device);
    };
    return {.cosine = scaled(angles.cos()), .sine = scaled(angles.sin()), .interleaved = spec.interleaved};
}

} // namespace headscope
