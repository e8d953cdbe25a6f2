#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes tests/data/tokenizer, and compares the program with the reference on random strings.

    pip install tokenizers==0.22.2 transformers==4.57.6

    make_tokenizer_fixtures.py --out tests/data/tokenizer [--minilm FOLDER] [--train]
        Writes the expected values. --train also trains the small tokenizers anew (their vocabularies may then differ).
    make_tokenizer_fixtures.py --live N --model MODEL --program headscope [--seed S] [--pair]
        Generates N random strings, has `headscope tokens MODEL --text-file F --json` encode them and compares ids, spans,
        special flags and which text each token is of. MODEL is a checkpoint folder (reference: AutoTokenizer) or a
        tokenizer.json (reference: tokenizers). Exit code 1 if any line differs.

Files written:
    token_lines.txt            the corpus (kept as it is), one text a line, lines end at U+000A only
    wordpiece_*.json           small tokenizers with other options
    NAME.tokens                expected tokens of every line: varints as in `pack_tokens`
    code_points.txt            properties of all code points, as the library has them
    class_rules.json           what the transformers classes make of a tokenizer.json
"""

import argparse
import copy
import json
import os
import random
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import tokenizer_live  # noqa: E402
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, trainers  # noqa: E402

# --- small tokenizers ---


def template(cls, sep):
    return {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
        ],
        "pair": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
            {"Sequence": {"id": "B", "type_id": 1}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 1}},
        ],
        "special_tokens": {
            "[CLS]": {"id": "[CLS]", "ids": [cls], "tokens": ["[CLS]"]},
            "[SEP]": {"id": "[SEP]", "ids": [sep], "tokens": ["[SEP]"]},
        },
    }


def bert_normalizer(clean, chinese, accents, lower):
    return {
        "type": "BertNormalizer",
        "clean_text": clean,
        "handle_chinese_chars": chinese,
        "strip_accents": accents,
        "lowercase": lower,
    }


def added(id, content, special=False, normalized=False, single_word=False, lstrip=False, rstrip=False):
    return {
        "id": id,
        "content": content,
        "single_word": single_word,
        "lstrip": lstrip,
        "rstrip": rstrip,
        "normalized": normalized,
        "special": special,
    }


SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def trained_vocabulary(lines, normalizer, prefix, size):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", continuing_subword_prefix=prefix))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        special_tokens=SPECIALS,
        continuing_subword_prefix=prefix,
        limit_alphabet=260,
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer.get_vocab()


def small_tokenizers(lines):
    """Name -> tokenizer.json. Their vocabularies are trained on the corpus with the normalizer of each."""
    kinds = {
        "lower": (normalizers.BertNormalizer(), bert_normalizer(True, True, None, True), "##", 1000),
        "cased": (
            normalizers.BertNormalizer(lowercase=False, strip_accents=False),
            bert_normalizer(True, True, False, False),
            "##",
            900,
        ),
        "cased_stripped": (
            normalizers.BertNormalizer(clean_text=False, lowercase=False, strip_accents=True),
            bert_normalizer(False, True, True, False),
            "##",
            900,
        ),
        "lower_accents": (
            normalizers.BertNormalizer(handle_chinese_chars=False, strip_accents=False),
            bert_normalizer(True, False, False, True),
            "##",
            900,
        ),
        "sequence": (
            normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents()]),
            {
                "type": "Sequence",
                "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}],
            },
            "",
            800,
        ),
        "added": (normalizers.BertNormalizer(), bert_normalizer(True, True, None, True), "##", 700),
    }
    result = {}
    for name, (normalizer, spec, prefix, size) in kinds.items():
        vocab = trained_vocabulary(lines, normalizer, prefix, size)
        file = {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [added(vocab[t], t, special=True) for t in SPECIALS],
            "normalizer": spec,
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": template(vocab["[CLS]"], vocab["[SEP]"]),
            "decoder": {"type": "WordPiece", "prefix": prefix, "cleanup": True},
            "model": {
                "type": "WordPiece",
                "unk_token": "[UNK]",
                "continuing_subword_prefix": prefix,
                "max_input_chars_per_word": 100,
                "vocab": dict(sorted(vocab.items(), key=lambda item: item[1])),
            },
        }
        result[name] = file
    result["cased"]["post_processor"] = {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}
    sequence = result["sequence"]
    sequence["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [{"type": "BertPreTokenizer"}]}
    sequence["post_processor"] = None
    sequence["model"]["max_input_chars_per_word"] = 12
    size = len(result["added"]["model"]["vocab"])
    result["added"]["added_tokens"] += [
        added(size, "<s>", rstrip=True),
        added(size + 1, "</s>", lstrip=True),
        added(size + 2, "<mask>", lstrip=True, rstrip=True),
        added(size + 3, "the", normalized=True, single_word=True),
        added(size + 4, "É", normalized=True),
        added(size + 5, "ing", normalized=True),
        added(size + 6, "##", single_word=True),
        added(size + 7, "  "),
        added(size + 8, " a", rstrip=True, normalized=True),
        added(size + 9, "中", normalized=True, single_word=True),
        added(size + 10, "日本", normalized=False, single_word=True),
        added(size + 11, "A", single_word=True),
        added(size + 12, "1", lstrip=True, normalized=True),
        added(size + 13, "\u0301"),
        added(size + 14, "10"),
    ]
    return result


# --- expected tokens ---


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def zigzag(number):
    return number << 1 if number >= 0 else (-number << 1) - 1


def pack_tokens(encodings):
    """For each line: the number of tokens; for each token 2 * id + special, and then, unless it is special, the start
    relative to the last token's end and the length (both zigzag). The template's tokens are at 0, 0."""
    out = bytearray()
    for encoding in encodings:
        out += varint(len(encoding.ids))
        last = 0
        for id, (start, end), special in zip(encoding.ids, encoding.offsets, encoding.special_tokens_mask):
            out += varint(2 * id + special)
            if special:
                assert (start, end) == (0, 0)
                continue
            out += varint(zigzag(start - last)) + varint(zigzag(end - start))
            last = end
    return bytes(out)


def read_lines(path):
    data = path.read_bytes()
    assert data.endswith(b"\n")
    return [line.decode("utf-8") for line in data[:-1].split(b"\n")]


def without_limits(tokenizer):
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


# --- code points ---


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def code_points():
    return (c for c in range(0x110000) if not 0xD800 <= c < 0xE000)


def ranges(points):
    result = []
    for c in points:
        if result and result[-1][1] == c - 1:
            result[-1][1] = c
        else:
            result.append([c, c])
    return result


def code_point_lines():
    clean = normalizers.BertNormalizer(True, False, False, False)
    accents = normalizers.BertNormalizer(False, False, True, False)
    marks = normalizers.StripAccents()
    bert = pre_tokenizers.BertPreTokenizer()
    words = Tokenizer(models.WordLevel({"[UNK]": 0}, "[UNK]"))
    words.add_tokens([AddedToken("zq", single_word=True, normalized=False)])
    properties = {
        "removed": lambda c: clean.normalize_str(c) == "",
        "nonspacing": lambda c: accents.normalize_str(c) == "",
        "mark": lambda c: marks.normalize_str(c) == "",
        "punctuation": lambda c: len(bert.pre_tokenize_str("a" + c)) == 2,
        "space": lambda c: bert.pre_tokenize_str(c) == [],
        "word": lambda c: 1 not in words.encode(c + "zq").ids,
    }
    for name, holds in properties.items():
        for first, last in ranges(c for c in code_points() if holds(chr(c))):
            yield f"{name} {first:x} {last:x}"
    # Blocks of 256 code points that are changed at all: FNV-1a of the outputs, each ended by a NUL.
    for name, stage in {"lowercase": normalizers.Lowercase(), "nfd": normalizers.NFD()}.items():
        for block in range(0x1100):
            points = [chr(c) for c in range(block * 256, block * 256 + 256) if not 0xD800 <= c < 0xE000]
            outputs = [stage.normalize_str(c) for c in points]
            if outputs != points:
                yield f"{name} {block:x} {fnv(b''.join(o.encode() + bytes(1) for o in outputs)):016x}"


# --- class rules ---


def class_files(file):
    """tokenizer.json files that differ from `file`, each by what its name says."""
    changed = {name: copy.deepcopy(file) for name in ("no_mask", "cased", "pattern", "padded", "inside")}
    del changed["no_mask"]["model"]["vocab"]["[MASK]"]
    changed["no_mask"]["added_tokens"] = [t for t in file["added_tokens"] if t["content"] != "[MASK]"]
    cased = bert_normalizer(True, True, None, False)
    changed["cased"]["normalizer"] = changed["pattern"]["normalizer"] = cased
    size = len(file["model"]["vocab"])
    changed["pattern"]["added_tokens"] += [added(size, "Vieux", normalized=True)]
    changed["padded"]["padding"] = {
        "strategy": "BatchLongest",
        "direction": "Right",
        "pad_to_multiple_of": None,
    }
    changed["padded"]["padding"].update({"pad_id": 0, "pad_type_id": 0, "pad_token": "tout"})
    changed["padded"]["added_tokens"] = [t for t in file["added_tokens"] if t["content"] != "[PAD]"]
    changed["inside"]["normalizer"] = {"type": "Sequence", "normalizers": [cased]}
    return changed


def class_cases(file):
    """Name -> tokenizer.json, tokenizer_config.json, special_tokens_map.json, added_tokens.json of a folder."""
    files = class_files(file)
    no_mask, cased = files["no_mask"], files["cased"]
    n = len(file["model"]["vocab"])
    base = file["added_tokens"]

    def bert(**settings):
        return {"tokenizer_class": "BertTokenizer", **settings}

    def plain(**settings):
        return {"tokenizer_class": "PreTrainedTokenizerFast", **settings}

    def decoder(*tokens, **settings):
        entries = {str(t["id"]): {k: v for k, v in t.items() if k != "id"} for t in tokens}
        return bert(added_tokens_decoder=entries, **settings)

    def entry(content, **flags):
        return {k: v for k, v in added(0, content, **flags).items() if k not in ("id", "special")}

    mask = {"__type": "AddedToken", "special": True, **entry("[MASK]", lstrip=True)}
    new_mask = {"__type": "AddedToken", "content": "<mask>", "lstrip": True}
    lstrip_mask = added(4, "[MASK]", special=True, lstrip=True)
    return {
        "no config": (file, None, None, None),
        "silent config": (cased, bert(), None, None),
        "says lower": (file, bert(do_lower_case=False), None, None),
        "says accents": (file, bert(strip_accents=False), None, None),
        "says accents and case": (file, bert(do_lower_case=False, strip_accents=True), None, None),
        "says chinese": (file, bert(tokenize_chinese_chars=False), None, None),
        "fast name": (cased, {"tokenizer_class": "BertTokenizerFast", "do_lower_case": True}, None, None),
        "plain class": (cased, plain(do_lower_case=True), None, None),
        "plain class with padding": (files["padded"], plain(), None, None),
        "plain class, padding given": (files["padded"], plain(pad_token=None), None, None),
        "inside a sequence": (files["inside"], bert(do_lower_case=True), None, None),
        "mask missing": (no_mask, bert(), None, None),
        "mask missing, none wanted": (no_mask, bert(mask_token=None), None, None),
        "other mask": (file, bert(mask_token="Vieux"), None, None),
        "mask object": (file, bert(mask_token=mask), None, None),
        "new mask object": (file, bert(mask_token=new_mask), None, None),
        "decoder changes flags": (file, decoder(*base[:4], lstrip_mask), None, None),
        "decoder adds": (
            file,
            decoder(*base, added(n + 3, "<new>", rstrip=True), added(n + 1, "Stadt", normalized=True)),
            None,
            None,
        ),
        "decoder and additional": (
            file,
            decoder(*base, added(n, "<a>"), additional_special_tokens=["<a>", "<b>"]),
            None,
            None,
        ),
        "empty decoder": (file, decoder(mask_token="<mask>"), {"mask_token": "[SEP]"}, None),
        "map of strings": (
            file,
            bert(mask_token="[MASK]"),
            {"mask_token": "<mask>", "bos_token": "[bos]"},
            None,
        ),
        "map of objects": (file, bert(), {"mask_token": entry("<mask>", lstrip=True, normalized=True)}, None),
        "map list": (
            file,
            bert(additional_special_tokens=["<a>"]),
            {"additional_special_tokens": ["<b>", "<a>", entry("<c>", rstrip=True)]},
            None,
        ),
        "old added tokens": (file, bert(), None, {"<a>": n + 7, "Stadt": n + 2, "[MASK]": 4}),
        "old added special": (file, bert(), {"additional_special_tokens": ["<a>"]}, {"<a>": n + 7}),
        "old pattern kept": (files["pattern"], bert(do_lower_case=True), None, None),
        "split special": (file, bert(split_special_tokens=True), None, None),
    }


CLASS_PROBE = "Vieux [MASK] <mask> Été  <a> <b> <c> tout [bos] 中文 STADT Stadt<new>  x [SEP]y"


def class_rules(file):
    from transformers import AutoTokenizer

    cases = []
    for name, (tokenizer, config, special_map, old) in class_cases(file).items():
        with tempfile.TemporaryDirectory() as folder:
            files = {
                "tokenizer.json": tokenizer,
                "tokenizer_config.json": config,
                "special_tokens_map.json": special_map,
                "added_tokens.json": old,
                "config.json": {"model_type": "bert"},
            }
            for path, content in files.items():
                if content is not None:
                    Path(folder, path).write_text(json.dumps(content), encoding="utf-8")
            reference = AutoTokenizer.from_pretrained(folder)
        encoding = without_limits(reference.backend_tokenizer).encode(CLASS_PROBE)
        # Tokenizers are stored as what they change in the base file.
        changes = {k: v for k, v in tokenizer.items() if v != file[k] and k != "model"}
        removed = sorted(set(file["model"]["vocab"]) - set(tokenizer["model"]["vocab"]))
        cases.append(
            {
                "name": name,
                "changes": changes,
                "removed_pieces": removed,
                "tokenizer_config": config,
                "special_tokens_map": special_map,
                "added_tokens": old,
                "ids": encoding.ids,
                "offsets": [list(o) for o in encoding.offsets],
            }
        )
    return {"text": CLASS_PROBE, "cases": cases}


# --- random strings ---


def live(options):
    text = Path(options.model).read_text(encoding="utf-8") if Path(options.model).is_file() else None
    with tempfile.TemporaryDirectory() as plain:
        if text is None:
            from transformers import AutoTokenizer

            folder = options.model
            reference = AutoTokenizer.from_pretrained(folder).backend_tokenizer
        else:
            folder = plain
            tokenizer_live.write_plain_folder(folder, text)
            reference = Tokenizer.from_str(text)
        without_limits(reference)
        specials = [t.content for t in reference.get_added_tokens_decoder().values()]
        words = [w for w in read_lines(Path(__file__).parent.parent / "data/tokenizer/token_lines.txt") if w]
        rng = random.Random(options.seed)
        second = "Der zweite TEXT, é 中 [MASK]" if options.pair else None
        comparison = tokenizer_live.Comparison(options.program, folder, reference, second)
        different = tokenizer_live.compare(
            comparison, options.live, lambda: tokenizer_live.random_string(rng, specials, words), options.model
        )
    sys.exit(1 if different else 0)


# --- command ---


def write(path, data):
    path.write_bytes(data)
    print(f"{path}: {len(data)} bytes")


def make(options):
    out = Path(options.out)
    lines = read_lines(out / "token_lines.txt")
    names = ["lower", "cased", "cased_stripped", "lower_accents", "sequence", "added"]
    if options.train:
        for name, file in small_tokenizers(lines).items():
            write(
                out / f"wordpiece_{name}.json",
                json.dumps(file, ensure_ascii=False, separators=(",", ":")).encode("utf-8"),
            )
    for name in names:
        tokenizer = Tokenizer.from_file(str(out / f"wordpiece_{name}.json"))
        write(out / f"wordpiece_{name}.tokens", pack_tokens(tokenizer.encode(line) for line in lines))
    if options.minilm:
        tokenizer = without_limits(Tokenizer.from_file(str(Path(options.minilm) / "tokenizer.json")))
        write(out / "minilm.tokens", pack_tokens(tokenizer.encode(line) for line in lines))
    write(out / "code_points.txt", ("\n".join(code_point_lines()) + "\n").encode("ascii"))
    base = json.loads((out / "wordpiece_lower.json").read_text(encoding="utf-8"))
    write(
        out / "class_rules.json", json.dumps(class_rules(base), ensure_ascii=False, indent=1).encode("utf-8")
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out")
    parser.add_argument("--minilm")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--live", type=int)
    parser.add_argument("--model")
    parser.add_argument("--program", default="headscope")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pair", action="store_true")
    options = parser.parse_args()
    if options.live:
        live(options)
    elif options.out:
        make(options)
    else:
        parser.error("give --out or --live")


if __name__ == "__main__":
    main()
