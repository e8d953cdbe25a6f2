// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/diagnosis.h"
#include "ui/bridge/engine.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// Stand-ins for a model and the core, so that windows and lanes are tested without weights and at a pace of
/// the test's choosing.
namespace headscope::ui::test {

/// Runs the event loop until `condition` holds; false after `limitMs`.
inline bool waitFor(const std::function<bool()>& condition, int limitMs = 20000) {
    return QTest::qWaitFor(condition, limitMs);
}

inline constexpr std::int64_t kFakeLimit = 40; ///< positions of the fake model
inline constexpr int kFakeLayers = 2;
inline constexpr int kFakeHeads = 3;

class FakeTokenizer final : public Tokenizer {
  public:
    std::vector<Token> encode(std::string_view, std::optional<std::string_view>,
                              const EncodeOptions&) const override {
        return {};
    }
    std::optional<std::string> piece(std::int64_t) const override { return std::nullopt; }
    std::optional<std::int64_t> id(std::string_view) const override { return std::nullopt; }
    bool isSpecial(std::int64_t) const override { return false; }
    std::int64_t idLimit() const override { return 1; }
};

class FakeModel final : public Model {
  public:
    FakeModel() {
        m_spec.family = "fake";
        m_spec.stacks = {{AttentionKind::Self, kFakeLayers, kFakeHeads, kFakeHeads, 16, false}};
        m_spec.maxPositions = kFakeLimit;
    }
    const ModelSpec& spec() const override { return m_spec; }
    DeviceChoice device() const override { return DeviceChoice::Cpu; }
    std::int64_t parameters() const override { return 1234567; }
    WeightMemory weightMemory() const override { return {}; }
    ModelOutput forward(const ModelInput&, const ForwardHooks&) const override { return {}; }
    std::vector<float> logits(std::span<const float>, const CancelToken&) const override { return {}; }

