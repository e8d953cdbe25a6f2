// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "ui/bridge/engine.h"
#include "ui/bridge/failure.h"
#include "ui/model_choice.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

class JobLane;
class Mailbox;

/// All that must not run on the GUI thread: opening models and analysing on one lane, counting tokens on
/// another (it calls no torch operator, so it may overlap). Each kind of work has a run number; a newer
/// request cancels the older one, and what still comes from an older one is dropped, so the latest always
/// wins. A diagnosis gives way: it is read text by text when the lane has nothing else to do, and a text that
/// is being read when other work comes is dropped and read again afterwards. Comparing heads only reads maps
/// that are there (no torch operator) and has lanes of its own. Everything arrives as signals on
/// the thread of this object; nothing is thrown across.
class InferenceLane final : public QObject {
    Q_OBJECT

  public:
    using ModelPtr = std::shared_ptr<const OpenModel>;
    using AnalysisPtr = std::shared_ptr<const Analysis>;

    explicit InferenceLane(Engine engine, QObject* parent = nullptr);
    /// Cancels everything and waits for the lanes.
    ~InferenceLane() override;

    /// Also cancels a run: its model is about to go.
    void open(const ModelChoice& choice);
    void count(const ModelPtr& model, const TextInput& input);
    void analyse(const AnalysisRequest& request);
    void cancelOpen();
    void cancelRun();
    /// Finds the texts to judge a model by: those in `file`, or with an empty name the program's own.
    void planDiagnosis(const ModelPtr& model, const QString& file);
    void diagnose(const ModelPtr& model, const DiagnosisPlan& plan);
    /// Planning or reading; nothing is said, and what was read is gone.
    void cancelDiagnosis();
    void compare(const ComparedSide& first, const ComparedSide& second);
    void cancelCompare(); ///< nothing is said
    /// The other heads of its text, by how far they are from this one.
    void findSimilar(const ComparedSide& head);
    void cancelSimilar(); ///< nothing is said
    /// Finds heads by one cell.
    void find(const AnalysisPtr& analysis, const CellQuestion& cell);
    void cancelFind(); ///< nothing is said
    /// Makes what is shown of maps that are there.
    void view(const ViewRequest& request);
    void cancelView(); ///< nothing is said
    /// The same for what is beside it, of pinned heads.
    void viewBeside(const ViewRequest& request);
    void cancelViewBeside(); ///< nothing is said
    /// Runs a text for something that is beside what the window shows: like a diagnosis it gives way to all
    /// other work, and is begun again after it.
    struct Rerun {
        ModelPtr model; ///< null: `choice` is opened first
        ModelChoice choice;
        TextInput input;
    };
    void rerun(const Rerun& what);
    void cancelRerun(); ///< nothing is said
    /// Of the lane's operators, from the next one on.
    void setThreads(int threads);

    bool isOpening() const { return m_opening; }
    bool isRunning() const { return m_running; }
    bool isDiagnosing() const { return m_diagnosing; } ///< or planning to
    bool isComparing() const { return m_comparison.busy; }
    bool isFindingSimilar() const { return m_similar.busy; }
    bool isFinding() const { return m_find.busy; }
    bool isViewing() const { return m_view.busy; }
    bool isViewingBeside() const { return m_besideView.busy; }
    bool isRerunning() const { return m_rerunning; }

  Q_SIGNALS:
    void openStarted();
    void openProgressed(const headscope::Progress& progress);
    void modelOpened(const std::shared_ptr<const headscope::OpenModel>& model);
    void openFailed(const headscope::ui::Failure& failure); ///< cancelled included

    void counted(const headscope::TokenizedText& text);
    void countFailed(const headscope::ui::Failure& failure);

    void runStarted();
    void tokensReady(const headscope::TokenizedText& text,
                     const std::optional<headscope::TokenizedText>& target);
    void layerReady(const std::shared_ptr<const headscope::LayerResult>& layer);
    void runProgressed(const headscope::Progress& progress);
    void runFinished(const std::shared_ptr<const headscope::Analysis>& analysis);
    void runFailed(const headscope::ui::Failure& failure); ///< cancelled included

