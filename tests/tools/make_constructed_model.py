#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the demo model of resources/demos/constructed, and what numpy says that it and its family compute.

    python3 -m venv venv
    venv/bin/pip install numpy==2.4.6 tokenizers==0.22.2 safetensors==0.8.0
    venv/bin/python tests/tools/make_constructed_model.py

Two layers of four heads without norms and feed-forward parts, y = x + attention(x), made by hand so that what every head reads is
known beforehand. The residual stream holds, side by side, a code of the token (64 numbers, +-1), a code of its position (64), a
slot that head 0.0 fills with the code of the token before (64), the constant 1, and 63 numbers that nothing reads. The position
code is g(i) = U^i g(0) with a random orthogonal U, so that "n tokens back" is one matrix, U^-n. Two different codes have a cosine of
0 +- 0.125: a match scores 16 where all else scores 0 +- 2.

The reference is the model's few lines in float64 (`forward`), from the float16 weights as they are stored; the bound is what the
same lines in float32 differ by, four times, and at least 1e-5. The second fixture is a tiny model of the same family with random
weights, in which no part is zero.
"""
import json
import pathlib

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

TOP = pathlib.Path(__file__).resolve().parents[2]
MODEL = TOP / "resources" / "demos" / "constructed"
EXPECTED = TOP / "tests" / "data" / "demos" / "constructed"
FAMILY = TOP / "tests" / "data" / "families" / "headscope_constructed" / "plain"
WORDS = pathlib.Path(__file__).with_name("constructed_words.txt")
SAMPLES = TOP / "resources" / "texts" / "samples.txt"

WIDTH, CODE, HEADS, LAYERS, POSITIONS = 256, 64, 4, 2, 512
TOKEN, POSITION, SLOT = slice(0, 64), slice(64, 128), slice(128, 192)
CONSTANT, SPARE = 192, slice(193, 256)
OFFSET = 47
START, UNKNOWN = "<s>", "<unk>"
MARKS = list(".,;:?!'\"-()/#%&+*=€…")


# --- the reference -------------------------------------------------------------------------------------------------------------

def forward(weights, config, ids, dtype):
    """Maps of every layer [heads, T, T], the last hidden state and the logits."""
    w = {name: tensor.astype(dtype) for name, tensor in weights.items()}
    heads = config["num_attention_heads"]
    x = w["embed_tokens.weight"][ids] + w["embed_positions.weight"][:len(ids)]
    size = x.shape[1] // heads
    hidden = np.triu(np.full((len(ids), len(ids)), True), 1)
    maps = []
    for layer in range(config["num_hidden_layers"]):
        def project(name):
            return (x @ w[f"layers.{layer}.attention.{name}.weight"].T).reshape(len(ids), heads, size).transpose(1, 0, 2)
        scores = project("query") @ project("key").transpose(0, 2, 1) / dtype(np.sqrt(size))
        assert np.abs(scores).max() < 50
        scores[:, hidden] = -np.inf
        a = np.exp(scores - scores.max(-1, keepdims=True))
        a /= a.sum(-1, keepdims=True)
        maps.append(a)
        read = (a @ project("value")).transpose(1, 0, 2).reshape(len(ids), -1)
        x = x + read @ w[f"layers.{layer}.attention.output.weight"].T
    return maps, x, x @ w["embed_tokens.weight"].T


def expected_of(weights, config, ids):
    maps, hidden, logits = forward(weights, config, ids, np.float64)
    maps32, hidden32, logits32 = forward(weights, config, ids, np.float32)

    def bound(one, other):
        return str(max(1e-5, 4 * max(float(np.abs(a - b).max()) for a, b in zip(one, other))))
    tensors = {f"attentions.{layer}": m for layer, m in enumerate(maps)}
    tensors |= {"last_hidden_state": hidden, "logits": logits}
    tensors = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    tensors["input_ids"] = np.asarray(ids, np.int64)
    metadata = {"bound": bound(maps, maps32), "hidden_bound": bound([hidden], [hidden32]),
                "logits_bound": bound([logits], [logits32])}
    return tensors, metadata


# --- the codes -----------------------------------------------------------------------------------------------------------------

def token_codes(count, random):
    """+-1 codes of which no two agree in more than 46 of 64 places or fewer than 18."""
    codes = []
    while len(codes) < count:
        code = random.choice([-1.0, 1.0], CODE)
        if not codes or np.abs(np.array(codes) @ code).max() <= 28:
            codes.append(code)
    return np.array(codes)


def position_codes(random):
    """U and the codes of all positions, with U drawn again until no two positions are alike. g(0) has an equal share in each of
    the planes that U turns, which keeps the others furthest from it."""
    for _ in range(1000):
        u, _ = np.linalg.qr(random.standard_normal((CODE, CODE)))
        turns, planes = np.linalg.eig(u)
        first = planes[:, turns.imag > 0].sum(1).real
        codes = [first * np.sqrt(CODE) / np.linalg.norm(first)]
        while len(codes) < POSITIONS + OFFSET:
            codes.append(u @ codes[-1])
        codes = np.array(codes)
        others = codes[1:] @ codes[0] / CODE
        if others.max() <= 0.34 and others.min() >= -0.4:
            return u, codes[:POSITIONS]
    raise RuntimeError("no U was found")


def rotation(random):
    """A random orthogonal matrix whose entries, +-1/8, float16 holds exactly."""
    hadamard = np.ones((1, 1))
    while len(hadamard) < CODE:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    signs = random.choice([-1.0, 1.0], CODE)
    return hadamard[random.permutation(CODE)] * signs / 8


# --- the model -----------------------------------------------------------------------------------------------------------------

class Layer:
    """Four heads, set one by one. `query` and `key` map parts of the stream to the head's 64 numbers."""

    def __init__(self):
        self.weights = {name: np.zeros((WIDTH, WIDTH)) for name in ("query", "key", "value", "output")}

    def head(self, number, query, key, output, value=1.0):
        rows = slice(number * CODE, (number + 1) * CODE)
        for part, matrix in query:
            self.weights["query"][rows, part] += matrix
        for part, matrix in key:
            self.weights["key"][rows, part] += matrix
        self.weights["value"][rows, TOKEN] = value * np.eye(CODE)  # every head passes the code of the token it reads
        part, share = output
        width = part.stop - part.start
        self.weights["output"][part, rows] = share * np.eye(CODE)[:width]


