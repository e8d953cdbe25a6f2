#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scripts share that compare `headscope tokens` with a reference on random strings."""

import json
import struct
import subprocess
from array import array
from itertools import chain
from pathlib import Path

# --- random strings ---


def parse_points(text):
    return [int(word, 16) for word in text.split()]


BLOCKS = [parse_points(block.replace("-", " ")) for block in """
    20-7f 20-7f 61-7b 61-7b a0-250 300-370 370-530 590-780 900-e80 e00-1000 10a0-1400 1700-1a00
    1ab0-1f00 1e00-2000 2000-2100 2100-2600 2c00-2e80 3000-3100 3100-3400 4e00-a000 a4d0-abff ac00-d7a4
    f900-fe30 fe00-10000 10000-11800 1d100-1d800 1e000-1f000 1f1e6-1f700 1f900-1fa80 20000-2fa20
    e0000-e0200
    """.split()]
COMBINING = parse_points("""
    300 301 308 323 327 328 345 34f 5b0 64b 93c 94d f71 f72 f74 f80 20dd 3099 309a 1d165 1d16e 11099
    110ba
    """)
COMPOSED = parse_points("""
    c5 e9 130 131 1d7 1e69 1ea4 1e9e 344 387 958 f73 f75 f81 1fb7 2126 212b 304c ac01 fb1d fb2c 2f800
    1d15e 1d1bf 1109a
    """)
SPACES = parse_points("""
    9 b c d 1c 1d 1e 1f 20 20 20 85 a0 1680 180e 2003 200b 2028 2029 202f 205f 2060 3000 feff
    """)
ODD = parse_points("""
    0 1 7f 80 9f ad 200c 200d 200e fe0f fffc fffd fffe ffff e001 f8ff 1fffe f0000 10ffff 378 2fe0 89f
    1c89 10d50 16ea0
    """)
EMOJI = ["👩\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "🇩🇪", "1\ufe0f\u20e3", "👍🏽", "☃\ufe0f"]


def random_string(rng, specials, words):
    parts = []
    for _ in range(rng.choice([1, 2, 4, 8, 16, 32])):
        kind = rng.randrange(12)
        if kind < 2:
            parts.append(rng.choice(words))
        elif kind < 4:
            low, high = rng.choice(BLOCKS)
            parts.append("".join(chr(rng.randrange(low, high)) for _ in range(rng.randrange(1, 6))))
        elif kind == 4:
            parts.append("".join(chr(rng.choice(COMBINING)) for _ in range(rng.randrange(1, 5))))
        elif kind == 5:
            parts.append(chr(rng.choice(COMPOSED)) + chr(rng.choice(COMBINING)) * rng.randrange(2))
        elif kind == 6:
            parts.append("".join(chr(rng.choice(SPACES)) for _ in range(rng.randrange(1, 4))))
        elif kind == 7:
            parts.append(chr(rng.choice(ODD)))
        elif kind == 8:
            parts.append(rng.choice(EMOJI))
        elif kind == 9 and specials:
            token = rng.choice(specials)
            parts.append(
                rng.choice(["", " ", "  ", "\u3000", "a", "_", "é"])
                + rng.choice([token, token.lower(), token.upper()])
            )
        elif kind == 10:
            c = rng.randrange(0x110000)
            parts.append("?" if 0xD800 <= c < 0xE000 else chr(c))
        else:
            parts.append(rng.choice("aeiouxyzAEIOU") * rng.choice([1, 2, 13, 99, 101]))
        if rng.randrange(3) == 0:
            parts.append(" ")
    return "".join(parts).replace("\n", " ")


# --- the program ---

COLUMNS = ("ids", "spans", "special", "texts")
CHUNK = 10_000


class Refused(Exception):
    """The program says in a sentence why it does not encode a file of texts."""


def write_weights(folder):
    Path(folder, "model.safetensors").write_bytes(struct.pack("<Q", 2) + b"{}")


def write_plain_folder(folder, tokenizer_json):
    """A folder whose class leaves tokenizer.json as it is."""
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "add_prefix_space": None}
    files = {"config.json": '{"model_type": "bert"}', "tokenizer_config.json": json.dumps(settings)}
    for name, text in {**files, "tokenizer.json": tokenizer_json}.items():
        Path(folder, name).write_text(text, encoding="utf-8")
    write_weights(folder)


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 1:
        raise Refused(done.stderr.decode("utf-8").splitlines()[-1])
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout


