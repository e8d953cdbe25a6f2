# SPDX-License-Identifier: GPL-3.0-or-later
"""Encoders with layers of their own: DistilBERT, ALBERT, MPNet, ModernBERT."""
from transformers import (AlbertConfig, AlbertForMaskedLM, AlbertForPreTraining, AlbertModel, DistilBertConfig, DistilBertForMaskedLM,
                          DistilBertModel, ModernBertConfig, ModernBertForMaskedLM, ModernBertForSequenceClassification,
                          ModernBertModel, MPNetConfig, MPNetForMaskedLM, MPNetModel)

from families.bert import ACTIVATIONS, BF16, F32, TINY, below, random_heads, random_text, with_padding_ids
from families.common import Family, Variant, outputs

# --- distilbert

DISTILBERT = dict(vocab_size=40, dim=12, n_layers=2, n_heads=2, hidden_dim=14, max_position_embeddings=24)


def distilbert_other_names(fields):
    for old, new in (("dim", "hidden_size"), ("n_layers", "num_hidden_layers"), ("n_heads", "num_attention_heads")):
        fields[new] = fields.pop(old)
    return fields


def random_distilbert(rng):
    (heads, size), longest = random_heads(rng, [3, 4, 8, 11]), rng.choice([24, 70])
    fields = dict(DISTILBERT, dim=heads * size, n_heads=heads, n_layers=rng.choice([1, 2, 4]), hidden_dim=rng.choice([9, 32]),
                  activation=rng.choice(ACTIVATIONS), sinusoidal_pos_embds=rng.random() < 0.3, max_position_embeddings=longest,
                  tie_word_embeddings=rng.random() < 0.6)
    return Variant(fields, model=rng.choice([DistilBertModel, DistilBertForMaskedLM]), **random_text(rng, longest),
                   config=distilbert_other_names if rng.random() < 0.3 else None)


# --- albert

ALBERT = dict(TINY, embedding_size=10, num_hidden_layers=4, hidden_act="gelu_new")


def random_albert(rng):
    (heads, size), longest = random_heads(rng, [3, 4, 8, 11]), rng.choice([24, 70])
    layers, groups, inner = rng.choice([(1, 1, 1), (4, 1, 1), (4, 2, 1), (4, 2, 2), (3, 1, 3), (5, 2, 2), (7, 3, 1), (6, 4, 1)])
    fields = dict(ALBERT, hidden_size=heads * size, num_attention_heads=heads, intermediate_size=rng.choice([9, 32]),
                  num_hidden_layers=layers, num_hidden_groups=groups, inner_group_num=inner, hidden_act=rng.choice(ACTIVATIONS),
                  layer_norm_eps=rng.choice([1e-12, 1e-5, 1e-2]), embedding_size=rng.choice([5, 10, heads * size]),
                  max_position_embeddings=longest, type_vocab_size=rng.choice([2, 3]), tie_word_embeddings=rng.random() < 0.6,
                  position_embedding_type=rng.choice(["absolute", "absolute", "relative_key", "relative_key_query"]))
    relative = fields["position_embedding_type"] != "absolute"
    return Variant(fields, model=rng.choice([AlbertModel, AlbertForMaskedLM, AlbertForPreTraining]), pair=rng.random() < 0.5,
                   score=0.8 if relative else 1.6, **random_text(rng, longest))


# --- mpnet

MPNET = dict(TINY, layer_norm_eps=1e-5, max_position_embeddings=26)
MPNET.pop("type_vocab_size")


def wide_buckets(model, generator):
    """The table of distances, a row a bucket."""
    table = below("mpnet")(model).encoder.relative_attention_bias.weight
    table.data.normal_(0.0, 1.5, generator=generator)


