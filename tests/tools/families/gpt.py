# SPDX-License-Identifier: GPL-3.0-or-later
"""GPT-2 and the decoders of its time: GPT-Neo, GPT-NeoX, GPT-J, GPTBigCode, OPT, Bloom, Falcon."""
import torch
from transformers import (BloomConfig, BloomForCausalLM, FalconConfig, FalconForCausalLM, GPT2Config, GPT2LMHeadModel,
                          GPTBigCodeConfig, GPTBigCodeForCausalLM, GPTJConfig, GPTJForCausalLM, GPTNeoConfig, GPTNeoForCausalLM,
                          GPTNeoXConfig, GPTNeoXForCausalLM, OPTConfig, OPTForCausalLM)
from transformers.models.opt.modeling_opt import OPTPreTrainedModel

from families.common import Family, Variant, outputs
from families.rotary import TYPES, newer_spelling, random_rope

F16, BF16, F32 = torch.float16, torch.bfloat16, torch.float32
EPSILONS = [1e-12, 1e-5, 1e-2]
ACTIVATIONS = ["gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "quick_gelu", "relu", "silu", "tanh"]


def below(name):
    """The model under the head, whichever of the two is given."""
    return lambda model: getattr(model, name, model)


def common_draws(rng, fields, longest, **variant):
    """A draw of everything that is no field of its own family."""
    tokens = rng.choice([1, 2, 3, 9, 17, 33, longest])
    return Variant(fields, tokens=min(tokens, longest), dtype=rng.choice([F32, F16, BF16]), headless=rng.random() < 0.4, **variant)


def sizes(rng, even=False):
    heads = rng.choice([1, 2, 3, 4, 6, 12])
    return heads, rng.choice([2, 4, 6, 10, 16] if even else [3, 4, 5, 8, 11]), rng.choice([1, 2, 3, 5])


# --- gpt2 and gpt_bigcode

GPT2 = dict(vocab_size=40, n_positions=20, n_embd=15, n_layer=2, n_head=3, n_inner=20, bos_token_id=0, eos_token_id=0)


def gpt2_other_names(fields):
    for old, new in (("n_embd", "hidden_size"), ("n_layer", "num_hidden_layers"), ("n_head", "num_attention_heads"),
                     ("n_positions", "max_position_embeddings")):
        fields[new] = fields.pop(old)
    fields.pop("tie_word_embeddings", None)
    return dict(fields, n_ctx=7)


def gpt2_buffers(tensors):
    """What releases before 4.33 stored beside the weights."""
    for layer in range(2):
        tensors[f"h.{layer}.attn.bias"] = torch.tril(torch.ones(20, 20)).view(1, 1, 20, 20).to(torch.uint8)
        tensors[f"h.{layer}.attn.masked_bias"] = torch.tensor(-1e4)
    return tensors


def run_gpt2(model, inputs):
    """reorder_and_upcast_attn, which only reorders, refuses float64."""
    if model.dtype == torch.float64:
        for module in model.modules():
            if hasattr(module, "reorder_and_upcast_attn"):
                module.reorder_and_upcast_attn = False
    return outputs(model, inputs, below("transformer"))


def random_gpt2(rng):
    heads, size, layers = sizes(rng)
    longest = rng.choice([33, 70])
    scaled = rng.random() < 0.7
    fields = dict(GPT2, n_embd=heads * size, n_head=heads, n_layer=layers, n_inner=rng.choice([None, 17, 40]), n_positions=longest,
                  activation_function=rng.choice(ACTIVATIONS), layer_norm_epsilon=rng.choice(EPSILONS),
                  scale_attn_weights=scaled, scale_attn_by_inverse_layer_idx=rng.random() < 0.5,
                  reorder_and_upcast_attn=rng.random() < 0.5, tie_word_embeddings=rng.random() < 0.6)
    return common_draws(rng, fields, longest, score=3.0 if scaled else 2.0)


def random_gpt_bigcode(rng):
    heads, size, layers = sizes(rng)
    longest = rng.choice([33, 70])
    scaled = rng.random() < 0.7
    fields = dict(GPT2, n_embd=heads * size, n_head=heads, n_layer=layers, n_inner=rng.choice([None, 17, 40]), n_positions=longest,
                  activation_function=rng.choice(ACTIVATIONS), layer_norm_epsilon=rng.choice(EPSILONS),
                  scale_attn_weights=scaled, multi_query=rng.random() < 0.5, tie_word_embeddings=rng.random() < 0.6,
                  attention_softmax_in_fp32=rng.random() < 0.5, scale_attention_softmax_in_fp32=rng.random() < 0.5)
    return common_draws(rng, fields, longest, score=1.6 if scaled else 1.1)


# --- gpt_neo

NEO = dict(vocab_size=40, max_position_embeddings=20, hidden_size=15, num_layers=2, num_heads=3, intermediate_size=20, window_size=5,
           attention_types=[[["global", "local"], 1]], bos_token_id=0, eos_token_id=0)


def swapped_layers(fields):
    return dict(fields, attention_types=[[["local", "global"], 1]])  # attention_layers, which stays, wins


def neo_other_names(fields):
    fields["num_attention_heads"] = fields.pop("num_heads")
    fields["num_hidden_layers"] = fields["num_layers"]
    fields.pop("attention_layers")
    return fields


def random_gpt_neo(rng):
    heads, size, _ = sizes(rng)
    longest = rng.choice([33, 70])
    types = [[rng.sample(["global", "local"], rng.choice([1, 2])), rng.choice([1, 2])] for _ in range(rng.choice([1, 2]))]
    layers = sum(len(kinds) * count for kinds, count in types)
    fields = dict(NEO, hidden_size=heads * size, num_heads=heads, num_layers=layers, attention_types=types,
                  window_size=rng.choice([1, 2, 5, 16, 100]), intermediate_size=rng.choice([None, 17, 40]),
                  max_position_embeddings=longest, activation_function=rng.choice(ACTIVATIONS),
                  layer_norm_epsilon=rng.choice(EPSILONS), tie_word_embeddings=rng.random() < 0.6)
    return common_draws(rng, fields, longest, score=1.1)


# --- gpt_neox

NEOX = dict(vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=20, rotary_pct=0.5,
            max_position_embeddings=20)
YARN = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=256, beta_fast=8.0)
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)


