// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"
#include "core/model/families/masked_head.h"

namespace headscope {

/// Where relatives of BERT differ from it.
struct BertLikeDefaults {
    std::string family;
    std::string prefix;             ///< of the tensors in a folder saved with a head: "bert."
    std::int64_t embeddingSize = 0; ///< of embedding_size; 0: the family has no such field
    std::int64_t hiddenSize = 768;
    int heads = 12;
    std::int64_t intermediateSize = 3072;
    std::int64_t vocabularySize = 30522;
    std::int64_t paddingId = 0;
    bool positionsFromPadding = false; ///< RoBERTa: positions are counted from the padding id
    bool takesTypes = true;            ///< the family's tokenizers say to which text a token belongs
    MaskedHead head;                   ///< the names alone
    bool headHasOwnActivation = false; ///< erf GELU whatever hidden_act says
};

/// BERT and the families that share its layers and names: post-LN blocks over word + type + position
/// embeddings; as a decoder causal, perhaps with cross-attention.
ModelSpec bertLikeSpec(const Checkpoint& checkpoint, const BertLikeDefaults& defaults);

// The families, one line each in the table of families.cpp.
ModelSpec bertSpec(const Checkpoint& checkpoint);
ModelSpec camembertSpec(const Checkpoint& checkpoint);
ModelSpec electraSpec(const Checkpoint& checkpoint);
ModelSpec robertaSpec(const Checkpoint& checkpoint);
ModelSpec xlmRobertaSpec(const Checkpoint& checkpoint);

} // namespace headscope
