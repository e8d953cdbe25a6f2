// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"

namespace headscope {

/// A finding that fires when all its measures hold.
Finding finding(Label label, double score, std::vector<Measure> measures);

/// Adds what the head reads to a verdict on a text long enough to judge. previous_token, next_token, self:
/// mass >= 0.5 and kappa >= 0.4. fixed_offset: one offset of 2 or more has the argmax of half the rows and a
/// mean mass of 0.3. induction: kappa >= 0.35, causal maps. duplicate_token: kappa >= 0.25. delimiter: one
/// class with mass >= 0.6, kappa >= 0.5 and 0.1 outside its heaviest key. block: kappa >= 0.8 and no local
/// head within the segment. local: kappa(8) >= 0.7. broadcast: the four heaviest content keys hold half of
/// the weight in 0.75 of the rows. broad: normalised entropy >= 0.78. Cross-attention knows delimiter,
/// broadcast and broad alone.
void judgePatterns(const HeadMetrics& metrics, Verdict& verdict);

} // namespace headscope
