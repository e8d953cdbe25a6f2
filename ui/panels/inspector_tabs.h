// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QStackedWidget;

namespace headscope::ui {

class Segments;

/// The tabs of the right dock: what is known of the head, how one weight came about, who has that weight, and
/// the steps of the layer.
enum class InspectorTab { Head, Weight, Find, Layer };

/// Panels of which one is shown, with their actions as tabs above.
class InspectorTabs final : public QWidget {
    Q_OBJECT

  public:
    explicit InspectorTabs(QWidget* parent = nullptr);

    /// In the order of InspectorTab; the action is the tab's button and says its key.
    void add(QAction* action, QWidget* panel);
    void choose(InspectorTab tab);
    InspectorTab current() const;
    QWidget* currentPanel() const;
    QSize sizeHint() const override { return {288, 480}; }

  Q_SIGNALS:
    void chosen();

  private:
    Segments* m_tabs;
    QStackedWidget* m_panels;
    QList<QAction*> m_actions;
};

} // namespace headscope::ui
