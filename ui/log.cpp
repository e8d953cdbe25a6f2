// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/log.h"

#include <QCoreApplication>
#include <QThread>
#include <QTime>

#include <cstdio>
#include <cstdlib>

namespace headscope::ui {
namespace {

void handleQtMessage(QtMsgType type, const QMessageLogContext&, const QString& message) {
    const char* level = type == QtDebugMsg || type == QtInfoMsg ? "note" : "warning";
    Log::instance().add(QLatin1String(level) + QStringLiteral(": ") + message);
    if (type != QtFatalMsg) return;
    // Qt aborts next. Before there is an application it was the display that failed, which is no crash.
    if (QCoreApplication::startingUp()) {
        const QByteArray display = qgetenv("DISPLAY") + qgetenv("WAYLAND_DISPLAY");
        std::fprintf(stderr, "window: the display \"%s\" cannot be opened.\n", display.constData());
        std::_Exit(1);
    }
    std::fprintf(stderr, "%s\n", message.toUtf8().constData());
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