def longrope(*factors):
    half = len(factors) // 2
    return dict(rope_type="longrope", factor=2.0, short_factor=list(factors[:half]), long_factor=list(factors[half:]))


def newer_rope(fields):
    """The spelling of transformers 5, without the names that this family had before."""
    fields = newer_spelling(fields)
    del fields["rotary_emb_base"]
    fields["rope_parameters"]["partial_rotary_factor"] = fields.pop("rotary_pct")
    fields.pop("partial_rotary_factor", None)
    return fields


def random_gpt_neox(rng):
    heads, size, layers = sizes(rng, even=True)
    pct = rng.choice({2: [1.0], 4: [1.0, 0.5, 0.25], 6: [1.0, 0.67, 0.5], 10: [1.0, 0.4, 0.75], 16: [1.0, 0.5, 0.25, 0.7]}[size])
    counted = int(size * pct)  # where it is odd, one more is turned, and yarn fails
    rope, spelling = random_rope(rng, counted + counted % 2, [kind for kind in TYPES if kind != "yarn"] if counted % 2 else None)
    rope["rotary_emb_base"] = rope.pop("rope_theta")
    fields = dict(NEOX, hidden_size=heads * size, num_attention_heads=heads, num_hidden_layers=layers, rotary_pct=pct,
                  intermediate_size=rng.choice([17, 40]), hidden_act=rng.choice(ACTIVATIONS), layer_norm_eps=rng.choice(EPSILONS),
                  attention_bias=rng.random() < 0.6, use_parallel_residual=rng.random() < 0.6, tie_word_embeddings=rng.random() < 0.4)
    return common_draws(rng, dict(fields, **rope), rng.choice([33, 70]), config=spelling and newer_rope)


# --- gptj

GPTJ = dict(vocab_size=40, n_positions=20, n_embd=16, n_layer=2, n_head=2, n_inner=20, rotary_dim=4, bos_token_id=0, eos_token_id=0)


def random_gptj(rng):
    heads, size, layers = sizes(rng, even=True)
    longest = rng.choice([33, 70])
    rotary = rng.choice([dims for dims in (2, 4, 6, 10, 16) if dims <= size])
    fields = dict(GPTJ, n_embd=heads * size, n_head=heads, n_layer=layers, rotary_dim=None if heads == 1 else rotary,
                  n_inner=rng.choice([None, 17, 40]), n_positions=longest, activation_function=rng.choice(ACTIVATIONS),
                  layer_norm_epsilon=rng.choice(EPSILONS), tie_word_embeddings=rng.random() < 0.3)
    variant = common_draws(rng, fields, longest)
    variant.headless = variant.headless and not fields["tie_word_embeddings"]  # a tied head's bias would be lost
    return variant


