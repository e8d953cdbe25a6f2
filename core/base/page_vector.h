// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace headscope {

/// 64-byte aligned; from a few pages on they are pages of its own, given back to the system when freed.
/// Throws std::bad_alloc.
void* pageMemory(std::size_t bytes);
void freePages(void* memory, std::size_t bytes);

template <class T>
struct PageAllocator {
    using value_type = T;
    PageAllocator() = default;
    template <class U>
    PageAllocator(const PageAllocator<U>&) {} // NOLINT(google-explicit-constructor)
    T* allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
        return static_cast<T*>(pageMemory(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t count) { freePages(memory, count * sizeof(T)); }
    template <class U>
    bool operator==(const PageAllocator<U>&) const {
        return true;
    }
};

/// For the large parts of what an analysis keeps, and of what a layer works with. On the heap the former lie
/// among the latter, and what the next layer needs does not fit into the room that is left: over 24 layers
/// resident memory was measured to grow by twice what was kept.
template <class T>
using PageVector = std::vector<T, PageAllocator<T>>;

} // namespace headscope
