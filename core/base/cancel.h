// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

namespace headscope {

/// A flag that one side sets and long work polls (per strip, per tile, per file block). Copies share the
/// flag; a default-constructed token is live and can be cancelled. Safe from any thread; cancel() is safe in
/// a signal handler.
class CancelToken {
  public:
    CancelToken() : m_flag(std::make_shared<std::atomic<bool>>(false)) {}

    void cancel() const noexcept { m_flag->store(true, std::memory_order_relaxed); }
    bool isCancelled() const noexcept { return m_flag->load(std::memory_order_relaxed); }
    /// Throws Error{kind Cancelled} once cancelled.
    void throwIfCancelled() const;

  private:
    std::shared_ptr<std::atomic<bool>> m_flag;
};

} // namespace headscope
