// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace headscope {

/// Cuts [0, count) into ranges of at least `grain` and hands them to LibTorch's threads, at most one to each;
/// on the calling thread alone where there is one thread, one range, or a team at work already. An exception
/// of one of them is thrown again here.
void onThreads(std::int64_t count, std::int64_t grain,
               const std::function<void(std::int64_t begin, std::int64_t end)>& work);

} // namespace headscope
