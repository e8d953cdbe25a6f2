// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/attention_kind.h"

#include <QTableView>

namespace headscope::ui {

class HeadFilter;

/// The table of all heads. Arrow keys choose a head, a click or Enter opens it, Space sorts by the column
/// that the keyboard is in.
class HeadTableView final : public QTableView {
    Q_OBJECT

  public:
    explicit HeadTableView(HeadFilter& filter, QWidget* parent = nullptr);
    /// The row of a head is current, without a signal; none where it is filtered out.
    void showHead(const HeadRef& head);
    void showKinds(bool on);

  Q_SIGNALS:
    void headChosen(const headscope::HeadRef& head); ///< with the keyboard
    void headOpened(const headscope::HeadRef& head);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

  private:
    void open(const QModelIndex& index);
    void sortBy(int column);

    HeadFilter& m_filter;
    int m_sorted = 0; ///< the column
};

} // namespace headscope::ui
