// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/engine.h"

#include "core/analysis/pass_estimate.h"
#include "core/analysis/probe_battery.h"
#include "core/analysis/texts_file.h"
#include "ui/bridge/kept_diagnoses.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {
namespace {

constexpr std::int64_t kUsualTokens = 256; ///< the longest of the program's texts
constexpr std::size_t kFarthestRows = 10;  ///< as `headscope compare`

class CoreReader final : public DiagnosisReader {
  public:
    /// `kept`: null where the diagnosis is not to outlast the session.
    CoreReader(DiagnosisRequest request, std::shared_ptr<const KeptDiagnoses> kept)
        : m_run(std::move(request)), m_kept(std::move(kept)) {}
    std::size_t done() const override { return m_run.done(); }
    void readNext(const ProgressSink& progress, const CancelToken& cancel) override {
        m_run.readNext(progress, cancel);
    }
    std::shared_ptr<const Diagnosis> finish() override {
        auto diagnosis = m_run.finish();
        if (m_kept) m_kept->keep(*m_run.request().model, *diagnosis);
        return diagnosis;
    }

  private:
    DiagnosisRun m_run;
    std::shared_ptr<const KeptDiagnoses> m_kept;
};

void addProbes(const OpenModel& model, DiagnosisPlan& plan) {
    ProbeBattery battery = probeBattery(model);
    for (const LeftOutProbe& one : battery.leftOut) plan.notes.push_back(one.reason);
    for (ProbeText& probe : battery.texts)
        plan.texts.push_back({std::move(probe.name), std::move(probe.input)});
}

DiagnosisPlan planFor(const OpenModel& model, const std::filesystem::path& file) {
    DiagnosisPlan plan;
    plan.file = file;
    if (model.imported) { // of one text, and measured at once
        plan.texts.push_back({model.name, {}});
        return plan;
    }
    translatingErrors([&] {
        const bool hasDecoder = model.spec().decoder.has_value();
        if (file.empty()) {
            addProbes(model, plan);
        } else {
            TextInput rules;
            rules.length = LengthPolicy::Truncate; // each text that is cut says so in its notes
            plan.texts = readTextsFile(file, rules, hasDecoder);
        }
        const std::int64_t tokens = std::min(kUsualTokens, model.spec().maxPositions.value_or(kUsualTokens));
        const PassEstimate one = estimatePass(*model.model, {tokens, hasDecoder ? tokens : 0});
        plan.seconds = one.seconds * static_cast<double>(plan.texts.size());
    });
    return plan;
}

} // namespace

TextInput fittedTo(const ModelSpec& spec, TextInput input) {
    if (!spec.decoder) {
        input.target.reset();
        input.writeTarget = false;
    }
    return input;
}

Engine Engine::real(std::filesystem::path kept) {
    const auto store = kept.empty() ? nullptr : std::make_shared<const KeptDiagnoses>(std::move(kept));
    Engine engine{&openModel, &tokenizeText, &headscope::analyse, {}, {}, {}, {}, {}, {}, &setTorchThreads};
    engine.compare = [](const ComparedSide& first, const ComparedSide& second, const CancelToken& cancel) {
        HeadComparison comparison;
        translatingErrors([&] { comparison = compareHeads(first, second, kFarthestRows, cancel); });
        return comparison;
    };
    engine.similar = [](const ComparedSide& head, const ProgressSink& progress, const CancelToken& cancel) {
        SimilarHeads similar;
        translatingErrors([&] { similar = similarHeads(head, cancel, progress); });
        return similar;
    };
    engine.find = [](const Analysis& analysis, const CellQuestion& cell, const CancelToken& cancel) {
        FoundHeads found;
        translatingErrors([&] { found = findHeads(analysis, cell, cancel); });
        return found;
    };
    engine.view = [](const ViewRequest& request, const CancelToken& cancel) {
        ViewedMap map;
        translatingErrors([&] { map = viewMap(request, cancel); });
        return map;
    };
    engine.planDiagnosis = [store](const OpenModel& model, const std::filesystem::path& file) {
        DiagnosisPlan plan = planFor(model, file);
        if (store && file.empty() && !model.imported) plan.kept = store->find(model);
        return plan;
    };
    engine.startDiagnosis = [store](std::shared_ptr<const OpenModel> model,
                                    DiagnosisPlan plan) -> std::shared_ptr<DiagnosisReader> {
        const bool keeps = plan.file.empty() && !model->imported;
        return std::make_shared<CoreReader>(DiagnosisRequest{std::move(model), std::move(plan.texts)},
                                            keeps ? store : nullptr);
    };
    return engine;
}

} // namespace headscope::ui
