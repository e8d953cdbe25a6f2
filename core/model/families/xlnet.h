// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

namespace headscope {

/// XLNet as it reads a text by itself: one stream, no memory of earlier texts; Transformer-XL's relative
/// attention with a term for segments.
ModelSpec xlnetSpec(const Checkpoint& checkpoint);

} // namespace headscope
