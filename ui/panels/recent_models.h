// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileInfo>
#include <QString>

namespace headscope::ui {

/// A model that was opened before and is not there any more. Embedded ones always are.
inline bool isMissingModel(const QString& path) {
    return !path.startsWith(QLatin1String("demo:")) && !QFileInfo::exists(path);
}

} // namespace headscope::ui
