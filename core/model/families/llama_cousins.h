// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/llama_like.h"

namespace headscope {

/// Norms of the kind LayerNorm have a bias beside their weight.
void addNormBiases(ModelSpec& spec);
/// Both branches read one normalised input and are added together.
void makeParallel(ModelSpec& spec);

// Families that change more of Llama than a switch; one line each in the table of families.cpp.
ModelSpec cohereSpec(const Checkpoint& checkpoint);
ModelSpec cohere2Spec(const Checkpoint& checkpoint);
ModelSpec gptOssSpec(const Checkpoint& checkpoint);
ModelSpec mixtralSpec(const Checkpoint& checkpoint);
ModelSpec phiSpec(const Checkpoint& checkpoint);
ModelSpec phi3Spec(const Checkpoint& checkpoint);
ModelSpec qwen2MoeSpec(const Checkpoint& checkpoint);
ModelSpec qwen3MoeSpec(const Checkpoint& checkpoint);
ModelSpec stablelmSpec(const Checkpoint& checkpoint);
ModelSpec starcoder2Spec(const Checkpoint& checkpoint);

} // namespace headscope