def columns_of(tokens):
    """Of the tokens of a line, as the program prints them."""
    texts = [-1 if t["text"] is None else t["text"] for t in tokens]
    spans = [place for t in tokens for place in (t["start"], t["end"])]
    numbers = [t["id"] for t in tokens], spans, [int(t["special"]) for t in tokens], texts
    return [array("q", column) for column in numbers]


def printed_columns(program, folder, texts, second):
    """From `headscope tokens`."""
    command = [program, "tokens", folder, "--text-file", str(texts), "--json"]
    output = run(command + (["--pair", second] if second is not None else []))
    return [columns_of(json.loads(line)["tokens"]) for line in output.splitlines()]


def packed_columns(program, folder, texts, second):
    """From `tokenizer_rows`."""
    out = Path(folder, "rows")
    run([program, folder, str(texts), str(out)] + ([second] if second is not None else []))
    numbers = array("q", out.read_bytes())
    result = []
    at = 0
    while at < len(numbers):
        n = numbers[at]
        edges = [at + 1 + n * k for k in (0, 1, 3, 4, 5)]
        result.append([numbers[begin:end] for begin, end in zip(edges, edges[1:])])
        at = edges[-1]
    return result


def program_columns(program, folder, lines, second=None):
    """The columns of each line, from headscope itself or, several times as fast, from tokenizer_rows."""
    texts = Path(folder, "lines.txt")
    texts.write_bytes("".join(line + "\n" for line in lines).encode("utf-8"))
    read = packed_columns if Path(program).name == "tokenizer_rows" else printed_columns
    results = read(program, folder, texts, second)
    if len(results) != len(lines):
        raise RuntimeError(f"{len(lines)} lines in, {len(results)} results out")
    return results


# --- the comparison ---


def encoded(reference, line, second=None):
    """None where the library panics or refuses the line."""
    try:
        return reference.encode(line, second)
    except BaseException as error:
        if type(error).__name__ not in ("PanicException", "Exception"):
            raise
        return None


def reference_columns(encoding):
    texts = [-1 if text is None else text for text in encoding.sequence_ids]
    spans = chain.from_iterable(encoding.offsets)
    return [array("q", column) for column in (encoding.ids, spans, encoding.special_tokens_mask, texts)]


def rows(columns):
    """One tuple a token."""
    ids, spans, special, texts = columns
    return list(zip(ids, zip(spans[::2], spans[1::2]), special, texts))


def show(line, found, wanted):
    found, wanted = rows(found), rows(wanted)
    same = [a == b for a, b in zip(found, wanted)]
    first = same.index(False) if False in same else len(same)
    shown = found[first : first + 3], wanted[first : first + 3]
    print(f"{line!r}\n  token {first}: found {shown[0]}\n  expected {shown[1]}", flush=True)


class Comparison:
    """The program on a folder against a reference, in some columns."""

    def __init__(self, program, folder, reference, second=None, columns=COLUMNS):
        self.program, self.folder, self.reference, self.second = program, folder, reference, second
        self.kept = [COLUMNS.index(column) for column in columns]
        self.different = self.left_out = 0

    def compare(self, lines):
        """Those that the reference does not encode are left out."""
        expected = [(line, encoded(self.reference, line, self.second)) for line in lines]
        expected = [(line, reference_columns(want)) for line, want in expected if want is not None]
        self.left_out += len(lines) - len(expected)
        results = program_columns(self.program, self.folder, [line for line, _ in expected], self.second)
        for (line, want), found in zip(expected, results):
            if all(found[k] == want[k] for k in self.kept):
                continue
            self.different += 1
            if self.different <= 3:
                show(line, found, want)


def compare(comparison, count, make_line, name):
    """How many of `count` strings differ; shows the first three, and prints a line with the count."""
    for first in range(0, count, CHUNK):
        comparison.compare([make_line() for _ in range(min(CHUNK, count - first))])
    left_out = f", {comparison.left_out} left out" if comparison.left_out else ""
    print(f"{name}: {count} strings, {comparison.different} differ{left_out}", flush=True)
    return comparison.different
