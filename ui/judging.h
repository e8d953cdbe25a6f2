// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <QString>

#include <memory>

namespace headscope::ui {

/// How far the judging of all heads is, as long as nothing is shown.
enum class JudgingStage {
    NotApplicable, ///< no model, or none that text can be given to
    Waiting,       ///< for the first map, or for the plan
    Offered,       ///< long enough to be asked first, or stopped
    Judging,
    Failed,
    Judged
};

/// The judging of the open model as it is shown.
struct Judging {
    JudgingStage stage = JudgingStage::NotApplicable;
    std::shared_ptr<const Diagnosis> diagnosis; ///< null: none yet
    QString file;                               ///< the user's texts that it is by; empty: the program's
    bool kept = false;                          ///< it was found in an earlier session
    QString reason;                             ///< why not applicable, or why it failed
    bool ownTexts = false;                      ///< it can be judged by texts of the user's own
    bool busy = false;
    double seconds = 0.0; ///< that it is expected to take; 0: not known
    qint64 text = 0;      ///< that is being read, from 0
    qint64 texts = 0;
    double share = 0.0; ///< of the work that is done, 0 to 1
};

} // namespace headscope::ui
