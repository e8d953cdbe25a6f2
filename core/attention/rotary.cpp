// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/rotary.h"

#include "core/attention/thread_team.h"
#include "core/base/check.h"

namespace headscope {

namespace {

/// [tokens, heads, dims/2] views of the first and the second of each pair.
struct Pairs {
    at::Tensor first;
    at::Tensor second;
};

Pairs pairsOf(const RotaryTable& table, const at::Tensor& heads, std::int64_t headSize) {
    const std::int64_t half = table.cosine.size(1);
    const at::Tensor turned = heads.view({heads.size(0), -1, headSize}).narrow(2, 0, 2 * half);
    if (table.interleaved) return {turned.slice(2, 0, 2 * half, 2), turned.slice(2, 1, 2 * half, 2)};
    return {turned.narrow(2, 0, half), turned.narrow(2, half, half)};
}

void turnByTensors(const RotaryTable& table, const at::Tensor& heads, std::int64_t headSize) {
    const auto [first, second] = pairsOf(table, heads, headSize);
    const at::Tensor cosine = table.cosine.unsqueeze(1);
    const at::Tensor sine = table.sine.unsqueeze(1);
    const at::Tensor turnedFirst = first * cosine - second * sine;
    const at::Tensor turnedSecond = second * cosine + first * sine;
    first.copy_(turnedFirst);
    second.copy_(turnedSecond);
}

/// One token's heads. `step` lies between the numbers of a pair, `next` between pairs.
void turnToken(const RotaryTable& table, std::int64_t token, float* heads, std::int64_t width,
               std::int64_t headSize) {
    const std::int64_t half = table.cosine.size(1);
    const float* cosine = table.cosine.const_data_ptr<float>() + token * half;
    const float* sine = table.sine.const_data_ptr<float>() + token * half;
    const std::int64_t step = table.interleaved ? 1 : half;
    const std::int64_t next = table.interleaved ? 2 : 1;
    for (float* head = heads; head < heads + width; head += headSize) {
        for (std::int64_t i = 0; i < half; ++i) {
            const float first = head[i * next];
            const float second = head[i * next + step];
            head[i * next] = first * cosine[i] - second * sine[i];
            head[i * next + step] = second * cosine[i] + first * sine[i];
        }
    }
}

} // namespace

void applyRotary(const RotaryTable& table, at::Tensor& heads, std::int64_t headSize) {
    HS_CHECK(heads.is_contiguous());
    HS_CHECK_EQ(heads.size(0), table.cosine.size(0));
    HS_CHECK_LE(2 * table.cosine.size(1), headSize);
    if (!heads.is_cpu()) return turnByTensors(table, heads, headSize);
    const std::int64_t width = heads.size(1);
    float* data = heads.mutable_data_ptr<float>();
    onThreads(heads.size(0), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t token = begin; token < end; ++token)
            turnToken(table, token, data + token * width, width, headSize);
    });
}

} // namespace headscope
