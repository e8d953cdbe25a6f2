// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

namespace headscope {

/// Two models in one folder, each with a config.json of its own inside this one: an encoder, and a decoder
/// whose cross-attention reads the encoder's output.
ModelSpec encoderDecoderSpec(const Checkpoint& checkpoint);

} // namespace headscope
