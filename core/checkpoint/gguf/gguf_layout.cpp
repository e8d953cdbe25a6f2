// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_layout.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

std::uint64_t aligned(std::uint64_t position, std::uint64_t alignment) {
    return (position + alignment - 1) & ~(alignment - 1);
}

} // namespace

void placeGgufTensors(std::vector<GgufTensor>& tensors, const GgufData& data, const std::string& subject) {
    if (tensors.empty()) return;
    const std::uint64_t start = aligned(data.headerEnd, data.alignment);
    const std::uint64_t available = data.fileBytes > start ? data.fileBytes - start : 0;
    std::vector<GgufTensor*> order;
    for (GgufTensor& tensor : tensors) order.push_back(&tensor);
    std::ranges::stable_sort(order, {}, [](const GgufTensor* tensor) { return tensor->offset; });
    std::uint64_t next = 0;
    const GgufTensor* previous = nullptr;
    for (GgufTensor* tensor : order) {
        const std::string own = subject + ": tensor " + quotedName(tensor->name);
        if (tensor->offset % data.alignment != 0)
            fail(own, fmt::format("its data begin at {}", tensor->offset),
                 fmt::format("expected a multiple of {}, the alignment", data.alignment), kDamagedHint);
        if (tensor->offset < next)
            fail(own, fmt::format("its data overlap those of {}", quotedName(previous->name)),
                 fmt::format("they begin at {}, expected {}", tensor->offset, next), kDamagedHint);
        // Compared by subtraction: offsets and sizes are the file's and may add up to more than 2^64.
        if (tensor->offset > available || tensor->bytes > available - tensor->offset)
            fail(own,
                 fmt::format("its data, {} bytes at {}, run beyond the file", tensor->bytes, tensor->offset),
                 fmt::format("which has {} bytes of data", available), kIncompleteHint);
        if (tensor->offset > next)
            fail(own,
                 fmt::format("a gap of {} bytes before its data belongs to no tensor", tensor->offset - next),
                 fmt::format("the data begin at {}, expected {}", tensor->offset, next), kDamagedHint);
        next = aligned(tensor->offset + tensor->bytes, data.alignment);
        previous = tensor;
    }
    for (GgufTensor* tensor : order) tensor->offset += start;
}

} // namespace headscope
