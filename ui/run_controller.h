// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/inference_lane.h"
#include "ui/compare_controller.h"
#include "ui/diagnosis_controller.h"
#include "ui/pin_runner.h"
#include "ui/view_store.h"
#include "ui/viewing_controller.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// A run as far as it is shown: tokens first, then layer by layer, then whole.
struct ShownRun {
    ViewState input; ///< what it was started from
    std::optional<TokenizedText> text;
    std::optional<TokenizedText> target; ///< of a decoder
    std::vector<std::shared_ptr<const LayerResult>> layers;
    std::shared_ptr<const Analysis> analysis; ///< null while it runs, and when it was stopped

    const HeadResult* find(const HeadRef& head) const;
    /// The tokens along the rows and the columns of maps of a kind; null before there are any.
    std::shared_ptr<const Axis> queries(AttentionKind kind) const;
    std::shared_ptr<const Axis> keys(AttentionKind kind) const;
};

/// Keeps model, token count and analysis in step with the ViewState: opens, counts and runs on the lane,
/// after a pause while typing. The window shows what it says.
class RunController final : public QObject {
    Q_OBJECT

  public:
    /// Pauses after the last edit, in milliseconds.
    static constexpr int kCountPause = 120;
    static constexpr int kRunPause = 350;
    /// A shorter run replaces what is shown at its end; a longer one clears it and fills layer by layer.
    static constexpr int kPartialPause = 150;

    RunController(Engine engine, ViewStore& store, QObject* parent = nullptr);

    /// The state takes model and device over once the model is open; a failure leaves all as it was.
    void openModel(const ModelChoice& choice);
    /// Takes a whole view over, without an undo step, once its model is open and has its head: then
    /// restored(); else failed(), openFailed() or cancelled(), and all stays as it was: what ran goes on.
    /// `subject` names where the view is from. False where it was refused at once.
    bool restore(const ViewState& view, const QString& subject);
    /// In the place of all pins; those without an analysis get it from what is shown or from the pin runner.
    void restorePins(std::vector<PinnedHead> pins, std::size_t chosen);
    void run();
    void cancel();
    void setRunWhileTyping(bool on);
    InferenceLane& lane() { return m_lane; }
    void setThreads(int threads) { m_lane.setThreads(threads); } ///< 0: one for each core

    const std::shared_ptr<const OpenModel>& model() const { return m_model; }
    const ShownRun& shown() const { return m_shown; }
    const std::optional<TokenizedText>& count() const { return m_count; }
    DiagnosisController& diagnosis() { return m_diagnosis; }
    const DiagnosisController& diagnosis() const { return m_diagnosis; }
    CompareController& comparing() { return m_comparing; }
    const CompareController& comparing() const { return m_comparing; }
    ViewingController& viewing() { return m_viewing; }
    const ViewingController& viewing() const { return m_viewing; }
    PinRunner& pinRunner() { return m_pinRunner; }
    const PinRunner& pinRunner() const { return m_pinRunner; }
    const ModelChoice& opening() const { return m_opening; } ///< empty: nothing is
    bool isOpening() const { return m_lane.isOpening(); }
    bool isRunning() const { return m_lane.isRunning(); }
    bool isBusy() const { return isOpening() || isRunning(); }
    /// Nothing runs and nothing waits to run.
    bool isSettled() const;
    bool canRun() const;
    /// The model is a file of maps, which needs no text.
    bool hasMaps() const { return m_model && m_model->imported; }
    /// What is shown is not of the text in the box.
    bool isStale() const;
    /// The stack that the state's kind names; nullptr without a model.
    const StackSpec* stack() const;
    HeadRef strongestHead() const; ///< of what is shown: the gravest flag, then the largest share on one key

  Q_SIGNALS:
    void busyChanged();
    void modelChanged();
    void countChanged();
    void countFailed(const QString& sentence);
    void shownReset();                                                ///< another run began to show
    void layerShown(const std::shared_ptr<const LayerResult>& layer); ///< one more layer of it
    void shownFinished();                                             ///< the whole run is shown
    void progressed(const QString& text, qint64 done, qint64 total);
    void failed(const headscope::ui::Failure& failure);
    void openFailed(const headscope::ui::ModelChoice& choice, const headscope::ui::Failure& failure);
    void cancelled();
    void restored(); ///< the view that restore() was given is the state now; its text runs next
    void noted(const QString& line); ///< for the log

  private:
    void onStateChanged(const ViewState& before, const ViewState& after);
    void onModelOpened(const std::shared_ptr<const OpenModel>& model);
    void onCounted(const TokenizedText& text);
    void onRunFinished(const std::shared_ptr<const Analysis>& analysis);
    void onRunFailed(const Failure& failure);
    void connectLane();
    void scheduleRun();
    void beginDiagnosis(); ///< once nothing of the first map is left to do
    void requestCount();
    void showPartial();
    void keepModelInState();
    void takeOver(const std::shared_ptr<const OpenModel>& model);
    void finishRestore();
    /// What `model` lacks of the view; nothing: it has all.
    static std::optional<Failure> misfit(const OpenModel& model, const ViewState& view,
                                         const QString& subject);
    void resume();
    void clampHead();
    Extent shownExtent() const; ///< of the maps of the state's kind
    /// Drops from the state what the tokens now shown do not have; maps of `before` were shown so far.
    void fitStateToTokens(const Extent& before);

    ViewStore& m_store;
    std::shared_ptr<const OpenModel> m_model;
    ModelChoice m_opening;
    ModelChoice m_opened;
    std::optional<ViewState> m_restoring;
    QString m_restoringFrom;
    std::optional<TokenizedText> m_count;
    ShownRun m_shown;
    ShownRun m_next; ///< the run in progress, until it is shown
    bool m_nextShown = false;
    bool m_runWhileTyping = true;
    bool m_runWhenCounted = false;
    bool m_counting = false;
    bool m_resume = false; ///< what opening a model stopped, or kept from beginning, if none comes of it
    QTimer m_countTimer;
    QTimer m_runTimer;
    QTimer m_partialTimer;
    // Its threads end before anything else but these, which only listen.
    InferenceLane m_lane;
    DiagnosisController m_diagnosis;
    CompareController m_comparing;
    ViewingController m_viewing;
    PinRunner m_pinRunner;
};

} // namespace headscope::ui
