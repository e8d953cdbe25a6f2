// SPDX-License-Identifier: GPL-3.0-or-later
// RoBERTa, XLM-RoBERTa and CamemBERT: BERT with positions counted from the padding id, and one prefix for all
// three. Their tokenizers give no token types: every token has the first.
#include "core/model/families/bert_like.h"

namespace headscope {

namespace {

ModelSpec robertaLike(const Checkpoint& checkpoint, const std::string& family, std::int64_t vocabularySize) {
    BertLikeDefaults defaults;
    defaults.family = family;
    defaults.prefix = "roberta.";
    defaults.vocabularySize = vocabularySize;
    defaults.paddingId = 1;
    defaults.positionsFromPadding = true;
    defaults.takesTypes = false;
    defaults.headHasOwnActivation = true;
    defaults.head.dense = "lm_head.dense";
    defaults.head.norm = "lm_head.layer_norm";
    defaults.head.words = "lm_head.decoder";
    defaults.head.biases = {"lm_head.decoder.bias", "lm_head.bias"};
    return bertLikeSpec(checkpoint, defaults);
}

} // namespace

ModelSpec robertaSpec(const Checkpoint& checkpoint) {
    return robertaLike(checkpoint, "roberta", 50265);
}

ModelSpec xlmRobertaSpec(const Checkpoint& checkpoint) {
    return robertaLike(checkpoint, "xlm-roberta", 30522);
}

ModelSpec camembertSpec(const Checkpoint& checkpoint) {
    return robertaLike(checkpoint, "camembert", 30522);
}

} // namespace headscope
