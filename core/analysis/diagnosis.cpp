// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagnosis.h"

#include "core/analysis/diagnosis_builder.h"
#include "core/base/check.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace headscope {

namespace {

/// An error of one text says which.
std::shared_ptr<const Analysis> analyseText(const DiagnosisRequest& request, const DiagnosisText& text,
                                            const ProgressSink& progress, const CancelToken& cancel) {
    AnalysisEvents within;
    within.progress = progress;
    try {
        return analyse({request.model, text.input}, within, cancel);
    } catch (const Error& error) {
        if (error.parts().kind == ErrorKind::Cancelled || request.texts.size() == 1) throw;
        ErrorParts parts = error.parts();
        parts.subject = text.name + ": " + parts.subject;
        throw Error(std::move(parts));
    }
}

} // namespace

const DiagnosedHead* Diagnosis::find(const HeadRef& head) const {
    const auto found =
        std::find_if(heads.begin(), heads.end(), [&](const DiagnosedHead& one) { return one.ref == head; });
    return found == heads.end() ? nullptr : &*found;
}

DiagnosisRun::DiagnosisRun(DiagnosisRequest request)
    : m_request(std::move(request)), m_builder(std::make_unique<DiagnosisBuilder>()) {
    HS_CHECK(m_request.model != nullptr && !m_request.texts.empty());
}

DiagnosisRun::~DiagnosisRun() = default;

void DiagnosisRun::readNext(const ProgressSink& progress, const CancelToken& cancel) {
    HS_CHECK(!isDone());
    const auto started = std::chrono::steady_clock::now();
    const DiagnosisText& next = m_request.texts[m_done];
    const auto analysis = analyseText(m_request, next, progress, cancel);
    DiagnosedText text{.name = next.name,
                       .tokens = analysis->text.axis->size(),
                       .sourceAxis = analysis->text.axis,
                       .targetAxis = analysis->target ? analysis->target->axis : nullptr,
                       .notes = analysis->notes};
    translatingErrors([&] { m_builder->addText(std::move(text), analysis->layers, cancel); });
    ++m_done;
    m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

std::shared_ptr<const Diagnosis> DiagnosisRun::finish() {
    HS_CHECK(isDone());
    auto result = std::make_shared<Diagnosis>(m_builder->finish());
    result->model = m_request.model->name;
    result->seconds = m_seconds;
    return result;
}

std::shared_ptr<const Diagnosis> diagnose(const DiagnosisRequest& request, const DiagnosisEvents& events,
                                          const CancelToken& cancel) {
    DiagnosisRun run(request);
    while (!run.isDone()) {
        if (events.text) events.text(run.done(), request.texts.size());
        run.readNext(events.progress, cancel);
    }
    return run.finish();
}

} // namespace headscope
