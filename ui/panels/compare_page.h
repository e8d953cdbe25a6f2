// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/comparing.h"
#include "ui/panels/compare_panel.h"

#include <QWidget>

#include <array>
#include <map>
#include <optional>
#include <tuple>

class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;
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
    /// How the current head stands to the text in the box.
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
    void headChosen(const headscope::HeadRef& head);
    void headPinned(const headscope::HeadRef& head);
    void cellChosen(qint64 query, qint64 key);
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
    ComparePanel::Content contentOf(std::size_t panel) const;
    RangeStatistics sharedStatistics() const;
    void refreshPanels();
    void linkPanels();
    void refreshNotice();
    int groupFor(bool byWords, const Extent& extent);
    void goTo(qint64 query, qint64 key);

    Comparing m_comparing;
    Current m_now;
    ViewState m_state;
    std::array<ComparePanel*, Comparing::kMostPins + 1> m_panels{}; ///< the last is the current head's
    QWidget* m_head = nullptr;                                      ///< the line above the maps
    QGridLayout* m_grid = nullptr;
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
    std::array<QToolButton*, 3> m_sides{};
    bool m_sideChosen = false; ///< by the user, or once by the first comparison
    LinkedViews* m_links = nullptr;
    std::map<std::tuple<bool, std::int64_t, std::int64_t>, int> m_groups;
    int m_lead = -1; ///< the group of the tokens that the view state counts
};

} // namespace headscope::ui
