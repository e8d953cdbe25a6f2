// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pass_estimate.h"

#include "core/base/byte_text.h"
#include "core/base/error.h"
#include "core/base/resident_memory.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::uint64_t kFloat = sizeof(float);
/// Copies of the hidden state alive at once in a block: input, three projections, output, norm, sum.
constexpr std::uint64_t kHiddenCopies = 8;
/// Per query and head beside Q and K: normaliser and row sums (24 bytes), column sums and modes of the
/// metrics (16), row maxima (4).
constexpr std::uint64_t kBytesPerRow = 48;
/// Strips of a few hundred rows of every thread, code and tables.
constexpr std::uint64_t kFixed = 32ULL << 20;
constexpr std::uint64_t kStripRows = 512;
/// float32 bytes of weights that are read and widened in a second, on a common disk.
constexpr double kStreamedBytesPerSecond = 1e9;

} // namespace

std::uint64_t estimatedBytes(const ModelSpec& spec, const SequenceLengths& lengths) {
    std::uint64_t kept = 0;
    for (const StackSpec& stack : spec.stacks) {
        const Extent extent = lengths.extentOf(stack.kind);
        const auto heads = static_cast<std::uint64_t>(stack.heads);
        const auto shared = static_cast<std::uint64_t>(stack.keyValueHeads);
        const std::uint64_t size = static_cast<std::uint64_t>(stack.headSize) * kFloat;
        kept += static_cast<std::uint64_t>(stack.layers) *
                (static_cast<std::uint64_t>(extent.rows) * heads * (size + kBytesPerRow) +
                 static_cast<std::uint64_t>(extent.columns) * shared * size);
    }
    const auto count = static_cast<std::uint64_t>(std::max(lengths.source, lengths.target));
    const std::uint64_t hidden = count * static_cast<std::uint64_t>(spec.hiddenSize) * kFloat * kHiddenCopies;
    const std::uint64_t widened =
        std::min<std::uint64_t>(count, 1024) * static_cast<std::uint64_t>(spec.intermediateSize) * kFloat * 2;
    return kept + hidden + widened + count * kStripRows * kFloat + kFixed;
}

PassEstimate estimatePass(const Model& model, const SequenceLengths& lengths) {
    const ModelSpec& spec = model.spec();
    const WeightMemory weights = model.weightMemory();
    // Every weight of a block meets every token once; queries meet keys, and weights values.
    double products = static_cast<double>(weights.resident + weights.streamed) / kFloat *
                      static_cast<double>(std::max(lengths.source, lengths.target));
    for (const StackSpec& stack : spec.stacks) {
        const Extent extent = lengths.extentOf(stack.kind);
        products += 2.0 * stack.layers * stack.heads * static_cast<double>(stack.headSize) *
                    static_cast<double>(extent.rows) * static_cast<double>(extent.columns);
    }
    PassEstimate estimate;
    estimate.bytes = estimatedBytes(spec, lengths) + weights.atOnce;
    estimate.heldBytes = residentBytes();
    estimate.streamedBytes = weights.inFile;
    estimate.seconds =
        products / multiplyAddsPerSecond() + static_cast<double>(weights.streamed) / kStreamedBytesPerSecond;
    return estimate;
}

std::string estimateText(const PassEstimate& estimate) {
    std::string text = estimate.seconds < 1.0 ? std::string("less than a second")
                                              : fmt::format("about {:.0f} s", estimate.seconds);
    if (estimate.streamedBytes > 0)
        text += fmt::format("; {} of weights are read layer by layer", byteText(estimate.streamedBytes));
    return text + fmt::format("; about {} of memory", byteText(estimate.heldBytes + estimate.bytes));
}

void requireMemory(std::uint64_t needed, std::uint64_t available) {
    if (available == 0 || needed <= available) return;
    fail("memory", fmt::format("this text needs about {}", byteText(needed)),
         fmt::format("expected at most the {} that are free", byteText(available)),
         "use a shorter text or close other programs");
}

} // namespace headscope
