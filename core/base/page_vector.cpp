// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/page_vector.h"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace headscope {

namespace {

constexpr std::size_t kAlignment = 64;
/// From here on the last page, half empty on average, is no great waste.
constexpr std::size_t kLeastMapped = std::size_t{8} << 10U;

} // namespace

void* pageMemory(std::size_t bytes) {
    if (bytes < kLeastMapped) {
        void* memory = std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment);
        if (memory == nullptr) throw std::bad_alloc();
        return memory;
    }
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return memory;
}

void freePages(void* memory, std::size_t bytes) {
    if (bytes < kLeastMapped)
        std::free(memory);
    else
        munmap(memory, bytes);
}

} // namespace headscope