def build(vocabulary):
    random = np.random.RandomState(20240611)
    words = token_codes(len(vocabulary), random)
    words[vocabulary.index(START)] = 0.0  # nothing matches the start token
    u, places = position_codes(random)
    turned = rotation(random)
    one = np.eye(CODE)
    first = one[:, :1]  # a column: one number of the stream to the first number of the head
    constant = slice(CONSTANT, CONSTANT + 1)
    back = u.T  # g(i - 1) = U^-1 g(i)
    stop = words[vocabulary.index(".")]
    unread = (SPARE, 1.0)

    below, above = Layer(), Layer()
    # head(number, query, key, where the output goes and how much of it): sums of (part of the stream, matrix).
    below.head(0, [(POSITION, 2 * back)], [(POSITION, one)], (SLOT, 1.0))
    below.head(1, [(TOKEN, 1.6 * one), (POSITION, 1.3 * one)], [(TOKEN, 1.6 * one), (POSITION, -1.3 * one)], unread)
    below.head(2, [(constant, 10 * first)], [(POSITION, 10 * first @ places[:1] / CODE)], unread, value=0.0)
    below.head(3, [], [(TOKEN, one)], unread)
    above.head(0, [(TOKEN, 2 * one)], [(SLOT, one)], (TOKEN, 1.5))
    above.head(1, [(TOKEN, 2 * turned)], [(SLOT, turned)], (TOKEN, 1.5))
    above.head(2, [(constant, 8 * first)], [(TOKEN, 8 * first @ stop[None] / CODE)], unread)
    above.head(3, [(POSITION, 2 * np.linalg.matrix_power(back, OFFSET))], [(POSITION, one)], unread)

    tokens = np.zeros((len(vocabulary), WIDTH))
    tokens[:, TOKEN] = words
    tokens[:, CONSTANT] = 1.0
    positions = np.zeros((POSITIONS, WIDTH))
    positions[:, POSITION] = places
    weights = {"embed_tokens.weight": tokens, "embed_positions.weight": positions}
    for number, layer in enumerate((below, above)):
        for name, matrix in layer.weights.items():
            weights[f"layers.{number}.attention.{name}.weight"] = matrix
    return {name: tensor.astype(np.float16) for name, tensor in weights.items()}


