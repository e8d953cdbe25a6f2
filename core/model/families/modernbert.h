// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

namespace headscope {

/// ModernBERT: pre-norm blocks with rotary embeddings and a gated feed-forward part; most layers see only the
/// neighbours of a token, with frequencies of their own.
ModelSpec modernbertSpec(const Checkpoint& checkpoint);

} // namespace headscope
