# SPDX-License-Identifier: GPL-3.0-or-later
"""BERT and the families that share its layers: RoBERTa, XLM-RoBERTa, CamemBERT, ELECTRA."""
import torch
from transformers import (BertConfig, BertForMaskedLM, BertForPreTraining, BertLMHeadModel, BertModel, CamembertConfig,
                          CamembertForMaskedLM, CamembertModel, ElectraConfig, ElectraForCausalLM, ElectraForMaskedLM,
                          ElectraForPreTraining, ElectraModel, RobertaConfig, RobertaForCausalLM, RobertaForMaskedLM, RobertaModel,
                          XLMRobertaConfig, XLMRobertaForMaskedLM, XLMRobertaModel)

from families.common import Family, Variant, outputs

F16, BF16, F32 = torch.float16, torch.bfloat16, torch.float32
ACTIVATIONS = ["gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "quick_gelu", "relu", "silu", "tanh"]
TINY = dict(vocab_size=40, hidden_size=12, num_hidden_layers=2, num_attention_heads=2, intermediate_size=14,
            max_position_embeddings=24, type_vocab_size=2, hidden_act="gelu")


def below(name):
    """The model under the head, whichever of the two is given."""
    return lambda model: getattr(model, name, model)


def run_bert(name):
    def run(model, inputs):
        # A decoder that could read an encoder is asked for its maps without one: an IndexError upstream, unless the stack is told
        # that there is nothing to list. Its layers go by the encoder's output alone.
        model.config.add_cross_attention = False
        return outputs(model, inputs, below(name))
    return run


def old_names(tensors):
    """The spelling of before 2019, and a buffer of those days."""
    renamed = {name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
               for name, value in tensors.items()}
    renamed["bert.embeddings.position_ids"] = torch.arange(24).unsqueeze(0)
    return renamed


def with_padding_ids(padding):
    """Some ids are the padding's, from which positions are counted."""
    def pick(generator, vocabulary, count):
        return [padding if generator.random() < 0.25 else generator.randrange(vocabulary) for _ in range(count)]
    return pick


def random_heads(rng, sizes):
    """Heads and their size. A norm over fewer than six numbers magnifies rounding so much that the reference's own error, a single
    draw, bounds nobody else's."""
    while True:
        heads, size = rng.choice([1, 2, 3, 4, 5, 7]), rng.choice(sizes)
        if heads * size >= 6:
            return heads, size


def random_fields(rng, *, decoder_class):
    """What all of the group draw: fields, and the length that the position table allows."""
    heads, size = random_heads(rng, [3, 5, 8, 12])
    longest = rng.choice([24, 40, 70])
    fields = dict(TINY, hidden_size=heads * size, num_attention_heads=heads, num_hidden_layers=rng.choice([1, 2, 3, 5]),
                  intermediate_size=rng.choice([16, 37]), layer_norm_eps=rng.choice([1e-12, 1e-5, 1e-2]),
                  hidden_act=rng.choice(ACTIVATIONS), is_decoder=decoder_class or rng.random() < 0.2, use_cache=False,
                  max_position_embeddings=longest, type_vocab_size=rng.choice([2, 3]), tie_word_embeddings=rng.random() < 0.6,
                  position_embedding_type=rng.choice(["absolute", "absolute", "relative_key", "relative_key_query"]))
    if fields["is_decoder"] and fields["position_embedding_type"] == "absolute":
        fields["use_cache"] = rng.random() < 0.5
    fields["add_cross_attention"] = fields["is_decoder"] and rng.random() < 0.3
    return fields, longest


def random_text(rng, longest):
    return dict(tokens=min(rng.choice([1, 2, 3, 9, 17, 33, longest]), longest), dtype=rng.choice([F32, F16, BF16]))


def random_bert(rng):
    model = rng.choice([BertModel, BertForMaskedLM, BertForPreTraining, BertLMHeadModel])
    fields, longest = random_fields(rng, decoder_class=model is BertLMHeadModel)
    return Variant(fields, model=model, pair=rng.random() < 0.5, **random_text(rng, longest))


def random_roberta(models, causal):
    def draw(rng):
        model = rng.choice(models)
        fields, longest = random_fields(rng, decoder_class=model is causal)
        padding = rng.choice([0, 1, 1, 2, 5])
        limit = longest - padding - 1 if fields["position_embedding_type"] == "absolute" else longest
        return Variant(dict(fields, pad_token_id=padding), model=model, ids=with_padding_ids(padding) if rng.random() < 0.4 else None,
                       **random_text(rng, limit))
    return draw


def random_electra(rng):
    model = rng.choice([ElectraModel, ElectraForMaskedLM, ElectraForPreTraining, ElectraForCausalLM])
    fields, longest = random_fields(rng, decoder_class=model is ElectraForCausalLM)
    return Variant(dict(fields, embedding_size=rng.choice([fields["hidden_size"], 7, 16])), model=model, pair=rng.random() < 0.5,
                   **random_text(rng, longest))


def run_electra(model, inputs):
    found = run_bert("electra")(model, inputs)
    if isinstance(model, ElectraForPreTraining):
        del found["logits"]  # one a token: original or replaced
    return found


ROBERTA = dict(TINY, type_vocab_size=1, layer_norm_eps=1e-5)
ELECTRA = dict(TINY, embedding_size=10)
DEEP = dict(TINY, hidden_size=8, num_hidden_layers=16, intermediate_size=8, vocab_size=40, max_position_embeddings=12)

FAMILIES = [
    Family("bert", BertConfig, BertForMaskedLM, {
        "plain": Variant(dict(TINY), model=BertModel, pair=True, dtype=F32),
        "masked-lm": Variant(dict(TINY, hidden_act="gelu_new", layer_norm_eps=1e-5), pair=True, dtype=BF16),
        "old-names": Variant(dict(TINY), tensors=old_names),
        "pretraining-untied": Variant(dict(TINY, hidden_act="relu", tie_word_embeddings=False), model=BertForPreTraining),
        "causal-lm": Variant(dict(TINY, is_decoder=True), model=BertLMHeadModel),
        "decoder-with-cross": Variant(dict(TINY, is_decoder=True, add_cross_attention=True, num_hidden_layers=1), model=BertLMHeadModel),
        "relative-key": Variant(dict(TINY, position_embedding_type="relative_key"), model=BertModel, tokens=24),
        "relative-key-query": Variant(dict(TINY, position_embedding_type="relative_key_query")),
        "relative-decoder": Variant(dict(TINY, position_embedding_type="relative_key_query", is_decoder=True, use_cache=False,
                                         num_hidden_layers=1), model=BertModel),
        "deep": Variant(DEEP, model=BertModel, tokens=8),
    }, random_bert, base=below("bert"), run=run_bert("bert")),
    Family("roberta", RobertaConfig, RobertaForMaskedLM, {
        "plain": Variant(dict(ROBERTA), model=RobertaModel, tokens=22),
        "masked-lm": Variant(dict(ROBERTA, hidden_act="gelu_new")),
        "untied": Variant(dict(ROBERTA, tie_word_embeddings=False, type_vocab_size=2)),
        "padding-ids": Variant(dict(ROBERTA, pad_token_id=4), ids=with_padding_ids(4), model=RobertaModel),
        "relative-key": Variant(dict(ROBERTA, position_embedding_type="relative_key", num_hidden_layers=1), model=RobertaModel, tokens=24),
        "causal-lm": Variant(dict(ROBERTA, is_decoder=True, num_hidden_layers=1), model=RobertaForCausalLM),
    }, random_roberta([RobertaModel, RobertaForMaskedLM, RobertaForCausalLM], RobertaForCausalLM), base=below("roberta"),
        run=run_bert("roberta")),
    Family("xlm-roberta", XLMRobertaConfig, XLMRobertaForMaskedLM, {
        "masked-lm": Variant(dict(ROBERTA)),
        "headless": Variant(dict(ROBERTA), model=XLMRobertaModel, dtype=BF16),
    }, random_roberta([XLMRobertaModel, XLMRobertaForMaskedLM], None), base=below("roberta"), run=run_bert("roberta")),
    Family("camembert", CamembertConfig, CamembertForMaskedLM, {
        "masked-lm": Variant(dict(ROBERTA)),
        "headless": Variant(dict(ROBERTA), model=CamembertModel),
    }, random_roberta([CamembertModel, CamembertForMaskedLM], None), base=below("roberta"), run=run_bert("roberta")),
    Family("electra", ElectraConfig, ElectraForMaskedLM, {
        "generator": Variant(dict(ELECTRA, hidden_act="relu"), pair=True),
        "generator-untied": Variant(dict(ELECTRA, tie_word_embeddings=False)),
        "discriminator": Variant(dict(ELECTRA, embedding_size=12), model=ElectraForPreTraining, pair=True),
        "headless": Variant(dict(ELECTRA), model=ElectraModel, dtype=BF16),
        "causal-lm": Variant(dict(ELECTRA, is_decoder=True, num_hidden_layers=1), model=ElectraForCausalLM),
        "relative-key": Variant(dict(ELECTRA, position_embedding_type="relative_key_query", num_hidden_layers=1), model=ElectraModel),
    }, random_electra, base=below("electra"), run=run_electra),
]
