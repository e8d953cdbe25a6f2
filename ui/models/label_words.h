// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <QString>

namespace headscope::ui {

/// Whether a label is said of the model as such: it is the first to be said, or holds on more than some
/// texts.
bool holdsForModel(const HeadDiagnosis& head, Label label);
/// Why no label is the one to say first of a head: nothing was tested, nothing holds, or what holds (Broad,
/// Redundant) does not say what the head reads. A sentence without its stop. Empty: there is such a label.
QString noPrimaryText(const Diagnosis& diagnosis, const DiagnosedHead& head);
/// "Sink on [CLS]", "Fixed offset -47", "Delimiter: punctuation", "Redundant with 1.3".
QString labelWords(const Diagnosis& diagnosis, const HeadRef& head, const HeadLabel& label);
/// "Confirmed", "Likely", "Observed", "Varies" (with the text).
QString sureText(Confidence confidence);
/// What each of these means, in a sentence.
QString sureTip(Confidence confidence);
/// "11 of 12 texts"
QString textsText(const TextCount& texts);
/// "Sink on [CLS]: 0.77, 11 of 12 texts, confirmed"
QString labelLine(const Diagnosis& diagnosis, const HeadRef& head, const HeadLabel& label);
/// The name and every label of a head in lines: tooltips.
QString headLines(const Diagnosis& diagnosis, const DiagnosedHead& head);

} // namespace headscope::ui
