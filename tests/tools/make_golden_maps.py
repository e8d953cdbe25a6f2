#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden attention maps from transformers (eager, float32, the folder loaded again from disk).

    python3 -m venv venv
    venv/bin/pip install torch==2.13.0 transformers==4.57.6 tokenizers==0.22.2 safetensors==0.8.0 numpy

    venv/bin/python tests/tools/make_golden_maps.py [--minilm .deps/minilm]
        writes tests/data/golden/*.safetensors: whole maps of the tiny models and of two short texts on MiniLM; of a text of
        512 tokens 16 rows of every head and the sums of all rows and columns.
    venv/bin/python tests/tools/make_golden_maps.py --live build/app/headscope --model .deps/minilm --texts 20 [--seed 1]
        compares whole maps of `headscope run` on random texts; nothing is written.

A value is right within the bound stored with it, max(1e-5, 4 * largest |float32 - float64|) over the maps of a text: the
reference's own float32 is no better than that.

Tensors of a file, for text t: `t.input_ids`, `t.token_types` int64 [tokens]; `t.attentions.L` float32 [heads, queries, keys]
and `t.last_hidden_state` [tokens, hidden size]; or for the long text `t.rows` int64 [16], `t.attentions.L` [heads, 16, keys], `t.row_sums.L` [heads, queries] and
`t.column_sums.L` [heads, keys], both summed in double. Metadata: `t.text`, `t.pair`, `t.bound`, `t.hidden_bound` (the same for the
hidden state), and the versions used.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
import tokenizers
import torch
import transformers
from safetensors.numpy import load_file, save_file
from transformers import AutoModel

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
ROWS = [0, 1, 2, 31, 63, 100, 127, 128, 200, 255, 256, 300, 383, 450, 510, 511]

PROSE = ("The animal did not cross the street because it was too tired, and the dog looked at the small house by the water; "
         "then it wrote: \"no way!\"")
TINY_TEXTS = {
    "tiny-bert": {"prose": (PROSE, None), "pair": ("a cat, 2 dogs", "what did they see?"), "empty": ("", None)},
    "flagged-bert": {"prose": (PROSE, None)},
    "old-names-bert": {"prose": (PROSE, None)},
    "half-bert": {"full": (None, None)},
    "bfloat-bert": {"prose": (PROSE[:70], None)},
    "deep-bert": {"prose": (PROSE[:70], None)},
}
MINILM_TEXTS = {
    "english": ("The animal didn't cross the street because it was too tired.", None),
    "mixed": ("Crème brûlée für 東京の猫 🐱, señor Ångström: naïve café №5!", None),
}
NOUNS = "river mountain teacher window engine garden letter market doctor planet bridge kitchen winter soldier paper".split()
VERBS = "crossed followed painted carried forgot measured opened repaired watched answered described lifted".split()
OTHERS = "slowly because although never between yesterday, carefully under seven against; perhaps (almost) without".split()


def reference(folder, dtype):
    return AutoModel.from_pretrained(folder, attn_implementation="eager", dtype=dtype).eval()


def maps(model, ids, types):
    """Maps of all layers, [heads, queries, keys] each, and the last hidden state [tokens, hidden size]."""
    with torch.no_grad():
        output = model(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types]), output_attentions=True)
    return [layer[0].numpy() for layer in output.attentions], output.last_hidden_state[0].numpy()


def bound_of(single, double):
    return max(1e-5, 4 * max(float(np.abs(a - b).max()) for a, b in zip(single, double)))


def sentences(generator, words):
    made = []
    while len(made) < words:
        made += ["the", generator.choice(NOUNS), generator.choice(VERBS), generator.choice(OTHERS), "the",
                 generator.choice(NOUNS) + "."]
    return " ".join(made[:words])


def text_of_length(tokenizer, count):
    """A text of exactly `count` tokens, specials included."""
    generator = random.Random(512)
    words = sentences(generator, count).split(" ")
    while len(tokenizer.encode(" ".join(words)).ids) > count:
        words.pop()
    while len(tokenizer.encode(" ".join(words)).ids) < count:
        words.append("and")
    return " ".join(words)


def golden(folder, texts, target):
    single, double = reference(folder, torch.float32), reference(folder, torch.float64)
    tokenizer = tokenizers.Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    limit = single.config.max_position_embeddings
    tensors = {}
    metadata = {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0],
                "tokenizers": tokenizers.__version__, "implementation": "eager, float32"}
    for name, (text, pair) in texts.items():
        if text is None:
            text = text_of_length(tokenizer, limit)
        encoding = tokenizer.encode(text, pair)
        ids, types = encoding.ids, encoding.type_ids
        assert len(ids) <= limit, (name, len(ids))
        found, hidden = maps(single, ids, types)
        exact, exact_hidden = maps(double, ids, types)
        difference = max(np.abs(a - b).max() for a, b in zip(found, exact))
        tensors[f"{name}.input_ids"] = np.array(ids, np.int64)
        tensors[f"{name}.token_types"] = np.array(types, np.int64)
        metadata.update({f"{name}.text": text, f"{name}.bound": repr(bound_of(found, exact)),
                         f"{name}.hidden_bound": repr(bound_of([hidden], [exact_hidden]))})
        if pair is not None:
            metadata[f"{name}.pair"] = pair
        large = len(ids) > 256
        if large:
            tensors[f"{name}.rows"] = np.array(ROWS, np.int64)
        else:
            tensors[f"{name}.last_hidden_state"] = hidden
        for number, layer in enumerate(found):
            if large:
                tensors[f"{name}.attentions.{number}"] = np.ascontiguousarray(layer[:, ROWS])
                tensors[f"{name}.row_sums.{number}"] = layer.sum(2, dtype=np.float64).astype(np.float32)
                tensors[f"{name}.column_sums.{number}"] = layer.sum(1, dtype=np.float64).astype(np.float32)
            else:
                tensors[f"{name}.attentions.{number}"] = layer
        spread = np.mean([layer.max(-1).mean() for layer in found])
        print(f"{target.name} {name}: {len(ids)} tokens, |float32 - float64| {difference:.1e}, mean largest weight "
              f"{spread:.2f}")
    target.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, target, metadata)
    target.chmod(0o644)


def random_text(generator):
    parts = []
    for _ in range(generator.randint(0, 60)):
        kind = generator.random()
        if kind < 0.6:
            parts.append(generator.choice(NOUNS + VERBS + OTHERS))
        elif kind < 0.7:
            parts.append(str(generator.randint(0, 10 ** 6)))
        elif kind < 0.8:
            parts.append("".join(generator.choice("bcdfghjklmnpqrstvwxyz") for _ in range(generator.randint(1, 14))))
        else:
            parts.append("".join(chr(generator.choice([0xe9, 0xfc, 0x4eac, 0x732b, 0x1f600, 0x3b1, 0x416, 0x21, 0x22, 0x5e8]))
                                 for _ in range(generator.randint(1, 4))))
    return " ".join(parts)


def live(binary, folder, count, seed):
    single, double = reference(folder, torch.float32), reference(folder, torch.float64)
    tokenizer = tokenizers.Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    generator = random.Random(seed)
    worst = failures = compared = 0
    for number in range(count):
        text = random_text(generator)
        pair = random_text(generator) if generator.random() < 0.3 else None
        encoding = tokenizer.encode(text, pair)
        if len(encoding.ids) > single.config.max_position_embeddings:
            continue
        compared += 1
        with tempfile.TemporaryDirectory() as scratch:
            out = os.path.join(scratch, "maps.safetensors")
            command = [binary, "run", str(folder), "--text", text, "--out", out, "--quiet"]
            subprocess.run(command + (["--pair", pair] if pair is not None else []), check=True)
            ours = load_file(out)
        if ours["input_ids"].tolist() != encoding.ids:
            print(f"text {number}: token ids differ: {text!r} {pair!r}")
            failures += 1
            continue
        found, exact = (maps(model, encoding.ids, encoding.type_ids)[0] for model in (single, double))
        bound = bound_of(found, exact)
        largest = max(np.abs(ours[f"attentions.{layer}"] - value).max() for layer, value in enumerate(found))
        worst = max(worst, largest)
        if not largest <= bound or len([key for key in ours if key.startswith("attentions.")]) != len(found):
            failures += 1
        print(f"text {number}: {len(encoding.ids)} tokens, largest difference {largest:.2e}, bound {bound:.1e}"
              f"{'' if largest <= bound else '  FAILED'}")
    print(f"{compared} texts compared, {failures} failed, largest difference {worst:.2e}")
    return 1 if failures or not compared else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minilm", default=str(DATA.parents[1] / ".deps" / "minilm"))
    parser.add_argument("--live", metavar="HEADSCOPE")
    parser.add_argument("--model")
    parser.add_argument("--texts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.live:
        return live(arguments.live, arguments.model or arguments.minilm, arguments.texts, arguments.seed)
    for name, texts in TINY_TEXTS.items():
        golden(DATA / "models" / name, texts, DATA / "golden" / f"{name}.safetensors")
    if not pathlib.Path(arguments.minilm).is_dir():
        print(f"skipped: no MiniLM folder at {arguments.minilm}")
        return 0
    golden(arguments.minilm, MINILM_TEXTS, DATA / "golden" / "minilm.safetensors")
    golden(arguments.minilm, {"long": (None, None)}, DATA / "golden" / "minilm-long.safetensors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
