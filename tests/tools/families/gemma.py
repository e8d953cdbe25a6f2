# SPDX-License-Identifier: GPL-3.0-or-later
"""The generations of Gemma."""
import torch
from transformers import (Gemma2Config, Gemma2ForCausalLM, Gemma3Config, Gemma3ForCausalLM, Gemma3ForConditionalGeneration,
                          Gemma3TextConfig, Gemma3TextModel, GemmaConfig, GemmaForCausalLM)

from families.common import Family, Variant
from families.llama import base, biases, random_sizes, random_types, random_variant, saying, without
from families.rotary import TYPES, random_rope

TINY = dict(vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=20,
            max_position_embeddings=64, head_dim=8)
CAPPED = dict(TINY, query_pre_attn_scalar=5, sliding_window=5)
LINEAR = {"rope_type": "linear", "factor": 3.0}
VISION = dict(hidden_size=4, intermediate_size=4, num_hidden_layers=1, num_attention_heads=1, image_size=8, patch_size=4)


def sharper(model, generator):
    """Queries and keys that were normalised give flat maps unless their norms (stored minus 1) are large."""
    for name, parameter in model.named_parameters():
        if "q_norm" in name or "k_norm" in name:
            parameter.data.add_(1.0)


def layer_sets(fields):
    """The spelling of transformers 5: a set of rotary parameters for each kind of layer."""
    scaling = fields.pop("rope_scaling", None) or {"rope_type": "default"}
    scaling.setdefault("rope_type", scaling.get("type"))
    full = dict(scaling, rope_theta=fields.pop("rope_theta"))
    sliding = {"rope_type": "default", "rope_theta": fields.pop("rope_local_base_freq")}
    original = fields.pop("original_max_position_embeddings", None)
    if original is not None:
        full["original_max_position_embeddings"] = original
    return {**fields, "rope_parameters": {"full_attention": full, "sliding_attention": sliding}}


def renamed(old, new):
    return lambda tensors: {new + name[len(old):] if name.startswith(old) else name: tensor for name, tensor in tensors.items()}


def nested(**text):
    return dict(text_config=dict(CAPPED, **text), vision_config=VISION, mm_tokens_per_image=4, image_token_index=39)


def random_gemma_fields(rng):
    fields, size = random_sizes(rng)
    fields.setdefault("head_dim", size)
    return fields, size


def random_gemma(rng):
    fields, size = random_gemma_fields(rng)
    return random_variant(rng, fields, size, **biases(rng, "attention_bias"))


def second_draws(rng, fields, size):
    return dict(query_pre_attn_scalar=rng.choice([size, 2 * size, 7.5]), sliding_window=rng.choice([1, 3, 7, 20]),
                hidden_activation=rng.choice(["gelu_pytorch_tanh", "silu", "gelu"]), **biases(rng, "attention_bias"))


def random_gemma2(rng):
    fields, size = random_gemma_fields(rng)
    further = second_draws(rng, fields, size)
    further.update(attn_logit_softcapping=rng.choice([None, 3.0, 50]), final_logit_softcapping=rng.choice([None, 2, 30.0]))
    if rng.random() < 0.4:
        further["layer_types"] = random_types(rng, fields["num_hidden_layers"])
    return random_variant(rng, fields, size, **further)


def random_gemma3_text(rng):
    fields, size = random_gemma_fields(rng)
    further = second_draws(rng, fields, size)
    further.update(use_bidirectional_attention=rng.random() < 0.3, final_logit_softcapping=rng.choice([None, 2.0]),
                   attn_logit_softcapping=rng.choice([None, 3.0]), rope_local_base_freq=rng.choice([50.0, 10000.0]))
    if rng.random() < 0.4:
        further["layer_types"] = random_types(rng, fields["num_hidden_layers"])
    else:
        further["sliding_window_pattern"] = rng.choice([1, 2, 3])
    variant = random_variant(rng, fields, size, **further)
    if variant.headless:
        variant.model = Gemma3TextModel
    rotary, _ = random_rope(rng, size, [*TYPES, "new name"])
    for name in ("rope_scaling", "original_max_position_embeddings"):
        variant.fields.pop(name, None)
    variant.fields.update(rotary)
    variant.config = layer_sets if rng.random() < 0.3 else None
    return variant