# --- opt

OPT = dict(vocab_size=40, hidden_size=15, num_hidden_layers=2, num_attention_heads=3, ffn_dim=20, max_position_embeddings=20,
           word_embed_proj_dim=15)
initialise_opt = OPTPreTrainedModel._init_weights


def initialise(model, module):
    """The class fails at norms without weights."""
    if not (isinstance(module, torch.nn.LayerNorm) and module.weight is None):
        initialise_opt(model, module)


OPTPreTrainedModel._init_weights = initialise


def random_opt(rng):
    heads, size, layers = sizes(rng)
    longest = rng.choice([33, 70])
    fields = dict(OPT, hidden_size=heads * size, num_attention_heads=heads, num_hidden_layers=layers, ffn_dim=rng.choice([17, 40]),
                  word_embed_proj_dim=rng.choice([None, 7, 24]), max_position_embeddings=longest,
                  activation_function=rng.choice(ACTIVATIONS), do_layer_norm_before=rng.random() < 0.6,
                  _remove_final_layer_norm=rng.random() < 0.3, enable_bias=rng.random() < 0.6,
                  layer_norm_elementwise_affine=rng.random() < 0.7, tie_word_embeddings=rng.random() < 0.6)
    return common_draws(rng, fields, longest)


# --- bloom

BLOOM = dict(vocab_size=40, hidden_size=15, n_layer=2, n_head=3)


def bloom_other_names(fields):
    fields["num_attention_heads"], fields["num_hidden_layers"] = fields.pop("n_head"), fields.pop("n_layer")
    return dict(fields, n_embed=fields["hidden_size"], hidden_size=7)


def random_bloom(rng):
    heads, size, layers = sizes(rng)
    fields = dict(BLOOM, hidden_size=heads * size, n_head=heads, n_layer=layers, layer_norm_epsilon=rng.choice(EPSILONS),
                  apply_residual_connection_post_layernorm=rng.random() < 0.5, pretraining_tp=rng.choice([1, 2, 4]),
                  slow_but_exact=rng.random() < 0.4, tie_word_embeddings=rng.random() < 0.6)
    return common_draws(rng, fields, 70)


# --- falcon

FALCON = dict(vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, ffn_hidden_size=20, max_position_embeddings=20)


def run_falcon(model, inputs):
    """Asked for attentions without a head mask, the eager model counts linear biases twice and changes its own output."""
    ones = torch.ones(model.config.num_hidden_layers, model.config.num_attention_heads)
    return outputs(model, inputs, below("transformer"), head_mask=ones)


def random_falcon(rng):
    heads, size, layers = sizes(rng, even=True)
    new, parallel, multi_query = rng.random() < 0.4, rng.random() < 0.6, rng.random() < 0.5
    fields = dict(FALCON, hidden_size=heads * size, num_attention_heads=heads, num_hidden_layers=layers,
                  ffn_hidden_size=rng.choice([None, 17, 40]), layer_norm_epsilon=rng.choice(EPSILONS),
                  new_decoder_architecture=new, parallel_attn=new or parallel, multi_query=multi_query, bias=rng.random() < 0.5,
                  activation=rng.choice(ACTIVATIONS), tie_word_embeddings=rng.random() < 0.6)
    if new:
        fields["num_kv_heads"] = rng.choice([None] + [n for n in range(1, heads + 1) if heads % n == 0])
        fields["num_ln_in_parallel_attn"] = rng.choice([None, 1, 2])
    elif multi_query:
        fields["num_kv_heads"] = rng.choice([None, heads, 5])
    if rng.random() < 0.4:  # beyond 256 tokens bfloat16 rounds the positions too
        return common_draws(rng, dict(fields, alibi=True), rng.choice([70, 300]))
    rope, spelling = random_rope(rng, size)
    return common_draws(rng, dict(fields, **rope), 70, config=spelling)


DEEP = dict(hidden_size=8, num_hidden_layers=16, num_attention_heads=2)

