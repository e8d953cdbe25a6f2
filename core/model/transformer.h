// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/block.h"
#include "core/model/embedding.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// DeBERTa v2's convolution over the embeddings, added after layer 0.
class Convolution {
  public:
    Convolution(const WeightLoader& loader, const ConvolutionSpec& spec, std::int64_t modelSize);
    at::Tensor forward(const at::Tensor& embeddings, const at::Tensor& hidden) const;

  private:
    ConvolutionSpec m_spec;
    at::Tensor m_weight;
    at::Tensor m_bias;
    NormWeights m_norm;
};

/// What one pass through a stack is given.
struct StackInput {
    std::span<const std::int64_t> ids;
    std::span<const std::int64_t> types; ///< empty: all 0
    at::Tensor encoderStates;            ///< undefined: no cross-attention
    AttentionKind kind = AttentionKind::Self;
    AttentionObserver* observer = nullptr;
    const CancelToken* cancel = nullptr;
    std::function<void(int layer)> layerDone; ///< may be empty
};

/// A stack of blocks over its embeddings. The blocks' weights are resident, or read from the file layer by
/// layer in every pass.
class Transformer {
  public:
    /// Checks every tensor of the stack by name and shape; what is small outside the blocks is read, unless
    /// `outside` only checks. Throws Error.
    Transformer(TransformerSpec spec, WeightLoader::Source source, std::int64_t encoderSize,
                WeightLedger& ledger, WeightLoader::Mode outside = WeightLoader::Mode::Read);

    /// float32 bytes of the blocks' weights.
    std::uint64_t blockBytes() const { return m_blockBytes; }
    /// The same as they stand in the file.
    std::uint64_t blockBytesInFile() const { return m_blockBytesInFile; }
    int blockCount() const { return static_cast<int>(m_spec.blocks.size()); }
    std::uint64_t largestBlockBytes() const { return m_largestBlockBytes; }
    /// Reads all blocks and keeps them.
    void makeResident(const std::function<void()>& onTensor);
    bool isResident() const { return !m_blocks.empty(); }

    /// The last hidden states, [ids.size(), output size]. Throws Error for NaN or infinity in a layer's
    /// output (naming the layer) and cancellation.
    at::Tensor forward(const StackInput& input) const;
    const TransformerSpec& spec() const { return m_spec; }
    const Embedding& embedding() const { return m_embedding; }

  private:
    std::shared_ptr<const Block> readBlock(std::size_t index, const WeightLoader& loader) const;
    StackPass beginPass(const StackInput& input) const;

    TransformerSpec m_spec;
    WeightLoader::Source m_source;
    std::int64_t m_encoderSize;
    Embedding m_embedding;
    at::Tensor m_relativeTable; ///< normalised
    std::unique_ptr<const Convolution> m_convolution;
    std::vector<std::shared_ptr<const Block>> m_blocks; ///< empty: read in every pass
    std::optional<NormWeights> m_finalNorm;
    LinearWeights m_outputProjection;
    std::uint64_t m_blockBytes = 0;
    std::uint64_t m_blockBytesInFile = 0;
    std::uint64_t m_largestBlockBytes = 0;
};

} // namespace headscope