def random_gemma3(rng):
    variant = random_gemma3_text(rng)
    text = dict(variant.fields, use_bidirectional_attention=False)
    variant.fields = dict(nested(), text_config=text)
    variant.model, variant.headless = None, False
    if variant.config:
        variant.config = lambda fields: {**fields, "text_config": layer_sets(fields["text_config"])}
    variant.tensors = renamed("model.language_model.", rng.choice(["model.language_model.", "language_model.model."]))
    return variant


GEMMA = {
    "plain": Variant(dict(TINY)),
    "erf": Variant(dict(TINY, hidden_act="gelu", hidden_activation="gelu_pytorch_tanh", attention_bias=True, num_key_value_heads=1,
                        tie_word_embeddings=False, rope_scaling=LINEAR), dtype=torch.bfloat16),
    "headless": Variant(dict(TINY), headless=True, dtype=torch.float32),
    "deep": Variant(dict(TINY, hidden_size=8, num_hidden_layers=16, num_attention_heads=2, num_key_value_heads=1, intermediate_size=10,
                         head_dim=6), tokens=7),
}

GEMMA2 = {
    "plain": Variant(dict(CAPPED, attn_logit_softcapping=3.0, final_logit_softcapping=2.0), tokens=16, edit=without("layer_types")),
    "uncapped": Variant(dict(CAPPED, attn_logit_softcapping=None, final_logit_softcapping=None, attention_bias=True,
                             hidden_activation="silu", tie_word_embeddings=False), dtype=torch.bfloat16),
    "layer-types": Variant(dict(CAPPED, layer_types=["full_attention", "sliding_attention"], rope_scaling=LINEAR), tokens=16,
                           headless=True),
}

GEMMA3_TEXT = {
    "plain": Variant(dict(CAPPED, num_hidden_layers=3, attn_logit_softcapping=2.0, final_logit_softcapping=2.0, rope_theta=50.0,
                          sliding_window_pattern=2), tokens=16, edit=lambda fields: {**without("layer_types")(fields),
                                                                                    "sliding_window_pattern": 2}),
    "bidirectional": Variant(dict(CAPPED, use_bidirectional_attention=True, sliding_window=9,
                                  layer_types=["sliding_attention", "full_attention"]), tokens=16, headless=True, model=Gemma3TextModel,
                             dtype=torch.float32),
    "rope-linear": Variant(dict(CAPPED, layer_types=["full_attention", "sliding_attention"], rope_theta=100.0, rope_scaling=LINEAR,
                                rope_local_base_freq=30.0, attention_bias=True, tie_word_embeddings=False), tokens=20,
                           dtype=torch.bfloat16),
    "rope-parameters": Variant(dict(CAPPED, layer_types=["full_attention", "sliding_attention"], rope_theta=100.0, rope_scaling=LINEAR,
                                    rope_local_base_freq=30.0), tokens=20, config=layer_sets),
}

GEMMA3 = {
    "plain": Variant(nested(layer_types=["full_attention", "sliding_attention"], final_logit_softcapping=2.0), tokens=16),
    "older-names": Variant(nested(tie_word_embeddings=False, sliding_window_pattern=2), tokens=16,
                           tensors=lambda tensors: renamed("model.language_model.", "language_model.model.")(
                               renamed("lm_head.", "language_model.lm_head.")(tensors))),
}

FAMILIES = [
    Family("gemma", GemmaConfig, GemmaForCausalLM, GEMMA, random_gemma, base=base, plus_one=True),
    Family("gemma2", Gemma2Config, Gemma2ForCausalLM, GEMMA2, random_gemma2, base=base, plus_one=True),
    Family("gemma3_text", Gemma3TextConfig, Gemma3ForCausalLM, GEMMA3_TEXT, random_gemma3_text, base=base, adjust=sharper, plus_one=True),
    Family("gemma3", Gemma3Config, Gemma3ForConditionalGeneration, GEMMA3, random_gemma3, base=base, adjust=sharper, plus_one=True),
]
