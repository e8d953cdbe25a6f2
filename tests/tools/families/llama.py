# SPDX-License-Identifier: GPL-3.0-or-later
"""Llama, its nearest relatives, and every form of rotary embedding."""
import torch
from transformers import (GraniteConfig, GraniteForCausalLM, LlamaConfig, LlamaForCausalLM, LlamaForQuestionAnswering, MinistralConfig,
                          MinistralForCausalLM, MistralConfig, MistralForCausalLM, Olmo2Config, Olmo2ForCausalLM, Qwen2Config,
                          Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM, SmolLM3Config, SmolLM3ForCausalLM)

from families.common import Family, Variant
from families.rotary import TYPES, newer_spelling, random_rope

TINY = dict(vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=20,
            max_position_embeddings=64)
# Few and wide heads, so that several frequencies stand on either side of what a scaling tells apart.
ROPE = dict(TINY, hidden_size=16, num_attention_heads=2, num_key_value_heads=1, head_dim=16, rope_theta=100.0)
LONG = [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, 13.0]
SHORT = [1.0, 1.1, 1.2, 1.1, 1.3, 1.0, 1.5, 1.25]


def base(model):
    return getattr(model, "model", model)


def sharper(model, generator):
    """Queries and keys that were normalised give flat maps unless their norms are large."""
    for name, parameter in model.named_parameters():
        if "q_norm" in name or "k_norm" in name:
            parameter.data.mul_(2.0)


def rope(scaling, tokens=24, config=None, **fields):
    return Variant(dict(ROPE, rope_scaling=scaling, **fields), tokens=tokens, config=config)


def without(*names):
    return lambda fields: {key: value for key, value in fields.items() if key not in names}


def saying(**changes):
    return lambda fields: {**fields, **changes}


def deep(**fields):
    return Variant(dict(TINY, hidden_size=8, num_hidden_layers=16, num_attention_heads=2, num_key_value_heads=1, intermediate_size=10,
                        **fields), tokens=7)


def random_sizes(rng):
    heads = rng.choice([1, 2, 3, 4, 6])
    shared = rng.choice([n for n in (1, 2, 3, 6) if heads % n == 0])
    size = rng.choice([2, 4, 6, 10, 16])
    fields = dict(vocab_size=rng.choice([44, 59]), num_hidden_layers=rng.choice([1, 2, 3]), num_attention_heads=heads,
                  num_key_value_heads=shared, intermediate_size=rng.choice([16, 37]), rms_norm_eps=rng.choice([1e-6, 1e-5]),
                  tie_word_embeddings=rng.random() < 0.5)
    if rng.random() < 0.5:
        fields.update(hidden_size=rng.choice([14, 21, 32]), head_dim=size)
    else:
        fields.update(hidden_size=heads * size)
    return fields, size


def random_variant(rng, fields, size, **further):
    """Draws what all relatives have: activation, rotary embedding, length, type of the weights."""
    forms = further.pop("forms", None)
    fields = dict(fields, hidden_act=rng.choice(["silu", "gelu", "relu", "gelu_pytorch_tanh"]), **further)
    tokens = rng.choice([1, 2, 9, 17, 33, 48])
    rotary, spelling = random_rope(rng, size, forms)
    return Variant(dict(fields, **rotary), tokens=tokens, dtype=rng.choice([torch.float32, torch.float16, torch.bfloat16]),
                   headless=rng.random() < 0.3, config=spelling)


def biases(rng, *names):
    return {name: rng.random() < 0.5 for name in names}


def random_types(rng, layers):
    return [rng.choice(["full_attention", "sliding_attention"]) for _ in range(layers)]


def random_llama(rng):
    fields, size = random_sizes(rng)
    return random_variant(rng, fields, size, **biases(rng, "attention_bias", "mlp_bias"))


def random_mistral(rng):
    fields, size = random_sizes(rng)
    forms = None if "head_dim" in fields else ["default", "linear", "llama3"]
    return random_variant(rng, fields, size, forms=forms, sliding_window=rng.choice([None, 1, 3, 7, 20]))


def random_ministral(rng):
    fields, size = random_sizes(rng)
    fields.setdefault("head_dim", size)
    window = rng.choice([1, 3, 7, 20])
    return random_variant(rng, fields, size, sliding_window=window, layer_types=random_types(rng, fields["num_hidden_layers"]))


