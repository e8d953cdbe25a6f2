#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes tests/data/tokenizer/stages.* and compares the program with the reference, for every stage type and its options.

    pip install tokenizers==0.22.2

    tokenizer_stage_fixtures.py --out tests/data/tokenizer
        Writes the expected values.
    tokenizer_stage_fixtures.py --explain KIND LINE [--data tests/data/tokenizer]
        Prints the tokens that the reference gives for one line of the corpus (counted from 1), one a line.
    tokenizer_stage_fixtures.py --live N --program headscope [--kind KIND] [--seed S]
        Generates N random strings a kind, has `headscope tokens FOLDER --text-file F --json` encode them and compares ids,
        spans and special flags. Strings on which the reference panics are left out. Exit code 1 if any line differs.

Files written:
    stages.json                the kinds: small tokenizers of one or a few stages, and the vocabulary of all of them
    stages.hashes              for each kind, in the order of stages.json, and each line of token_lines.txt: a hash of the
                               tokens (`hashed`), u32 little-endian, 0 where the reference panics
    stage_code_points.txt      properties of all code points that the stages need, as the library has them
"""

import argparse
import base64
import json
import os
import random
import struct
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent))
import tokenizer_live  # noqa: E402
from make_tokenizer_fixtures import (  # noqa: E402
    added,
    code_points,
    fnv,
    pack_tokens,
    ranges,
    read_lines,
    template,
)

# --- charsmaps: a double array as SentencePiece writes it ---


class DoubleArray:
    """First fit; small sets of byte strings only."""

    def __init__(self, keys):
        self.units = {}
        self.starts = set()
        children = {}
        for key, value in keys.items():
            for i, byte in enumerate(key):
                children.setdefault(key[:i], set()).add(byte)
            children.setdefault(key, set()).add(0)
        self.children = children
        self.values = keys
        self.place(b"", 0, 0)

    def place(self, prefix, at, label):
        labels = sorted(self.children[prefix])
        start = next(
            s
            for s in range(1, 1 << 21)
            if s not in self.starts and all(s ^ c not in self.units and s ^ c != 0 for c in labels)
        )
        self.starts.add(start)
        for c in labels:
            self.units[start ^ c] = 0
        self.units[at] = (at ^ start) << 10 | (0x100 if 0 in labels else 0) | label
        for c in labels:
            if c == 0:
                self.units[start] = 0x80000000 | self.values[prefix]
            else:
                self.place(prefix + bytes([c]), start ^ c, c)

    def packed(self):
        size = (max(self.units) | 0xFF) + 1
        return b"".join(struct.pack("<I", self.units.get(i, 0)) for i in range(size))


def charsmap(rules):
    texts = bytearray()
    keys = {}
    for source, target in sorted(rules.items()):
        keys[source] = len(texts)
        texts += target.encode("utf-8") + b"\0"
    trie = DoubleArray(keys).packed()
    return base64.b64encode(struct.pack("<I", len(trie)) + trie + bytes(texts)).decode("ascii")


def small_charsmap(lines):
    """NFKC of the corpus's characters, white space and removals as in nmt_nfkc, a few pairs, and odd rules."""
    nfkc = normalizers.NFKC()
    chars = sorted(set("".join(lines)))[::3] + list("éﬁ½①㍿ﬀΩÅｶﾞ\u0344")
    rules = {c.encode("utf-8"): nfkc.normalize_str(c) for c in chars if nfkc.normalize_str(c) != c}
    for c in "\t\n\r\u1680\u200b\u200e\u2028\u3000\ufeff\ufffd":
        rules[c.encode("utf-8")] = " "
    for c in "\x01\x02\x0b\x1f\x7f\u009f":
        rules[c.encode("utf-8")] = ""
    rules[b"\r\n"] = " "
    for pair in ("e\u0301", "a\u0300", "o\u0308", "か\u3099"):
        rules[pair.encode("utf-8")] = nfkc.normalize_str(pair)
    rules[b"q"] = "queue"
    rules[b"w"] = ""
    return charsmap(rules)


