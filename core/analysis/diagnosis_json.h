// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <string>
#include <vector>

namespace headscope {

/// A label that some heads could not be tested for, and why.
struct UntestedHeads {
    Label label = Label::Mixed;
    std::string reason;
    std::vector<HeadRef> heads; ///< of one kind
};

/// Not-tested labels of all heads, one entry for each label, kind and reason.
std::vector<UntestedHeads> untestedHeads(const Diagnosis& diagnosis);

/// The token a label is about, on the text with its largest score; empty where there is none.
std::string tokenOf(const Diagnosis& diagnosis, const HeadRef& head, const HeadLabel& label);

/// The schema stands in resources/help/diagnose-json.md.
std::string diagnosisJson(const Diagnosis& diagnosis);

} // namespace headscope
