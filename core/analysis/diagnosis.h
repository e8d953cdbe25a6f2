// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/diagnosis/metric_table.h"
#include "core/diagnosis/over_texts.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

class DiagnosisBuilder;

/// A text that heads are judged by.
struct DiagnosisText {
    std::string name; ///< "line 3", "dialogue"
    TextInput input;
};

/// The same after it was read.
struct DiagnosedText {
    std::string name;
    std::int64_t tokens = 0;                ///< of the single stack, or the encoder
    std::shared_ptr<const Axis> sourceAxis; ///< keys of all kinds but the decoder's; null: tokens not known
    std::shared_ptr<const Axis> targetAxis; ///< keys of the decoder's own attention; null: none, or not known
    std::vector<std::string> notes;         ///< cut, longer than the model was made for, checks that failed

    const Axis* keyAxis(AttentionKind kind) const {
        return kind == AttentionKind::Decoder ? targetAxis.get() : sourceAxis.get();
    }
};

/// One head over all texts.
struct DiagnosedHead {
    HeadRef ref;
    HeadDiagnosis diagnosis;
    std::vector<MetricNumber> metrics; ///< means over the texts
    std::vector<Cause> causes;         ///< each once, as the first text that shows it words it
};

/// Two heads that are near-copies of each other.
struct DiagnosedPair {
    HeadRef first;
    HeadRef second;
    double divergence = 0.0; ///< sink-excluded JSD, nats, the lowest over the texts
    TextCount texts;
};

/// What a layer's tokens look like before it reads them.
struct DiagnosedLayer {
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer;
    std::optional<double> stateCosine; ///< mean over the texts of LayerResult::stateCosine
};

/// Every head judged by every text. Immutable.
struct Diagnosis {
    std::string model;
    std::vector<DiagnosedText> texts;
    std::vector<DiagnosedHead> heads; ///< by kind, layer and head, in the order the model runs them
    std::vector<DiagnosedPair> pairs; ///< redundant ones, the nearest first
    std::vector<DiagnosedLayer> layers;
    double seconds = 0.0;

    const DiagnosedHead* find(const HeadRef& head) const; ///< nullptr when out of range
};

struct DiagnosisRequest {
    std::shared_ptr<const OpenModel> model;
    std::vector<DiagnosisText> texts; ///< at least one
};

/// Called from the calling thread of diagnose(); all optional.
struct DiagnosisEvents {
    std::function<void(std::size_t text, std::size_t texts)> text; ///< before each, from 0
    ProgressSink progress;                                         ///< within a text
};

/// A diagnosis text by text, for those who have other work in between.
class DiagnosisRun {
  public:
    explicit DiagnosisRun(DiagnosisRequest request);
    ~DiagnosisRun();

    const DiagnosisRequest& request() const { return m_request; }
    std::size_t done() const { return m_done; } ///< texts that were read
    bool isDone() const { return m_done == m_request.texts.size(); }
    /// Reads the next text; its maps live no longer than that. Throws Error as analyse() does, naming the
    /// text; a text that was cancelled counts as not read, and may be read again.
    void readNext(const ProgressSink& progress, const CancelToken& cancel);
    /// After the last text, once.
    std::shared_ptr<const Diagnosis> finish();

  private:
    DiagnosisRequest m_request;
    std::unique_ptr<DiagnosisBuilder> m_builder;
    std::size_t m_done = 0;
    double m_seconds = 0.0;
};

/// Reads all texts, one after the other. Throws Error as readNext() does; cancelling throws away what there
/// is.
std::shared_ptr<const Diagnosis> diagnose(const DiagnosisRequest& request, const DiagnosisEvents& events,
                                          const CancelToken& cancel);

} // namespace headscope