def config_of(vocabulary, width, heads, positions, kind):
    return {"architectures": ["HeadscopeConstructedForCausalLM"], "model_type": "headscope_constructed", "bos_token_id": 0,
            "hidden_size": width, "max_position_embeddings": positions, "num_attention_heads": heads,
            "num_hidden_layers": LAYERS, "tie_word_embeddings": True, "torch_dtype": kind, "vocab_size": vocabulary}


def tokenizer_of(vocabulary):
    result = Tokenizer(models.WordLevel({word: n for n, word in enumerate(vocabulary)}, unk_token=UNKNOWN))
    result.add_special_tokens([START])
    result.normalizer = normalizers.Lowercase()
    result.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    result.post_processor = processors.TemplateProcessing(single=f"{START} $A", pair=f"{START} $A $B:1",
                                                          special_tokens=[(START, 0)])
    return result


# --- files ---------------------------------------------------------------------------------------------------------------------

def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")


def demo_texts():
    """The samples that were written for this model, by their titles."""
    texts = dict(block.split("\n", 1) for block in SAMPLES.read_text().split("## ")[1:])
    found = {title: text.strip() for title, text in texts.items() if title.startswith("For the demo")}
    assert len(found) == 2
    return found


def write_demo():
    vocabulary = [START, UNKNOWN] + MARKS + list(dict.fromkeys(WORDS.read_text().split()))
    assert len(set(vocabulary)) == len(vocabulary)
    weights = build(vocabulary)
    config = config_of(len(vocabulary), WIDTH, HEADS, POSITIONS, "float16")
    tokenizer = tokenizer_of(vocabulary)
    MODEL.mkdir(parents=True, exist_ok=True)
    EXPECTED.mkdir(parents=True, exist_ok=True)
    write_json(MODEL / "config.json", config)
    write_json(MODEL / "tokenizer_config.json",
               {"bos_token": START, "model_max_length": POSITIONS, "tokenizer_class": "PreTrainedTokenizerFast"})
    tokenizer.save(str(MODEL / "tokenizer.json"))
    save_file(weights, MODEL / "model.safetensors", {"format": "pt"})
    for title, text in demo_texts().items():
        name = title.split("(")[1].split(")")[0].replace(" ", "-")
        ids = tokenizer.encode(text).ids
        assert vocabulary.index(UNKNOWN) not in ids, [w for w in text.lower().split() if w not in vocabulary]
        tensors, metadata = expected_of(weights, config, ids)
        rows = np.unique(np.append(np.arange(0, len(ids), 5), len(ids) - 1))
        for layer in range(LAYERS):
            tensors[f"attentions.{layer}"] = tensors[f"attentions.{layer}"][:, rows]
        tensors["rows"] = rows.astype(np.int64)
        tensors["logits"] = tensors["logits"][-1:]
        save_file({k: np.ascontiguousarray(v) for k, v in tensors.items()}, EXPECTED / f"{name}.safetensors",
                  metadata | {"text": text})
        print(name, len(ids), "tokens", metadata)


def write_family():
    random = np.random.RandomState(7)
    width, heads, count, positions = 24, 3, 40, 20
    config = config_of(count, width, heads, positions, "float32")
    weights = {"embed_tokens.weight": random.standard_normal((count, width)),
               "embed_positions.weight": random.standard_normal((positions, width))}
    for layer in range(LAYERS):
        for name in ("query", "key", "value", "output"):
            weights[f"layers.{layer}.attention.{name}.weight"] = random.standard_normal((width, width)) * 1.2 / np.sqrt(width)
    weights = {name: tensor.astype(np.float32) for name, tensor in weights.items()}
    tensors, metadata = expected_of(weights, config, random.randint(0, count, positions))
    FAMILY.mkdir(parents=True, exist_ok=True)
    write_json(FAMILY / "config.json", config)
    save_file(weights, FAMILY / "model.safetensors", {"format": "pt"})
    save_file({k: np.ascontiguousarray(v) for k, v in tensors.items()}, FAMILY / "expected.safetensors", metadata)
    print("family", metadata)


if __name__ == "__main__":
    write_demo()
    write_family()
