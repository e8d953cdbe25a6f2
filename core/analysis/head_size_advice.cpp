// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::int64_t kUsualLow = 64;
constexpr std::int64_t kUsualHigh = 128;
constexpr std::int64_t kKernelStep = 8;
constexpr int kTpuStep = 8;
constexpr int kTpuMost = 128;

std::string rangeAdvice(std::int64_t size) {
    if (size < kUsualLow)
        return fmt::format(
            "head size {} is under {}: {} to {} is usual, and smaller heads are said to train less stably "
            "(a rule of thumb; MiniLM works with 32)",
            size, kUsualLow, kUsualLow, kUsualHigh);
    if (size > kUsualHigh)
        return fmt::format("head size {} is above {}: {} to {} is usual", size, kUsualHigh, kUsualLow,
                           kUsualHigh);
    return fmt::format("head size {} lies in the usual range of {} to {}", size, kUsualLow, kUsualHigh);
}

std::string kernelAdvice(std::int64_t size) {
    if (size % kKernelStep == 0)
        return fmt::format("head size {} is a multiple of {}, which suits fused kernels and tensor cores",
                           size, kKernelStep);
    return fmt::format(
        "head size {} is no multiple of {}: fused kernels and tensor cores pad it or cannot be used", size,
        kKernelStep);
}

} // namespace

std::vector<std::string> headSizeAdvice(const ModelSpec& spec) {
    std::vector<std::string> advice;
    for (const StackSpec& stack : spec.stacks) {
        advice.push_back(
            stack.headSize * stack.heads == spec.hiddenSize
                ? fmt::format("{} heads divide the hidden size {}: {} dimensions a head", stack.heads,
                              spec.hiddenSize, stack.headSize)
                : fmt::format("{} heads of {} dimensions are projected from the hidden size {}, which they "
                              "do not have to divide",
                              stack.heads, stack.headSize, spec.hiddenSize));
        advice.push_back(rangeAdvice(stack.headSize));
        advice.push_back(kernelAdvice(stack.headSize));
    }
    for (const StackSpec& stack : spec.stacks)
        if (stack.heads % kTpuStep != 0 || stack.heads > kTpuMost)
            advice.push_back(
                fmt::format("{} heads: one article asks for a multiple of {}, at most {}, on TPUs",
                            stack.heads, kTpuStep, kTpuMost));
    // The stacks of an encoder-decoder mostly have the same heads: each thing is said once.
    std::vector<std::string> once;
    for (std::string& sentence : advice)
        if (std::find(once.begin(), once.end(), sentence) == once.end()) once.push_back(std::move(sentence));
    return once;
}

} // namespace headscope
