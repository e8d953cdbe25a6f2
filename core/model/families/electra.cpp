// SPDX-License-Identifier: GPL-3.0-or-later
// ELECTRA: BERT whose embeddings may be narrower than its layers. Generators have a head for words,
// discriminators have none.
#include "core/model/families/bert_like.h"

namespace headscope {

ModelSpec electraSpec(const Checkpoint& checkpoint) {
    BertLikeDefaults defaults;
    defaults.family = "electra";
    defaults.prefix = "electra.";
    defaults.embeddingSize = 128;
    defaults.hiddenSize = 256;
    defaults.heads = 4;
    defaults.intermediateSize = 1024;
    defaults.headHasOwnActivation = true;
    defaults.head.dense = "generator_predictions.dense";
    defaults.head.norm = "generator_predictions.LayerNorm";
    defaults.head.words = "generator_lm_head";
    defaults.head.biases = {"generator_lm_head.bias"};
    return bertLikeSpec(checkpoint, defaults);
}

} // namespace headscope