  private:
    ModelSpec m_spec;
};

inline std::shared_ptr<const OpenModel> fakeModel(const std::filesystem::path& folder) {
    auto model = std::make_shared<OpenModel>();
    model->folder = folder;
    model->name = folder.filename().string();
    model->tokenizer = std::make_shared<FakeTokenizer>();
    model->model = std::make_shared<FakeModel>();
    return model;
}

/// One word is one token.
inline TokenizedText fakeTokens(const TextInput& input) {
    auto axis = std::make_shared<Axis>();
    axis->texts = {input.text};
    std::istringstream words(input.text + " " + input.pair.value_or(""));
    for (std::string word; words >> word;) {
        AxisEntry entry;
        entry.start = static_cast<std::int64_t>(words.tellg() < 0 ? words.str().size()
                                                                  : static_cast<std::size_t>(words.tellg())) -
                      static_cast<std::int64_t>(word.size());
        entry.end = entry.start + static_cast<std::int64_t>(word.size());
        entry.label = word;
        entry.piece = word;
        entry.text = 0;
        axis->entries.push_back(entry);
    }
    if (axis->entries.empty()) axis->entries.push_back({"[CLS]", "[CLS]", 0, 0, 0, -1, true});
    TokenizedText text;
    text.fullLength = axis->size();
    text.limit = kFakeLimit;
    text.pieces = (text.fullLength + kFakeLimit - 1) / kFakeLimit;
    if (text.fullLength > kFakeLimit && input.length != LengthPolicy::Refuse) {
        const auto begin = input.length == LengthPolicy::Piece ? input.piece * kFakeLimit : 0;
        auto& entries = axis->entries;
        entries.erase(entries.begin(), entries.begin() + begin);
        if (entries.size() > static_cast<std::size_t>(kFakeLimit))
            entries.resize(static_cast<std::size_t>(kFakeLimit));
    }
    text.axis = axis;
    return text;
}

inline TokenizedText fakeTokens(const std::string& text) {
    TextInput input;
    input.text = text;
    return fakeTokens(input);
}

/// Every head puts half of each row's weight on token (layer + head) mod n, the rest evenly; head 1.1 is said
/// to be a sink on it.
inline HeadResult fakeHead(int layer, int head, std::int64_t tokens) {
    const auto n = static_cast<std::size_t>(tokens);
    const std::size_t favourite = static_cast<std::size_t>(layer + head) % n;
    std::vector<float> weights(n * n, 0.5F / static_cast<float>(n));
    for (std::size_t row = 0; row < n; ++row) {
        weights[row * n + favourite] += 0.5F;
    }
    HeadResult result;
    result.thumbnail.cells = {tokens, tokens};
    result.thumbnail.weights.assign(weights.begin(), weights.end());
    result.thumbnail.visible.assign(n * n, 1);
    result.map = std::make_shared<StoredMap>(Extent{tokens, tokens}, std::move(weights));
    result.range = {0.6F, 1.0F / static_cast<float>(n), 0.6F};
    result.metrics.keys = tokens;
    result.metrics.rows = tokens;
    result.metrics.klToUniform = 0.5 + layer + 0.1 * head;
    ColumnMetrics column;
    column.column = static_cast<std::int64_t>(favourite);
    column.rows = tokens - 1;
    column.mass = 0.5;
    result.metrics.column = column;
    result.metrics.offsets.emplace();
    result.metrics.offsets->histogram = {{-1, -1, 0.25}, {0, 0, 0.5 + 0.1 * head}};
    Finding finding;
    finding.label = Label::Sink;
    finding.fires = layer == 1 && head == 1;
    finding.score = 0.5;
    finding.column = column.column;
    finding.measures = {{"column_mass", 0.5, 0.3, false, "", "a paper"}};
    result.verdict.findings = {finding};
    return result;
}

/// A label that fired on `fired` of `tested` texts with `score` on each; the last text is its worst.
inline HeadLabel fakeLabel(Label label, int fired, int tested, double score) {
    HeadLabel result;
    result.label = label;
    result.score = score;
    result.texts = {fired, tested};
    result.confidence = result.texts.confidence();
    result.measures = {{"column_mass", score, 0.3, false, "", "a paper"}};
    for (int i = 0; i < tested; ++i)
        result.onTexts.push_back({static_cast<std::size_t>(i), i < fired, score, 0});
    result.worst = static_cast<std::size_t>(tested - 1);
    result.column = 0;
    return result;
}

/// All heads of the fake model by these texts: 0.0 uniform, 0.1 mixed, 0.2 previous token, 1.0 mixed with a
/// sink on some texts, 1.1 a sink that is local too, 1.2 not judged. Focus is the row of the head, missing
/// for 0.2; 0.1 alone has an output norm.
inline std::shared_ptr<const Diagnosis> fakeDiagnosis(const std::vector<DiagnosisText>& texts,
                                                      const std::string& model = "fake") {
    auto diagnosis = std::make_shared<Diagnosis>();
    const int n = static_cast<int>(texts.size());
    diagnosis->model = model;
    diagnosis->seconds = 1.5;
    for (const DiagnosisText& text : texts) {
        const TokenizedText tokens = fakeTokens(text.input);
        diagnosis->texts.push_back({text.name, tokens.axis->size(), tokens.axis, nullptr, {}});
    }
    for (int place = 0; place < kFakeLayers * kFakeHeads; ++place) {
        DiagnosedHead head;
        head.ref = {AttentionKind::Self, LayerIndex(place / kFakeHeads), HeadIndex(place % kFakeHeads)};
        auto& labels = head.diagnosis.labels;
        head.diagnosis.primary = Label::Mixed;
        if (place == 0) labels = {fakeLabel(Label::Uniform, n, n, 0.05)};
        if (place == 2) labels = {fakeLabel(Label::PreviousToken, n, n, 0.9)};
        if (place == 3) labels = {fakeLabel(Label::Sink, (n + 2) / 3, n, 0.4)};
        if (place == 4) labels = {fakeLabel(Label::Sink, n, n, 0.7), fakeLabel(Label::Local, n - 1, n, 0.6)};
        if (!labels.empty() && place != 3) head.diagnosis.primary = labels.front().label;
        if (place == 5) head.diagnosis.primary = Label::InsufficientEvidence;
        head.diagnosis.notTested = {{Label::Collapsed, "it takes several checkpoints"}};
        const auto focus = place == 2 ? std::nullopt : std::optional<double>(place);
        const auto output = place == 1 ? std::optional<double>(0.25) : std::nullopt;
        head.metrics = {{"kl_to_uniform", "", focus},
                        {"top_column_mass", "", 0.1 * place},
                        {"mean_distance", "", 10.0 - place},
                        {"output_norm_ratio", "", output}};
        diagnosis->heads.push_back(std::move(head));
    }
    return diagnosis;
}

inline std::vector<DiagnosisText> fakeProbes(int count) {
    std::vector<DiagnosisText> texts;
    for (int i = 0; i < count; ++i) {
        TextInput input;
        input.text = "probe text number " + std::to_string(i);
        texts.push_back({"probe/" + std::to_string(i), input});
    }
    return texts;
}

/// An engine that the test drives.
struct FakeEngine {
    std::atomic<int> opens = 0;
    std::atomic<int> counts = 0;
    std::atomic<int> runs = 0;
    std::atomic<int> stoppedRuns = 0;    ///< runs that saw their token cancelled
    std::atomic<bool> holdOpens = false; ///< work waits, polling its token, while these are true
    std::atomic<bool> holdRuns = false;
    std::atomic<bool> deaf = false; ///< held work does not poll its token
    std::atomic<bool> failOpens = false;
    std::atomic<bool> failRuns = false;
    std::atomic<bool> throwStrange = false; ///< runs throw what is no Error
    std::atomic<int> plans = 0;
    std::atomic<int> texts = 0;        ///< of diagnoses, read to their end
    std::atomic<int> begunTexts = 0;   ///< or begun
    std::atomic<int> stoppedTexts = 0; ///< begun, and stopped by their token
    std::atomic<bool> holdTexts = false;
    std::atomic<bool> failTexts = false;
    std::atomic<int> probes = 3;
    std::atomic<double> plannedSeconds = 100.0; ///< too long to begin unasked
    std::atomic<int> compares = 0;              ///< begun
    std::atomic<int> similars = 0;
    std::atomic<int> stoppedCompares = 0;   ///< of both, stopped by their token
    std::atomic<bool> holdCompares = false; ///< both
    std::atomic<bool> failCompares = false;
    std::atomic<int> views = 0; ///< begun
    std::atomic<bool> holdViews = false;
    std::atomic<bool> failViews = false;
    std::atomic<int> threads = -1;     ///< that were last set; -1: never
    std::atomic<bool> hasKept = false; ///< an earlier session judged by the program's texts
    std::mutex orderMutex;
    std::vector<std::string> order; ///< "run", "text 0": what was done to its end, in order

