// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/observer.h"
#include "core/base/cancel.h"
#include "core/base/progress.h"
#include "core/model/model_spec.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope {

struct Checkpoint;

enum class DeviceChoice { Auto, Cpu, Cuda };

/// True where LibTorch has CUDA and a device is present.
bool hasCudaDevice();
/// Cpu or Cuda, never Auto. Throws Error("cuda", "no CUDA device", ...) when Cuda is asked for and there is
/// none.
DeviceChoice resolveDevice(DeviceChoice choice);
/// Threads LibTorch uses inside one operator; 0 = all cores. Call once, before the first model.
void setTorchThreads(int threads);
int torchThreads();
/// Multiply-adds of one matrix product, float32 on the CPU: measured at the first call, in a few
/// milliseconds.
double multiplyAddsPerSecond();
/// "2.13.0" and the like; with build facts for --version.
std::string torchVersionText();

/// Ids as they are fed, already within the vocabulary and the position table (else forward throws Error).
struct ModelInput {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> tokenTypes; ///< same length, or empty = all 0
    std::vector<std::int64_t> decoderIds; ///< for models with a decoder, at least one; else empty
};

/// Last hidden states, row-major in host memory.
struct ModelOutput {
    std::vector<float> hidden;        ///< [tokens, outputSize] of the single stack, or of the decoder
    std::vector<float> encoderHidden; ///< [tokens, hiddenSize], where there is an encoder
};

/// What one forward pass reports besides the maps.
struct ForwardHooks {
    AttentionObserver* observer = nullptr; ///< null: plain forward
    CancelToken cancel;
    ProgressSink progress; ///< unit "layer"
};

/// float32 bytes of the blocks' weights.
struct WeightMemory {
    std::uint64_t resident = 0; ///< held all the time
    std::uint64_t streamed = 0; ///< read from the file again in every pass
    std::uint64_t atOnce = 0;   ///< of the streamed ones in memory at any time
    std::uint64_t inFile = 0;   ///< the streamed ones as they stand in the file, of whatever type
};

/// A transformer with its weights on one device, ready to run. forward() is const and not reentrant across
/// threads (one inference lane calls it).
class Model {
  public:
    virtual ~Model() = default;
    virtual const ModelSpec& spec() const = 0;
    virtual DeviceChoice device() const = 0;
    virtual std::int64_t parameters() const = 0;                  ///< elements of the weights that are used
    virtual std::vector<std::string> notes() const { return {}; } ///< found while loading, one sentence each
    virtual WeightMemory weightMemory() const = 0;
    /// Runs the text through the model. Throws Error for ids outside the vocabulary, more tokens than
    /// positions, NaN or infinity in a layer's output (naming the layer), cancellation, and LibTorch's own
    /// failures (out of memory).
    virtual ModelOutput forward(const ModelInput& input, const ForwardHooks& hooks) const = 0;
    virtual bool hasOutputHead() const { return false; }
    /// Scores of every word after each token, [tokens, vocabulary], from ModelOutput::hidden. CHECKs that
    /// there is an output head. Throws Error.
    virtual std::vector<float> logits(std::span<const float> hidden, const CancelToken& cancel) const = 0;
};

/// Blocks of up to this many float32 bytes are kept in memory; those of larger models are read from the file,
/// layer by layer, in every pass.
inline constexpr std::uint64_t kResidentWeights = std::uint64_t{4} << 30;

/// Builds the model. Throws Error naming the tensor and both shapes for missing or misshaped weights, naming
/// the field for unsupported values, and naming the family with the list of supported ones for an unknown
/// model_type.
std::shared_ptr<const Model> loadModel(const Checkpoint& checkpoint, DeviceChoice device,
                                       const CancelToken& cancel, const ProgressSink& progress,
                                       std::uint64_t residentLimit = kResidentWeights);

/// Looks whether the model could be built, by names and shapes alone: no data is read. Returns what of the
/// checkpoint is not used, one sentence each; throws what loadModel would throw.
std::vector<std::string> checkModel(const Checkpoint& checkpoint);

/// config.json -> spec alone, without reading weights (inspect, tests).
ModelSpec specOf(const Checkpoint& checkpoint);
/// model_type values that are supported, sorted.
std::vector<std::string> supportedFamilies();

} // namespace headscope
