// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "ui/bridge/similar_heads.h"
#include "ui/view_state.h"
#include "ui/viewing.h"

#include <QString>

#include <memory>
#include <vector>

namespace headscope::ui {

/// How far the run of a pinned head is.
enum class PinRun {
    Done,
    Waiting, ///< of a session that was opened: not run yet
    Running,
    Failed
};

/// A head, or what a view makes of it or its layer, kept with the run it is of: whatever head, text or model
/// the window goes on to, it stays.
struct PinnedHead {
    ComparedSide side; ///< without an analysis until it has run
    ViewState input;   ///< what the run was started from, or is to be
    PinRun run = PinRun::Done;
    QString reason{}; ///< why it failed
    quint64 id = 0;   ///< given by the controller: a name that outlasts changes of the list
};

/// The pinned heads, and the one of them that the current head is compared with.
struct PinSet {
    std::vector<PinnedHead> pins;
    std::size_t chosen = 0;
};

inline bool isSameHead(const ComparedSide& one, const ComparedSide& other) {
    return one.analysis == other.analysis && one.head == other.head;
}

inline ViewRequest requestOf(const ComparedSide& side) {
    return {side.analysis, side.head, side.view};
}

/// How far the comparison of the chosen pin with the current head is.
enum class ComparingStage {
    NoPin,
    NoCurrent, ///< the text of the window is not analysed (yet)
    NotRun,    ///< the pinned head's is not
    Same,      ///< the current head is the pinned one
    Making,    ///< one of their maps is on its way
    NoMap,     ///< or could not be made, or was cancelled
    Measuring,
    Cancelled,
    Failed,
    Compared ///< there is a comparison, which may say that nothing can be subtracted
};

/// What the page Compare shows of the heads it puts side by side.
struct Comparing {
    static constexpr std::size_t kMostPins = 3;

    std::vector<PinnedHead> pins;
    std::vector<Viewing> views; ///< of each pin: what its view makes
    std::size_t chosen = 0;     ///< the pin that the current head is compared with
    ComparedSide current;       ///< without an analysis: none
    Viewing currentView;        ///< what its view makes
    ComparingStage stage = ComparingStage::NoPin;
    std::shared_ptr<const HeadComparison> comparison; ///< of the chosen pin and the current head; or null
    QString reason;                                   ///< why it failed
};

/// The heads that are like one of them, or unlike.
struct FindingSimilar {
    enum class Stage { None, Measuring, Cancelled, Failed, Found };

    Stage stage = Stage::None;
    ComparedSide of; ///< without an analysis: none
    std::shared_ptr<const SimilarHeads> found;
    QString reason;     ///< why it failed
    double share = 0.0; ///< that is measured, 0 to 1
};

} // namespace headscope::ui
