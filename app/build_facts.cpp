// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "core/maps/score_kernel.h"

#include <fmt/format.h>
#include <string>

namespace headscope::app {

std::string buildFacts() {
#if defined(__clang__)
    const std::string compiler = fmt::format("clang {}", __clang_version__);
#else
    const std::string compiler = fmt::format("g++ {}", __VERSION__);
#endif
#if HEADSCOPE_WITH_QT
    const std::string qt = fmt::format("Qt {}", HEADSCOPE_QT_VERSION);
#else
    const std::string qt = "without Qt";
#endif
    return fmt::format("headscope {}\ncompiler {}\nLibTorch {}\n{}\nscore kernel {}\nCUDA {}\n",
                       HEADSCOPE_VERSION, compiler, torchVersionText(), qt, nameOf(bestIsa()),
                       hasCudaDevice() ? "device present" : "no device");
}

} // namespace headscope::app
