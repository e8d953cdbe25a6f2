// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace headscope::ui {

/// `text` as rich text, with each place where one of `words` (in small letters) stands marked.
QString markedWords(const QString& text, const QStringList& words);

} // namespace headscope::ui
