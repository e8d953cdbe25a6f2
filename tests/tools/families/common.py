# SPDX-License-Identifier: GPL-3.0-or-later
"""What the family modules share: random weights with a real spread, saving, reference values, the file format.

A family module defines FAMILIES, a list of `Family`. A fixture is a folder tests/data/families/FAMILY/VARIANT with config.json,
model.safetensors and expected.safetensors: tensors `input_ids`, where given `token_types` and `decoder_input_ids` (int64), the maps
`attentions.L` or `encoder_attentions.L`, `decoder_attentions.L`, `cross_attentions.L` (float32 [heads, queries, keys]),
`last_hidden_state`, where there is an encoder `encoder_last_hidden_state`, where there is an output head `logits`; metadata
`bound`, `hidden_bound`, `logits_bound`: max(1e-5, 4 * largest |float32 - float64| of the reference) for each kind of value.
"""
import json
import math
import pathlib
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional

import numpy as np
import torch
from safetensors.torch import save_file

KINDS = ["attentions", "encoder_attentions", "decoder_attentions", "cross_attentions"]


@dataclass
class Variant:
    """One checkpoint: fields of the configuration, and how it is saved."""
    fields: Dict[str, Any]
    tokens: int = 14
    target_tokens: int = 9
    dtype: torch.dtype = torch.float16      # of the saved weights; computed in float32
    headless: bool = False                  # saved from the model below the output head: names without the base prefix
    pair: bool = False                      # token types 0 and 1
    score: float = 1.6                      # spread of query and key weights
    mixing: float = 1.0                     # spread of all other matrices
    config: Optional[Callable[[dict], dict]] = None      # rewrites config.json after the reference was computed (other spellings)
    edit: Optional[Callable[[dict], dict]] = None        # the same before, for what the reference reads too
    tensors: Optional[Callable[[dict], dict]] = None     # rewrites the saved tensors
    ids: Optional[Callable] = None          # (generator, vocabulary, count) -> ids
    model: Any = None                       # class that this one is saved and loaded with, if not the family's


@dataclass
class Family:
    name: str
    config: Any                             # configuration class
    model: Any                              # class that is saved and loaded again (with the output head where there is one)
    variants: Dict[str, Variant]
    random: Callable                        # (random.Random) -> Variant, for the live mode
    base: Optional[Callable] = None         # model -> the model below the output head
    adjust: Optional[Callable] = None       # (model, torch.Generator) -> None, after the spread
    run: Optional[Callable] = None          # (model, inputs) -> dict of arrays; default `outputs`
    reference: Dict[str, Any] = field(default_factory=dict)   # further arguments of from_pretrained
    plus_one: bool = False                  # norm weights are stored minus 1 (Gemma)


def spread(model, variant, seed, plus_one=False):
    """Gives every parameter a spread of its own; the library's own initialisation gives nearly flat maps."""
    generator = torch.Generator().manual_seed(seed)

    def normal(shape, deviation, mean=0.0):
        return torch.empty(shape).normal_(mean, deviation, generator=generator)

    for name, parameter in model.named_parameters():
        shape, lower = parameter.shape, name.lower()
        leaf = lower.rsplit(".", 1)[-1]
        is_norm = any(part in lower for part in ("norm", "ln_", "layernorm")) and parameter.dim() <= 2
        if is_norm and leaf == "weight":
            value = normal(shape, 0.3, 0.0 if plus_one else 1.0)
        elif parameter.dim() == 1 or leaf == "bias":
            value = normal(shape, 0.3)
        elif any(part in lower for part in ("embed", "wte", "wpe", "shared", "word_embedding")) and parameter.dim() == 2 and not any(
                part in lower for part in ("project", "_proj", "mapping")):
            value = normal(shape, 1.0 if "position" not in lower and "wpe" not in lower else 0.7)
        else:
            inputs = shape[-1] if parameter.dim() == 2 else int(np.prod(shape[1:]))
            query_or_key = any(part in lower for part in (
                "query", "key", ".q.", ".k.", "q_proj", "k_proj", "q_lin", "k_lin", "qkv", "c_attn", "q_attn", "wqkv", "in_proj",
                "rel_attn.q", "rel_attn.k"))
            value = normal(shape, (variant.score if query_or_key else variant.mixing) / math.sqrt(inputs))
        parameter.data.copy_(value)


class LargestScore:
    """Largest |score| that reaches a softmax while active (masked entries aside)."""

    def __enter__(self):
        self.value = 0.0
        self.softmax = torch.nn.functional.softmax

        def watched(values, *arguments, **named):
            finite = values[values > -1e20]
            if finite.numel():
                self.value = max(self.value, finite.abs().max().item())
            return self.softmax(values, *arguments, **named)

        torch.nn.functional.softmax = watched
        return self

    def __exit__(self, *_):
        torch.nn.functional.softmax = self.softmax


def random_ids(generator, vocabulary, count, lowest=3):
    return [generator.randrange(lowest, vocabulary) for _ in range(count)]


def make_inputs(family, variant, config, generator):
    vocabulary = getattr(config, "vocab_size", None) or (getattr(config, "encoder", None) or config.get_text_config()).vocab_size
    pick = variant.ids or random_ids
    inputs = {"input_ids": pick(generator, vocabulary, variant.tokens)}
    if variant.pair:
        cut = variant.tokens // 2
        inputs["token_type_ids"] = [0] * cut + [1] * (variant.tokens - cut)
    if getattr(config, "is_encoder_decoder", False):
        target = getattr(config, "decoder", config).vocab_size
        inputs["decoder_input_ids"] = pick(generator, target, variant.target_tokens)
    return inputs


