#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the seeds of tests/fuzz for the weights and the configuration: small good files in every form, and typical bad ones.

    python3 -m venv venv
    venv/bin/pip install torch==2.13.0 safetensors==0.8.0 numpy
    venv/bin/python tests/tools/make_fuzz_seeds.py

Names of seeds written here start with "made_"; the others were found by fuzzing and are kept because they reach code of their
own or once broke something.
"""
import io
import json
import pathlib
import zipfile
from collections import OrderedDict

import torch
from safetensors.torch import save

SEEDS = pathlib.Path(__file__).resolve().parents[1] / "fuzz" / "seeds"


def write(target, name, content):
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"made_{name}").write_bytes(content if isinstance(content, bytes) else content.encode())


def saved(value, **options):
    out = io.BytesIO()
    torch.save(value, out, **options)
    return out.getvalue()


def rezipped(data, compression, zip64=False):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", compression) as new:
        for info in old.infolist():
            entry = zipfile.ZipInfo(info.filename, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = compression
            with new.open(entry, "w", force_zip64=zip64) as part:
                part.write(old.read(info))
    return out.getvalue()


def pickle_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(next(n for n in archive.namelist() if n.endswith("data.pkl")))


def weights():
    matrix = torch.arange(6.0).reshape(2, 3)
    states = {
        "plain": OrderedDict(w=matrix, b=torch.ones(2, dtype=torch.bfloat16)),
        "views": {"t": matrix.t(), "columns": matrix[:, 1:], "tied": matrix, "expanded": torch.ones(1).expand(4),
                  "scalar": torch.tensor(1.0), "empty": torch.empty(0, 2)},
        "types": {str(t)[6:]: torch.ones(1, dtype=t) for t in (torch.float64, torch.float16, torch.int64, torch.int32,
                                                               torch.int16, torch.int8, torch.uint8, torch.bool)},
        "parameters": {"w": torch.nn.Parameter(torch.ones(2))},
        "wrapped": {"state_dict": OrderedDict(w=matrix), "epoch": 3, "rate": 0.5, "seed": 2 ** 80, "type": torch.float16,
                    "size": torch.Size([1, 2]), "list": [1, None, True]},
        "module": torch.nn.Linear(1, 1),
    }
    for name, state in states.items():
        zipped = saved(state)
        write("pickle", name, pickle_of(zipped))
        write("pickle", f"{name}_4", pickle_of(saved(state, pickle_protocol=4)))
        if name in ("plain", "views", "wrapped"):
            write("pytorch_file", f"{name}_zip", rezipped(zipped, zipfile.ZIP_STORED))
            write("pytorch_file", f"{name}_legacy", saved(state, _use_new_zipfile_serialization=False))
    plain = saved(states["plain"])
    write("pytorch_file", "torch", plain)
    write("pytorch_file", "deflated", rezipped(plain, zipfile.ZIP_DEFLATED))
    write("pytorch_file", "zip64", rezipped(plain, zipfile.ZIP_STORED, True))
    write("pytorch_file", "lfs", "version https://git-lfs.github.com/spec/v1\nsize 9\n")

    write("safetensors", "plain", save({"w": matrix, "b": torch.ones(2, dtype=torch.bfloat16)}, {"format": "pt"}))
    write("safetensors", "types", save(states["types"]))
    write("safetensors", "empty", save({}))
    write("safetensors", "scalar", save({"s": torch.tensor(1.0), "none": torch.empty(0, 2)}))
    write("safetensors", "html", "<!DOCTYPE html><html></html>")
    write("safetensors", "not_finite", save({"w": torch.tensor([float("nan"), float("inf")], dtype=torch.float16)}))


def configurations():
    names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    write("shard_index", "two", json.dumps({"metadata": {"total_size": 8}, "weight_map": {"a": names[0], "b": names[1]}}))
    write("shard_index", "one_missing", json.dumps({"weight_map": {"a": names[1]}}))
    write("shard_index", "parent", json.dumps({"weight_map": {"a": "../x.safetensors"}}))
    write("shard_index", "twice", '{"weight_map":{"a":"x.safetensors","a":"y.safetensors"}}')
    write("shard_index", "not_an_object", '{"weight_map":[]}')

    write("config", "bert", json.dumps({"model_type": "bert", "architectures": ["BertModel"], "hidden_size": 384,
                                        "layer_norm_eps": 1e-12, "hidden_act": "gelu", "pruned_heads": {}, "dtype": "float32",
                                        "eos_token_id": [1, 2], "is_decoder": False, "id2label": {"0": "a"}}))
    write("config", "nested", json.dumps({"model_type": "gemma3", "text_config": {
        "hidden_size": 64, "layer_types": ["full_attention", "sliding_attention"], "rope_scaling": {"rope_type": "linear",
                                                                                                     "factor": 8.0}}}))
    write("config", "quantised", json.dumps({"quantization_config": {"quant_method": "gptq", "bits": 4}}))
    write("config", "bitsandbytes", json.dumps({"vision_config": {"quantization_config": {"load_in_8bit": True}}}))
    write("config", "not_finite", '\ufeff{"a": NaN, "b": -Infinity, "c": 1000000000000000000000000000000, "d": null}')


if __name__ == "__main__":
    weights()
    configurations()
