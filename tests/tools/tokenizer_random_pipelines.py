#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the program with the tokenizers library on pipelines that are made at random: every stage type with random
settings, models trained on invented text of random scripts, and added tokens with random flags.

    pip install tokenizers==0.22.2 transformers==4.57.6

    tokenizer_random_pipelines.py --pipelines M --live N --program headscope [--seed S] [--keep FOLDER]
        M pipelines, N random strings each. Exit code 1 if any string differs. A pipeline that the program refuses is
        printed with its sentence and not counted; --keep stores the tokenizer.json of each one that differs.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
sys.dont_write_bytecode = True

import tokenizer_live  # noqa: E402
from make_tokenizer_fixtures import added, read_lines  # noqa: E402
from tokenizer_stage_fixtures import charsmap, one, regex, replace, sequence, split, string  # noqa: E402

from transformers import AutoTokenizer  # noqa: E402

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers  # noqa: E402

DATA = Path(__file__).parent.parent / "data/tokenizer"
BYTE_PIECES = [f"<0x{byte:02X}>" for byte in range(256)]
UNKNOWN = "<unk>"


# --- text ---


def invented_text(rng, words):
    """Lines of words of a few scripts, frequent ones and rare ones, and some lines of the corpus."""
    blocks = rng.sample(tokenizer_live.BLOCKS[:-4], 3) + [(0x61, 0x7B)]
    letters = [[chr(c) for c in range(*block) if chr(c).isprintable()] for block in blocks]
    letters = [rng.sample(script, min(len(script), 25)) for script in letters if len(script) > 4]
    known = ["".join(rng.choices(rng.choice(letters), k=rng.randrange(1, 9))) for _ in range(300)]
    chosen = rng.choices(known, weights=[1 / (i + 1) for i in range(300)], k=4000)
    lines = [" ".join(chosen[i : i + 9]) + rng.choice([".", "!", " 12", "", "\u3000"]) for i in range(0, 4000, 9)]
    return lines + rng.sample(words, 150)


# --- regular expressions ---

ATOMS = [r"\s", r"\S", r"\w", r"\W", r"\d", r"\p{L}", r"\p{N}", r"\p{P}", r"\p{Lu}", r"\p{M}", r"\p{Han}", r"\p{S}"]
ATOMS += ["[a-m]", "[^a-z ]", r"[\p{L}\p{M}]", r"[^\s\p{L}\p{N}]", r"[\p{L}&&[^aeiou]]", "[aeiouéü]", "[[:punct:]]"]
ATOMS += [".", " ", "e", "an", "'s", "▁", r"\R", r"\h", r"\X", r"\n", "é", r"[\r\n]"]
TESTS = ["^", "$", r"\b", r"\B", r"(?=\S)", r"(?!\S)", r"(?<=\d)", r"(?<!\p{L})", r"(?=[A-Z])", r"\A", r"\z", r"\Z"]
REPEATS = ["", "", "", "+", "*", "?", "{1,3}", "{2,}", "{2}", "++", "*+", "+?", "{,2}", "*?"]


def random_regex(rng, depth=2):
    branches = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        parts = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            kind = rng.randrange(10)
            if kind == 0:
                parts.append(rng.choice(TESTS))
            elif kind < 3 and depth > 0:
                opening = rng.choice(["(?:", "(", "(?i:", "(?>"])
                parts.append(opening + random_regex(rng, depth - 1) + ")" + rng.choice(REPEATS))
            else:
                parts.append(rng.choice(ATOMS) + rng.choice(REPEATS))
        branches.append("".join(parts))
    return "|".join(branches)


def random_pattern(rng):
    if rng.randrange(3) == 0:
        return string(rng.choice([" ", "e", "an", "  ", "▁", "", "é", ".", "the"]))
    return regex(random_regex(rng))


# --- stages ---


def flag(rng):
    return rng.random() < 0.5


