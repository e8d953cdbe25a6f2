// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/confidence.h"

#include <cmath>

namespace headscope {

namespace {

constexpr double kListed = 0.2;
constexpr double kConsistent = 0.8;
constexpr int kLikelyTexts = 3;
constexpr int kConfirmedTexts = 8;
constexpr double kConfirmedBound = 0.65;
/// 97.5 % quantile of the normal distribution: two-sided 95 %.
constexpr double kQuantile = 1.959963984540054;

} // namespace

std::string_view nameOf(Confidence confidence) {
    switch (confidence) {
    case Confidence::NotTested:
        return "not_tested";
    case Confidence::NotListed:
        return "not_listed";
    case Confidence::InputDependent:
        return "input_dependent";
    case Confidence::Observed:
        return "observed";
    case Confidence::Likely:
        return "likely";
    case Confidence::Confirmed:
        return "confirmed";
    }
    return "";
}

double TextCount::lowerBound() const {
    if (tested == 0) return 0.0;
    const double n = tested;
    const double p = share();
    const double z = kQuantile;
    const double middle = p + z * z / (2.0 * n);
    const double reach = z * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
    return (middle - reach) / (1.0 + z * z / n);
}

Confidence TextCount::confidence() const {
    if (tested == 0) return Confidence::NotTested;
    if (share() < kListed) return Confidence::NotListed;
    if (share() < kConsistent) return Confidence::InputDependent;
    if (tested >= kConfirmedTexts && lowerBound() >= kConfirmedBound) return Confidence::Confirmed;
    return tested >= kLikelyTexts ? Confidence::Likely : Confidence::Observed;
}

} // namespace headscope
