// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/log.h"

#include <QThread>
#include <QTime>

#include <cstdio>

namespace headscope::ui {
namespace {

void handleQtMessage(QtMsgType type, const QMessageLogContext&, const QString& message) {
    const char* level = type == QtDebugMsg || type == QtInfoMsg ? "note" : "warning";
    Log::instance().add(QLatin1String(level) + QStringLiteral(": ") + message);
    if (type == QtFatalMsg) {
        const QByteArray bytes = message.toUtf8();
        std::fprintf(stderr, "%s\n", bytes.constData());
    }
}

} // namespace

Log& Log::instance() {
    static Log log;
    return log;
}

void Log::installQtHandler() {
    instance(); // born on the calling thread, which is the GUI's
    qInstallMessageHandler(handleQtMessage);
}

void Log::add(const QString& line) {
    const QString stamped =
        QTime::currentTime().toString(QStringLiteral("HH:mm:ss")) + QStringLiteral("  ") + line;
    if (QThread::currentThread() == thread()) {
        append(stamped);
    } else {
        QMetaObject::invokeMethod(this, "append", Qt::QueuedConnection, Q_ARG(QString, stamped));
    }
}

void Log::append(const QString& line) {
    m_lines.append(line);
    if (m_lines.size() > kKept) m_lines.removeFirst();
    Q_EMIT lineAdded(line);
}

QStringList Log::lines() const {
    return m_lines;
}

} // namespace headscope::ui