def random_mpnet(rng):
    (heads, size), longest = random_heads(rng, [3, 4, 8, 11]), rng.choice([26, 70, 250])
    fields = dict(MPNET, hidden_size=heads * size, num_attention_heads=heads, num_hidden_layers=rng.choice([1, 2, 4]),
                  intermediate_size=rng.choice([9, 32]), hidden_act=rng.choice(ACTIVATIONS), max_position_embeddings=longest,
                  layer_norm_eps=rng.choice([1e-12, 1e-5, 1e-2]), pad_token_id=rng.choice([0, 1, 3]), is_decoder=rng.random() < 0.2,
                  tie_word_embeddings=rng.random() < 0.6)
    return Variant(fields, model=rng.choice([MPNetModel, MPNetForMaskedLM]), ids=with_padding_ids(1) if rng.random() < 0.4 else None,
                   **random_text(rng, longest - 2))


# --- modernbert

MODERNBERT = dict(vocab_size=40, hidden_size=12, num_hidden_layers=4, num_attention_heads=2, intermediate_size=10,
                  max_position_embeddings=40, local_attention=8, pad_token_id=0, eos_token_id=1, bos_token_id=2, cls_token_id=2,
                  sep_token_id=1, reference_compile=False)
BIASES = dict(norm_bias=True, attention_bias=True, mlp_bias=True, classifier_bias=True, decoder_bias=False)


def newer_rope(fields):
    """transformers 5: a set of rotary parameters and a name for each kind of layer."""
    every = fields.pop("global_attn_every_n_layers")
    scaling = fields.pop("rope_scaling", None) or {"rope_type": "default"}
    local = fields.pop("local_rope_theta")
    theta = fields.pop("global_rope_theta")
    fields["layer_types"] = ["sliding_attention" if layer % every else "full_attention" for layer in range(fields["num_hidden_layers"])]
    fields["rope_parameters"] = {"full_attention": dict(scaling, rope_theta=theta),
                                 "sliding_attention": dict(scaling, rope_theta=theta if local is None else local)}
    return fields


def run_modernbert(model, inputs):
    found = outputs(model, inputs, below("model"))
    if isinstance(model, ModernBertForSequenceClassification):
        del found["logits"]  # of classes
    return found


def random_modernbert(rng):
    heads, size = random_heads(rng, [2, 4, 6, 10])
    longest = rng.choice([20, 40, 90])
    scaling = rng.choice([None, None, {"rope_type": "linear", "factor": 3.0}, {"rope_type": "dynamic", "factor": 2.0},
                          {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 10}])
    if scaling and scaling["rope_type"] == "dynamic" and size == 2:
        scaling = None
    fields = dict(MODERNBERT, hidden_size=heads * size, num_attention_heads=heads, num_hidden_layers=rng.choice([1, 3, 5]),
                  intermediate_size=rng.choice([9, 32]), hidden_activation=rng.choice(ACTIVATIONS),
                  classifier_activation=rng.choice(ACTIVATIONS), norm_eps=rng.choice([1e-12, 1e-5, 1e-2]),
                  local_attention=rng.choice([0, 1, 2, 7, 16, 200]), global_attn_every_n_layers=rng.choice([1, 2, 3]),
                  local_rope_theta=rng.choice([None, 10000.0, 50.0]), global_rope_theta=rng.choice([160000.0, 100.0]),
                  max_position_embeddings=longest, tie_word_embeddings=rng.random() < 0.6, rope_scaling=scaling,
                  **{name: rng.random() < 0.5 for name in BIASES})
    return Variant(fields, model=rng.choice([ModernBertModel, ModernBertForMaskedLM, ModernBertForSequenceClassification]),
                   config=newer_rope if rng.random() < 0.3 else None, **random_text(rng, rng.choice([longest, 2 * longest])))


