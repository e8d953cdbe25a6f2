// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace headscope {

/// Runs `work`, turning LibTorch's exceptions and those of the standard library into Error: plain sentences
/// without the library's text. An Error passes through.
void translatingTorchErrors(const std::function<void()>& work);

} // namespace headscope
