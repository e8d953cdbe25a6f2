// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

namespace headscope {

/// DistilBERT: BERT's layers under other names, without token types; its norms' epsilon is fixed.
ModelSpec distilbertSpec(const Checkpoint& checkpoint);

} // namespace headscope
