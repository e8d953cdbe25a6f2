// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/diagnosis.h"
#include "core/analysis/find_heads.h"
#include "core/analysis/map_view.h"
#include "ui/bridge/similar_heads.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headscope::ui {

/// By which texts a model is to be judged, and how long that will take.
struct DiagnosisPlan {
    std::filesystem::path file; ///< the user's own, one text a line; empty: the texts of the program
    std::vector<DiagnosisText> texts;
    std::vector<std::string> notes; ///< texts that were left out, and why
    double seconds = 0.0;           ///< a guess within a factor of two
    /// What an earlier session found with these texts and this model, unchanged; null: nothing was kept.
    std::shared_ptr<const Diagnosis> kept;
};

/// A diagnosis in steps (DiagnosisRun of the core): one text each.
class DiagnosisReader {
  public:
    virtual ~DiagnosisReader() = default;
    virtual std::size_t done() const = 0;
    virtual void readNext(const ProgressSink& progress, const CancelToken& cancel) = 0;
    virtual std::shared_ptr<const Diagnosis> finish() = 0;
};

/// The input as a model without a decoder takes it: a target was written for another one, and waits for it.
TextInput fittedTo(const ModelSpec& spec, TextInput input);

/// What the inference lane calls. real() is the core; tests put slow or failing functions here.
struct Engine {
    std::function<std::shared_ptr<const OpenModel>(const std::filesystem::path&, const OpenRules&,
                                                   const CancelToken&, const ProgressSink&)>
        open;
    std::function<TokenizedText(const OpenModel&, const TextInput&)> tokenize;
    std::function<std::shared_ptr<const Analysis>(const AnalysisRequest&, const AnalysisEvents&,
                                                  const CancelToken&)>
        analyse;
    std::function<DiagnosisPlan(const OpenModel&, const std::filesystem::path& file)> planDiagnosis;
    std::function<std::shared_ptr<DiagnosisReader>(std::shared_ptr<const OpenModel>, DiagnosisPlan)>
        startDiagnosis;
    std::function<HeadComparison(const ComparedSide& first, const ComparedSide& second, const CancelToken&)>
        compare;
    std::function<SimilarHeads(const ComparedSide& head, const ProgressSink&, const CancelToken&)> similar;
    std::function<FoundHeads(const Analysis&, const CellQuestion&, const CancelToken&)> find;
    std::function<ViewedMap(const ViewRequest&, const CancelToken&)> view;
    std::function<void(int threads)> setThreads; ///< of the calling thread's operators; 0: all cores

    /// `kept`: the folder where diagnoses by the program's texts outlast the session; empty: they do not.
    static Engine real(std::filesystem::path kept = {});
};

} // namespace headscope::ui
