// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/comparing.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/linked_cells.h"

#include <QWidget>

#include <array>
#include <map>
#include <optional>
#include <tuple>

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace headscope::ui {

class CompareNumbers;
class DifferenceCard;
class LinkedViews;
class SimilarList;

/// The centre page that puts pinned heads beside the current one: maps that move as one, the difference of
/// two of them, its numbers, and the heads that are like the chosen one.
class ComparePage final : public QWidget {
    Q_OBJECT

  public:
    /// How the current head stands to the text in the box, and why there is no map of it.
    struct Current {
        QString reason; ///< why there is none
        bool loading = false;
        QString stale; ///< why it is not of that text
    };
    enum class Side { Numbers, Nearest, Farthest };

    explicit ComparePage(QWidget* parent = nullptr);

    void showComparing(const Comparing& comparing, const Current& current);
    void showSimilar(const FindingSimilar& similar);
    void showState(const ViewState& state);
    void showSide(Side side);
    void focusFirst();

    /// The map that has the keyboard, else the current head's.
    HeatmapView* activeView() const;
    /// The id of the pin that the choices of a view are for; 0: the current head's panel.
    quint64 activePin() const { return m_active; }
    /// The choices of how a map is shown, for the buttons of all panels.
    void setViewActions(const QList<QAction*>& actions);
    bool isComplete() const; ///< every map that is shown is drawn
    bool isSimilarShown() const;

    ComparePanel* panel(std::size_t pin) const { return m_panels[pin]; }
    ComparePanel* currentPanel() const { return m_panels.back(); }
    DifferenceCard* difference() const { return m_difference; }
    CompareNumbers* numbers() const { return m_numbers; }
    SimilarList* similar() const { return m_similar; }
    QPushButton* pinButton() const { return m_pin; }
    QCheckBox* ownScales() const { return m_ownScales; }
    QString linkText() const;

  Q_SIGNALS:
    void pinRequested();
    void pinChosen(std::size_t pin);
    void pinSwapped(std::size_t pin);
    void pinReplaced(std::size_t pin);
    void pinRemoved(std::size_t pin);
    void pinRunRequested(std::size_t pin);
    void viewsAgainRequested(); ///< the maps that were not made
    void activeChanged();
    void headChosen(const headscope::HeadRef& head);
    void headPinned(const headscope::HeadRef& head);
    /// Tokens of the current head's text; none along an axis where it has no such token.
    void cellChosen(std::optional<qint64> query, std::optional<qint64> key);
    void viewportMoved(const headscope::ui::MapViewport& viewport);
    void ownScalesChosen(bool on);
    void cancelRequested();
    void compareAgainRequested();
    void findAgainRequested();
    void similarShown(bool on);

  private:
    QWidget* buildHead();
    QWidget* buildPanels();
    QWidget* buildNotice();
    QWidget* buildSide();
    void connectParts();
    void placePanels(std::size_t pins);
    void setNarrowSide(bool narrow);
    ComparePanel::Content contentOf(std::size_t panel) const;
    const Viewing& viewingOf(std::size_t panel) const;
    std::vector<ComparePanel::Content> contents() const;
    void refreshPanels();
    void refreshNotice();
    void linkView(HeatmapView* view, std::optional<ShownPlace> place, bool words);
    void placeViews(const std::vector<ComparePanel::Content>& contents);
    QString linkWords(const std::vector<ComparePanel::Content>& contents) const;
    std::optional<ShownPlace> currentRun() const;
    std::optional<std::int64_t> currentToken(const ShownPlace& place, bool key, std::int64_t index) const;
    std::optional<std::int64_t> shownIndex(HeatmapView* view, bool key, std::int64_t token) const;
    void showSelection();
    void chooseIn(int group, qint64 query, qint64 key);
    void pointFrom(int group, const std::optional<HeatmapView::Cell>& cell);
    void activate(quint64 pin);
    void followFocus(QWidget* now);
    void goTo(qint64 query, qint64 key);

    Comparing m_comparing;
    Current m_now;
    ViewState m_state;
    std::array<ComparePanel*, Comparing::kMostPins + 1> m_panels{}; ///< the last is the current head's
    QWidget* m_head = nullptr;                                      ///< the line above the maps
    std::array<QHBoxLayout*, 2> m_rows{};
    std::optional<std::size_t> m_placed; ///< for so many pins
    QWidget* m_notice = nullptr;
    QLabel* m_noticeWords = nullptr;
    QPushButton* m_pin = nullptr;
    QLabel* m_link = nullptr;
    QCheckBox* m_ownScales = nullptr;
    DifferenceCard* m_difference = nullptr;
    CompareNumbers* m_numbers = nullptr;
    SimilarList* m_similar = nullptr;
    QStackedWidget* m_side = nullptr;
    QWidget* m_sideCard = nullptr;
    QScrollArea* m_sideScroll = nullptr;
    std::array<QToolButton*, 3> m_sides{};
    bool m_sideChosen = false; ///< by the user, or once by the first comparison
    LinkedViews* m_links = nullptr;
    /// Maps whose rows and columns can lie over each other: by words or tokens, how many, which of all.
    using GroupKey = std::tuple<bool, std::int64_t, std::int64_t, std::size_t>;
    std::map<GroupKey, int> m_groups;
    std::map<HeatmapView*, ShownPlace> m_places; ///< of the maps that are there
    int m_lead = -1;                             ///< the group whose rows and columns the viewport counts
    quint64 m_active = 0;                        ///< 0: the current head's panel
};

} // namespace headscope::ui
