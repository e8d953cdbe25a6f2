// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <cstddef>
#include <span>

namespace headscope {

/// Turns out.size() elements of type F16, BF16, F32 or F64 (CHECKed) into float32: exactly from the first
/// three, rounded to nearest from F64. `in` = their bytes, at any alignment; for F32 it may be `out` itself.
/// False when one of the results is NaN or infinite; the results are then not to be used.
bool widenToFloat(DType type, const std::byte* in, std::span<float> out);

/// One element as a double, NaN and infinities included: for messages.
double elementAsDouble(DType type, const std::byte* in);

} // namespace headscope