    void hold(const std::atomic<bool>& held, const CancelToken& cancel) {
        while (held) {
            if (!deaf) cancel.throwIfCancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

    void note(const std::string& what) {
        const std::scoped_lock lock(orderMutex);
        order.push_back(what);
    }
    std::vector<std::string> noted() {
        const std::scoped_lock lock(orderMutex);
        return order;
    }

    struct Reader final : DiagnosisReader {
        Reader(FakeEngine& engine, DiagnosisRequest wanted) : fake(engine), request(std::move(wanted)) {}
        std::size_t done() const override { return read; }
        void readNext(const ProgressSink& progress, const CancelToken& cancel) override {
            ++fake.begunTexts;
            progress({"layer", 1, 2});
            try {
                fake.hold(fake.holdTexts, cancel);
            } catch (const Error&) {
                ++fake.stoppedTexts;
                throw;
            }
            if (fake.failTexts) fail(request.texts[read].name, "it cannot be read", "", "leave it out");
            fake.note("text " + std::to_string(read));
            ++read;
            ++fake.texts;
        }
        std::shared_ptr<const Diagnosis> finish() override {
            return fakeDiagnosis(request.texts, request.model->name);
        }
        FakeEngine& fake;
        DiagnosisRequest request;
        std::size_t read = 0;
    };

    void holdComparing(const CancelToken& cancel) {
        try {
            hold(holdCompares, cancel);
        } catch (const Error&) {
            ++stoppedCompares;
            throw;
        }
        if (failCompares) fail("heads", "they cannot be compared", "", "try again");
    }

    DiagnosisPlan plan(const std::filesystem::path& file) {
        ++plans;
        if (file.filename() == "broken.txt")
            fail("broken.txt", "it holds no text", "expected one text a line");
        DiagnosisPlan plan;
        plan.file = file;
        plan.texts = fakeProbes(file.empty() ? probes.load() : 2);
        plan.seconds = plannedSeconds;
        if (hasKept && file.empty()) plan.kept = fakeDiagnosis(plan.texts, "fake");
        return plan;
    }

    std::shared_ptr<const Analysis> run(const AnalysisRequest& request, const AnalysisEvents& events,
                                        const CancelToken& cancel) {
        ++runs;
        auto analysis = std::make_shared<Analysis>();
        analysis->model = request.model;
        analysis->input = request.input;
        analysis->text = fakeTokens(request.input);
        events.tokens(analysis->text, analysis->target);
        if (throwStrange) throw std::runtime_error("something of a library");
        if (failRuns) fail("text", "it cannot be run", "", "try another text");
        for (int layer = 0; layer < kFakeLayers; ++layer) {
            auto result = std::make_shared<LayerResult>();
            result->layer = LayerIndex(layer);
            result->mask.queries = result->mask.keys = analysis->text.axis->size();
            for (int head = 0; head < kFakeHeads; ++head) {
                result->heads.push_back(fakeHead(layer, head, analysis->text.axis->size()));
            }
            analysis->layers.push_back(result);
            events.layer(result);
            events.progress({"layer", layer + 1, kFakeLayers});
            try {
                hold(holdRuns, cancel);
            } catch (const Error&) {
                ++stoppedRuns;
                throw;
            }
        }
        note("run");
        analysis->seconds = 0.025;
        analysis->bytesKept = 2048;
        return analysis;
    }

    Engine engine() {
        Engine engine;
        engine.open = [this](const std::filesystem::path& folder, const OpenRules&, const CancelToken& cancel,
                             const ProgressSink& progress) {
            ++opens;
            progress({"tensor", 1, 2});
            hold(holdOpens, cancel);
            if (failOpens)
                fail(folder.filename().string(), "there is no config.json", "", "choose another folder");
            return fakeModel(folder);
        };
        engine.tokenize = [this](const OpenModel&, const TextInput& input) {
            ++counts;
            return fakeTokens(input);
        };
        engine.analyse = [this](const AnalysisRequest& request, const AnalysisEvents& events,
                                const CancelToken& cancel) { return run(request, events, cancel); };
        engine.setThreads = [this](int number) { threads = number; };
        engine.planDiagnosis = [this](const OpenModel&, const std::filesystem::path& file) {
            return plan(file);
        };
        engine.startDiagnosis = [this](std::shared_ptr<const OpenModel> model,
                                       DiagnosisPlan plan) -> std::shared_ptr<DiagnosisReader> {
            return std::make_shared<Reader>(*this, DiagnosisRequest{std::move(model), std::move(plan.texts)});
        };
        engine.compare = [this](const ComparedSide& first, const ComparedSide& second,
                                const CancelToken& cancel) {
            ++compares;
            holdComparing(cancel);
            return compareHeads(first, second, 10, cancel);
        };
        engine.view = [this](const ViewRequest& request, const CancelToken& cancel) {
            ++views;
            hold(holdViews, cancel);
            if (failViews) fail("map", "it cannot be made", "", "choose another");
            return viewMap(request, cancel);
        };
        engine.find = [](const Analysis& analysis, const CellQuestion& cell, const CancelToken& cancel) {
            return findHeads(analysis, cell, cancel);
        };
        engine.similar = [this](const ComparedSide& head, const ProgressSink& progress,
                                const CancelToken& cancel) {
            ++similars;
            progress({"row", 1, 4});
            holdComparing(cancel);
            return similarHeads(head, cancel, progress);
        };
        return engine;
    }
};

} // namespace headscope::ui::test
