// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/observer.h"
#include "core/base/cancel.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/diagnosis/causes.h"
#include "core/diagnosis/labels.h"
#include "core/imported/array_axes.h"
#include "core/maps/axis.h"
#include "core/model/model.h"
#include "core/raster/raster.h"
#include "core/tokenizer/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The one door that app/ and ui/ use: plain immutable values in and out, no torch type anywhere, and every
/// failure an Error (LibTorch's and the standard library's exceptions included).
namespace headscope {

struct ImportedAttention;

/// A checkpoint with its tokenizer and model, ready for requests. Immutable, shared.
class OpenModel {
  public:
    std::filesystem::path folder; ///< or the attention file
    /// What pictures and reports call it: the checkpoint's name, the adapter that was added to it, and the
    /// types of quantised weights, since neither gives the maps of the model itself.
    std::string name;
    Checkpoint checkpoint;
    std::shared_ptr<const Tokenizer> tokenizer; ///< null when the folder has none: only ids can be given
    std::optional<ErrorParts> tokenizerProblem; ///< why there is none although the folder has its files
    std::shared_ptr<const Model> model;
    /// Maps that were computed elsewhere, in place of a model: there are no weights and no tokenizer, and
    /// analyse() shows what the file holds, whatever its input. Null for models.
    std::shared_ptr<const ImportedAttention> imported;
    std::vector<std::string> notes;

    const ModelSpec& spec() const { return model->spec(); }
    /// Of the model itself, for names of files.
    const std::string& plainName() const { return checkpoint.name.empty() ? name : checkpoint.name; }
};

/// How something is opened.
struct OpenRules {
    DeviceChoice device = DeviceChoice::Auto; ///< of a model
    std::filesystem::path adapter = {}; ///< of a model: the folder of a LoRA adapter to add; empty: none
    ReadingRules reading = {};          ///< of an attention file

    friend bool operator==(const OpenRules&, const OpenRules&) = default;
};

/// A model's folder, a .gguf file, or an attention file. Throws AxesNeeded where only `rules.reading` says
/// too little, and Error. Progress counts weight tensors.
std::shared_ptr<const OpenModel> openModel(const std::filesystem::path& path, const OpenRules& rules,
                                           const CancelToken& cancel, const ProgressSink& progress);

/// What to do with a text longer than the model's positions.
enum class LengthPolicy { Refuse, Truncate, Piece };

struct TextInput {
    std::string text; ///< UTF-8
    std::optional<std::string> pair;
    std::optional<std::vector<std::int64_t>> ids; ///< given: text and pair are not used, nothing is added
    std::optional<std::string> target;            ///< what the decoder is given, for models that have one
    std::optional<std::vector<std::int64_t>> targetIds; ///< given: target is not used, nothing is added
    /// The model writes its own target (see writeTarget()); what it reads of it becomes targetIds.
    bool writeTarget = false;
    bool addSpecial = true;
    LengthPolicy length = LengthPolicy::Refuse;
    std::int64_t piece = 0; ///< which piece, 0-based (LengthPolicy::Piece)
};

/// Tokens of a text and how they fit the model.
struct TokenizedText {
    std::shared_ptr<const Axis> axis;  ///< after truncation or choice of a piece
    std::vector<Token> tokens;         ///< the same, as the tokenizer gave them
    std::int64_t fullLength = 0;       ///< tokens before the length policy
    std::optional<std::int64_t> limit; ///< the model's positions
    std::int64_t pieces = 1;           ///< pieces of at most `limit` tokens the text falls into
    bool fits() const { return !limit || axis->size() <= *limit; }
};

/// Tokenises without running; with LengthPolicy::Refuse a too long text is returned whole (fits() is false).
TokenizedText tokenizeText(const OpenModel& model, const TextInput& input);
/// What the decoder reads: the start token, then the target's tokens without the last, which is only
/// predicted; the start token alone where no target is given. Nothing for models without a decoder; throws
/// Error when these are given a target.
std::optional<TokenizedText> tokenizeTarget(const OpenModel& model, const TextInput& input);

/// Tokens on both sides of a pass.
struct SequenceLengths {
    std::int64_t source = 0; ///< of the single stack, or the encoder
    std::int64_t target = 0; ///< of the decoder

    Extent extentOf(AttentionKind kind) const; ///< of one map
};

/// One head after a pass.
struct HeadResult {
    std::shared_ptr<const HeadMap> map;
    HeadMetrics metrics;
    Verdict verdict;
    std::vector<Cause> causes; ///< what fits a flat or a one-hot head
    Thumbnail thumbnail;
    RangeStatistics range;
};

/// One layer of one kind after a pass.
struct LayerResult {
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer;
    MaskRule mask;
    std::shared_ptr<const LayerMaps> maps; ///< null for maps that were imported
    std::vector<HeadResult> heads;
    LayerChecks checks;
    /// Mean cosine between all pairs of token states that the layer reads (its queries' side); none for one
    /// token. 1: all are alike.
    std::optional<double> stateCosine;
};

/// Everything a pass found. Immutable.
struct Analysis {
    std::shared_ptr<const OpenModel> model;
    TextInput input;
    TokenizedText text;
    std::optional<TokenizedText> target;                    ///< for models with a decoder
    std::vector<std::shared_ptr<const LayerResult>> layers; ///< in the order they ran
    double seconds = 0.0;
    std::size_t bytesKept = 0;             ///< Q, K, normalisers
    std::vector<std::string> notes;        ///< what the user must know of it, failed checks among them
    std::vector<std::string> failedChecks; ///< self-checks of the layers that did not hold

    const Axis& queryAxis(AttentionKind kind) const;
    const Axis& keyAxis(AttentionKind kind) const;
    /// nullptr when the reference is out of range.
    const HeadResult* find(const HeadRef& head) const;
};

/// What a pass is expected to take.
struct PassEstimate {
    std::uint64_t bytes = 0;     ///< at its peak, beyond what the program holds already
    std::uint64_t heldBytes = 0; ///< what the program holds already: itself, its libraries, resident weights
    std::uint64_t streamedBytes = 0; ///< of weights read from the file during the pass, as they stand there
    double seconds = 0.0;
};

/// Called from the calling thread of analyse(), in this order; all optional.
struct AnalysisEvents {
    std::function<void(const TokenizedText& text, const std::optional<TokenizedText>& target)> tokens;
    std::function<void(const PassEstimate&)> estimate;
    std::function<void(std::shared_ptr<const LayerResult>)> layer;
    ProgressSink progress;
};

struct AnalysisRequest {
    std::shared_ptr<const OpenModel> model;
    TextInput input;
};

/// Throws Error: too long (count and limit), ids out of range, cancelled, out of memory.
std::shared_ptr<const Analysis> analyse(const AnalysisRequest& request, const AnalysisEvents& events,
                                        const CancelToken& cancel);

/// A sentence of advice on the head size, each with its subject and reason (inspect, model panel).
std::vector<std::string> headSizeAdvice(const ModelSpec& spec);

/// Labels a person can read for tokens: WordPiece continuation as "##ing", spaces and newlines as visible
/// marks.
Axis makeAxis(const std::vector<Token>& tokens, std::vector<std::string> texts, const Tokenizer* tokenizer);

/// Runs `work`, turning LibTorch's and the standard library's exceptions into Error.
void translatingErrors(const std::function<void()>& work);

} // namespace headscope