def any_charsmap():
    """Every chunk that is looked up becomes an X: clusters of fewer than 6 bytes, else characters."""
    return charsmap({bytes([byte]): "X" for byte in range(1, 256)})


# --- kinds ---

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
CL100K_REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}" + CL100K_REST
QWEN2 = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}" + CL100K_REST
CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
TEKKEN = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*|\p{{N}}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
DEEPSEEK = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def one(type, **fields):
    return {"type": type, **fields}


def sequence(key, *stages):
    return {"type": "Sequence", key: list(stages)}


def regex(text):
    return {"Regex": text}


def string(text):
    return {"String": text}


def replace(pattern, content):
    return one("Replace", pattern=pattern, content=content)


def split(pattern, behavior="Isolated", invert=False):
    return one("Split", pattern=pattern, behavior=behavior, invert=invert)


def byte_level(prefix=False, trim=True, **fields):
    return one("ByteLevel", add_prefix_space=prefix, trim_offsets=trim, **fields)


def metaspace(scheme="always", split=True, replacement="▁"):
    return one("Metaspace", replacement=replacement, prepend_scheme=scheme, split=split)


def normalizer_kinds(lines):
    nfd, nfc, nfkd, nfkc = one("NFD"), one("NFC"), one("NFKD"), one("NFKC")
    lower, accents = one("Lowercase"), one("StripAccents")
    strip = one("Strip", strip_left=True, strip_right=True)
    small = one("Precompiled", precompiled_charsmap=small_charsmap(lines))
    many = sequence
    return {
        "nfc": nfc,
        "nfd": nfd,
        "nfkc": nfkc,
        "nfkd": nfkd,
        "nfd_nfc": many("normalizers", nfd, nfc),
        "nfkd_nfkc_lower": many("normalizers", nfkd, nfkc, lower),
        "strip": strip,
        "strip_left": one("Strip", strip_left=True, strip_right=False),
        "strip_right": one("Strip", strip_left=False, strip_right=True),
        "strip_accents": accents,
        "lowercase": lower,
        "nmt": one("Nmt"),
        "byte_level_normalizer": one("ByteLevel"),
        "prepend": one("Prepend", prepend="▁▁"),
        "prepend_nothing": one("Prepend", prepend=""),
        "replace_space": replace(string(" "), "▁"),
        "replace_pair": replace(string("e "), "E1 "),
        "replace_nothing": replace(string(""), "-"),
        "replace_blanks": replace(regex(" {2,}"), "▁"),
        "replace_white_space": replace(regex(r"\s+"), " "),
        "replace_empty_matches": replace(regex("e*"), "<>"),
        "replace_start": replace(regex("^"), "> "),
        "replace_end": replace(regex("$"), "!"),
        "replace_word": replace(regex(r"(?i:[a-h])\w(?=\w)"), ""),
        "replace_twice": many("normalizers", replace(regex("^"), "ab"), replace(string("bT"), "-")),
        "precompiled": small,
        "precompiled_clusters": one("Precompiled", precompiled_charsmap=any_charsmap()),
        "precompiled_twice": many("normalizers", small, nfd, small),
        "albert": many(
            "normalizers",
            replace(string("``"), '"'),
            replace(string("''"), '"'),
            nfkd,
            accents,
            lower,
            small,
            replace(regex(" {2,}"), " "),
        ),
        "llama": many("normalizers", one("Prepend", prepend="▁"), replace(string(" "), "▁")),
        "xlmr": many("normalizers", small, strip, replace(regex(" {2,}"), "▁")),
    }