def random_charsmap(rng):
    rules = {}
    for _ in range(rng.randrange(1, 60)):
        points = [rng.randrange(*rng.choice(tokenizer_live.BLOCKS)) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        source = "".join(chr(c) for c in points if not 0xD800 <= c < 0xE000 and c != 0)
        if source:
            rules[source.encode("utf-8")] = rng.choice(["", " ", "x", "fi", "▁", "é", "中文", source.lower(), "e\u0301"])
    return charsmap(rules or {b"a": "b"})


def random_normalizer(rng, depth=1):
    kinds = {
        "Bert": lambda: one(
            "BertNormalizer",
            clean_text=flag(rng),
            handle_chinese_chars=flag(rng),
            strip_accents=rng.choice([True, False, None]),
            lowercase=flag(rng),
        ),
        "Strip": lambda: one("Strip", strip_left=flag(rng), strip_right=flag(rng)),
        "Prepend": lambda: one("Prepend", prepend=rng.choice(["▁", "a", "", "  ", "é\u0301"])),
        "Replace": lambda: replace(random_pattern(rng), rng.choice(["", " ", "▁", "xy", "é", "\\1", "\u0301"])),
        "Precompiled": lambda: one("Precompiled", precompiled_charsmap=random_charsmap(rng)),
        "Sequence": lambda: random_sequence(rng, "normalizers", random_normalizer, depth),
    }
    for name in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel"):
        kinds[name] = lambda name=name: one(name)
    if depth == 0:
        del kinds["Sequence"]
    return kinds[rng.choice(list(kinds) + ["Replace"] * 2)]()


def random_sequence(rng, key, make, depth):
    return sequence(key, *(make(rng, depth - 1) for _ in range(rng.randrange(4))))


BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]


def byte_level(rng):
    return one("ByteLevel", add_prefix_space=flag(rng), trim_offsets=flag(rng), use_regex=flag(rng))


def metaspace(rng):
    scheme = rng.choice(["always", "never", "first"])
    return one(
        "Metaspace", replacement=rng.choice(["▁", "▁", "_", "é"]), prepend_scheme=scheme, split=flag(rng)
    )


def random_pre_tokenizer(rng, depth=1):
    kinds = {
        "Digits": lambda: one("Digits", individual_digits=flag(rng)),
        "CharDelimiterSplit": lambda: one("CharDelimiterSplit", delimiter=rng.choice("e _▁é")),
        "FixedLength": lambda: one("FixedLength", length=rng.randrange(1, 9)),
        "Punctuation": lambda: one("Punctuation", behavior=rng.choice(BEHAVIORS)),
        "Split": lambda: split(random_pattern(rng), rng.choice(BEHAVIORS), flag(rng)),
        "ByteLevel": lambda: byte_level(rng),
        "Metaspace": lambda: metaspace(rng),
        "Sequence": lambda: random_sequence(rng, "pretokenizers", random_pre_tokenizer, depth),
    }
    for name in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts"):
        kinds[name] = lambda name=name: one(name)
    if depth == 0:
        del kinds["Sequence"]
    return kinds[rng.choice(list(kinds) + ["Split"])]()


def random_template(rng, ids):
    def place(name):
        key = "Sequence" if name in "AB" else "SpecialToken"
        return {key: {"id": name, "type_id": rng.randrange(3)}}

    def places(texts):
        names = list(texts)
        for _ in range(rng.randrange(4)):
            names.insert(rng.randrange(len(names) + 1), rng.choice(list(ids)))
        return [place(name) for name in names]

    special = {
        name: {"id": name, "ids": [id] * n, "tokens": [name] * n}
        for name, id in ids.items()
        for n in [rng.choice([1, 1, 2])]
    }
    pair = rng.choice([["A", "B"], ["B", "A"], ["A", "A", "B"]])
    return one("TemplateProcessing", single=places(["A"]), pair=places(pair), special_tokens=special)


