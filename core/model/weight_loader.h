// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/checkpoint/tensor_source.h"
#include "core/model/families.h"
#include "core/model/spec/weight_spec.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

at::Device torchDevice(DeviceChoice resolved);

/// A table of which only the rows of a text are needed: rows are read from the file when asked for, so that a
/// vocabulary of a hundred megabytes is never resident.
class RowTable {
  public:
    RowTable() = default;
    RowTable(std::shared_ptr<const TensorSource> source, const TensorInfo& info)
        : m_source(std::move(source)), m_info(info) {}
    std::int64_t rows() const { return m_info.shape[0]; }
    std::int64_t width() const { return m_info.shape[1]; }
    /// [ids.size(), width] float32 on the CPU. Throws Error for NaN or infinity in a row and for a file that
    /// changed.
    at::Tensor read(std::span<const std::int64_t> ids) const;
    /// Rows [first, first + count).
    at::Tensor readRange(std::int64_t first, std::int64_t count) const;

  private:
    std::shared_ptr<const TensorSource> m_source;
    TensorInfo m_info;
};

/// What a loader was asked for.
struct WeightLedger {
    std::set<std::string, std::less<>> used; ///< names in the file
    std::int64_t parameters = 0;             ///< elements of them
    std::int64_t ofBlocks = 0;               ///< how many of them belong to blocks
};

/// Finds the tensors of one stack under the names that are in use, holds every shape against the expected one
/// before any memory is taken, reads them as float32 and puts them on the device. All methods throw Error:
/// missing tensors and wrong shapes by name, the latter with both shapes.
///
/// A loader that only checks gives tensors without memory, so that the same code builds a layer, or finds out
/// whether it could be built.
class WeightLoader {
  public:
    enum class Mode { Check, Read };
    struct Source {
        std::shared_ptr<const TensorSource> weights;
        std::string prefix; ///< of every name
        DeviceChoice device = DeviceChoice::Cpu;
    };
    WeightLoader(Source source, Mode mode) : m_source(std::move(source)), m_mode(mode) {}

    /// Every tensor found is written down there, if not null.
    void recordIn(WeightLedger* ledger) { m_ledger = ledger; }
    /// Called before each tensor that is read: progress, cancellation.
    void onTensor(std::function<void()> call) { m_onTensor = std::move(call); }

    at::Tensor tensor(const std::string& name, std::span<const std::int64_t> shape) const;
    at::Tensor vector(const std::string& name, std::int64_t size) const;
    at::Tensor matrix(const std::string& name, std::int64_t rows, std::int64_t columns) const;
    /// Weight [out, in] whatever its layout in the file, bias [out] or undefined. A spec that does not exist
    /// gives undefined tensors.
    LinearWeights linear(const LinearSpec& spec, std::int64_t out, std::int64_t in) const;
    /// The same for a matrix kept as [in, heads, headSize].
    LinearWeights headedLinear(const LinearSpec& spec, std::span<const std::int64_t> shape) const;
    /// Weight and bias of `shape`, each where the spec names one. Knows the old spelling gamma and beta.
    NormWeights norm(const NormSpec& spec, std::span<const std::int64_t> shape) const;
    NormWeights norm(const NormSpec& spec, std::int64_t size) const;
    RowTable rows(const std::string& name, std::int64_t rows, std::int64_t columns) const;
    bool has(const std::string& name) const;
    Mode mode() const { return m_mode; }

  private:
    const TensorInfo& require(const std::string& name, std::span<const std::int64_t> shape) const;

    Source m_source;
    Mode m_mode;
    WeightLedger* m_ledger = nullptr;
    std::function<void()> m_onTensor;
};

/// The first of `prefixes` under which the file has `anchor`, or the first of all.
std::string choosePrefix(const TensorSource& weights, std::span<const std::string> prefixes,
                         std::string_view anchor);

/// One sentence when the file holds tensors that were not asked for and are not known to be beside the point
/// (heads of tasks, poolers, position buffers).
std::vector<std::string> notesOnUnusedTensors(const TensorSource& weights, const WeightLedger& ledger);

} // namespace headscope