def pre_tokenizer_kinds():
    behaviors = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
    kinds = {
        "whitespace": one("Whitespace"),
        "whitespace_split": one("WhitespaceSplit"),
        "punctuation": one("Punctuation"),
        "digits": one("Digits", individual_digits=False),
        "digits_individual": one("Digits", individual_digits=True),
        "char_delimiter": one("CharDelimiterSplit", delimiter="e"),
        "fixed_length": one("FixedLength"),
        "fixed_length_3": one("FixedLength", length=3),
        "unicode_scripts": one("UnicodeScripts"),
        "byte_level": byte_level(),
        "byte_level_prefix": byte_level(True),
        "byte_level_whole": byte_level(True, use_regex=False),
        "metaspace": metaspace(),
        "metaspace_first": metaspace("first"),
        "metaspace_never": metaspace("never"),
        "metaspace_whole": metaspace(split=False),
        "metaspace_other": metaspace(replacement="e"),
        "split_gpt2": split(regex(GPT2)),
        "split_llama3": split(regex(LLAMA3)),
        "split_qwen2": split(regex(QWEN2)),
        "split_clip": split(regex(CLIP), "Removed", True),
        "split_tekken": split(regex(TEKKEN)),
        "split_deepseek": split(regex(DEEPSEEK)),
        "split_nothing": split(string("")),
        "split_empty_matches": split(regex(r"(?=[A-Z])|(?<=\d)"), "MergedWithNext"),
        "split_word_ends": split(regex(r"\b"), "Contiguous"),
        "split_space_previous": split(string(" "), "MergedWithPrevious"),
    }
    for behavior in behaviors[:1] + behaviors[2:]:
        kinds[f"punctuation_{behavior}"] = one("Punctuation", behavior=behavior)
    for behavior in behaviors:
        kinds[f"split_{behavior}"] = split(regex(r"\s|[^\w\s]|\d\d"), behavior)
        kinds[f"split_{behavior}_inverted"] = split(regex(r"\s|[^\w\s]|\d\d"), behavior, True)
    many = sequence
    kinds["llama3"] = many("pretokenizers", split(regex(LLAMA3)), byte_level(use_regex=False))
    kinds["removed_first"] = many("pretokenizers", split(string(" "), "Removed"), metaspace("first"))
    kinds["scripts_digits"] = many(
        "pretokenizers", one("UnicodeScripts"), one("Digits", individual_digits=True), one("Punctuation")
    )
    kinds["words_metaspace"] = many("pretokenizers", one("WhitespaceSplit"), metaspace())
    kinds["byte_level_twice"] = many("pretokenizers", byte_level(True), byte_level(True))
    return kinds


def post_processor_kinds():
    pair = {"sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}

    def roberta(**fields):
        return one("RobertaProcessing", **pair, **fields)

    frame = template(2, 3)
    return {
        "roberta": roberta(trim_offsets=True, add_prefix_space=True),
        "roberta_no_prefix": roberta(trim_offsets=True, add_prefix_space=False),
        "roberta_no_trim": roberta(trim_offsets=False, add_prefix_space=True),
        "roberta_incomplete": roberta(trim_offsets=True),
        "bert_with_more": one("BertProcessing", **pair, trim_offsets=True, add_prefix_space=False),
        "byte_level_trim": byte_level(True, True),
        "byte_level_no_trim": byte_level(True, False),
        "trim_then_template": sequence("processors", byte_level(False, True), frame),
        "template_then_trim": sequence("processors", frame, byte_level(True, True)),
        "bert_then_template": sequence("processors", one("BertProcessing", **pair), frame),
    }


def kinds(lines):
    """Name -> what a tokenizer.json of that kind has beside the model. "prefix" is the model's: with none every character
    is a token, with "##" every piece of more than one character is one unknown token."""
    result = {}
    for name, stage in normalizer_kinds(lines).items():
        result[name] = {"prefix": "", "normalizer": stage, "pre_tokenizer": one("FixedLength", length=1)}
    for name, stage in pre_tokenizer_kinds().items():
        result[name] = {"prefix": "##", "pre_tokenizer": stage}
    for name in ("byte_level_prefix", "metaspace"):
        result[name + "_text"] = {**result[name], "prefix": ""}
    for name, stage in post_processor_kinds().items():
        result["post_" + name] = {"prefix": "##", "pre_tokenizer": byte_level(True), "post_processor": stage}
    strip = one("Strip", strip_left=True, strip_right=False)
    result["stripped_first"] = {"prefix": "##", "normalizer": strip, "pre_tokenizer": metaspace("first")}
    result["start_metaspace"] = {
        "prefix": "",
        "normalizer": replace(regex("^"), "> "),
        "pre_tokenizer": metaspace("first"),
    }
    tokens = [
        added(0, "<s>", rstrip=True),
        added(0, "<mask>", lstrip=True),
        added(0, "the", normalized=True, single_word=True),
        added(0, "É", normalized=True),
        added(0, "  "),
    ]
    for name in ("prepend", "xlmr", "replace_start", "nfc", "metaspace_first", "byte_level_prefix", "llama3"):
        result["added_" + name] = {**result[name], "added_tokens": tokens}
    result["added_roberta"] = {**result["post_roberta"], "added_tokens": tokens}
    return result


SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def vocabulary(lines, all_kinds):
    """Every character that the kinds make of the corpus."""
    found = set("".join(lines))
    for kind in all_kinds.values():
        if "normalizer" in kind:
            stage = reference({"[UNK]": 1}, kind).normalizer
            for line in lines:
                found |= set(stage.normalize_str(line))
    found |= set(pre_tokenizers.ByteLevel.alphabet())
    return {piece: id for id, piece in enumerate(SPECIALS + sorted(found))}


def tokenizer_json(vocab, kind):
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": kind.get("added_tokens", []),
        "normalizer": kind.get("normalizer"),
        "pre_tokenizer": kind.get("pre_tokenizer"),
        "post_processor": kind.get("post_processor"),
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": kind["prefix"],
            "max_input_chars_per_word": 1000000000,
            "vocab": vocab,
        },
    }


