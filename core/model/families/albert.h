// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

namespace headscope {

/// ALBERT: groups of layers whose weights are used again at every step of the stack. Each step gives as many
/// maps as its group has layers.
ModelSpec albertSpec(const Checkpoint& checkpoint);

} // namespace headscope
