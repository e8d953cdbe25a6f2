#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the small tokenizers of tests/data/tokenizer/models and what they give on every line of the corpus.

    pip install tokenizers==0.22.2

    tokenizer_model_fixtures.py [--train TEXT...]
        Writes NAME.hashes for each NAME.json: for each line of token_lines.txt four bytes, the first ones of FNV-1a
        (64 bits, little end first) over the line's tokens as `pack_tokens` writes them, or zeros where the library
        refuses the line. --train trains the tokenizers anew on these text files, a line at a time. Those stored were
        trained on 300 kB of a play and on the names of languages, regions, currencies and dates in 80 languages of
        CLDR; the corpus has neither.

On random strings each of them is compared by `make_tokenizer_fixtures.py --live N --model NAME.json`.
"""

import argparse
import collections
import copy
import json
import random
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from make_tokenizer_fixtures import added, fnv, pack_tokens, read_lines, write  # noqa: E402

from tokenizers import Tokenizer, models, pre_tokenizers, trainers  # noqa: E402

DATA = Path(__file__).parent.parent / "data/tokenizer"
BYTE_PIECES = [f"<0x{byte:02X}>" for byte in range(256)]


# --- training ---


def trained(model, trainer, words, lines):
    tokenizer = Tokenizer(model)
    if words:
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(lines, trainer)
    return json.loads(tokenizer.to_str())["model"]


def trained_bpe(lines, words, size, specials=(), **affixes):
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=list(specials), limit_alphabet=230, show_progress=False, **affixes
    )
    return trained(models.BPE(**affixes), trainer, words, lines)


def with_alphabet(lines, size):
    """The most frequent characters only: this trainer keeps every one that it sees."""
    counts = collections.Counter(c for line in lines for c in line)
    kept = {c for c, _ in counts.most_common(size)}
    return ["".join(c if c in kept else " " for c in line) for line in lines]


def trained_unigram(lines, words, size):
    lines = with_alphabet(lines, 230)
    trainer = trainers.UnigramTrainer(
        vocab_size=size, special_tokens=["<unk>"], unk_token="<unk>", max_piece_length=12, show_progress=False
    )
    return trained(models.Unigram(), trainer, words, lines)


def trained_word_level(lines, size):
    trainer = trainers.WordLevelTrainer(vocab_size=size, special_tokens=["<unk>"], show_progress=False)
    return trained(models.WordLevel(unk_token="<unk>"), trainer, True, lines)


# --- the tokenizers ---


def with_pieces(model, pieces):
    """The BPE model with more pieces, which no merge makes."""
    model = copy.deepcopy(model)
    for piece in pieces:
        model["vocab"].setdefault(piece, len(model["vocab"]))
    return model


def changed(model, **fields):
    return {**copy.deepcopy(model), **fields}


def bpe_models(lines):
    """Name -> (model, whether words are split first)."""
    words = trained_bpe(lines, True, 700, ["<unk>"])
    whole = trained_bpe(lines, False, 700, ["<unk>"])
    suffixed = trained_bpe(lines, True, 800, ["<unk>"], end_of_word_suffix="</w>")
    prefixed = trained_bpe(lines, True, 800, ["<unk>"], continuing_subword_prefix="##")
    all_bytes = with_pieces(whole, BYTE_PIECES)
    # Bytes that start characters of two and three bytes are missing here and there.
    some_bytes = with_pieces(whole, [p for i, p in enumerate(BYTE_PIECES) if i % 11 != 8])
    byte_merges = [["<0xE2>", "<0x80>"], ["<unk>", "<unk>"], ["<unk>", "e"], ["<0xF0>", "<0x9F>"]]
    merging_bytes = with_pieces(some_bytes, [a + b for a, b in byte_merges])
    merging_bytes["merges"] = byte_merges + merging_bytes["merges"]

    rng = random.Random(7)
    shuffled = copy.deepcopy(words)
    rng.shuffle(shuffled["merges"])
    shuffled["merges"] += rng.sample(shuffled["merges"], 100)
    # Half of the merges: many pieces are found only where they are the whole word.
    half = changed(words, merges=words["merges"][::2], ignore_merges=True)
    spaced = changed(words, merges=[f"{a} {b}" for a, b in words["merges"]])
    return {
        "bpe_no_unk": (spaced, True),
        "bpe_whole_no_unk": (whole, False),
        "bpe_unk": (changed(words, unk_token="<unk>"), True),
        "bpe_whole_fused": (changed(whole, unk_token="<unk>", fuse_unk=True), False),
        "bpe_bytes": (changed(all_bytes, unk_token="<unk>", fuse_unk=True, byte_fallback=True), False),
        "bpe_some_bytes": (changed(some_bytes, unk_token="<unk>", fuse_unk=True, byte_fallback=True), False),
        "bpe_some_bytes_apart": (changed(some_bytes, unk_token="<unk>", byte_fallback=True), False),
        "bpe_some_bytes_no_unk": (changed(some_bytes, byte_fallback=True), True),
        "bpe_merging_bytes": (changed(merging_bytes, unk_token="<unk>", byte_fallback=True), False),
        "bpe_suffix": (changed(suffixed, unk_token="<unk>"), True),
        "bpe_suffix_bytes": (changed(with_pieces(suffixed, BYTE_PIECES), byte_fallback=True), True),
        "bpe_prefix": (changed(prefixed, unk_token="<unk>", fuse_unk=True), True),
        "bpe_prefix_bytes": (changed(with_pieces(prefixed, BYTE_PIECES), byte_fallback=True), True),
        "bpe_shuffled": (changed(shuffled, unk_token="<unk>"), True),
        "bpe_ignore_merges": (changed(half, unk_token="<unk>"), True),
    }


def unigram_models(lines):
    words = trained_unigram(lines, True, 900)
    whole = trained_unigram(lines, False, 900)
    # The trainer's first scores are 0 for special tokens; bytes have it too.
    all_bytes = changed(whole, vocab=whole["vocab"] + [[p, 0.0] for p in BYTE_PIECES], byte_fallback=True)
    some_bytes = [[p, 0.0] for i, p in enumerate(BYTE_PIECES) if i % 11 != 8]
    coarse = [[piece, round(score)] for piece, score in words["vocab"]]
    # Pieces that stand twice, one of them the unknown token, and an unknown token that is a piece like others.
    twice = whole["vocab"] + [[piece, score - 1.5] for piece, score in whole["vocab"][::7]]
    plain_unknown = next(i for i, (piece, _) in enumerate(words["vocab"]) if piece == "e")
    return {
        "unigram": (words, True),
        "unigram_whole": (whole, False),
        "unigram_bytes": (all_bytes, False),
        "unigram_some_bytes": (
            changed(words, vocab=words["vocab"] + some_bytes, byte_fallback=True),
            True,
        ),
        "unigram_no_unk": (changed(words, unk_id=None), True),
        "unigram_ties": (changed(words, vocab=coarse), False),
        "unigram_twice": (changed(whole, vocab=twice), False),
        "unigram_plain_unk": (changed(words, unk_id=plain_unknown), True),
    }


def word_level_models(lines):
    model = trained_word_level(lines, 700)
    without = {piece: id for piece, id in model["vocab"].items() if piece != "<unk>"}
    return {"word_level": (model, True), "word_level_no_unk": (changed(model, vocab=without), True)}


def tokenizer_files(lines):
    for kinds in (bpe_models(lines), unigram_models(lines), word_level_models(lines)):
        for name, (model, words) in kinds.items():
            file = {
                "version": "1.0",
                "truncation": None,
                "padding": None,
                "added_tokens": [],
                "normalizer": None,
                "pre_tokenizer": {"type": "BertPreTokenizer"} if words else None,
                "post_processor": None,
                "decoder": None,
                "model": model,
            }
            if name == "unigram_bytes":
                file["added_tokens"] = [added(0, "<unk>", special=True), added(0, "<s>", lstrip=True)]
            yield name, file


# --- what they give ---


def line_hash(tokenizer, line):
    try:
        encoding = tokenizer.encode(line)
    except Exception:  # the library raises plain exceptions
        return bytes(4)
    return fnv(pack_tokens([encoding])).to_bytes(8, "little")[:4]


def names():
    return sorted(path.stem for path in (DATA / "models").glob("*.json"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--train", nargs="+", type=Path)
    options = parser.parse_args()
    if options.train:
        lines = [line for path in options.train for line in path.read_text(encoding="utf-8").splitlines() if line]
        (DATA / "models").mkdir(exist_ok=True)
        for name, file in tokenizer_files(lines):
            text = json.dumps(file, ensure_ascii=False, separators=(",", ":"))
            write(DATA / f"models/{name}.json", text.encode("utf-8"))
    corpus = read_lines(DATA / "token_lines.txt")
    for name in names():
        tokenizer = Tokenizer.from_file(str(DATA / f"models/{name}.json"))
        write(DATA / f"models/{name}.hashes", b"".join(line_hash(tokenizer, line) for line in corpus))


if __name__ == "__main__":
    main()
