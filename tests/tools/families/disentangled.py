# SPDX-License-Identifier: GPL-3.0-or-later
"""Encoders whose scores have terms for places of their own: DeBERTa, DeBERTa v2 and v3, XLNet."""
from transformers import (DebertaConfig, DebertaForMaskedLM, DebertaModel, DebertaV2Config, DebertaV2ForMaskedLM, DebertaV2Model,
                          XLNetConfig, XLNetLMHeadModel, XLNetModel)

from families.bert import ACTIVATIONS, BF16, F32, below, random_heads, random_text
from families.common import Family, Variant, outputs

# --- deberta, deberta-v2

DEBERTA = dict(vocab_size=40, hidden_size=12, num_hidden_layers=2, num_attention_heads=2, intermediate_size=14, max_position_embeddings=24,
               relative_attention=True, pos_att_type=["c2p", "p2c"], position_biased_input=False)
V2 = dict(DEBERTA, position_buckets=8, norm_rel_ebd="layer_norm", share_att_key=True)
DEEP = dict(hidden_size=8, num_hidden_layers=16, intermediate_size=8, vocab_size=40)


def random_deberta_fields(rng):
    (heads, size), longest = random_heads(rng, [3, 4, 8, 11]), rng.choice([24, 70])
    hidden = heads * size
    fields = dict(DEBERTA, hidden_size=hidden, num_attention_heads=heads, num_hidden_layers=rng.choice([1, 2, 4]),
                  intermediate_size=rng.choice([9, 32]), hidden_act=rng.choice(ACTIVATIONS), layer_norm_eps=rng.choice([1e-12, 1e-7, 1e-2]),
                  max_position_embeddings=longest, type_vocab_size=rng.choice([0, 0, 2, 3]), relative_attention=rng.random() < 0.85,
                  max_relative_positions=rng.choice([-1, -1, 3, 9, 40]), position_biased_input=rng.random() < 0.4,
                  pos_att_type=rng.choice([["c2p", "p2c"], ["c2p", "p2c"], ["c2p"], ["p2c"], "c2p|p2c", "P2C", [], None]),
                  legacy=rng.random() < 0.7, tie_word_embeddings=rng.random() < 0.5)
    if not fields["legacy"]:
        fields["tie_word_embeddings"] = False  # cannot be run otherwise
    if rng.random() < 0.3 and fields["legacy"]:
        fields["embedding_size"] = rng.choice([5, 10, hidden])
    return fields, longest if fields["position_biased_input"] else rng.choice([longest, 3 * longest])


def random_deberta(rng):
    fields, longest = random_deberta_fields(rng)
    return Variant(fields, model=rng.choice([DebertaModel, DebertaForMaskedLM]), pair=fields["type_vocab_size"] > 0 and rng.random() < 0.4,
                   **random_text(rng, longest))


def random_deberta_v2(rng):
    fields, longest = random_deberta_fields(rng)
    positions = fields["max_relative_positions"] if fields["max_relative_positions"] > 0 else fields["max_position_embeddings"]
    buckets = rng.choice([-1, 2, 3, 4, 8, 20, 32])
    if buckets > 0 and positions - 1 == buckets // 2:
        buckets = -1
    fields.update(position_buckets=buckets, share_att_key=rng.random() < 0.5, norm_rel_ebd=rng.choice(["none", "layer_norm"]))
    if rng.random() < 0.5:
        groups = rng.choice([1, fields["num_attention_heads"]])
        fields.update(conv_kernel_size=rng.choice([1, 3, 5]), conv_groups=groups, conv_act=rng.choice(ACTIVATIONS))
    return Variant(fields, model=rng.choice([DebertaV2Model, DebertaV2ForMaskedLM]), pair=fields["type_vocab_size"] > 0 and rng.random() < 0.4,
                   **random_text(rng, longest))


def typed_terms(fields):
    """Older files: one string, and no field that has a default."""
    fields["pos_att_type"] = "c2p|p2c"
    return {name: value for name, value in fields.items() if name not in ("max_relative_positions", "legacy", "type_vocab_size")}


# --- xlnet

XLNET = dict(vocab_size=40, d_model=12, n_layer=2, n_head=2, d_inner=14)


def wide_segments(model, generator):
    """The two segments' vectors, which have three dimensions and no name that tells them apart."""
    for layer in below("transformer")(model).layer:
        layer.rel_attn.seg_embed.data.normal_(0.0, 0.8, generator=generator)
        layer.rel_attn.r.data.normal_(0.0, 1.2 / layer.rel_attn.r.shape[0]**0.5, generator=generator)


def xlnet_other_names(fields):
    for old, new in (("d_model", "hidden_size"), ("n_head", "num_attention_heads"), ("n_layer", "num_hidden_layers"),
                     ("vocab_size", "n_token")):
        fields[new] = fields.pop(old)
    fields.pop("d_head")
    return fields


