// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/inference_lane.h"
#include "ui/judging.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace headscope::ui {

/// Judges all heads of the open model by several texts, on the lane's lower priority: by itself where that is
/// short, else when asked; what an earlier session found
/// is shown at once. What is shown stays until another diagnosis is whole; cancelling leaves all as it
/// was.
class DiagnosisController final : public QObject {
    Q_OBJECT

  public:
    /// Up to here it starts by itself, in estimated seconds, unless it is set otherwise.
    static constexpr double kUnasked = 10.0;

    explicit DiagnosisController(InferenceLane& lane, QObject* parent = nullptr);

    /// Drops what was known of the model before.
    void setModel(const std::shared_ptr<const OpenModel>& model);
    /// The first map is shown: there is time to plan. Does nothing the second time.
    void begin();
    /// 0: never by itself. What waits only for a higher limit begins.
    void setUnasked(double seconds);
    void judge(); ///< by the texts of the program
    void judgeByFile(const QString& file);
    void cancel();

    JudgingStage stage() const;
    bool isBusy() const { return m_lane.isDiagnosing(); }
    /// Neither busy nor about to be.
    bool isSettled() const { return !isBusy() && !m_toBegin; }
    bool isReading() const { return isBusy() && !m_current.texts.empty(); } ///< and no longer planning
    bool canJudge() const;                                                  ///< by the texts of the program
    /// By texts of the user's own.
    bool canJudgeOwn() const { return m_model && m_model->model && m_model->tokenizer; }
    /// By the texts of the program, or, of a file of maps, by the text that they are of.
    bool isJudgeable() const { return canJudgeOwn() || (m_model && m_model->imported); }

    const std::shared_ptr<const Diagnosis>& diagnosis() const { return m_diagnosis; } ///< null: none yet
    Judging now() const;
    /// A text of the diagnosis that is shown; nullptr: not known, or made of ids that no text gives.
    const TextInput* inputOf(std::size_t text) const;

  Q_SIGNALS:
    void changed(); ///< stage, diagnosis or busy
    void progressed();
    void failed(const headscope::ui::Failure& failure); ///< of what the user asked for
    void noted(const QString& line);

  private:
    void onPlanned(const DiagnosisPlan& plan);
    void onFinished(const std::shared_ptr<const Diagnosis>& diagnosis);
    void onFailed(const Failure& failure);
    void read(const DiagnosisPlan& plan);

    InferenceLane& m_lane;
    std::shared_ptr<const OpenModel> m_model;
    std::shared_ptr<const Diagnosis> m_diagnosis;
    std::vector<DiagnosisText> m_inputs; ///< of m_diagnosis
    QString m_file;
    bool m_kept = false; ///< m_diagnosis is an earlier session's
    DiagnosisPlan m_own; ///< by the texts of the program, once planned
    bool m_planned = false;
    bool m_toBegin = false;
    bool m_asked = false;    ///< what is being done, the user asked for
    DiagnosisPlan m_current; ///< that is being read
    QString m_reason;
    bool m_failed = false;
    double m_seconds = 0.0;
    double m_unasked = kUnasked;
    qint64 m_text = 0;
    qint64 m_texts = 0;
    double m_within = 0.0;
};

} // namespace headscope::ui
