// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <QString>

class QPushButton;
class QVBoxLayout;

/// What the inspector says of a head as the model has it, over several texts.
namespace headscope::ui {

/// Its labels with how sure each is.
void addModelVerdict(QVBoxLayout* layout, const Diagnosis& diagnosis, const DiagnosedHead& head);
/// Numbers, thresholds and texts behind one label. Gives the button that names the text which speaks most
/// against it; nullptr where there is none.
QPushButton* addLabelEvidence(QVBoxLayout* layout, const Diagnosis& diagnosis, const HeadRef& head,
                              const HeadLabel& label);
/// Labels that hold on too few texts to be listed.
void addUnlisted(QVBoxLayout* layout, const HeadDiagnosis& head);
void addCauses(QVBoxLayout* layout, const std::vector<Cause>& causes, const QString& title);

} // namespace headscope::ui
