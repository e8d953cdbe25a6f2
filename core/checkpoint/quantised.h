// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/checkpoint/tensor_source.h"

namespace headscope {

// Quantised weights are stored in layouts of their own; read as plain numbers they would give a wrong
// picture.

/// Throws Error when config.json, or one of the configurations inside it, says that the weights are
/// quantised, naming the method.
void refuseQuantisedConfig(const Json& config);

/// The same for weights that say so only by their tensors: packed integers with scales beside them.
void refuseQuantisedTensors(const TensorSource& source);

} // namespace headscope
