// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/signal_quit.h"

#include <QApplication>
#include <QSocketNotifier>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace headscope::ui {
namespace {

// Written by the signal handler: only a plain descriptor and write() are safe there.
volatile std::sig_atomic_t writeEnd = -1;
bool quitting = false; // of the thread of the windows

void onSignal(int) {
    const char byte = 0;
    // A full pipe already says what there is to say.
    const auto written = write(writeEnd, &byte, 1);
    static_cast<void>(written);
}

} // namespace

struct SignalQuit::Former {
    struct sigaction interrupt {};
    struct sigaction terminate {};
};

bool SignalQuit::isQuitting() {
    return quitting;
}

SignalQuit::SignalQuit() : m_former(std::make_unique<Former>()) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
    m_readEnd = ends[0];
    writeEnd = ends[1];
    m_notifier = new QSocketNotifier(m_readEnd, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false);
        quitting = true;
        QApplication::closeAllWindows();
        // A dialog that refuses to close must not keep the program alive.
        QCoreApplication::quit();
    });
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &m_former->interrupt);
    sigaction(SIGTERM, &action, &m_former->terminate);
}

SignalQuit::~SignalQuit() {
    quitting = false;
    if (m_readEnd < 0) return;
    sigaction(SIGINT, &m_former->interrupt, nullptr);
    sigaction(SIGTERM, &m_former->terminate, nullptr);
    delete m_notifier;
    const int end = writeEnd;
    writeEnd = -1;
    close(end);
    close(m_readEnd);
}

} // namespace headscope::ui
