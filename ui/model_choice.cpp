// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model_choice.h"

#include <QFile>

namespace headscope::ui {

namespace {

std::filesystem::path pathOf(const QString& name) {
    return QFile::encodeName(name).toStdString();
}

} // namespace

std::filesystem::path ModelChoice::file() const {
    return pathOf(path);
}

OpenRules ModelChoice::rules() const {
    return {.device = device, .adapter = pathOf(adapter), .reading = reading};
}

} // namespace headscope::ui
