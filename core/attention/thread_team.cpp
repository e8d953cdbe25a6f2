// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with OpenMP, and alone so: at::parallel_for is a template, and in a file compiled without OpenMP
// it runs everything on the calling thread, whatever LibTorch's own operations do.
#include "core/attention/thread_team.h"

#include <ATen/Parallel.h>

namespace headscope {

void onThreads(std::int64_t count, std::int64_t grain,
               const std::function<void(std::int64_t begin, std::int64_t end)>& work) {
    at::parallel_for(0, count, grain, work);
}

} // namespace headscope
