# SPDX-License-Identifier: GPL-3.0-or-later
"""Families that change more of Llama than a switch: Phi, StableLM, StarCoder2, Cohere, the mixtures of experts, gpt-oss."""
import torch
from transformers import (Cohere2Config, Cohere2ForCausalLM, CohereConfig, CohereForCausalLM, GptOssConfig, GptOssForCausalLM, MixtralConfig,
                          MixtralForCausalLM, Phi3Config, Phi3ForCausalLM, PhiConfig, PhiForCausalLM, Qwen2MoeConfig, Qwen2MoeForCausalLM,
                          Qwen3MoeConfig, Qwen3MoeForCausalLM, StableLmConfig, StableLmForCausalLM, Starcoder2Config,
                          Starcoder2ForCausalLM)
from transformers.models.stablelm.modeling_stablelm import StableLmPreTrainedModel

from families.common import Family, Variant
from families.llama import base, biases, deep, random_sizes, random_types, random_variant, sharper, without
from families.rotary import TYPES

# It cannot initialise LayerNorms without bias; all weights are replaced anyhow.
StableLmPreTrainedModel._init_weights = lambda self, module: None

TINY = dict(vocab_size=44, hidden_size=24, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=24,
            max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2)
PARTIAL = dict(TINY, hidden_size=32, num_attention_heads=2, num_key_value_heads=1)
EXPERTS = dict(TINY, hidden_size=16, num_attention_heads=2, num_key_value_heads=1, intermediate_size=12)
ALL_HEADS = dict(TINY, num_key_value_heads=4)


