// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text_file.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <QFile>
#include <QFileInfo>

namespace headscope::ui {

QString readTextFile(const QString& path) {
    const std::string subject = QFileInfo(path).fileName().toStdString();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        fail(subject, "the file cannot be read", "", file.errorString().toStdString());
    // Read one byte more than allowed: a file may lie about its size.
    QByteArray bytes = file.read(kLargestTextFile + 1);
    if (bytes.size() > kLargestTextFile) {
        fail(subject, "the file is larger than 1 MB", "expected a text for the text box",
             "longer texts run with \"headscope run MODEL --text-file FILE\"");
    }
    requireUtf8(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())), subject);
    if (bytes.startsWith("\xEF\xBB\xBF")) bytes.remove(0, 3);
    QString text = QString::fromUtf8(bytes);
    if (text.endsWith(QLatin1Char('\n'))) text.chop(1);
    if (text.endsWith(QLatin1Char('\r'))) text.chop(1);
    return text;
}

} // namespace headscope::ui