def outputs(model, inputs, base=None, **further):
    """Maps by kind (lists over layers), hidden states and logits of one text. `further` goes to the model as it is."""
    arguments = {**{key: torch.tensor([value]) for key, value in inputs.items()}, **further}
    with torch.no_grad():
        result = model(**arguments, output_attentions=True, output_hidden_states=True)
        found = {}
        for kind in KINDS:
            layers = getattr(result, kind, None)
            if layers is not None and len(layers) and layers[0] is not None:
                found[kind] = [layer[0].numpy() for layer in layers]
        lower = base(model) if base else model
        if lower is not model:
            result_below = lower(**arguments)
            found["last_hidden_state"] = result_below.last_hidden_state[0].numpy()
        elif getattr(result, "last_hidden_state", None) is not None:
            found["last_hidden_state"] = result.last_hidden_state[0].numpy()
        else:
            states = getattr(result, "decoder_hidden_states", None) or result.hidden_states
            found["last_hidden_state"] = states[-1][0].numpy()
        if getattr(result, "encoder_last_hidden_state", None) is not None:
            found["encoder_last_hidden_state"] = result.encoder_last_hidden_state[0].numpy()
        for name in ("logits", "prediction_logits"):
            if getattr(result, name, None) is not None and "Classification" not in type(model).__name__:  # classes are no words
                found["logits"] = getattr(result, name)[0].numpy()
    return found


def bound_of(single, double):
    single = single if isinstance(single, list) else [single]
    double = double if isinstance(double, list) else [double]
    return max(1e-5, 4 * max(float(np.abs(a - b).max()) for a, b in zip(single, double)))


def readable_class(family, variant, model):
    """The class that a folder is read with: a headless save has no head unless it is tied to the words."""
    headless = variant.headless and family.base and not model.config.tie_word_embeddings
    return type(family.base(model)) if headless else type(model)


def load(family, kind, folder, dtype):
    return kind.from_pretrained(folder, attn_implementation="eager", dtype=dtype, **family.reference).to(dtype).eval()


def save_checkpoint(family, variant, folder, seed):
    """Builds the model, gives it a spread and saves it as the variant says."""
    config = family.config(**variant.fields)
    config._attn_implementation = "eager"
    torch.manual_seed(seed)
    model = (variant.model or family.model)(config).eval()
    spread(model, variant, seed, family.plus_one)
    if family.adjust:
        family.adjust(model, torch.Generator().manual_seed(seed + 1))
    model.to(variant.dtype)
    saved = family.base(model) if variant.headless and family.base else model
    folder.mkdir(parents=True, exist_ok=True)
    saved.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    if variant.edit:
        path = folder / "config.json"
        path.write_text(json.dumps(variant.edit(json.loads(path.read_text()))))
    return model


def rewrite(variant, folder):
    """Other spellings of the same checkpoint: after the reference was computed."""
    path = folder / "config.json"
    fields = json.loads(path.read_text())
    for key in ("transformers_version", "_name_or_path", "_attn_implementation_autoset"):
        fields.pop(key, None)
    if variant.config:
        fields = variant.config(fields)
    path.write_text(json.dumps(fields, indent=2, sort_keys=True) + "\n")
    if variant.tensors:
        from safetensors.torch import load_file
        save_file(variant.tensors(load_file(folder / "model.safetensors")), folder / "model.safetensors", metadata={"format": "pt"})
    for file in folder.iterdir():
        file.chmod(0o644)


def make(family, name, variant, folder, seed, generator):
    """Writes one fixture and says what it holds. Raises where the maps would prove nothing."""
    kind = readable_class(family, variant, save_checkpoint(family, variant, folder, seed))
    single, double = load(family, kind, folder, torch.float32), load(family, kind, folder, torch.float64)
    inputs = make_inputs(family, variant, single.config, generator)
    run = family.run or (lambda model, given: outputs(model, given, family.base))
    with LargestScore() as largest:
        found = run(single, inputs)
    exact = run(double, inputs)
    tensors, metadata = {}, {"family": family.name}
    for key, value in inputs.items():
        tensors[{"token_type_ids": "token_types"}.get(key, key)] = torch.tensor(value, dtype=torch.int64)
    kinds = [kind for kind in KINDS if kind in found]
    assert kinds, "no maps"
    for kind in kinds:
        for layer, weights in enumerate(found[kind]):
            assert np.isfinite(weights).all(), (kind, layer)
            tensors[f"{kind}.{layer}"] = torch.from_numpy(np.ascontiguousarray(weights, np.float32))
    metadata["bound"] = repr(max(bound_of(found[kind], exact[kind]) for kind in kinds))
    for key, bound in (("last_hidden_state", "hidden_bound"), ("encoder_last_hidden_state", "encoder_hidden_bound"),
                       ("logits", "logits_bound")):
        if key in found:
            tensors[key] = torch.from_numpy(np.ascontiguousarray(found[key], np.float32))
            metadata[bound] = repr(bound_of(found[key], exact[key]))
    last = [weights[:, -1] for kind in kinds for weights in found[kind]]  # the first rows of causal maps are sharp by themselves
    flat = np.mean([np.abs(row - row.mean(-1, keepdims=True)).max() for row in last])
    save_file(tensors, folder / "expected.safetensors", metadata=metadata)
    rewrite(variant, folder)
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{family.name}/{name}: {size / 1024:.0f} KiB, largest score {largest.value:.1f}, spread {flat:.2f}, "
          f"bound {float(metadata['bound']):.1e}, hidden {float(metadata.get('hidden_bound', 'nan')):.1e}", flush=True)
    assert largest.value < 50, "scores too large to be compared"
    assert flat > 0.1 or variant.tokens == 1, "maps too flat to prove anything"
    return size
