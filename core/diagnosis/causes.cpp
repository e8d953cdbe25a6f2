// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/causes.h"

#include "core/base/check.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kSpreadTolerance = 0.03;
constexpr double kAlike = 0.95;
constexpr double kShortProduct = 1.0;
constexpr double kScaleFactor = 2.0;
constexpr double kSaturatedRows = 0.5;

bool isOneHot(const HeadMetrics& metrics) {
    return metrics.rows > 0 && metrics.saturatedRows >= kSaturatedRows;
}

} // namespace

bool WeightFingerprint::looksUntrained() const {
    if (!gainsAreOne && !biasesAreZero) return false;
    return gainsAreOne.value_or(true) && biasesAreZero.value_or(true) && initializerRange > 0.0 &&
           std::abs(spread / initializerRange - 1.0) <= kSpreadTolerance;
}

bool wantsCauses(const HeadMetrics& metrics, const Verdict& verdict) {
    return verdict.fires(Label::Uniform) || isOneHot(metrics);
}

std::vector<Cause> causesOf(const HeadMetrics& metrics, const Verdict& verdict, const CauseFacts& facts) {
    HS_CHECK(wantsCauses(metrics, verdict));
    std::vector<Cause> causes;
    const bool flat = verdict.fires(Label::Uniform);
    const double relativeScale = facts.scale * std::sqrt(static_cast<double>(facts.headSize));
    const auto scaleSentence = [&] {
        return fmt::format("scores are multiplied by {:.3g}, where 1/sqrt({}) = {:.3g} is usual", facts.scale,
                           facts.headSize, 1.0 / std::sqrt(static_cast<double>(facts.headSize)));
    };
    if (flat) {
        if (facts.weights && facts.weights->looksUntrained())
            causes.push_back(
                {"untrained_weights",
                 fmt::format(
                     "the layer looks untrained: its norm gains are exactly 1 or absent, its biases 0 "
                     "or absent, and its weights spread by {:.3g}, as the initialiser's {:.3g}",
                     facts.weights->spread, facts.weights->initializerRange)});
        if (facts.stateCosine && *facts.stateCosine >= kAlike)
            causes.push_back(
                {"states_alike", fmt::format("the tokens are all alike when they reach this layer (mean "
                                             "cosine {:.3f}), so no head can tell them apart",
                                             *facts.stateCosine)});
        if (relativeScale * kScaleFactor <= 1.0) causes.push_back({"unusual_scale", scaleSentence()});
        if (facts.productNorm < kShortProduct)
            causes.push_back(
                {"short_vectors",
                 fmt::format("queries and keys are short: average ones cannot score beyond {:.2f} either way",
                             facts.productNorm)});
    }
    if (isOneHot(metrics)) {
        if (metrics.scoreDeviation)
            causes.push_back(
                {"saturated_softmax", fmt::format("scores within a row spread by {:.1f} (standard deviation) "
                                                  "and the softmax saturates: {:.0f} "
                                                  "% of the rows give 0.99 or more to one key",
                                                  *metrics.scoreDeviation, 100.0 * metrics.saturatedRows)});
        if (relativeScale >= kScaleFactor) causes.push_back({"unusual_scale", scaleSentence()});
    }
    return causes;
}

} // namespace headscope
