// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/working_memory.h"

#include <c10/core/CPUAllocator.h>

#include <cstdint>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unordered_map>

namespace headscope {

namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPage = 4096;
/// Smaller ones stay on the heap.
constexpr std::size_t kLeastMapped = std::size_t{64} << 10U;
/// Freed bytes that wait for the next tensor: all temporaries of a block at a thousand tokens. Where there
/// are more, the pass is long enough not to notice new pages.
constexpr std::size_t kMostIdle = std::size_t{64} << 20U;

/// Pages that are in use or wait. Safe to use from several threads.
class PageCache {
  public:
    void* take(std::size_t bytes) {
        bytes = (bytes + kPage - 1) / kPage * kPage;
        const std::lock_guard lock(m_mutex);
        // A little larger will do.
        if (const auto found = m_bySize.lower_bound(bytes);
            found != m_bySize.end() && found->first <= bytes + bytes / 8) {
            const auto [size, memory] = *found->second;
            m_idle.erase(found->second);
            m_bySize.erase(found);
            m_idleBytes -= size;
            m_used[memory] = size;
            return memory;
        }
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        m_used[memory] = bytes;
        return memory;
    }

    /// False for memory that came from elsewhere.
    bool giveBack(void* memory) {
        const std::lock_guard lock(m_mutex);
        const auto found = m_used.find(memory);
        if (found == m_used.end()) return false;
        m_idle.push_back({found->second, memory});
        m_bySize.emplace(found->second, std::prev(m_idle.end()));
        m_idleBytes += found->second;
        m_used.erase(found);
        trim(kMostIdle);
        return true;
    }

    void release() {
        const std::lock_guard lock(m_mutex);
        trim(0);
    }

  private:
    struct Block {
        std::size_t bytes;
        void* memory;
    };
    using Place = std::list<Block>::iterator;

    /// Lets go of those that have waited longest.
    void trim(std::size_t most) {
        while (m_idleBytes > most) {
            const Place oldest = m_idle.begin();
            auto entry = m_bySize.lower_bound(oldest->bytes);
            while (entry->second != oldest) ++entry;
            m_bySize.erase(entry);
            munmap(oldest->memory, oldest->bytes);
            m_idleBytes -= oldest->bytes;
            m_idle.erase(oldest);
        }
    }

    std::mutex m_mutex;
    std::unordered_map<void*, std::size_t> m_used;
    std::list<Block> m_idle; ///< the one that has waited longest first
    std::multimap<std::size_t, Place> m_bySize;
    std::size_t m_idleBytes = 0;
};

/// Lives as long as any tensor may: to the end of the process.
PageCache& cache() {
    static auto* const instance = new PageCache; // NOLINT(cppcoreguidelines-owning-memory)
    return *instance;
}

void freeMemory(void* memory) {
    if (memory != nullptr && !cache().giveBack(memory)) std::free(memory);
}

class WorkingMemory final : public c10::Allocator {
  public:
    c10::DataPtr allocate(std::size_t bytes) override {
        void* memory = nullptr;
        if (bytes >= kLeastMapped)
            memory = cache().take(bytes);
        else if (bytes > 0 && posix_memalign(&memory, kAlignment, bytes) != 0)
            throw std::bad_alloc();
        return {memory, memory, &freeMemory, c10::Device(c10::DeviceType::CPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &freeMemory; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override {
        default_copy_data(to, from, bytes);
    }
};

} // namespace

void useWorkingMemory() {
#if !defined(__SANITIZE_ADDRESS__) // whose own heap finds what goes past the end of a tensor
    static const bool isSet = [] {
        constexpr std::uint8_t kBeforeTheDefault = 1;
        c10::SetCPUAllocator(new WorkingMemory, kBeforeTheDefault); // which becomes its owner
        return true;
    }();
    static_cast<void>(isSet);
#endif
}

void releaseWorkingMemory() {
    cache().release();
}

} // namespace headscope