FAMILIES = [
    Family("distilbert", DistilBertConfig, DistilBertForMaskedLM, {
        "plain": Variant(dict(DISTILBERT), model=DistilBertModel, dtype=F32),
        "masked-lm": Variant(dict(DISTILBERT, activation="relu")),
        "untied": Variant(dict(DISTILBERT, tie_word_embeddings=False), dtype=BF16),
        "other-names": Variant(dict(DISTILBERT, n_layers=1, sinusoidal_pos_embds=True), config=distilbert_other_names),
    }, random_distilbert, base=below("distilbert")),
    Family("albert", AlbertConfig, AlbertForMaskedLM, {
        "plain": Variant(dict(ALBERT), model=AlbertModel, pair=True),
        "masked-lm": Variant(dict(ALBERT, num_hidden_layers=2)),
        "untied": Variant(dict(ALBERT, num_hidden_layers=1, tie_word_embeddings=False), model=AlbertForPreTraining, pair=True, dtype=BF16),
        "groups": Variant(dict(ALBERT, num_hidden_layers=5, num_hidden_groups=2, inner_group_num=2), model=AlbertModel, tokens=10),
        "relative-key": Variant(dict(ALBERT, num_hidden_layers=2, position_embedding_type="relative_key"), model=AlbertModel, score=0.8),
        "relative-key-query": Variant(dict(ALBERT, num_hidden_layers=2, position_embedding_type="relative_key_query"), model=AlbertModel,
                                      score=0.8),
        "deep": Variant(dict(ALBERT, num_hidden_layers=16, num_hidden_groups=2), model=AlbertModel, tokens=8, score=2.6),
    }, random_albert, base=below("albert"),
        run=lambda model, inputs: outputs(model, inputs, below("albert"))),
    Family("mpnet", MPNetConfig, MPNetForMaskedLM, {
        "plain": Variant(dict(MPNET), model=MPNetModel, tokens=24),
        "masked-lm": Variant(dict(MPNET, hidden_act="relu"), dtype=BF16),
        "untied": Variant(dict(MPNET, num_hidden_layers=1, tie_word_embeddings=False)),
        "padding-ids": Variant(dict(MPNET, num_hidden_layers=1, pad_token_id=0), ids=with_padding_ids(1), model=MPNetModel),
        "decoder": Variant(dict(MPNET, num_hidden_layers=1, is_decoder=True), model=MPNetModel),
        "far": Variant(dict(MPNET, num_hidden_layers=1, hidden_size=8, num_attention_heads=1, intermediate_size=4, vocab_size=20,
                            max_position_embeddings=150), model=MPNetModel, tokens=100),
    }, random_mpnet, base=below("mpnet"), adjust=wide_buckets),
    Family("modernbert", ModernBertConfig, ModernBertForMaskedLM, {
        "plain": Variant(dict(MODERNBERT), model=ModernBertModel, tokens=20),
        "masked-lm": Variant(dict(MODERNBERT, hidden_activation="silu", classifier_activation="relu"), tokens=16),
        "biases-untied": Variant(dict(MODERNBERT, **BIASES, tie_word_embeddings=False, local_attention=5, num_hidden_layers=2), dtype=BF16),
        "one-theta": Variant(dict(MODERNBERT, local_rope_theta=None, global_rope_theta=50.0, global_attn_every_n_layers=2,
                                  num_hidden_layers=3), model=ModernBertModel),
        "yarn": Variant(dict(MODERNBERT, num_hidden_layers=2, rope_scaling={"rope_type": "yarn", "factor": 4.0,
                                                                           "original_max_position_embeddings": 10}),
                        model=ModernBertModel, tokens=20),
        "newer-rope": Variant(dict(MODERNBERT, num_hidden_layers=2, local_rope_theta=20.0), model=ModernBertModel, config=newer_rope),
        "classifier": Variant(dict(MODERNBERT, num_hidden_layers=1, decoder_bias=False), model=ModernBertForSequenceClassification),
        "deep": Variant(dict(MODERNBERT, hidden_size=8, intermediate_size=6, num_hidden_layers=16, vocab_size=40, local_attention=4),
                        model=ModernBertModel, tokens=12),
    }, random_modernbert, base=below("model"), run=run_modernbert),
]