def random_qwen2(rng):
    fields, size = random_sizes(rng)
    windows = dict(use_sliding_window=rng.random() < 0.6, sliding_window=rng.choice([1, 3, 7, 20]), max_window_layers=rng.choice([0, 1, 2]))
    if windows["use_sliding_window"] and rng.random() < 0.4:
        windows["layer_types"] = random_types(rng, fields["num_hidden_layers"])
    return random_variant(rng, fields, size, **windows)


def random_qwen3(rng):
    variant = random_qwen2(rng)
    heads = variant.fields["num_attention_heads"]
    variant.fields.setdefault("head_dim", variant.fields["hidden_size"] // heads)
    variant.fields.update(biases(rng, "attention_bias"))
    return variant


def random_olmo2(rng):
    fields, size = random_sizes(rng)
    return random_variant(rng, fields, size, forms=["default", "linear", "dynamic", "two fields"], **biases(rng, "attention_bias"))


def random_smollm3(rng):
    fields, size = random_sizes(rng)
    layers = fields["num_hidden_layers"]
    further = dict(pad_token_id=0, use_sliding_window=rng.random() < 0.5, sliding_window=rng.choice([1, 3, 7, 20]),
                   no_rope_layer_interval=rng.choice([1, 2, 4]), **biases(rng, "attention_bias", "mlp_bias"))
    if rng.random() < 0.4:
        further["no_rope_layers"] = [rng.choice([0, 1]) for _ in range(layers)]
    if rng.random() < 0.4:
        further["layer_types"] = random_types(rng, layers)
    return random_variant(rng, fields, size, **further)


def random_granite(rng):
    fields, size = random_sizes(rng)
    return random_variant(rng, fields, size, forms=[*TYPES, "new name"], attention_multiplier=rng.choice([0.2, 0.4, 1]) / (1 + size / 8),
                          embedding_multiplier=rng.choice([1.0, 12, 0.5]), residual_multiplier=rng.choice([1, 0.22, 1.5]),
                          logits_scaling=rng.choice([1, 3.0, 8]), **biases(rng, "attention_bias", "mlp_bias"))


LLAMA = {
    "plain": Variant(dict(TINY)),
    "biases": Variant(dict(TINY, attention_bias=True, mlp_bias=True, head_dim=6, tie_word_embeddings=True, hidden_act="gelu",
                           num_key_value_heads=4, vocab_size=60), dtype=torch.bfloat16),
    "headless": Variant(dict(TINY, num_key_value_heads=1, hidden_size=18, rms_norm_eps=1e-5), dtype=torch.float32, headless=True),
    "question-answering": Variant(dict(TINY), model=LlamaForQuestionAnswering),
    "deep": deep(),
    "rope-linear": rope({"type": "linear", "factor": 4.0}),
    "no-length": rope({"rope_type": "linear", "factor": 2.0}, max_position_embeddings=None),
    "rope-dynamic": rope({"rope_type": "dynamic", "factor": 2.0}, max_position_embeddings=16),
    "rope-llama3": rope({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                         "original_max_position_embeddings": 96}, rope_theta=1000.0),
    "rope-yarn": rope({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}),
    "rope-yarn-scales": rope({"rope_type": "yarn", "factor": 8, "mscale": 0.7, "mscale_all_dim": 1.3, "beta_fast": 4, "beta_slow": 1.5,
                              "truncate": False}),
    "rope-longrope": rope({"rope_type": "longrope", "short_factor": SHORT, "long_factor": LONG, "factor": 2.0},
                          original_max_position_embeddings=16),
    "rope-longrope-short": rope({"rope_type": "longrope", "short_factor": SHORT, "long_factor": LONG, "factor": 4.0,
                                 "original_max_position_embeddings": 8}),
    "rope-parameters": rope({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}, config=newer_spelling),
    "rope-parameters-longrope": rope({"rope_type": "longrope", "short_factor": SHORT, "long_factor": LONG}, config=newer_spelling,
                                     original_max_position_embeddings=16),
    "rope-type-wins": Variant(dict(ROPE), tokens=24,
                              edit=saying(rope_scaling={"type": "linear", "rope_type": "dynamic", "factor": 3.0})),
}

MISTRAL = {
    "window": Variant(dict(TINY, sliding_window=5), tokens=18),
    "no-window": Variant(dict(TINY, sliding_window=None, head_dim=8), dtype=torch.bfloat16),
    "layer-types": Variant(dict(TINY, sliding_window=4, head_dim=6, num_hidden_layers=3,
                                layer_types=["sliding_attention", "full_attention", "sliding_attention"]), tokens=16,
                           model=MinistralForCausalLM),
    "rope-type-wins": Variant(dict(ROPE, sliding_window=None), tokens=24, headless=True,
                              edit=saying(rope_scaling={"type": "dynamic", "rope_type": "linear", "factor": 3.0})),
}

MINISTRAL = {
    "layer-types": Variant(dict(TINY, sliding_window=5, head_dim=6, layer_types=["full_attention", "sliding_attention"]), tokens=16),
    "all-slide": Variant(dict(TINY, sliding_window=3, head_dim=6, tie_word_embeddings=True), edit=without("layer_types"), headless=True),
}

QWEN2 = {
    "plain": Variant(dict(TINY, use_sliding_window=False, sliding_window=3)),
    "window": Variant(dict(TINY, num_hidden_layers=3, use_sliding_window=True, sliding_window=4, max_window_layers=1,
                           tie_word_embeddings=True), tokens=16, edit=without("layer_types"), headless=True, dtype=torch.bfloat16),
    "layer-types": Variant(dict(TINY, use_sliding_window=True, sliding_window=4, head_dim=8,
                                layer_types=["sliding_attention", "full_attention"]), tokens=16),
}

QWEN3 = {
    "plain": Variant(dict(TINY, head_dim=8)),
    "window": Variant(dict(TINY, head_dim=6, attention_bias=True, use_sliding_window=True, sliding_window=4, max_window_layers=1,
                           tie_word_embeddings=True), tokens=16, headless=True, dtype=torch.float32),
    "deep": deep(head_dim=6),
}

OLMO2 = {
    "plain": Variant(dict(TINY)),
    "biases": Variant(dict(TINY, attention_bias=True, num_key_value_heads=1, tie_word_embeddings=True), dtype=torch.bfloat16, headless=True),
    "rope-dynamic": rope({"type": "dynamic", "factor": 2.0}, max_position_embeddings=16),
    "rope-parameters": rope({"type": "linear", "factor": 2.0}, config=newer_spelling),
}

SMOLLM3 = {
    "plain": Variant(dict(TINY, num_hidden_layers=5, intermediate_size=10, pad_token_id=0, sliding_window=3), tokens=10),
    "window": Variant(dict(TINY, num_hidden_layers=3, pad_token_id=0, use_sliding_window=True, sliding_window=4, no_rope_layers=[0, 1, 0],
                           attention_bias=True, mlp_bias=True, tie_word_embeddings=False), tokens=16, edit=without("layer_types")),
    "layer-types": Variant(dict(TINY, pad_token_id=0, use_sliding_window=False, sliding_window=4, no_rope_layer_interval=2,
                                layer_types=["sliding_attention", "full_attention"]), tokens=16, headless=True, dtype=torch.bfloat16),
}

GRANITE = {
    "plain": Variant(dict(TINY), score=0.8),
    "multipliers": Variant(dict(TINY, attention_multiplier=0.3, embedding_multiplier=12, residual_multiplier=0.22, logits_scaling=8,
                                attention_bias=True, mlp_bias=True, tie_word_embeddings=True)),
    "rope-type-wins": Variant(dict(ROPE, attention_multiplier=0.2), tokens=24, headless=True, dtype=torch.bfloat16,
                              edit=saying(rope_scaling={"type": "dynamic", "rope_type": "linear", "factor": 3.0})),
}

FAMILIES = [
    Family("llama", LlamaConfig, LlamaForCausalLM, LLAMA, random_llama, base=base),
    Family("mistral", MistralConfig, MistralForCausalLM, MISTRAL, random_mistral, base=base),
    Family("ministral", MinistralConfig, MinistralForCausalLM, MINISTRAL, random_ministral, base=base),
    Family("qwen2", Qwen2Config, Qwen2ForCausalLM, QWEN2, random_qwen2, base=base),
    Family("qwen3", Qwen3Config, Qwen3ForCausalLM, QWEN3, random_qwen3, base=base, adjust=sharper),
    Family("olmo2", Olmo2Config, Olmo2ForCausalLM, OLMO2, random_olmo2, base=base, adjust=sharper),
    Family("smollm3", SmolLM3Config, SmolLM3ForCausalLM, SMOLLM3, random_smollm3, base=base),
    Family("granite", GraniteConfig, GraniteForCausalLM, GRANITE, random_granite, base=base),
]
