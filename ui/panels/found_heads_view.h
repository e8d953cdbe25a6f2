// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/attention_kind.h"
#include "ui/models/found_heads_table.h"

#include <QTableView>

namespace headscope::ui {

/// The found heads as a list to sort: a click or Enter opens one, arrow keys only mark.
class FoundHeadsView final : public QTableView {
    Q_OBJECT

  public:
    explicit FoundHeadsView(FoundHeadsTable& table, QWidget* parent = nullptr);
    /// Its row is marked, without a signal; none where it was not found.
    void showHead(const HeadRef& head);
    void sortByWeight();

  Q_SIGNALS:
    void headOpened(const headscope::HeadRef& head);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

  private:
    void open(const QModelIndex& index);

    FoundHeadsTable& m_table;
    FoundHeadsOrder m_order;
    int m_sorted = 0; ///< the column
};

} // namespace headscope::ui
