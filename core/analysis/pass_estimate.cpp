// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory_estimate.h"

#include "core/base/error.h"

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

std::string sizeText(std::uint64_t bytes) {
    const double megabytes = static_cast<double>(bytes) / 1e6;
    return megabytes < 1000.0 ? fmt::format("{:.0f} MB", megabytes)
                              : fmt::format("{:.1f} GB", megabytes / 1000.0);
}

} // namespace

std::uint64_t estimatedBytes(const ModelSpec& spec, std::int64_t tokens) {
    const auto count = static_cast<std::uint64_t>(tokens);
    std::uint64_t kept = 0;
    for (const StackSpec& stack : spec.stacks) {
        const auto heads = static_cast<std::uint64_t>(stack.heads);
        const auto shared = static_cast<std::uint64_t>(stack.keyValueHeads);
        const std::uint64_t perToken =
            (heads + shared) * static_cast<std::uint64_t>(stack.headSize) * kFloat + heads * kBytesPerRow;
        kept += static_cast<std::uint64_t>(stack.layers) * count * perToken;
    }
    const std::uint64_t hidden = count * static_cast<std::uint64_t>(spec.hiddenSize) * kFloat * kHiddenCopies;
    const std::uint64_t widened =
        std::min<std::uint64_t>(count, 1024) * static_cast<std::uint64_t>(spec.intermediateSize) * kFloat * 2;
    return kept + hidden + widened + count * kStripRows * kFloat + kFixed;
}

void requireMemory(std::uint64_t needed, std::uint64_t available) {
    if (available == 0 || needed <= available) return;
    fail("memory", fmt::format("this text needs about {}", sizeText(needed)),
         fmt::format("expected at most the {} that are free", sizeText(available)),
         "use a shorter text or close other programs");
}

} // namespace headscope
