// SPDX-License-Identifier: GPL-3.0-or-later
// BERT, and what is computed as BERT is: RoBERTa's table of positions is stored without its first rows.
#include "core/checkpoint/gguf/gguf_architecture.h"

namespace headscope {

void describeBert(GgufDescription& file) {
    file.set("model_type", "bert");
    describeSizes(file, false);
    file.require("attention.head_count_kv", file.heads());
    file.ignore({"pooling_type", "classifier.output_labels"});
    file.set("layer_norm_eps", Json(file.real("attention.layer_norm_epsilon")));
    file.set("type_vocab_size", Json(file.tokenizerInteger("token_type_count", 1 << 16).value_or(1)));
    describeVocabulary(file);

    const std::string layer = "encoder.layer.{}.";
    file.tensor("token_embd", "embeddings.word_embeddings");
    file.tensor("position_embd", "embeddings.position_embeddings");
    file.tensor("token_types", "embeddings.token_type_embeddings");
    file.tensor("token_embd_norm", "embeddings.LayerNorm");
    file.layerTensor("attn_q", layer + "attention.self.query");
    file.layerTensor("attn_k", layer + "attention.self.key");
    file.layerTensor("attn_v", layer + "attention.self.value");
    file.layerTensor("attn_output", layer + "attention.output.dense");
    file.layerTensor("attn_output_norm", layer + "attention.output.LayerNorm");
    file.layerTensor("ffn_up", layer + "intermediate.dense");
    file.layerTensor("ffn_down", layer + "output.dense");
    file.layerTensor("layer_output_norm", layer + "output.LayerNorm");
    for (const char* head : {"cls.weight", "cls.bias", "cls.output.weight", "cls.output.bias"})
        file.ignoreTensors(head); // of a classifier
}

} // namespace headscope
