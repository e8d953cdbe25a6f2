// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/inference_lane.h"
#include "ui/comparing.h"
#include "ui/side_views.h"

#include <QObject>

#include <optional>

namespace headscope::ui {

/// Keeps pinned heads, and measures the chosen one of them against the current head and the current head
/// against all others, as long as somebody looks at it.
class CompareController final : public QObject {
    Q_OBJECT

  public:
    enum class Pinned { Now, Already, NoRoom };

    explicit CompareController(InferenceLane& lane, QObject* parent = nullptr);

    /// The head that the window shows, and what its view makes of it; without an analysis: none.
    void setCurrent(const ComparedSide& current, const Viewing& view = {});
    /// Nothing is measured for a page that is not shown.
    void setShown(bool comparison, bool similar);

    Pinned pin(const PinnedHead& head);
    void remove(std::size_t pin);
    void replace(std::size_t pin, const PinnedHead& head);
    void choose(std::size_t pin);
    /// How the pin of this name is shown; false where it is gone.
    bool setView(quint64 id, const MapView& view);
    /// What the list is now, and back to one that it was: pins that are still there stay as they are.
    PinSet pinSet() const { return {m_pins, m_chosen}; }
    void setPinSet(PinSet set);
    /// In the place of all pins; those without an analysis wait until fill() has theirs.
    void restore(std::vector<PinnedHead> pins, std::size_t chosen);
    /// The run of all waiting pins with this input is there.
    void fill(const ViewState& input, const std::shared_ptr<const Analysis>& analysis);
    /// All pins of this input that have not run.
    void setRun(const ViewState& input, PinRun run, const QString& reason = {});
    const std::vector<PinnedHead>& pins() const { return m_pins; }
    std::size_t chosen() const { return m_chosen; }

    void cancel();       ///< what is being made or measured
    void viewsAgain();   ///< the maps of pins that were cancelled or failed
    void compareAgain(); ///< after a cancel or a failure
    void findAgain();
    /// The list stays that of the same head while its own entries become the current head.
    void walkTo(const HeadRef& head) { m_walkedTo = head; }

    bool isBusy() const { return m_lane.isComparing() || m_lane.isFindingSimilar() || m_views.isBusy(); }
    /// All that is looked at is measured.
    bool isSettled() const { return !isBusy(); }
    bool isPinned(const ComparedSide& head) const;
    Comparing now() const;
    FindingSimilar similar() const;

  Q_SIGNALS:
    void changed();        ///< pins, choice, stage
    void similarChanged(); ///< the list or its stage

  private:
    void refresh();
    void refreshAll();
    ComparedSide pinnedSide(std::size_t pin) const; ///< with its map, where that is made
    void refreshSimilar();
    ComparedSide reference() const;
    ComparingStage stage() const;

    InferenceLane& m_lane;
    SideViews m_views;
    quint64 m_lastId = 0;
    std::vector<PinnedHead> m_pins;
    std::size_t m_chosen = 0;
    ComparedSide m_current;
    Viewing m_currentView;
    bool m_comparisonShown = false;
    bool m_similarShown = false;

    ComparedSide m_asked[2]; ///< what was last measured or is being measured
    std::shared_ptr<const HeadComparison> m_comparison;
    bool m_cancelled = false;
    QString m_failure;

    std::optional<HeadRef> m_walkedTo;
    ComparedSide m_similarTo;
    std::shared_ptr<const SimilarHeads> m_similar;
    bool m_similarCancelled = false;
    QString m_similarFailure;
    double m_similarShare = 0.0;
};

} // namespace headscope::ui
