// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families.h"

namespace headscope {

/// BERT: word, position and type embeddings, then post-LN encoder blocks. Names of tensors and defaults of
/// config.json as in transformers 4.57. Refused by name: relative positions, decoders, cross-attention,
/// pruned heads.
ModelSpec bertSpec(const Checkpoint& checkpoint);
std::shared_ptr<const Model> loadBert(const Checkpoint& checkpoint, const LoadContext& context);

} // namespace headscope
