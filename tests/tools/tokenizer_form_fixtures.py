#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes tests/data/tokenizer/forms: small tokenizer folders of every class and older form, and what transformers reads
from them.

    pip install tokenizers==0.22.2 transformers==4.57.6 sentencepiece==0.2.3 protobuf

    tokenizer_form_fixtures.py --out tests/data/tokenizer/forms [--train]
        Writes the expected values. --train also trains the small vocabularies anew (they may then differ).
    tokenizer_form_fixtures.py --write CASE --to FOLDER
        Writes the folder of one case, with a model.safetensors that holds nothing.
    tokenizer_form_fixtures.py --live N --program headscope [--seed S] [--case PREFIX]
        Generates N random strings, has `headscope tokens FOLDER --text-file F --json` encode them for every case whose
        name begins with PREFIX, and compares ids, spans (where the class has any) and special flags.

Files written:
    cases.json    {"cases": [case]}, see tokenizer_form_cases.py for what a case is, and below for what is added to it
    hashes.bin    4 bytes a line of a case: the first of FNV-1a 64 over its tokens as `pack_tokens` writes them
    *.model ...   the small vocabularies: parts of the cases' files
"""

import argparse
import json
import os
import random
import struct
import sys
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
warnings.filterwarnings("ignore")

import make_tokenizer_fixtures as fixtures  # noqa: E402
import tokenizer_form_cases as form_cases  # noqa: E402
import tokenizer_form_vocabularies as vocabularies  # noqa: E402
import tokenizer_live  # noqa: E402

STEP = 10
PAIRS = [("The old harbour, 12 boats.", " second  text <mask>"), ("", "b"), ("[CLS] é</s>", "")]


def part_bytes(data, part):
    return part["text"].encode("utf-8") if isinstance(part, dict) else (data / part).read_bytes()


def write_folder(data, case, folder):
    for name, parts in case["files"].items():
        Path(folder, name).write_bytes(b"".join(part_bytes(data, part) for part in parts))
    tokenizer_live.write_weights(folder)


# --- the reference ---


class Encoded:
    """What one call gives: the fields of a tokenizers.Encoding that are compared."""

    def __init__(self, ids, offsets, special, texts, types):
        self.ids, self.offsets, self.special_tokens_mask = ids, offsets, special
        self.sequence_ids, self.type_ids = texts, types

    def as_json(self):
        return {
            "ids": self.ids,
            "offsets": [list(o) for o in self.offsets],
            "special": self.special_tokens_mask,
            "types": self.type_ids,
        }


class Reference:
    """AutoTokenizer on a folder. Slow tokenizers have no offsets: their tokens are said to be at 0, 0."""

    def __init__(self, folder):
        from transformers import AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.is_fast = self.tokenizer.is_fast
        if self.is_fast:
            fixtures.without_limits(self.tokenizer.backend_tokenizer)

    def encode(self, text, pair=None):
        if self.is_fast:
            e = self.tokenizer.backend_tokenizer.encode(text, pair)
            return Encoded(e.ids, e.offsets, e.special_tokens_mask, e.sequence_ids, e.type_ids)
        if type(self.tokenizer).__name__ == "ByT5Tokenizer":
            return self.ended([text] if pair is None else [text, pair])
        return self.slow(self.tokenizer(text, pair)["input_ids"])

    def encode_target(self, text):
        result = self.tokenizer(text_target=text)
        if type(self.tokenizer).__name__ == "ByT5Tokenizer":
            assert result["input_ids"] == self.encode(text).ids
            return self.encode(text)
        if not self.is_fast:
            return self.slow(result["input_ids"])
        e = result.encodings[0]
        return Encoded(e.ids, e.offsets, e.special_tokens_mask, e.sequence_ids, e.type_ids)

    def slow(self, ids):
        first = len(getattr(self.tokenizer, "prefix_tokens", []))
        special = [int(i < first or i == len(ids) - 1) for i in range(len(ids))]
        return Encoded(ids, [(0, 0)] * len(ids), special, [None] * len(ids), [0] * len(ids))

    def ended(self, texts):
        """ByT5 ends each text, unless it ends with that token already."""
        ids, special = [], []
        for text in texts:
            own = self.tokenizer(text, add_special_tokens=False)["input_ids"]
            whole = self.tokenizer(text)["input_ids"]
            ids += whole
            special += [0] * len(own) + [1] * (len(whole) - len(own))
        assert ids == self.tokenizer(*texts)["input_ids"]
        return Encoded(ids, [(0, 0)] * len(ids), special, [None] * len(ids), [0] * len(ids))

    def words(self):
        if self.is_fast:
            return [t.content for t in self.tokenizer.backend_tokenizer.get_added_tokens_decoder().values()]
        codes = getattr(self.tokenizer, "supported_language_codes", [])
        return list(self.tokenizer.added_tokens_encoder) + codes


def line_hash(encoded):
    return fixtures.fnv(fixtures.pack_tokens([encoded])) & 0xFFFFFFFF


def expected(data, case, lines, first, hashes):
    """The case with what the reference makes of it."""
    result = dict(case)
    with tempfile.TemporaryDirectory() as folder:
        write_folder(data, case, folder)
        try:
            reference = Reference(folder)
            chosen = lines[first::STEP]
            numbers = [line_hash(reference.encode(line)) for line in chosen]
        except Exception as error:
            wanted = "fails" if case.get("fails") else "FAILS UNEXPECTEDLY"
            print(f"{case['name']}: {wanted}, {type(error).__name__}: {str(error)[:100]!r}")
            return result
        if case.get("fails"):
            print(f"{case['name']}: DOES NOT FAIL")
    result.update({"fast": reference.is_fast, "first": first, "step": STEP, "at": len(hashes)})
    hashes += b"".join(struct.pack("<I", number) for number in numbers)
    pairs = [] if case.get("single") else PAIRS
    result["pairs"] = [{"texts": [a, b], **reference.encode(a, b).as_json()} for a, b in pairs]
    if case.get("target"):
        texts = [PAIRS[0][0], ">>de<< meadow, ½"]
        result["targets"] = [{"texts": [t], **reference.encode_target(t).as_json()} for t in texts]
    return result


def make(options):
    out = Path(options.out)
    lines = fixtures.read_lines(out.parent / "token_lines.txt")
    if options.train:
        for name, content in vocabularies.files(lines).items():
            fixtures.write(out / name, content)
    hashes = bytearray()
    cases = form_cases.cases(out)
    done = [expected(out, case, lines, i % STEP, hashes) for i, case in enumerate(cases)]
    fixtures.write(out / "hashes.bin", bytes(hashes))
    text = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in done)
    fixtures.write(out / "cases.json", f'{{"cases":[\n{text}\n]}}\n'.encode("utf-8"))


# --- random strings ---


def live_case(options, data, case, words):
    with tempfile.TemporaryDirectory() as folder:
        write_folder(data, case, folder)
        reference = Reference(folder)
        rng = random.Random(options.seed)
        specials = reference.words()
        second = f"Der zweite  TEXT, é 中 {specials[0] if specials else ''}" if options.pair else None
        # Slow tokenizers have no spans, and do not say which text a token is of.
        columns = tokenizer_live.COLUMNS if reference.is_fast else ("ids", "special")
        comparison = tokenizer_live.Comparison(options.program, folder, reference, second, columns)
        different = tokenizer_live.compare(
            comparison, options.live, lambda: tokenizer_live.random_string(rng, specials, words), case["name"]
        )
    return different


def live(options):
    data = Path(__file__).parent.parent / "data/tokenizer/forms"
    words = [w for w in fixtures.read_lines(data.parent / "token_lines.txt") if w]
    cases = [c for c in form_cases.cases(data) if not c.get("fails") and c["name"].startswith(options.case)]
    if options.pair:
        cases = [c for c in cases if not c.get("single")]
    sys.exit(1 if sum(live_case(options, data, case, words) for case in cases) else 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--write")
    parser.add_argument("--to")
    parser.add_argument("--live", type=int)
    parser.add_argument("--case", default="")
    parser.add_argument("--program", default="headscope")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pair", action="store_true")
    options = parser.parse_args()
    if options.live:
        live(options)
    elif options.write:
        data = Path(__file__).parent.parent / "data/tokenizer/forms"
        case = next(c for c in form_cases.cases(data) if c["name"] == options.write)
        Path(options.to).mkdir(parents=True, exist_ok=True)
        write_folder(data, case, options.to)
    elif options.out:
        make(options)
    else:
        parser.error("give --out, --write or --live")


if __name__ == "__main__":
    main()