def reference(vocab, kind):
    return Tokenizer.from_str(json.dumps(tokenizer_json(vocab, kind)))


# --- expected tokens ---

PAIR = " the second one"


def second_text(kind):
    return PAIR if "post_processor" in kind else None


def hashed(encoding):
    """The lower half of the FNV-1a hash of what pack_tokens writes; 0 where the library panics."""
    return 0 if encoding is None else fnv(pack_tokens([encoding])) & 0xFFFFFFFF


# --- code points ---


def matched_ranges(pattern, text, points):
    stage = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    return ranges(c for _, (a, b) in stage.pre_tokenize_str(text) for c in points[a:b])


def script_lines(points):
    """Each code point's script, named by the first code point that has it; those without one are left out."""
    stage = pre_tokenizers.UnicodeScripts()
    known = []
    scripts = []
    for c in points:
        pieces = stage.pre_tokenize_str("a" + chr(c) + "a")
        text = chr(c)
        if len(pieces) == 1 and stage.pre_tokenize_str(text) == []:
            continue
        same = next((k for k in reversed(known) if len(stage.pre_tokenize_str(chr(k) + text)) == 1), None)
        if same is None:
            known.append(c)
            same = c
        elif known[-1] != same:
            known.remove(same)
            known.append(same)
        if scripts and scripts[-1][1] == c - 1 and scripts[-1][2] == same:
            scripts[-1][1] = c
        else:
            scripts.append([c, c, same])
    for first, last, script in scripts:
        yield f"script {first:x} {last:x} {script:x}"


def code_point_lines():
    points = list(code_points())
    text = "".join(map(chr, points))
    for name, pattern in {"letter": r"\p{L}+", "number": r"\p{N}+", "regex_space": r"\s+"}.items():
        for first, last in matched_ranges(pattern, text, points):
            yield f"{name} {first:x} {last:x}"
    digits = pre_tokenizers.Digits(individual_digits=True)
    any_cluster = one("Precompiled", precompiled_charsmap=any_charsmap())
    clusters = reference({"[UNK]": 1}, {"prefix": "", "normalizer": any_cluster}).normalizer
    properties = {
        "numeric": lambda c: len(digits.pre_tokenize_str("a" + c)) == 2,
        "joins_before": lambda c: clusters.normalize_str("a" + c) == "X",
        "joins_behind": lambda c: clusters.normalize_str(c + "a") == "X",
    }
    for name, holds in properties.items():
        for first, last in ranges(c for c in points if c > 0 and holds(chr(c))):
            yield f"{name} {first:x} {last:x}"
    yield from script_lines(points)
    # Blocks of 256 code points that are changed at all: FNV-1a of the outputs, each ended by a NUL.
    for name, stage in {"nfc": normalizers.NFC(), "nfkc": normalizers.NFKC(), "nfkd": normalizers.NFKD()}.items():
        for block in range(0x1100):
            characters = [chr(c) for c in range(block * 256, block * 256 + 256) if not 0xD800 <= c < 0xE000]
            outputs = [stage.normalize_str(c) for c in characters]
            if outputs != characters:
                yield f"{name} {block:x} {fnv(b''.join(o.encode() + bytes(1) for o in outputs)):016x}"