FAMILIES = [
    Family("gpt2", GPT2Config, GPT2LMHeadModel, {
        "plain": Variant(dict(GPT2), score=3.0),
        "headless": Variant(dict(GPT2, activation_function="gelu"), score=3.0, headless=True, dtype=BF16),
        "old-file": Variant(dict(GPT2), score=3.0, headless=True, config=gpt2_other_names, tensors=gpt2_buffers),
        "untied": Variant(dict(GPT2, tie_word_embeddings=False, n_inner=None, n_embd=16, n_head=4), score=3.0, tokens=20),
        "inverse-layer": Variant(dict(GPT2, scale_attn_by_inverse_layer_idx=True, n_layer=3, activation_function="relu"), score=4.0),
        "unscaled": Variant(dict(GPT2, scale_attn_weights=False, activation_function="quick_gelu"), score=2.0),
        "upcast": Variant(dict(GPT2, reorder_and_upcast_attn=True, scale_attn_by_inverse_layer_idx=True), score=3.0, dtype=F32),
        "deep": Variant(dict(GPT2, n_embd=8, n_layer=16, n_head=2, n_inner=8), score=3.0, tokens=8),
    }, random_gpt2, base=below("transformer"), run=run_gpt2),
    Family("gpt_bigcode", GPTBigCodeConfig, GPTBigCodeForCausalLM, {
        "multi-query": Variant(dict(GPT2)),
        "multi-head": Variant(dict(GPT2, multi_query=False, tie_word_embeddings=False)),
        "multi-head-unscaled": Variant(dict(GPT2, multi_query=False, scale_attn_weights=False, activation_function="gelu"), score=1.1),
        "headless": Variant(dict(GPT2, n_inner=None, n_embd=16, n_head=4), headless=True, dtype=BF16, tokens=20),
    }, random_gpt_bigcode, base=below("transformer")),
    Family("gpt_neo", GPTNeoConfig, GPTNeoForCausalLM, {
        "plain": Variant(dict(NEO), score=1.1),
        "local": Variant(dict(NEO, attention_types=[[["local"], 2]], window_size=2, intermediate_size=None), score=1.1, dtype=BF16),
        "window-beyond-text": Variant(dict(NEO, window_size=256, activation_function="gelu"), score=1.1, headless=True, dtype=F32),
        "attention-layers": Variant(dict(NEO), score=1.1, tokens=20, config=swapped_layers),
        "other-names": Variant(dict(NEO, num_layers=3, attention_types=[[["local", "global"], 1], [["local"], 1]]), score=1.1,
                               config=neo_other_names),
        "untied": Variant(dict(NEO, tie_word_embeddings=False), score=1.1),
    }, random_gpt_neo, base=below("transformer")),
    Family("gpt_neox", GPTNeoXConfig, GPTNeoXForCausalLM, {
        "parallel": Variant(dict(NEOX)),
        "sequential": Variant(dict(NEOX, use_parallel_residual=False, hidden_act="gelu_new"), dtype=F32),
        "no-bias": Variant(dict(NEOX, attention_bias=False, rotary_pct=1.0)),
        "headless": Variant(dict(NEOX, rotary_pct=0.25), headless=True, dtype=BF16),
        "tied": Variant(dict(NEOX, tie_word_embeddings=True), headless=True),
        "odd-part": Variant(dict(NEOX, num_hidden_layers=1, rotary_pct=0.7), tokens=20),
        "linear": Variant(dict(NEOX, rope_scaling=dict(type="linear", factor=3.0), rotary_emb_base=500.0), tokens=24),
        "dynamic": Variant(dict(NEOX, rope_scaling=dict(rope_type="dynamic", factor=2.0), max_position_embeddings=10), tokens=24),
        "llama3": Variant(dict(NEOX, rope_scaling=dict(LLAMA3), rotary_pct=1.0), tokens=24),
        "yarn": Variant(dict(NEOX, rope_scaling=dict(YARN), rotary_pct=1.0, rotary_emb_base=100, num_attention_heads=1), tokens=24),
        "longrope-short": Variant(dict(NEOX, original_max_position_embeddings=12, rope_scaling=longrope(1.0, 1.5, 2.0, 6.0)), tokens=12),
        "longrope-long": Variant(dict(NEOX, original_max_position_embeddings=12, rope_scaling=longrope(1.0, 1.5, 2.0, 6.0)), tokens=13),
        "both-types": Variant(dict(NEOX, rope_scaling=dict(type="linear", factor=4.0)),
                              config=lambda fields: dict(fields, rope_scaling=dict(type="linear", rope_type="dynamic", factor=4.0))),
        "newer-rope": Variant(dict(NEOX, rope_scaling=dict(rope_type="linear", factor=3.0), rotary_emb_base=500.0), config=newer_rope),
        "deep": Variant({**NEOX, **DEEP, "intermediate_size": 8}, tokens=8),
    }, random_gpt_neox, base=below("gpt_neox")),
    Family("gptj", GPTJConfig, GPTJForCausalLM, {
        "plain": Variant(dict(GPTJ)),
        "headless": Variant(dict(GPTJ, n_inner=None, n_embd=20, rotary_dim=10, activation_function="gelu"), headless=True, dtype=BF16),
        "tied": Variant(dict(GPTJ, tie_word_embeddings=True, rotary_dim=8), tokens=20),
        "one-head": Variant(dict(GPTJ, rotary_dim=None, n_head=1), dtype=F32),
    }, random_gptj, base=below("transformer")),
    Family("opt", OPTConfig, OPTForCausalLM, {
        "plain": Variant(dict(OPT)),
        "headless": Variant(dict(OPT, activation_function="gelu"), headless=True, dtype=BF16, tokens=20),
        "projected": Variant(dict(OPT, word_embed_proj_dim=9)),
        "norm-after": Variant(dict(OPT, word_embed_proj_dim=9, do_layer_norm_before=False)),
        "no-affine": Variant(dict(OPT, layer_norm_elementwise_affine=False)),
        "no-bias": Variant(dict(OPT, enable_bias=False)),
        "no-final-norm": Variant(dict(OPT, _remove_final_layer_norm=True), dtype=F32),
        "untied": Variant(dict(OPT, tie_word_embeddings=False, word_embed_proj_dim=24)),
        "deep": Variant({**OPT, **DEEP, "ffn_dim": 8, "word_embed_proj_dim": None, "do_layer_norm_before": False, "enable_bias": False}, tokens=8),
    }, random_opt, base=below("model")),
    Family("bloom", BloomConfig, BloomForCausalLM, {
        "plain": Variant(dict(BLOOM, n_head=4, hidden_size=16)),
        "six-heads": Variant(dict(BLOOM, n_head=6, hidden_size=12), headless=True, dtype=BF16),
        "residual-after-norm": Variant(dict(BLOOM, apply_residual_connection_post_layernorm=True)),
        "slices": Variant(dict(BLOOM, pretraining_tp=2, slow_but_exact=True)),
        "other-names": Variant(dict(BLOOM, pretraining_tp=4), config=bloom_other_names),
        "untied": Variant(dict(BLOOM, n_head=1, hidden_size=8, tie_word_embeddings=False), dtype=F32),
        "deep": Variant(dict(BLOOM, hidden_size=6, n_layer=16, n_head=2), tokens=8),
    }, random_bloom, base=below("transformer")),
    Family("falcon", FalconConfig, FalconForCausalLM, {
        "multi-query": Variant(dict(FALCON, num_kv_heads=4)),
        "multi-head": Variant(dict(FALCON, multi_query=False, bias=True, parallel_attn=False), dtype=BF16),
        "alibi": Variant(dict(FALCON, multi_query=False, alibi=True, bias=True, parallel_attn=False)),
        "alibi-twelve-heads": Variant(dict(FALCON, alibi=True, hidden_size=24, num_attention_heads=12, num_hidden_layers=1), tokens=16),
        "new-two-norms": Variant(dict(FALCON, new_decoder_architecture=True, num_kv_heads=2), headless=True),
        "new-one-norm": Variant(dict(FALCON, new_decoder_architecture=True, num_ln_in_parallel_attn=1, activation="gelu_new"), dtype=F32),
        "new-alibi": Variant(dict(FALCON, new_decoder_architecture=True, num_ln_in_parallel_attn=2, alibi=True, num_kv_heads=1, bias=True)),
        "yarn": Variant(dict(FALCON, rope_scaling=dict(YARN), rope_theta=100.0, ffn_hidden_size=None, num_attention_heads=2), tokens=24),
        "untied": Variant(dict(FALCON, tie_word_embeddings=False, rope_theta=500.0)),
        "deep": Variant({**FALCON, **DEEP, "ffn_hidden_size": 8}, tokens=8),
    }, random_falcon, base=below("transformer"), run=run_falcon),
]
