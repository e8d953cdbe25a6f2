// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "ui/panels/card.h"
#include "ui/view_state.h"

class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace headscope::ui {

class HeatmapView;
class Pill;

/// One of the heads that stand side by side: whose it is, and its map.
class ComparePanel final : public Card {
    Q_OBJECT

  public:
    enum class Role { Pinned, Current };

    /// What stands in it.
    struct Content {
        ComparedSide side; ///< without an analysis: none, `reason` says why
        AlignedMap map;    ///< of tokens, or of words where tokenizers differ
        bool byWords = false;
        RangeStatistics statistics; ///< what its scale is from: its own, or of all panels
        bool ownScale = false;      ///< to be marked
        bool choosable = false;     ///< there are other pins to choose from
        QString letter;             ///< "a", "b" of the difference; empty: it takes no part
        QString stale;              ///< why it is not of the text in the box; empty: it is
        QString reason;
        bool loading = false;
        QString origin;   ///< of a pinned head without an analysis: model, kind and text in whole
        QString runWords; ///< of the button that runs it; empty: none
    };

    ComparePanel(Role role, QWidget* parent = nullptr);

    void showContent(const Content& content);
    void showState(const ViewState& state); ///< the colours

    HeatmapView* view() const { return m_view; }
    QString title() const { return m_title->text(); }
    QString origin() const; ///< model, kind and text in whole
    QString letter() const { return m_letter->text(); }
    QString mark() const; ///< "own scale", "by words", "of the previous text"
    const std::vector<Pill*>& pills() const { return m_pills; }
    QToolButton* button(const char* name) const; ///< "choose", "swap", "replace", "remove"
    QPushButton* runButton() const { return m_run; }

  Q_SIGNALS:
    void chosen(); ///< as the one to subtract from
    void swapRequested();
    void replaceRequested();
    void removeRequested();
    void pinRequested(); ///< of the current head
    void runRequested(); ///< of a pinned head that has not run

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QToolButton* addButton(const char* name, const char* icon, const QString& words, const QString& tip);
    void showPills(const Content& content);
    void showUnread(const Content& content);
    void elideOrigin();

    Role m_role;
    QLabel* m_letter;
    QLabel* m_title;
    QHBoxLayout* m_line; ///< under the name: flags, marks, whose it is
    QLabel* m_mark;
    QLabel* m_origin;
    QString m_originText;
    std::vector<Pill*> m_pills;
    HeatmapView* m_view;
    QPushButton* m_run; ///< in the place of what a map would say, where it has not run
};

} // namespace headscope::ui
