// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <QString>

#include <filesystem>

namespace headscope::ui {

/// What is opened, and how.
struct ModelChoice {
    QString path; ///< of a model or of an attention file; empty: none
    DeviceChoice device = DeviceChoice::Auto;
    QString adapter = {};      ///< the folder of a LoRA adapter that is added; empty: none
    ReadingRules reading = {}; ///< of an attention file

    std::filesystem::path file() const;
    OpenRules rules() const;

    friend bool operator==(const ModelChoice&, const ModelChoice&) = default;
};

} // namespace headscope::ui