# --- commands ---


def write(path, data):
    path.write_bytes(data)
    print(f"{path}: {len(data)} bytes")


def make(out):
    lines = read_lines(out / "token_lines.txt")
    all_kinds = kinds(lines)
    vocab = vocabulary(lines, all_kinds)
    hashes = bytearray()
    for kind in all_kinds.values():
        tokenizer = reference(vocab, kind)
        for line in lines:
            hashes += struct.pack("<I", hashed(tokenizer_live.encoded(tokenizer, line, second_text(kind))))
    content = {"pair": PAIR, "kinds": all_kinds, "vocab": "".join(list(vocab)[len(SPECIALS) :])}
    write(out / "stages.json", json.dumps(content, ensure_ascii=False, indent=0).encode("utf-8"))
    write(out / "stages.hashes", bytes(hashes))
    write(out / "stage_code_points.txt", ("\n".join(code_point_lines()) + "\n").encode("ascii"))


def stored_kinds(data):
    content = json.loads((data / "stages.json").read_text(encoding="utf-8"))
    vocab = {piece: id for id, piece in enumerate(SPECIALS + list(content["vocab"]))}
    return vocab, content["kinds"]


def explain(name, number, data):
    vocab, all_kinds = stored_kinds(data)
    kind = all_kinds[name]
    line = read_lines(data / "token_lines.txt")[number - 1]
    print(repr(line))
    encoding = tokenizer_live.encoded(reference(vocab, kind), line, second_text(kind))
    if encoding is None:
        sys.exit("the reference panics")
    for token in zip(encoding.ids, encoding.offsets, encoding.special_tokens_mask, encoding.tokens):
        print(*token)


def compare(name, vocab, kind, options, words):
    rng = random.Random(f"{name} {options.seed}")
    specials = [token["content"] for token in kind.get("added_tokens", [])]
    with tempfile.TemporaryDirectory() as folder:
        tokenizer_live.write_plain_folder(folder, json.dumps(tokenizer_json(vocab, kind)))
        # Behind a processor that is not the first the library numbers the texts anew: these are not compared.
        comparison = tokenizer_live.Comparison(
            options.program, folder, reference(vocab, kind), second_text(kind), tokenizer_live.COLUMNS[:3]
        )
        different = tokenizer_live.compare(
            comparison, options.live, lambda: tokenizer_live.random_string(rng, specials, words), name
        )
    return different


def live(options):
    data = Path(options.data)
    vocab, all_kinds = stored_kinds(data)
    words = [line for line in read_lines(data / "token_lines.txt") if line]
    names = [options.kind] if options.kind else list(all_kinds)
    sys.exit(1 if sum(compare(name, vocab, all_kinds[name], options, words) for name in names) else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out")
    parser.add_argument("--explain", nargs=2, metavar=("KIND", "LINE"))
    parser.add_argument("--live", type=int)
    parser.add_argument("--kind")
    parser.add_argument("--program", default="headscope")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", default=str(Path(__file__).parent.parent / "data/tokenizer"))
    options = parser.parse_args()
    if options.out:
        make(Path(options.out))
    elif options.explain:
        explain(options.explain[0], int(options.explain[1]), Path(options.data))
    elif options.live:
        live(options)
    else:
        parser.error("give --out, --explain or --live")


if __name__ == "__main__":
    main()