def random_post_processor(rng, ids, depth=1):
    frame = {key: list(rng.choice(list(ids.items()))) for key in ("sep", "cls")}
    kinds = {
        "Template": lambda: random_template(rng, ids),
        "Bert": lambda: one("BertProcessing", **frame),
        "Roberta": lambda: one("RobertaProcessing", **frame, trim_offsets=flag(rng), add_prefix_space=flag(rng)),
        "ByteLevel": lambda: byte_level(rng),
        "Sequence": lambda: sequence(
            "processors", byte_level(rng), random_post_processor(rng, ids, depth - 1), byte_level(rng)
        ),
    }
    if depth == 0:
        del kinds["Sequence"]
    return kinds[rng.choice(list(kinds))]()


# --- models ---


def trainer_of(rng, kind, specials):
    common = {"vocab_size": rng.randrange(350 if kind == "Unigram" else 60, 1500), "special_tokens": specials, "show_progress": False}
    few = {"limit_alphabet": rng.randrange(30, 300), "min_frequency": rng.randrange(4)}
    affixes = {}
    if rng.randrange(3) == 0:
        affixes = {"continuing_subword_prefix": rng.choice(["##", "@@", "é"])}
    elif rng.randrange(3) == 0:
        affixes = {"end_of_word_suffix": rng.choice(["</w>", "▁"])}
    if kind == "BPE":
        if rng.randrange(3) == 0:
            common["max_token_length"] = rng.randrange(2, 9)
        if rng.randrange(3) == 0:
            common["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
        return affixes, trainers.BpeTrainer(**common, **few, **affixes)
    if kind == "WordPiece":
        prefix = {"continuing_subword_prefix": rng.choice(["##", "", "@"])}
        return prefix, trainers.WordPieceTrainer(**common, **few, **prefix)
    if kind == "WordLevel":
        return {}, trainers.WordLevelTrainer(**common, min_frequency=rng.randrange(3))
    return {}, trainers.UnigramTrainer(
        **common,
        unk_token=UNKNOWN,
        shrinking_factor=rng.choice([0.5, 0.75, 0.9]),
        max_piece_length=rng.randrange(2, 17),
        n_sub_iterations=rng.randrange(1, 3),
    )


def as_trained(rng, kind, lines, stages, specials):
    affixes, trainer = trainer_of(rng, kind, specials)
    known = {"BPE": models.BPE, "WordPiece": models.WordPiece, "WordLevel": models.WordLevel}
    tokenizer = Tokenizer(models.Unigram() if kind == "Unigram" else known[kind](unk_token=UNKNOWN))
    if flag(rng):
        file = json.loads(tokenizer.to_str())
        file.update(stages)
        whole = Tokenizer.from_str(json.dumps(file))
        tokenizer.normalizer, tokenizer.pre_tokenizer = whole.normalizer, whole.pre_tokenizer
    else:
        tokenizer.normalizer = normalizers.NFKC()
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.train_from_iterator(lines, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    if kind in ("BPE", "WordPiece"):
        model.update(affixes)
    return model


def random_model(rng, lines, stages, specials):
    kind = rng.choice(["BPE", "BPE", "BPE", "Unigram", "Unigram", "WordPiece", "WordLevel"])
    model = as_trained(rng, kind, lines, stages, specials)
    if kind == "BPE":
        for key in ("fuse_unk", "byte_fallback", "ignore_merges"):
            model[key] = flag(rng)
        model["unk_token"] = rng.choice([UNKNOWN, None])
        if flag(rng):
            for piece in BYTE_PIECES:
                model["vocab"].setdefault(piece, len(model["vocab"]))
    elif kind == "Unigram" and flag(rng):
        model["vocab"] += [[piece, 0.0] for piece in BYTE_PIECES[rng.randrange(3) :]]
        model["byte_fallback"] = flag(rng)
    elif kind == "WordPiece":
        model["max_input_chars_per_word"] = rng.choice([100, 5, 20])
    return model


# --- the whole ---


def random_added(rng, lines, specials):
    words = [word for line in lines for word in line.split()]
    contents = specials + [rng.choice(words) for _ in range(4)]
    contents += [rng.choice([" a", "e ", "É", "[X]", "the", "▁the", "<s", "e\u0301", "中", "_", "of the", "ﬁ"])]
    contents += [word[: rng.randrange(1, 4)] for word in rng.sample(words, 2)]
    rng.shuffle(contents)
    flags = ("special", "normalized", "single_word", "lstrip", "rstrip")
    kept = contents[: rng.randrange(len(contents) + 1)]
    return [added(i, content, **{name: rng.random() < 0.4 for name in flags}) for i, content in enumerate(kept)]


def random_tokenizer(rng, words):
    lines = invented_text(rng, words)
    specials = [UNKNOWN, "<s>", "</s>", "[MASK]"]
    stages = {
        "normalizer": random_normalizer(rng) if flag(rng) else None,
        "pre_tokenizer": random_pre_tokenizer(rng) if rng.randrange(5) else None,
    }
    model = random_model(rng, lines, stages, specials)
    ids = {token: i for i, token in enumerate(specials)}
    post_processor = random_post_processor(rng, ids) if flag(rng) else None
    file = {"version": "1.0", "truncation": None, "padding": None}
    file.update({"added_tokens": random_added(rng, lines, specials), **stages})
    file.update({"post_processor": post_processor, "decoder": None, "model": model})
    return lines, json.dumps(file, ensure_ascii=False)


def as_described(text):
    file = json.loads(text)
    shown = {key: file[key] for key in ("normalizer", "pre_tokenizer", "post_processor")}
    shown["model"] = {k: v for k, v in file["model"].items() if k not in ("vocab", "merges")}
    return json.dumps(shown, ensure_ascii=False)


def compare_one(options, number, words):
    """How many strings differ, and why the program refuses the pipeline if it does."""
    rng = random.Random(f"{options.seed} {number}")
    try:
        lines, text = random_tokenizer(rng, words)
        reference = Tokenizer.from_str(text)
    except BaseException as error:
        if type(error).__name__ not in ("PanicException", "Exception"):
            raise
        return 0, f"the library refuses it: {str(error)[:150]!r}"
    specials = [token.content for token in reference.get_added_tokens_decoder().values()]
    texts = [tokenizer_live.random_string(rng, specials, lines) for _ in range(options.live)]
    second = rng.choice([None, " zweiter Text, é"])
    with tempfile.TemporaryDirectory() as folder:
        tokenizer_live.write_plain_folder(folder, text)
        # The class adds the listed tokens once more, which changes flags where one is listed twice.
        reference = AutoTokenizer.from_pretrained(folder).backend_tokenizer
        try:
            # Which text a token is of the library tells otherwise where a template has a text twice.
            columns = tokenizer_live.COLUMNS[:3]
            comparison = tokenizer_live.Comparison(options.program, folder, reference, second, columns)
            comparison.compare(texts)
        except tokenizer_live.Refused as refused:
            return 0, str(refused)
    different = comparison.different
    if different:
        print(f"pipeline {number}: {different} of {len(texts)} strings differ, {as_described(text)}", flush=True)
        if options.keep:
            Path(options.keep, f"pipeline-{options.seed}-{number}.json").write_text(text, encoding="utf-8")
    return different, None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pipelines", type=int, required=True)
    parser.add_argument("--live", type=int, required=True)
    parser.add_argument("--program", default="headscope")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    options = parser.parse_args()
    words = [line for line in read_lines(DATA / "token_lines.txt") if line]
    different = refused = 0
    for number in range(options.first, options.first + options.pipelines):
        count, why = compare_one(options, number, words)
        different += count > 0
        refused += why is not None
        if why is not None:
            print(f"pipeline {number}: {why}", flush=True)
    print(f"{options.pipelines} pipelines, seed {options.seed}: {different} differ, {refused} not compared")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
