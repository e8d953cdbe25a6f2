// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/comparing.h"
#include "ui/panels/card.h"
#include "ui/view_state.h"

class QHBoxLayout;
class QMenu;
class QPushButton;
class QToolButton;

namespace headscope::ui {

class HeatmapView;
class Pill;

/// A map with what its rows and columns are.
struct ShownMap {
    std::shared_ptr<const HeadMap> map; ///< null: none, or not made yet
    std::shared_ptr<const Axis> queries;
    std::shared_ptr<const Axis> keys;
    std::shared_ptr<const ViewedAxes> axes; ///< null: all tokens, each by itself
    RangeStatistics statistics;
    MapView view; ///< as it is shown
};

/// One of the heads that stand side by side: whose it is, how it is shown, and its map.
class ComparePanel final : public Card {
    Q_OBJECT

  public:
    enum class Role { Pinned, Current };

    /// What stands in it.
    struct Content {
        ComparedSide side;          ///< without an analysis: none, `reason` says why
        ShownMap shown;             ///< without a map: `reason` says why
        bool regrouped = false;     ///< by words since tokenizers differ, whatever its view says
        RangeStatistics statistics; ///< what its scale is from: its own, or of all panels
        bool ownScale = false;      ///< to be marked
        bool otherUnit = false;     ///< likewise: norms beside weights, on a scale of their own
        bool active = false;        ///< what the keys of the view act on
        bool choosable = false;     ///< there are other pins to choose from
        QString letter;             ///< "a", "b" of the difference; empty: it takes no part
        QString stale;              ///< why it is not of the text in the box; empty: it is
        QString reason;
        bool loading = false;
        QString origin;   ///< of a pinned head without an analysis: model, kind and text in whole
        QString runWords; ///< of the button that runs or makes it; empty: none
    };

    ComparePanel(Role role, QWidget* parent = nullptr);

    void showContent(const Content& content);
    void showState(const ViewState& state); ///< the colours

    HeatmapView* view() const { return m_view; }
    QString title() const { return m_titleText; }
    /// The choices of how it is shown, for its button.
    void setViewActions(const QList<QAction*>& actions);
    QString origin() const; ///< model, kind and text in whole
    QString letter() const { return m_letter->text(); }
    QString mark() const; ///< "own scale", "by words", "of the previous text"
    const std::vector<Pill*>& pills() const { return m_pills; }
    QToolButton* button(const char* name) const; ///< "view", "choose", "swap", "replace", "more", "remove"
    QPushButton* runButton() const { return m_run; }

  Q_SIGNALS:
    void chosen(); ///< as the one to subtract from
    void swapRequested();
    void replaceRequested();
    void removeRequested();
    void pinRequested(); ///< of the current head
    void runRequested(); ///< of a pinned head that has not run, or of a map that was not made
    void activated();    ///< its choices of a view are opened

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void addPinButtons();
    void fitButtons();
    QToolButton* addButton(const char* name, const char* icon, const QString& words, const QString& tip);
    void showPills(const Content& content);
    void showUnread(const Content& content);
    void showMap(const Content& content);
    void showReason(const Content& content);
    void elide();

    Role m_role;
    QLabel* m_letter;
    QLabel* m_title;
    QHBoxLayout* m_line; ///< under the name: flags, marks, whose it is
    QLabel* m_mark;
    QLabel* m_origin;
    QToolButton* m_more = nullptr; ///< what a narrow panel has no room for
    bool m_choosable = false;
    QString m_titleText;
    QString m_titleTip;
    QString m_originText;
    std::vector<Pill*> m_pills;
    HeatmapView* m_view;
    QPushButton* m_run; ///< in the place of what a map would say, where it has not run
};

} // namespace headscope::ui
