// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <string>

namespace headscope::app {

/// A diagnosis for people to read, in 80 columns: a line for each head, then pairs of near-copies, what was
/// not tested, and the texts.
std::string diagnosisTable(const Diagnosis& diagnosis);

} // namespace headscope::app
