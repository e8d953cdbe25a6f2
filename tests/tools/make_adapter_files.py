#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/adapters: LoRA adapters of fixtures of tests/data/families, as PEFT saves them, and what the merged models give.

    python3 -m venv venv
    venv/bin/pip install torch==2.13.0 transformers==4.57.6 safetensors==0.8.0 numpy
    venv/bin/pip install --no-deps peft==0.21.2 accelerate
    venv/bin/python tests/tools/make_adapter_files.py

expected.safetensors has the form of those in tests/data/families (families/common.py).
"""
import json
import pathlib
import random

import numpy as np
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import AutoModel, AutoModelForCausalLM

from families import common

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"

CASES = {
    # Ranks and scales of single modules.
    "llama-patterns": ("llama/plain", AutoModelForCausalLM, True, dict(
        r=2, lora_alpha=6, target_modules=["q_proj", "k_proj", "v_proj", "down_proj"], rank_pattern={"v_proj": 3},
        alpha_pattern={"layers.1.self_attn.q_proj": 1.5})),
    # A file of torch.save, and the scale alpha / sqrt(r).
    "llama-root": ("llama/plain", AutoModelForCausalLM, False, dict(
        r=4, lora_alpha=2, use_rslora=True, target_modules="all-linear")),
    # Made with the class below the head: one name less in front.
    "llama-headless": ("llama/plain", AutoModel, True, dict(r=2, lora_alpha=4, target_modules=["q_proj", "up_proj"])),
    # Matrices that stand as [in, out].
    "gpt2": ("gpt2/plain", AutoModelForCausalLM, True, dict(
        r=3, lora_alpha=5, target_modules=["c_attn", "c_proj", "c_fc"], fan_in_fan_out=True)),
}


def run(model, inputs):
    return common.outputs(model, inputs, lambda whole: getattr(whole, "model", getattr(whole, "transformer", whole)))


def make(name, base, kind, safe, fields, seed):
    folder = DATA / "adapters" / name
    model = kind.from_pretrained(DATA / "families" / base, attn_implementation="eager", dtype=torch.float32).eval()
    adapted = get_peft_model(model, LoraConfig(**fields)).eval()
    generator = torch.Generator().manual_seed(seed)
    for key, value in adapted.named_parameters():
        if "lora_" in key:  # B starts at zero: nothing would be added
            value.data.normal_(0, 0.2, generator=generator)
    folder.mkdir(parents=True, exist_ok=True)
    adapted.save_pretrained(folder, safe_serialization=safe)
    (folder / "README.md").unlink(missing_ok=True)
    path = folder / "adapter_config.json"
    config = json.loads(path.read_text())
    config["base_model_name_or_path"] = f"fixtures/{base.split('/')[1]}"
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")

    merged = adapted.merge_and_unload()
    inputs = {"input_ids": common.random_ids(random.Random(seed), 40, 12)}
    single = run(merged, inputs)
    plain = run(kind.from_pretrained(DATA / "families" / base, attn_implementation="eager", dtype=torch.float32).eval(), inputs)
    double = run(merged.double(), inputs)
    tensors = {"input_ids": torch.tensor(inputs["input_ids"], dtype=torch.int64)}
    for layer, weights in enumerate(single["attentions"]):
        tensors[f"attentions.{layer}"] = torch.from_numpy(np.ascontiguousarray(weights))
    metadata = {"bound": repr(common.bound_of(single["attentions"], double["attentions"]))}
    for key, bound in (("last_hidden_state", "hidden_bound"), ("logits", "logits_bound")):
        if key in single:
            tensors[key] = torch.from_numpy(np.ascontiguousarray(single[key]))
            metadata[bound] = repr(common.bound_of(single[key], double[key]))
    change = max(np.abs(a - b).max() for a, b in zip(single["attentions"], plain["attentions"]))
    assert change > 0.05, "the adapter changes too little to prove anything"
    save_file(tensors, folder / "expected.safetensors", metadata=metadata)
    for file in folder.iterdir():
        file.chmod(0o644)
    print(f"{name}: the maps change by up to {change:.2f}, bounds {metadata}")


if __name__ == "__main__":
    for number, (name, case) in enumerate(CASES.items()):
        make(name, *case, seed=50 + number)
