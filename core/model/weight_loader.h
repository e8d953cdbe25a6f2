// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/checkpoint/tensor_source.h"
#include "core/model/families.h"

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

at::Device torchDevice(DeviceChoice resolved);

/// LayerNorm over the last dimension.
struct NormWeights {
    at::Tensor weight; ///< [size]
    at::Tensor bias;   ///< [size]
    double epsilon = 1e-12;
};

at::Tensor applyNorm(const NormWeights& norm, const at::Tensor& input);

/// A table of which only the rows of a text are needed: rows are read from the file when asked for, so that a
/// vocabulary of a hundred megabytes is never resident.
class RowTable {
  public:
    RowTable() = default;
    RowTable(std::shared_ptr<const TensorSource> source, const TensorInfo& info)
        : m_source(std::move(source)), m_info(info) {}
    /// [ids.size(), width] float32 on the CPU. Throws Error for NaN or infinity in a row and for a file that
    /// changed.
    at::Tensor read(std::span<const std::int64_t> ids) const;

  private:
    std::shared_ptr<const TensorSource> m_source;
    TensorInfo m_info;
};

/// Finds the tensors of a model under the names that are in use, holds every shape against the expected one
/// before any memory is taken, reads them as float32 and puts them on the device. Names are given without the
/// base prefix. All methods throw Error: missing tensors and wrong shapes by name, the latter with both
/// shapes.
class WeightLoader {
  public:
    /// `prefixes`: tried in order; the one under which `anchor` is found holds for all tensors.
    WeightLoader(const Checkpoint& checkpoint, const LoadContext& context, std::vector<std::string> prefixes,
                 std::string_view anchor);

    /// For the progress: how many tensors will be asked for.
    void expectTensors(std::int64_t count) { m_expected = count; }
    at::Tensor matrix(const std::string& name, std::int64_t rows, std::int64_t columns);
    /// `name`.weight [out, in] and `name`.bias [out].
    LinearWeights linear(const std::string& name, std::int64_t out, std::int64_t in);
    /// `name`.weight and `name`.bias, or the old spelling `name`.gamma and `name`.beta; both [size].
    NormWeights norm(const std::string& name, std::int64_t size, double epsilon);
    RowTable rows(const std::string& name, std::int64_t rows, std::int64_t columns);

    std::int64_t parameters() const { return m_parameters; } ///< elements asked for so far
    /// One sentence when the file holds tensors that were not asked for and are not known to be beside the
    /// point (heads, poolers, position buffers).
    std::vector<std::string> notesOnUnusedTensors() const;

  private:
    const TensorInfo& require(const std::string& name, std::span<const std::int64_t> shape);
    at::Tensor read(const std::string& name, std::span<const std::int64_t> shape);
    std::string someFileName() const;

    const Checkpoint& m_checkpoint;
    const LoadContext& m_context;
    std::string m_prefix;
    std::set<std::string, std::less<>> m_used;
    std::int64_t m_expected = 0;
    std::int64_t m_parameters = 0;
};

} // namespace headscope