    void diagnosisPlanned(const headscope::ui::DiagnosisPlan& plan);
    void diagnosisStarted();
    /// Text `text` of `texts`, from 0; `within`: how much of it was read, 0 to 1.
    void diagnosisProgressed(qint64 text, qint64 texts, double within);
    void diagnosisFinished(const std::shared_ptr<const headscope::Diagnosis>& diagnosis);
    void diagnosisFailed(const headscope::ui::Failure& failure); ///< of a plan too

    void compared(const std::shared_ptr<const headscope::HeadComparison>& comparison);
    void compareFailed(const headscope::ui::Failure& failure);
    void similarProgressed(double share); ///< 0 to 1
    void similarFound(const std::shared_ptr<const headscope::ui::SimilarHeads>& similar);
    void similarFailed(const headscope::ui::Failure& failure);
    void headsFound(const std::shared_ptr<const headscope::FoundHeads>& heads);
    void findFailed(const headscope::ui::Failure& failure);
    void viewed(const std::shared_ptr<const headscope::ViewedMap>& map);
    void viewFailed(const headscope::ui::Failure& failure);
    void viewedBeside(const std::shared_ptr<const headscope::ViewedMap>& map);
    void viewBesideFailed(const headscope::ui::Failure& failure);

    void rerunProgressed(double share); ///< 0 to 1
    void rerunFinished(const std::shared_ptr<const headscope::Analysis>& analysis);
    void rerunFailed(const headscope::ui::Failure& failure);

  protected:
    void customEvent(QEvent* event) override;

  private:
    /// Queues `signal` for the GUI thread; there it is dropped unless `run` still equals `current`.
    void report(const quint64& current, quint64 run, std::function<void()> signal);
    void runAnalysis(quint64 run, const AnalysisRequest& request, const CancelToken& cancel);
    /// Work on a diagnosis that can be done again when it is cancelled in between.
    using Step = std::function<void(const CancelToken& cancel)>;
    quint64 beginDiagnosis();
    void submitStep(quint64 run, const Step& step);
    void endStep(quint64 run, std::function<void()> signal);
    void submitText(quint64 run, const std::shared_ptr<DiagnosisReader>& reader, std::size_t texts);
    void giveWay();
    /// Work of which only the latest matters, on a lane of its own.
    struct Latest {
        CancelToken cancel;
        quint64 run = 0;
        bool busy = false;
        std::unique_ptr<JobLane> lane;
    };
    using Signal = std::function<void()>;
    /// `work` makes the signal of its success; it and `failed` are emitted unless newer work has begun.
    void begin(Latest& job, std::function<Signal(const CancelToken&)> work,
               std::function<void(const Failure&)> failed);
    void forget(Latest& job); ///< cancels; nothing is said
    void submitRerun(quint64 run, const Rerun& what);
    AnalysisPtr runBeside(quint64 run, const Rerun& what, const CancelToken& cancel);

    Engine m_engine;
    std::unique_ptr<Mailbox> m_mailbox;
    // Run numbers and flags are read and written on the GUI thread only.
    quint64 m_openRun = 0;
    quint64 m_countRun = 0;
    quint64 m_analysisRun = 0;
    quint64 m_diagnosisRun = 0;
    quint64 m_rerunRun = 0;
    bool m_opening = false;
    bool m_running = false;
    bool m_diagnosing = false;
    bool m_rerunning = false;
    CancelToken m_openCancel;
    CancelToken m_countCancel;
    CancelToken m_analysisCancel;
    CancelToken m_stepCancel;
    CancelToken m_rerunCancel;
    // Last: their threads end before anything they use goes.
    std::unique_ptr<JobLane> m_textLane;
    std::unique_ptr<JobLane> m_lane;
    Latest m_comparison;
    Latest m_similar;
    Latest m_find;
    Latest m_view;
    Latest m_besideView;
};

} // namespace headscope::ui
