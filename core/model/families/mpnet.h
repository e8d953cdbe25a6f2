// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

namespace headscope {

/// MPNet: BERT's layers with a bias by buckets of distances, which all layers share, and positions counted as
/// RoBERTa's are. No token types.
ModelSpec mpnetSpec(const Checkpoint& checkpoint);

} // namespace headscope
