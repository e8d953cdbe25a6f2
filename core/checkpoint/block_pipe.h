// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace headscope {

/// Hands blocks of bytes from one thread to one other, at most one waiting: turns a writer that pushes into a
/// reader that pulls, in memory of two blocks.
class BlockPipe {
  public:
    using Block = std::vector<std::byte>;

    /// Waits until there is room, then takes `block` and leaves it empty. False when the reader has left.
    bool push(Block& block) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_block.empty() || m_readerLeft; });
        if (m_readerLeft) return false;
        m_block.swap(block);
        m_changed.notify_all();
        return true;
    }
    /// Waits for a block and takes it, leaving the memory of the last one to the writer. False when the
    /// writer has left.
    bool pop(Block& block) {
        block.clear();
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return !m_block.empty() || m_writerLeft; });
        if (m_block.empty()) return false;
        m_block.swap(block);
        m_changed.notify_all();
        return true;
    }
    void writerLeaves() {
        const std::scoped_lock lock(m_mutex);
        m_writerLeft = true;
        m_changed.notify_all();
    }
    void readerLeaves() {
        const std::scoped_lock lock(m_mutex);
        m_readerLeft = true;
        m_changed.notify_all();
    }

  private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    Block m_block;
    bool m_writerLeft = false;
    bool m_readerLeft = false;
};

} // namespace headscope
