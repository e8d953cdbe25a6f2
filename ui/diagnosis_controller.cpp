// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnosis_controller.h"

#include "ui/format.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace headscope::ui {

DiagnosisController::DiagnosisController(InferenceLane& lane, QObject* parent)
    : QObject(parent), m_lane(lane) {
    connect(&m_lane, &InferenceLane::diagnosisPlanned, this, &DiagnosisController::onPlanned);
    connect(&m_lane, &InferenceLane::diagnosisFinished, this, &DiagnosisController::onFinished);
    connect(&m_lane, &InferenceLane::diagnosisFailed, this, &DiagnosisController::onFailed);
    connect(&m_lane, &InferenceLane::diagnosisProgressed, this,
            [this](qint64 text, qint64 texts, double within) {
                m_text = text;
                m_texts = texts;
                m_within = std::clamp(within, 0.0, 1.0);
                Q_EMIT progressed();
            });
    setModel(nullptr);
}

void DiagnosisController::setModel(const std::shared_ptr<const OpenModel>& model) {
    m_lane.cancelDiagnosis();
    m_model = model;
    m_diagnosis.reset();
    m_inputs.clear();
    m_file.clear();
    m_kept = false;
    m_own = {};
    m_current = {};
    m_planned = false;
    m_asked = false;
    m_failed = false;
    m_seconds = 0.0;
    const bool readable = isJudgeable();
    m_toBegin = readable;
    m_reason = !m_model ? tr("No model is open.")
               : readable
                   ? QString()
                   : tr("This model has no tokenizer.json: it cannot be given the texts to judge it by.");
    Q_EMIT changed();
}

void DiagnosisController::begin() {
    if (!std::exchange(m_toBegin, false)) return;
    m_lane.planDiagnosis(m_model, {});
    Q_EMIT changed();
}

void DiagnosisController::setUnasked(double seconds) {
    const bool within = m_planned && m_own.seconds > m_unasked && m_own.seconds <= seconds;
    m_unasked = seconds;
    if (within && !m_own.texts.empty() && stage() == JudgingStage::Offered) read(m_own);
}

void DiagnosisController::judge() {
    if (!canJudge()) return;
    m_toBegin = false;
    m_asked = true;
    if (isBusy()) return; // the plan is being made
    if (m_planned) {
        read(m_own);
    } else {
        m_lane.planDiagnosis(m_model, {});
        Q_EMIT changed();
    }
}

void DiagnosisController::judgeByFile(const QString& file) {
    if (!canJudgeOwn()) return;
    m_toBegin = false;
    m_asked = true;
    m_current = {};
    m_lane.planDiagnosis(m_model, file);
    Q_EMIT changed();
}

void DiagnosisController::cancel() {
    if (!isBusy()) return;
    m_lane.cancelDiagnosis();
    m_asked = false;
    m_current = {};
    Q_EMIT changed();
}

void DiagnosisController::onPlanned(const DiagnosisPlan& plan) {
    const bool ownTexts = !plan.file.empty();
    if (!ownTexts) {
        m_own = plan;
        m_planned = true;
        m_seconds = plan.seconds;
        for (const std::string& note : plan.notes) Q_EMIT noted(tr("note: %1").arg(fromUtf8(note)));
    }
    if (plan.texts.empty()) {
        m_reason =
            tr("None of the texts that come with the program suits this model. It can be judged by texts "
               "of your own.");
        m_asked = false;
        Q_EMIT changed();
        return;
    }
    if (!m_asked && plan.kept) {
        m_current = plan;
        onFinished(plan.kept);
    } else if (ownTexts || m_asked || plan.seconds <= m_unasked) {
        read(plan);
    } else {
        Q_EMIT changed();
    }
}

void DiagnosisController::read(const DiagnosisPlan& plan) {
    m_current = plan;
    m_failed = false;
    m_text = 0;
    m_texts = static_cast<qint64>(plan.texts.size());
    m_within = 0.0;
    m_lane.diagnose(m_model, plan);
    Q_EMIT changed();
}

void DiagnosisController::onFinished(const std::shared_ptr<const Diagnosis>& diagnosis) {
    m_diagnosis = diagnosis;
    m_inputs = std::move(m_current.texts);
    m_file = QFile::decodeName(QByteArray::fromStdString(m_current.file.string()));
    m_kept = diagnosis == m_current.kept;
    m_current = {};
    m_asked = false;
    for (const DiagnosedText& text : diagnosis->texts)
        for (const std::string& note : text.notes)
            Q_EMIT noted(tr("note: %1: %2").arg(fromUtf8(text.name), fromUtf8(note)));
    Q_EMIT changed();
}

void DiagnosisController::onFailed(const Failure& failure) {
    m_current = {};
    m_failed = m_diagnosis == nullptr;
    m_reason = QStringLiteral("%1 %2").arg(failure.sentence, failure.hint).trimmed();
    const bool asked = std::exchange(m_asked, false);
    Q_EMIT noted(tr("warning: judging the heads failed: %1").arg(m_reason));
    Q_EMIT changed();
    if (asked) Q_EMIT failed(failure);
}

bool DiagnosisController::canJudge() const {
    return isJudgeable() && !isReading() && !(m_planned && m_own.texts.empty());
}

JudgingStage DiagnosisController::stage() const {
    if (!isJudgeable()) return JudgingStage::NotApplicable;
    if (m_diagnosis) return JudgingStage::Judged;
    if (isBusy()) return isReading() ? JudgingStage::Judging : JudgingStage::Waiting;
    if (m_failed) return JudgingStage::Failed;
    if (m_toBegin) return JudgingStage::Waiting;
    if (m_planned && m_own.texts.empty()) return JudgingStage::NotApplicable;
    return JudgingStage::Offered;
}

Judging DiagnosisController::now() const {
    Judging judging;
    judging.stage = stage();
    judging.diagnosis = m_diagnosis;
    judging.file = m_file;
    judging.kept = m_kept;
    judging.reason = m_reason;
    judging.ownTexts = canJudgeOwn();
    judging.busy = isBusy();
    judging.seconds = m_seconds;
    if (isReading()) {
        judging.text = m_text;
        judging.texts = m_texts;
        judging.share = (static_cast<double>(m_text) + m_within) / static_cast<double>(m_texts);
    }
    return judging;
}

const TextInput* DiagnosisController::inputOf(std::size_t text) const {
    if (text >= m_inputs.size()) return nullptr;
    const TextInput& input = m_inputs[text].input;
    return input.ids || input.targetIds ? nullptr : &input;
}

} // namespace headscope::ui
