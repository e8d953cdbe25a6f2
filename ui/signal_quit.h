// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>

class QSocketNotifier;

namespace headscope::ui {

/// Ctrl-C and a polite kill close the windows as a click would, so that the view is saved. The handlers of
/// before are put back at the end. One at a time.
class SignalQuit final : public QObject {
    Q_OBJECT

  public:
    SignalQuit();
    ~SignalQuit() override;
    /// A signal came: nobody is there to be asked anything.
    static bool isQuitting();

  private:
    struct Former;
    std::unique_ptr<Former> m_former;
    QSocketNotifier* m_notifier = nullptr;
    int m_readEnd = -1;
};

} // namespace headscope::ui