def run_xlnet(model, inputs):
    """The last token is its tokenizer's <cls>, a segment of its own."""
    if "token_type_ids" in inputs and len(inputs["token_type_ids"]) > 2:
        inputs["token_type_ids"][-1] = 2
    return outputs(model, inputs, below("transformer"))


def random_xlnet(rng):
    heads, size = random_heads(rng, [2, 4, 8, 10])
    fields = dict(XLNET, d_model=heads * size, n_head=heads, n_layer=rng.choice([1, 2, 4]), d_inner=rng.choice([9, 32]),
                  ff_activation=rng.choice(ACTIVATIONS), layer_norm_eps=rng.choice([1e-12, 1e-5, 1e-2]),
                  attn_type=rng.choice(["bi", "bi", "uni"]), clamp_len=rng.choice([-1, 0, 1, 5]), mem_len=rng.choice([None, 0, 7]),
                  reuse_len=rng.choice([None, 3]), untie_r=rng.random() < 0.5, tie_word_embeddings=rng.random() < 0.6)
    fields["same_length"] = fields["attn_type"] == "bi" and rng.random() < 0.3
    return Variant(fields, model=rng.choice([XLNetModel, XLNetLMHeadModel]), pair=rng.random() < 0.6,
                   config=xlnet_other_names if rng.random() < 0.3 else None, **random_text(rng, 90))


FAMILIES = [
    Family("deberta", DebertaConfig, DebertaForMaskedLM, {
        "plain": Variant(dict(DEBERTA), model=DebertaModel, tokens=20),
        "masked-lm": Variant(dict(DEBERTA, max_relative_positions=5, type_vocab_size=2, hidden_act="gelu_new"), pair=True, dtype=BF16),
        "lm-untied": Variant(dict(DEBERTA, num_hidden_layers=1, tie_word_embeddings=False, embedding_size=10)),
        "newer-head": Variant(dict(DEBERTA, num_hidden_layers=1, tie_word_embeddings=False, legacy=False)),
        "c2p": Variant(dict(DEBERTA, pos_att_type=["c2p"], num_hidden_layers=1), model=DebertaModel),
        "p2c": Variant(dict(DEBERTA, pos_att_type=["p2c"], num_hidden_layers=1), model=DebertaModel, dtype=F32),
        "absolute": Variant(dict(DEBERTA, relative_attention=False, position_biased_input=True, embedding_size=10), model=DebertaModel),
        "typed": Variant(dict(DEBERTA, num_hidden_layers=1), model=DebertaModel, config=typed_terms),
    }, random_deberta, base=below("deberta")),
    Family("deberta-v2", DebertaV2Config, DebertaV2ForMaskedLM, {
        "v3": Variant(dict(V2), model=DebertaV2Model, tokens=24),
        "v2-masked-lm": Variant(dict(DEBERTA, max_relative_positions=6, conv_kernel_size=3, conv_act="gelu", type_vocab_size=2), pair=True,
                                dtype=BF16),
        "conv-groups": Variant(dict(V2, num_hidden_layers=1, conv_kernel_size=5, conv_groups=2), model=DebertaV2Model),
        "lm-untied": Variant(dict(V2, num_hidden_layers=1, tie_word_embeddings=False, embedding_size=10)),
        "newer-head": Variant(dict(V2, num_hidden_layers=1, tie_word_embeddings=False, legacy=False, hidden_act="relu")),
        "own-projections": Variant(dict(V2, share_att_key=False, norm_rel_ebd="none"), model=DebertaV2Model, tokens=24),
        "c2p": Variant(dict(V2, pos_att_type=["c2p"], num_hidden_layers=1), model=DebertaV2Model, dtype=F32),
        "coarse-buckets": Variant(dict(V2, num_hidden_layers=1, position_buckets=20, max_relative_positions=16), model=DebertaV2Model,
                                  tokens=40),
        "absolute": Variant(dict(DEBERTA, relative_attention=False, position_biased_input=True), model=DebertaV2Model),
        "deep": Variant(dict(V2, **DEEP), model=DebertaV2Model, tokens=8),
    }, random_deberta_v2, base=below("deberta")),
    Family("xlnet", XLNetConfig, XLNetLMHeadModel, {
        "plain": Variant(dict(XLNET), model=XLNetModel, tokens=20),
        "segments": Variant(dict(XLNET, ff_activation="relu"), pair=True),
        "untied": Variant(dict(XLNET, n_layer=1, tie_word_embeddings=False), dtype=BF16),
        "one-way": Variant(dict(XLNET, attn_type="uni"), model=XLNetModel, pair=True),
        "clamped": Variant(dict(XLNET, n_layer=1, clamp_len=4), model=XLNetModel, tokens=16, dtype=F32),
        "other-names": Variant(dict(XLNET, n_layer=1), model=XLNetModel, config=xlnet_other_names),
        "deep": Variant(dict(XLNET, d_model=8, n_layer=16, d_inner=8, vocab_size=40), model=XLNetModel, tokens=8, pair=True),
    }, random_xlnet, base=below("transformer"), adjust=wide_segments, run=run_xlnet),
]