def phi3_scaling(size, longest):
    return {"type": "longrope", "short_factor": [1.0 + 0.1 * i for i in range(size // 2)],
            "long_factor": [1.0 + longest * i for i in range(size // 2)]}


def partial_sizes(rng, factors, odd=False):
    """Sizes whose rotated part is even (or, with `odd`, leaves a number to make it so) and at least 2."""
    while True:
        fields, size = random_sizes(rng)
        factor = rng.choice(factors)
        turned = int(size * factor)
        if "head_dim" not in fields and turned >= 2 and (turned % 2 == 0 or (odd and turned < size)):
            return dict(fields, partial_rotary_factor=factor), turned


def epsilon(fields, name):
    return dict({key: value for key, value in fields.items() if key != "rms_norm_eps"}, **{name: fields["rms_norm_eps"]})


def random_phi(rng):
    fields, turned = partial_sizes(rng, [0.5, 0.4, 1.0, 0.25])
    return random_variant(rng, epsilon(fields, "layer_norm_eps"), turned, **biases(rng, "qk_layernorm"))


def random_phi3(rng):
    fields, turned = partial_sizes(rng, [1.0, 0.5, 0.75, 0.6], odd=True)
    variant = random_variant(rng, fields, turned, forms=["default"], sliding_window=rng.choice([None, 3, 7, 20]), pad_token_id=0)
    if turned % 2 == 0 and rng.random() < 0.6:
        original = rng.choice([8, 16, 40])
        variant.fields.update(rope_scaling=phi3_scaling(turned, rng.choice([0.5, 2.0])), original_max_position_embeddings=original,
                              max_position_embeddings=rng.choice([original, 2 * original, 4 * original]))
        variant.config = None
    return variant


def random_stablelm(rng):
    fields, turned = partial_sizes(rng, [0.5, 0.25, 1.0])
    return random_variant(rng, epsilon(fields, "layer_norm_eps"), turned,
                          **biases(rng, "use_qkv_bias", "qk_layernorm", "use_parallel_residual"))


def random_starcoder2(rng):
    fields, size = random_sizes(rng)
    return random_variant(rng, epsilon(fields, "norm_epsilon"), size, sliding_window=rng.choice([None, 1, 3, 7, 20]), **biases(rng, "use_bias"))


def random_cohere(rng):
    fields, size = random_sizes(rng)
    return random_variant(rng, epsilon(fields, "layer_norm_eps"), size, forms=TYPES + ["new name"], logit_scale=rng.choice([0.0625, 1.5]), pad_token_id=0,
                          **biases(rng, "attention_bias", "use_qk_norm"))


def random_cohere2(rng):
    fields, size = random_sizes(rng)
    fields.pop("head_dim", None)
    fields["hidden_size"] = size * fields["num_attention_heads"]
    layers = dict(layer_types=random_types(rng, fields["num_hidden_layers"])) if rng.random() < 0.5 else dict(
        sliding_window_pattern=rng.choice([1, 2, 4]))
    return random_variant(rng, epsilon(fields, "layer_norm_eps"), size, forms=TYPES + ["new name"], pad_token_id=0,
                          sliding_window=rng.choice([1, 3, 7, 20]), **biases(rng, "attention_bias"), **layers)


def random_experts(rng):
    experts = rng.choice([1, 2, 3, 5])
    return experts, rng.randint(1, experts)


def random_mixtral(rng):
    fields, size = random_sizes(rng)
    experts, chosen = random_experts(rng)
    forms = None if "head_dim" in fields else ["default", "linear", "llama3"]
    return random_variant(rng, fields, size, forms=forms, num_local_experts=experts, num_experts_per_tok=chosen,
                          sliding_window=rng.choice([None, 3, 7, 20]))


def sparse_layers(rng, layers):
    return dict(decoder_sparse_step=rng.choice([1, 2]), mlp_only_layers=rng.choice([[], [0], [layers - 1]]),
                norm_topk_prob=rng.random() < 0.5, moe_intermediate_size=rng.choice([8, 13]))


def random_qwen2_moe(rng):
    fields, size = random_sizes(rng)
    fields.pop("head_dim", None)
    fields["hidden_size"] = size * fields["num_attention_heads"]
    experts, chosen = random_experts(rng)
    return random_variant(rng, fields, size, num_experts=experts, num_experts_per_tok=chosen, use_sliding_window=rng.random() < 0.5,
                          sliding_window=rng.choice([1, 3, 7, 20]), shared_expert_intermediate_size=rng.choice([8, 11]),
                          **biases(rng, "qkv_bias"), **sparse_layers(rng, fields["num_hidden_layers"]))


def random_qwen3_moe(rng):
    fields, size = random_sizes(rng)
    experts, chosen = random_experts(rng)
    return random_variant(rng, fields, size, num_experts=experts, num_experts_per_tok=chosen, use_sliding_window=rng.random() < 0.5,
                          sliding_window=rng.choice([1, 3, 7, 20]), **biases(rng, "attention_bias"),
                          **sparse_layers(rng, fields["num_hidden_layers"]))


def random_gpt_oss(rng):
    fields, size = random_sizes(rng)
    fields["head_dim"] = size
    experts, chosen = random_experts(rng)
    further = dict(num_local_experts=experts, num_experts_per_tok=chosen, sliding_window=rng.choice([1, 3, 7, 20]), rope_scaling=None,
                   attention_bias=rng.random() < 0.7)
    if rng.random() < 0.5:
        further["layer_types"] = random_types(rng, fields["num_hidden_layers"])
    return random_variant(rng, fields, size, **further)


def wide_sinks(model, generator):
    for name, parameter in model.named_parameters():
        if name.endswith("sinks"):
            parameter.data.normal_(0.5, 1.5, generator=generator)


PHI = {
    "plain": Variant(dict(PARTIAL, num_key_value_heads=2)),
    "head-norms": Variant(dict(PARTIAL, qk_layernorm=True), headless=True, dtype=torch.bfloat16),
    "tied": Variant(dict(PARTIAL, tie_word_embeddings=True, hidden_act="silu", rope_scaling={"type": "linear", "factor": 2.0})),
    "deep": deep(partial_rotary_factor=1.0),
}
PHI3 = {
    "plain": Variant(dict(TINY, num_key_value_heads=4)),
    "window": Variant(dict(TINY, sliding_window=4), headless=True),
    "longrope-short": Variant(dict(PARTIAL, rope_scaling=phi3_scaling(16, 2.0), original_max_position_embeddings=16), tokens=16),
    "longrope-long": Variant(dict(PARTIAL, rope_scaling=phi3_scaling(16, 2.0), original_max_position_embeddings=16), tokens=17),
    "longrope-su": Variant(dict(PARTIAL, rope_scaling=phi3_scaling(16, 2.0), original_max_position_embeddings=16), tokens=17,
                           config=lambda fields: {**fields, "rope_scaling": {**fields["rope_scaling"], "type": "su"}}),
    "partial": Variant(dict(PARTIAL, partial_rotary_factor=0.5, tie_word_embeddings=True)),
    "odd-part": Variant(dict(PARTIAL, partial_rotary_factor=0.7), tokens=20),
}
STABLELM = {
    "plain": Variant(dict(PARTIAL)),
    "parallel": Variant(dict(PARTIAL, use_parallel_residual=True, use_qkv_bias=True), headless=True),
    "head-norms": Variant(dict(PARTIAL, qk_layernorm=True, num_key_value_heads=2, tie_word_embeddings=True), dtype=torch.float32),
}
STARCODER2 = {
    "plain": Variant(dict(TINY)),
    "no-bias": Variant(dict(TINY, use_bias=False, hidden_act="gelu", tie_word_embeddings=False)),
    "window": Variant(dict(TINY, sliding_window=4), headless=True),
}
COHERE = {
    "plain": Variant(dict(ALL_HEADS)),
    "head-norms": Variant(dict(TINY, use_qk_norm=True, attention_bias=True, tie_word_embeddings=False)),
    "deep": deep(pad_token_id=0),
}
COHERE2 = {
    "plain": Variant(dict(TINY, num_hidden_layers=4, sliding_window=4)),
    "layer-types": Variant(dict(TINY, sliding_window=5, layer_types=["full_attention", "sliding_attention"], attention_bias=True), headless=True),
    "pattern": Variant(dict(TINY, sliding_window=5, sliding_window_pattern=2), dtype=torch.bfloat16),
}
MIXTRAL = {
    "plain": Variant(dict(EXPERTS, num_local_experts=4, num_experts_per_tok=2)),
    "window": Variant(dict(EXPERTS, num_local_experts=3, num_experts_per_tok=1, sliding_window=4), headless=True),
    "deep": Variant(dict(EXPERTS, num_hidden_layers=16, hidden_size=8, num_local_experts=2, num_experts_per_tok=2, intermediate_size=8), tokens=8),
}
QWEN2_MOE = {
    "plain": Variant(dict(EXPERTS, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=8, shared_expert_intermediate_size=12)),
    "normalised": Variant(dict(EXPERTS, num_experts=3, num_experts_per_tok=2, moe_intermediate_size=8, shared_expert_intermediate_size=8,
                               norm_topk_prob=True, qkv_bias=False, use_sliding_window=True, sliding_window=4)),
    "dense-layers": Variant(dict(EXPERTS, num_hidden_layers=3, num_experts=3, num_experts_per_tok=2, moe_intermediate_size=8,
                                 shared_expert_intermediate_size=8, mlp_only_layers=[0], decoder_sparse_step=1)),
    "sparse-step": Variant(dict(EXPERTS, num_experts=3, num_experts_per_tok=3, moe_intermediate_size=8, shared_expert_intermediate_size=8,
                                decoder_sparse_step=2)),
}
QWEN3_MOE = {
    "plain": Variant(dict(EXPERTS, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=8), score=2.5),
    "normalised": Variant(dict(EXPERTS, num_experts=3, num_experts_per_tok=2, moe_intermediate_size=8, norm_topk_prob=True, head_dim=6,
                               attention_bias=True, use_sliding_window=True, sliding_window=4, mlp_only_layers=[1]), headless=True),
}
GPT_OSS = {
    "plain": Variant(dict(EXPERTS, head_dim=8, num_local_experts=4, num_experts_per_tok=2, sliding_window=4, rope_scaling=None)),
    "usual-scaling": Variant(dict(EXPERTS, head_dim=16, num_local_experts=3, num_experts_per_tok=2, sliding_window=4), tokens=20,
                             config=without("rope_scaling")),
    "layer-types": Variant(dict(EXPERTS, head_dim=8, num_local_experts=2, num_experts_per_tok=1, sliding_window=3, rope_scaling=None,
                                layer_types=["full_attention", "sliding_attention"]), headless=True, dtype=torch.bfloat16),
    "no-biases": Variant(dict(EXPERTS, head_dim=8, num_local_experts=2, num_experts_per_tok=1, sliding_window=4, rope_scaling=None,
                              attention_bias=False)),
    "deep": Variant(dict(EXPERTS, num_hidden_layers=16, hidden_size=8, head_dim=6, num_local_experts=2, num_experts_per_tok=1,
                         intermediate_size=6, sliding_window=4, rope_scaling=None), tokens=8),
}

FAMILIES = [
    Family("phi", PhiConfig, PhiForCausalLM, PHI, random_phi, base),
    Family("phi3", Phi3Config, Phi3ForCausalLM, PHI3, random_phi3, base),
    Family("stablelm", StableLmConfig, StableLmForCausalLM, STABLELM, random_stablelm, base),
    Family("starcoder2", Starcoder2Config, Starcoder2ForCausalLM, STARCODER2, random_starcoder2, base),
    Family("cohere", CohereConfig, CohereForCausalLM, COHERE, random_cohere, base),
    Family("cohere2", Cohere2Config, Cohere2ForCausalLM, COHERE2, random_cohere2, base),
    Family("mixtral", MixtralConfig, MixtralForCausalLM, MIXTRAL, random_mixtral, base),
    Family("qwen2_moe", Qwen2MoeConfig, Qwen2MoeForCausalLM, QWEN2_MOE, random_qwen2_moe, base),
    Family("qwen3_moe", Qwen3MoeConfig, Qwen3MoeForCausalLM, QWEN3_MOE, random_qwen3_moe, base, sharper),
    Family("gpt_oss", GptOssConfig, GptOssForCausalLM, GPT_OSS, random_gpt_oss, base, wide_sinks),
]
