#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/attention: archives of numpy, as np.savez and np.savez_compressed write them.

    python3 -m venv venv
    venv/bin/pip install numpy==2.4.6 torch==2.13.0 safetensors
    venv/bin/python tests/tools/make_attention_files.py

types.npz holds every type and order that is read, refused_*.npz what is not; types_expected.json what numpy itself has in them (row-major
bytes, so that nothing is lost to decimals). maps.npz holds attention maps; maps_expected.json what plain numpy says of each head: means over
the rows that see at least 8 keys. forms/ holds the same maps of two samples in the forms and orders in which frameworks give them; those of
the second sample are in forms/expected.safetensors.
"""
import json
import pathlib

import numpy as np
import torch
from safetensors.numpy import save_file

ROOT = pathlib.Path(__file__).resolve().parents[1] / "data" / "attention"
FEWEST_KEYS = 8


def arrays():
    random = np.random.default_rng(5)
    wide = random.standard_normal((3, 2, 4))
    result = {f"type_{np.dtype(letters).name}": np.array([1, 0, 5], dtype=letters) for letters in
              ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")}
    result["rows"] = wide.astype("f4")
    result["fortran"] = np.asfortranarray(wide.astype("f4"))
    result["fortran_double"] = np.asfortranarray(wide)
    result["fortran_flat"] = np.asfortranarray(wide[0].astype("i2"))
    result["scalar"] = np.array(-7, dtype="i8")
    result["empty"] = np.zeros((0, 3), dtype="f4")
    return result


TEXTS = {"unicode": np.array(["a", "", "t\u00f6kens", "\U0001f600 \u4e2d"]), "bytes": np.array([b"ab", b"", "\u00e9".encode()]),
         "one": np.array("alone"), "batch": np.array([["x", "yz"]])}


def softmax(scores):
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return scores / scores.sum(-1, keepdims=True)


def maps():
    """Two layers of three heads over 40 tokens, causal, of scores far from even."""
    random = np.random.default_rng(11)
    tokens = 40
    hidden = np.triu(np.ones((tokens, tokens), dtype=bool), 1)
    layers = []
    for layer in range(2):
        scores = 2 * random.standard_normal((3, tokens, tokens))
        scores[0, :, 0] += 9 * layer              # a sink
        scores[1] -= np.abs(np.subtract.outer(np.arange(tokens) - 1, np.arange(tokens))) * 3.0  # the previous token
        scores[:, hidden] = -np.inf
        layers.append(softmax(scores))
    return layers


def measured(head):
    rows = [row for row in range(len(head)) if row + 1 >= FEWEST_KEYS]
    seen = [head[row, :row + 1] for row in rows]
    entropies = [-np.sum(w * np.log(w)) for w in seen]
    others = {key: [head[row, key] for row in rows if row > key] for key in range(len(head))}
    means = {key: np.mean(weights) for key, weights in others.items()
             if len(weights) >= 16 and 4 * len(weights) >= len(rows)}
    top = max(means, key=means.get)
    return {"entropy": np.mean(entropies),
            "normalized_entropy": np.mean([e / np.log(len(w)) for e, w in zip(entropies, seen)]),
            "confidence": np.mean([w.max() for w in seen]),
            "top_column": top, "top_column_mass": means[top], "first_token_mass": means[0],
            "previous_mass": np.mean([head[row, row - 1] for row in rows]),
            "self_mass": np.mean([head[row, row] for row in rows]),
            "mean_distance": np.mean([np.sum(w * (row - np.arange(row + 1))) for row, w in zip(rows, seen)])}


def forms(folder):
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(17)
    # [layers, batch, heads, queries, keys]
    whole = softmax(2 * random.standard_normal((2, 2, 3, 5, 5))).astype("f4")
    chosen = np.ascontiguousarray(whole[:, 1])
    save_file({f"attentions.{layer}": chosen[layer] for layer in range(2)}, folder / "expected.safetensors")
    np.save(folder / "layers_batch_heads.npy", whole)
    np.save(folder / "fortran.npy", np.asfortranarray(chosen))
    np.save(folder / "layers_last.npy", np.ascontiguousarray(chosen.transpose(2, 3, 1, 0)))
    np.save(folder / "keys_first.npy", np.ascontiguousarray(chosen.transpose(0, 1, 3, 2)))
    np.save(folder / "averaged.npy", whole.mean(2)[0])
    np.savez(folder / "list.npz", *whole)
    np.savez(folder / "said.npz", scores=whole[0], axes="batch,heads,q,k", sample=1)
    save_file({"scores": np.ascontiguousarray(whole)}, folder / "scores.safetensors")
    tensors = [torch.from_numpy(layer.copy()) for layer in whole]
    torch.save(tuple(tensors), folder / "tuple.pt")
    torch.save({"attentions": tuple(one[1:2] for one in tensors), "loss": torch.tensor(0.5), "note": "x"}, folder / "outputs.pt")
    torch.save(torch.from_numpy(chosen.transpose(0, 1, 3, 2).copy()).transpose(2, 3), folder / "view.pt")
    torch.save(torch.from_numpy(chosen), folder / "old.pt", _use_new_zipfile_serialization=False)


def main():
    ROOT.mkdir(parents=True, exist_ok=True)
    content = arrays()
    np.savez(ROOT / "types.npz", **content, **TEXTS)
    np.savez_compressed(ROOT / "types_packed.npz", **content, **TEXTS)
    described = {name: {"dtype": str(a.dtype), "shape": list(a.shape), "bytes": np.ascontiguousarray(a).tobytes().hex()}
                 for name, a in content.items()}
    texts = {name: {"shape": list(a.shape), "texts": [t.decode() if isinstance(t, bytes) else str(t) for t in a.reshape(-1)]}
             for name, a in TEXTS.items()}
    (ROOT / "types_expected.json").write_text(json.dumps({"arrays": described, "texts": texts}, indent=1) + "\n")
    np.savez(ROOT / "refused_object.npz", meta=np.array({"a": 1}, dtype=object))
    np.savez(ROOT / "refused_records.npz", records=np.zeros(2, dtype=[("a", "f4"), ("b", "i8")]))
    np.savez(ROOT / "refused_big_endian.npz", weights=np.ones(2, dtype=">f4"))
    np.savez(ROOT / "refused_complex.npz", weights=np.ones(2, dtype="c8"))
    np.savez(ROOT / "refused_date.npz", weights=np.array(["2024-01-01"], dtype="M8[D]"))

    forms(ROOT / "forms")
    layers = maps()
    tokens = np.array([f"w{i % 13}" if i % 9 else "." for i in range(layers[0].shape[-1])])
    # One layer with a batch axis and in float64, one in Fortran order and float32: what users have.
    np.savez_compressed(ROOT / "maps.npz", **{"attentions.0": layers[0][None], "attentions.1": np.asfortranarray(layers[1], "f4")},
                        tokens=tokens, input_ids=np.arange(tokens.size)[None] % 13)
    (ROOT / "maps_expected.json").write_text(
        json.dumps({f"{layer}.{head}": {name: float(value) for name, value in measured(one).items()}
                    for layer, heads in enumerate(layers) for head, one in enumerate(heads)}, indent=1) + "\n")


if __name__ == "__main__":
    main()
