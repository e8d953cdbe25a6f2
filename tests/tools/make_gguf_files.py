#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/gguf: fixtures of tests/data/families as GGUF files, and one tensor of every type.

    python3 -m venv venv
    venv/bin/pip install gguf==0.19.0 torch==2.13.0 safetensors==0.8.0 numpy
    venv/bin/python tests/tools/make_gguf_files.py

Names come from the gguf package's own map, keys and orders of rows are those that llama.cpp's converters write. Matrices
have the fixture's own type unless a case says otherwise; tensors of one dimension are F32, as the converters have them.
types.gguf holds random blocks of every quantised type and types.safetensors what gguf.quants makes of them;
llama-quantised.gguf is a model of five types, and llama-dequantised the folder of what gguf.quants makes of it.
"""
import json
import pathlib
import re

import gguf
import numpy as np
from safetensors.numpy import save_file
from safetensors.torch import load_file

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
FAMILIES = DATA / "families"
OUT = DATA / "gguf"
LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "num_decoder_layers")
ARCH = {name: arch for arch, name in gguf.MODEL_ARCH_NAMES.items()}


def pairs(weights, heads):
    """Llama's queries and keys: the halves of each head become pairs."""
    shape = weights.shape
    return weights.reshape(heads, 2, shape[0] // heads // 2, *shape[1:]).swapaxes(1, 2).reshape(shape)


def ungrouped(weights, heads, shared):
    """Queries, keys and values that stand together by key/value head: all queries, all keys, all values."""
    size = weights.shape[0] // (heads + 2 * shared)
    parts = weights.reshape(shared, heads // shared + 2, size, *weights.shape[1:])
    tail = weights.shape[1:]
    return np.concatenate([parts[:, :-2].reshape(-1, *tail), parts[:, -2].reshape(-1, *tail),
                           parts[:, -1].reshape(-1, *tail)])


class Case:
    """One fixture and the keys that its converter writes."""

    def __init__(self, arch, family, variant, numbers=None, layers=None, name=None):
        self.arch, self.family = arch, family
        folder = FAMILIES / family / variant
        self.config = json.loads((folder / "config.json").read_text())
        tensors = load_file(folder / "model.safetensors")
        own = str(max((tensor for tensor in tensors.values()), key=lambda tensor: tensor.numel()).dtype)
        kinds = gguf.GGMLQuantizationType
        self.numbers = numbers or {"torch.float16": kinds.F16, "torch.bfloat16": kinds.BF16}.get(own, kinds.F32)
        self.tensors = {name: tensor.float().numpy() for name, tensor in tensors.items()}
        if layers:  # fewer than the fixture has, to keep the file small
            self.config.update({field: layers for field in LAYERS if field in self.config})
            beyond = re.compile(r"(^|\.)(layers|h|block)\.(\d+)\.")
            self.tensors = {name: value for name, value in self.tensors.items()
                            if not beyond.search(name) or int(beyond.search(name).group(3)) < layers}
        self.name = name or f"{arch}-{variant}"
        self.keys, self.extra, self.typeCount = {}, {}, None

    def get(self, *names, default=None):
        for name in names:
            if self.config.get(name) is not None:
                return self.config[name]
        return default

    def heads(self):
        return self.get("num_attention_heads", "n_head")

    def shared(self):
        return self.get("num_key_value_heads", "num_kv_heads", default=self.heads())

    def usual_keys(self):
        keys = {
            "block_count": self.get("num_hidden_layers", "n_layer"),
            "context_length": self.get("max_position_embeddings", "n_positions", default=64),
            "embedding_length": self.get("hidden_size", "n_embd"),
            "feed_forward_length": self.get("intermediate_size", "n_inner", "ffn_hidden_size",
                                            default=4 * self.get("hidden_size", "n_embd")),
            "attention.head_count": self.heads(),
        }
        if self.get("num_key_value_heads") is not None:
            keys["attention.head_count_kv"] = self.shared()
        if self.get("head_dim") is not None:
            keys["attention.key_length"] = keys["attention.value_length"] = self.get("head_dim")
        if self.get("rope_theta") is not None:
            keys["rope.freq_base"] = float(self.get("rope_theta"))
        if self.get("rms_norm_eps") is not None:
            keys["attention.layer_norm_rms_epsilon"] = self.get("rms_norm_eps")
        epsilon = self.get("layer_norm_eps", "layer_norm_epsilon", "norm_epsilon")
        if epsilon is not None:
            keys["attention.layer_norm_epsilon"] = epsilon
        self.keys.update(keys)

    def rotary_keys(self):
        scaling = self.get("rope_scaling") or {}
        kind = scaling.get("rope_type", scaling.get("type"))
        if kind in ("linear", "yarn"):
            self.keys["rope.scaling.type"] = kind
            self.keys["rope.scaling.factor"] = float(scaling["factor"])
        if kind == "yarn":
            self.keys["rope.scaling.original_context_length"] = scaling["original_max_position_embeddings"]
        if kind == "llama3":
            self.extra["rope_freqs.weight"] = llama3_divisors(self.config, scaling)

    def write(self):
        (mixtral if self.family == "mixtral" else CONVERTERS[self.arch])(self)
        writer = gguf.GGUFWriter(OUT / f"{self.name}.gguf", self.arch)
        writer.add_type(gguf.GGUFType.MODEL)
        writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
        for key, value in self.keys.items():
            add = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32, str: writer.add_string,
                   list: writer.add_array}[type(value)]
            add(f"{self.arch}.{key}", value)
        if self.typeCount is not None:
            writer.add_token_type_count(self.typeCount)
        names = gguf.get_tensor_name_map(ARCH[self.arch], self.keys["block_count"])
        for name, value in self.tensors.items():
            stored = names.get_name(name, try_suffixes=(".weight", ".bias"))
            if stored is None:
                raise SystemExit(f"{self.name}: {name} has no name in GGUF")
            self.extra[stored] = value
        for name, value in self.extra.items():
            single = value.ndim == 1 or name.endswith(("_norm.weight", "ffn_gate_inp.weight"))
            kind = gguf.GGMLQuantizationType.F32 if single else self.numbers
            data = gguf.quants.quantize(np.ascontiguousarray(value, dtype=np.float32), kind)
            writer.add_tensor(name, data, raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def llama3_divisors(config, scaling):
    size = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    frequencies = 1.0 / (config["rope_theta"] ** (np.arange(0, size, 2, dtype=np.float32) / size))
    factor, low, high = scaling["factor"], scaling["low_freq_factor"], scaling["high_freq_factor"]
    original = scaling["original_max_position_embeddings"]
    divisors = []
    for frequency in frequencies:
        length = 2 * np.pi / frequency
        if length < original / high:
            divisors.append(1.0)
        elif length > original / low:
            divisors.append(factor)
        else:
            smooth = (original / length - low) / (high - low)
            divisors.append(1 / ((1 - smooth) / factor + smooth))
    return np.array(divisors, dtype=np.float32)


def change(case, endings, how):
    for name in list(case.tensors):
        if name.endswith(endings):
            case.tensors[name] = how(case.tensors[name])


def llama_like(case):
    case.usual_keys()
    case.rotary_keys()


def llama(case):
    llama_like(case)
    case.keys["vocab_size"] = case.get("vocab_size")
    case.keys["rope.dimension_count"] = case.get("head_dim", default=case.get("hidden_size") // case.heads())
    change(case, ("q_proj.weight", "q_proj.bias"), lambda w: pairs(w, case.heads()))
    change(case, ("k_proj.weight", "k_proj.bias"), lambda w: pairs(w, case.shared()))


def stack_experts(case, experts, parts):
    """The matrices of all experts in one tensor; `experts` is what stands before an expert's number."""
    for layer in range(case.get("num_hidden_layers")):
        for part in parts:
            names = [f"model.layers.{layer}.{experts}.{one}.{part}.weight"
                     for one in range(case.get("num_local_experts", "num_experts"))]
            stacked = np.stack([case.tensors.pop(name) for name in names])
            inside = f"feed_forward.experts.{part}" if part.startswith("w") else f"{experts}.{part}"
            case.tensors[("layers." if part.startswith("w") else "model.layers.") + f"{layer}.{inside}.weight"] = stacked


def expert_keys(case):
    case.keys["expert_count"] = case.get("num_local_experts", "num_experts")
    case.keys["expert_used_count"] = case.get("num_experts_per_tok")


def mixtral(case):
    expert_keys(case)
    llama(case)
    if case.name.endswith("-single"):  # as before April 2024
        own = {"w1": "gate", "w2": "down", "w3": "up"}
        for name in [name for name in case.tensors if ".experts." in name]:
            layer, expert, part = re.search(r"layers\.(\d+)\..*\.experts\.(\d+)\.(w\d)", name).groups()
            case.extra[f"blk.{layer}.ffn_{own[part]}.{expert}.weight"] = case.tensors.pop(name)
    else:
        stack_experts(case, "block_sparse_moe.experts", ("w1", "w2", "w3"))


def qwen_mixture(case):
    case.usual_keys()
    expert_keys(case)
    case.keys["expert_feed_forward_length"] = case.get("moe_intermediate_size")
    if case.get("shared_expert_intermediate_size") is not None:
        case.keys["expert_shared_feed_forward_length"] = case.get("shared_expert_intermediate_size")
    if case.arch == "qwen3moe":
        with_prefix(case, "model.")
    stack_experts(case, "mlp.experts", ("down_proj", "gate_proj", "up_proj"))
    change(case, ("shared_expert_gate.weight",), np.squeeze)


def t5(case):
    for name in ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight"):
        case.tensors.pop(name, None)
    case.keys.update({
        "context_length": case.get("n_positions", default=512),
        "embedding_length": case.get("d_model"),
        "feed_forward_length": case.get("d_ff"),
        "block_count": case.get("num_layers"),
        "attention.head_count": case.get("num_heads"),
        "attention.key_length": case.get("d_kv"),
        "attention.value_length": case.get("d_kv"),
        "attention.layer_norm_epsilon": case.get("layer_norm_epsilon"),
        "attention.relative_buckets_count": case.get("relative_attention_num_buckets"),
        "attention.layer_norm_rms_epsilon": case.get("layer_norm_epsilon"),
    })
    if case.arch == "t5":
        case.keys["decoder_block_count"] = case.get("num_decoder_layers")
        case.keys["decoder_start_token_id"] = case.get("decoder_start_token_id")


def gpt2(case):
    case.usual_keys()
    for name in [name for name in case.tensors if name.endswith((".attn.bias", ".attn.masked_bias"))]:
        del case.tensors[name]
    change(case, (".c_attn.weight", ".c_proj.weight", ".c_fc.weight"), np.transpose)


def gemma(case):
    llama_like(case)
    change(case, ("norm.weight",), lambda w: w + np.float32(1))
    if case.arch == "gemma2":
        case.keys["attn_logit_softcapping"] = case.get("attn_logit_softcapping")
        case.keys["attention.sliding_window"] = case.get("sliding_window")
    if case.arch == "gemma3":
        case.keys["attention.sliding_window"] = case.get("sliding_window")
        case.keys["attention.sliding_window_pattern"] = case.get("sliding_window_pattern")
        case.keys["rope.freq_base_swa"] = float(case.get("rope_local_base_freq"))
    if case.get("final_logit_softcapping") is not None:
        case.keys["final_logit_softcapping"] = case.get("final_logit_softcapping")


def partial_rotary(case, field, fallback=1.0):
    size = case.get("hidden_size") // case.heads()
    case.keys["rope.dimension_count"] = int(case.get(field, default=fallback) * size)


def phi2(case):
    case.usual_keys()
    partial_rotary(case, "partial_rotary_factor")


def phi3(case):
    case.usual_keys()
    partial_rotary(case, "partial_rotary_factor")
    original = case.get("original_max_position_embeddings")
    case.keys["rope.scaling.original_context_length"] = original
    case.keys["attention.sliding_window"] = case.get("sliding_window", default=0)
    scaling = case.get("rope_scaling")
    if scaling:
        ratio = case.get("max_position_embeddings") / original
        case.keys["rope.scaling.attn_factor"] = float(np.sqrt(1 + np.log(ratio) / np.log(original)) if ratio > 1 else 1.0)
        case.extra["rope_factors_long.weight"] = np.array(scaling["long_factor"], np.float32)
        case.extra["rope_factors_short.weight"] = np.array(scaling["short_factor"], np.float32)


def stablelm(case):
    case.usual_keys()
    partial_rotary(case, "partial_rotary_factor")
    case.keys["use_parallel_residual"] = case.get("use_parallel_residual")


def fused(case):
    change(case, ("query_key_value.weight", "query_key_value.bias"), lambda w: ungrouped(w, case.heads(), case.shared()))


def gptneox(case):
    case.usual_keys()
    case.keys["use_parallel_residual"] = case.get("use_parallel_residual")
    partial_rotary(case, "rotary_pct")
    fused(case)


def with_prefix(case, prefix):
    """Names of a model without a head, as they are inside one."""
    case.tensors = {name if name.startswith((prefix, "lm_head")) else prefix + name: value
                    for name, value in case.tensors.items()}


def falcon(case):
    with_prefix(case, "transformer.")
    if not case.get("new_decoder_architecture") and case.get("multi_query"):
        case.config["num_kv_heads"] = 1
    case.usual_keys()
    case.keys["attention.head_count_kv"] = case.shared()
    case.keys["tensor_data_layout"] = "jploski"
    case.keys["feed_forward_length"] = case.get("ffn_hidden_size", default=4 * case.get("hidden_size"))
    fused(case)


def bloom(case):
    case.tensors = {name.removeprefix("transformer."): value for name, value in case.tensors.items()}
    case.usual_keys()
    case.keys["attention.head_count_kv"] = case.heads()
    fused(case)


def granite(case):
    llama(case)
    for field, key in (("attention_multiplier", "attention.scale"), ("embedding_multiplier", "embedding_scale"),
                       ("residual_multiplier", "residual_scale"), ("logits_scaling", "logit_scale")):
        case.keys[key] = float(case.get(field))


def cohere(case):
    case.usual_keys()
    case.keys["logit_scale"] = case.get("logit_scale")
    case.tensors.pop("lm_head.weight", None)  # the architecture has the word table in its place
    case.keys["rope.scaling.type"] = "none"
    if case.arch == "cohere2":
        case.keys["attention.sliding_window"] = case.get("sliding_window")
        case.keys["attention.sliding_window_pattern"] = case.get("sliding_window_pattern")
        case.keys["vocab_size"] = case.get("vocab_size")
        case.keys["rope.dimension_count"] = case.get("head_dim")


def bert(case):
    case.usual_keys()
    case.keys["attention.causal"] = False
    case.keys["pooling_type"] = 1
    case.typeCount = case.get("type_vocab_size")
    case.tensors = {name.removeprefix("bert."): value for name, value in case.tensors.items()
                    if not name.startswith(("cls.", "pooler.", "bert.pooler."))}


CONVERTERS = {"llama": llama, "qwen2": llama_like, "qwen3": llama_like, "gpt2": gpt2, "gemma": gemma, "gemma2": gemma,
              "gemma3": gemma, "phi2": phi2, "phi3": phi3, "stablelm": stablelm, "starcoder2": llama_like, "olmo2": llama_like,
              "gptneox": gptneox, "falcon": falcon, "bloom": bloom, "granite": granite, "command-r": cohere,
              "cohere2": cohere, "bert": bert, "smollm3": llama, "qwen2moe": qwen_mixture, "qwen3moe": qwen_mixture,
              "t5": t5, "t5encoder": t5}

CASES = [
    Case("llama", "llama", "plain", gguf.GGMLQuantizationType.F32),
    Case("llama", "llama", "biases"),
    Case("llama", "llama", "rope-llama3"),
    Case("qwen2", "qwen2", "plain", layers=1),
    Case("qwen3", "qwen3", "plain", layers=1),
    Case("gpt2", "gpt2", "plain"),
    Case("gemma", "gemma", "plain"),
    Case("gemma2", "gemma2", "plain"),
    Case("gemma3", "gemma3_text", "plain"),
    Case("phi2", "phi", "plain", layers=1),
    Case("phi3", "phi3", "longrope-long", layers=1),
    Case("stablelm", "stablelm", "parallel", layers=1),
    Case("starcoder2", "starcoder2", "plain", layers=1),
    Case("olmo2", "olmo2", "plain", layers=1),
    Case("gptneox", "gpt_neox", "parallel", layers=1),
    Case("falcon", "falcon", "multi-query"),
    Case("falcon", "falcon", "new-two-norms"),
    Case("bloom", "bloom", "plain", layers=1),
    Case("granite", "granite", "multipliers"),
    Case("command-r", "cohere", "head-norms"),
    Case("cohere2", "cohere2", "pattern"),
    Case("bert", "bert", "plain"),
    Case("smollm3", "smollm3", "plain"),
    Case("llama", "mixtral", "plain", name="llama-mixtral"),
    Case("llama", "mixtral", "plain", name="llama-mixtral-single"),
    Case("qwen2moe", "qwen2_moe", "plain"),
    Case("qwen3moe", "qwen3_moe", "normalised", layers=1),
    Case("t5", "t5", "plain", layers=2),
    Case("t5", "t5", "gated-gelu", layers=1),
    Case("t5", "umt5", "plain", layers=2, name="t5-umt5"),
    Case("t5encoder", "t5", "encoder-alone"),
]

QUANTISED = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"]
# Where in a block its half-precision scales stand.
SCALES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
          "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208]}


def write_types():
    """Two rows of one block of each type, with random bytes but for the scales."""
    random = np.random.default_rng(11)
    writer = gguf.GGUFWriter(OUT / "types.gguf", "none")
    expected = {}
    for name in QUANTISED:
        kind = gguf.GGMLQuantizationType[name]
        elements, size = gguf.GGML_QUANT_SIZES[kind]
        blocks = random.integers(0, 256, (2, size), dtype=np.uint8)
        for place in SCALES[name]:
            scale = random.uniform(-0.1, 0.1, 2).astype(np.float16)
            scale[0] = np.float16(3e-7)  # subnormal
            blocks[:, place:place + 2] = scale.view(np.uint8).reshape(2, 2)
        writer.add_tensor(name, blocks, raw_dtype=kind)
        expected[name] = gguf.quants.dequantize(blocks, kind).astype(np.float32).reshape(2, elements)
    plain = random.normal(size=(3, 5)).astype(np.float32)
    writer.add_tensor("F32", plain)
    writer.add_tensor("F16", plain.astype(np.float16))
    brain = gguf.quants.quantize(plain, gguf.GGMLQuantizationType.BF16)
    writer.add_tensor("BF16", brain, raw_dtype=gguf.GGMLQuantizationType.BF16)
    expected["F32"] = plain
    expected["F16"] = plain.astype(np.float16).astype(np.float32)
    expected["BF16"] = gguf.quants.dequantize(brain, gguf.GGMLQuantizationType.BF16)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    save_file(expected, OUT / "types.safetensors")


def write_quantised():
    """A Llama whose matrices are quantised, and the folder of what gguf.quants makes of them."""
    random = np.random.default_rng(12)
    hidden, inner, heads, shared, vocabulary = 32, 64, 4, 2, 40
    config = {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": hidden,
        "intermediate_size": inner, "num_attention_heads": heads, "num_key_value_heads": shared,
        "num_hidden_layers": 1, "max_position_embeddings": 64, "rms_norm_eps": 1e-6, "rope_theta": 10000.0,
        "vocab_size": vocabulary, "tie_word_embeddings": False,
    }
    kv = hidden // heads * shared
    # name: name in GGUF, shape, type, heads whose rows are pairs there
    matrices = {
        "model.embed_tokens": ("token_embd", (vocabulary, hidden), "Q8_0", 0),
        "lm_head": ("output", (vocabulary, hidden), "Q8_0", 0),
        "model.layers.0.self_attn.q_proj": ("blk.0.attn_q", (hidden, hidden), "Q4_0", heads),
        "model.layers.0.self_attn.k_proj": ("blk.0.attn_k", (kv, hidden), "Q4_1", shared),
        "model.layers.0.self_attn.v_proj": ("blk.0.attn_v", (kv, hidden), "Q5_0", 0),
        "model.layers.0.self_attn.o_proj": ("blk.0.attn_output", (hidden, hidden), "Q5_1", 0),
        "model.layers.0.mlp.gate_proj": ("blk.0.ffn_gate", (inner, hidden), "Q4_0", 0),
        "model.layers.0.mlp.up_proj": ("blk.0.ffn_up", (inner, hidden), "Q4_0", 0),
        "model.layers.0.mlp.down_proj": ("blk.0.ffn_down", (hidden, inner), "Q8_0", 0),
    }
    norms = {"model.norm": "output_norm", "model.layers.0.input_layernorm": "blk.0.attn_norm",
             "model.layers.0.post_attention_layernorm": "blk.0.ffn_norm"}
    writer = gguf.GGUFWriter(OUT / "llama-quantised.gguf", "llama")
    writer.add_type(gguf.GGUFType.MODEL)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(hidden)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(shared)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_vocab_size(vocabulary)
    expected = {}
    for name, (stored, shape, kind, own) in matrices.items():
        kind = gguf.GGMLQuantizationType[kind]
        values = random.normal(scale=0.4, size=shape).astype(np.float32)
        blocks = gguf.quants.quantize(np.ascontiguousarray(pairs(values, own) if own else values), kind)
        writer.add_tensor(stored + ".weight", blocks, raw_dtype=kind)
        values = gguf.quants.dequantize(gguf.quants.quantize(values, kind), kind).astype(np.float32)
        expected[name + ".weight"] = np.ascontiguousarray(values.reshape(shape))
    for name, stored in norms.items():
        values = random.uniform(0.5, 1.5, hidden).astype(np.float32)
        writer.add_tensor(stored + ".weight", values)
        expected[name + ".weight"] = values
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    folder = OUT / "llama-dequantised"
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    save_file(expected, folder / "model.safetensors")


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    for case in CASES:
        case.write()
    write_types()
    write_quantised()
