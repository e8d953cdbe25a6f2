#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the small vocabularies of tests/data/tokenizer/forms on the lines of the corpus.

They are sentencepiece models, byte-level merges, and the model part of tokenizer.json files. Run by
tokenizer_form_fixtures.py."""

import io
import json
from collections import Counter

import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as proto
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
SPECIALS = ["<|endoftext|>", "<s>", "<pad>", "</s>", "<unk>", "<mask>", "[CLS]", "[SEP]", "[MASK]"]
WHISPER = ["<|startoftranscript|>", "<|en|>", "<|zh|>", "<|de|>", "<|translate|>", "<|transcribe|>"]
WHISPER += ["<|notimestamps|>"]


def training_lines(lines, characters):
    """Lines that are made of the most frequent characters, so that small vocabularies hold all of them."""
    counts = Counter(c for line in lines for c in line)
    common = {c for c, _ in counts.most_common(characters)} - {"\0"}
    return [line for line in lines if line and set(line) <= common]


def trained(lines, edit=None, **options):
    writer = io.BytesIO()
    options.setdefault("vocab_size", 480)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(training_lines(lines, 180)),
        model_writer=writer,
        num_threads=1,
        hard_vocab_limit=False,
        character_coverage=1.0,
        minloglevel=2,
        **options,
    )
    model = proto.ModelProto.FromString(writer.getvalue())
    if edit:
        edit(model)
    model.normalizer_spec.precompiled_charsmap = b""  # a part of its own: it is long
    return model.SerializeToString()


def charsmap_part(lines, **options):
    """A model that holds nothing but the precompiled rules: behind another model it adds them to it."""
    writer = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["a b c"] * 9),
        model_writer=writer,
        vocab_size=9,
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    part = proto.ModelProto()
    spec = proto.ModelProto.FromString(writer.getvalue()).normalizer_spec
    part.normalizer_spec.precompiled_charsmap = spec.precompiled_charsmap
    return part.SerializeToString()


RULES = {"A": "a", "É": "e", "ﬁ": "fi", "e\u0301": "é", "e\u0301\u0323": "ẹ", "½": "1/2", "\u00a0": " "}
RULES.update({"\u3000": "  ", "\u200b": "", "ab": "ba", "abc": "X", "\t": " ", "wh": "▁w"})


def small_rules(path):
    rows = [
        "\t".join(" ".join(f"{ord(c):X}" for c in text) for text in (source, target))
        for source, target in RULES.items()
    ]
    path.write_text("\n".join(rows) + "\n", encoding="ascii")
    return str(path)


def add_pieces(pieces, kind=NORMAL, score=-3.0):
    def edit(model):
        for text in pieces:
            model.pieces.add(piece=text, score=score, type=kind)

    return edit


def disuse(model):
    """Every seventh longer piece is not to be used."""
    for i, piece in enumerate(model.pieces):
        if piece.type == NORMAL and len(piece.piece) > 1 and i % 7 == 0:
            piece.type = UNUSED


def sentence_pieces(lines):
    identity = {"normalization_rule_name": "identity"}
    t5_ids = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
    albert_ids = {"pad_id": 0, "unk_id": 1, "bos_id": 2, "eos_id": 3}
    whitespace = {"remove_extra_whitespaces": False, "allow_whitespace_only_pieces": True}
    llama = {"byte_fallback": True, "split_digits": True, **whitespace, **identity, "vocab_size": 740}
    return {
        "t5.model": trained(lines, **t5_ids),
        "albert.model": trained(
            lines,
            add_pieces(["▁1,", "2,", "12,", "▁,", "a,"]),
            **albert_ids,
            bos_piece="[CLS]",
            eos_piece="[SEP]",
            control_symbols=["[MASK]"],
        ),
        "xlnet.model": trained(
            lines, control_symbols=["<cls>", "<sep>", "<pad>", "<mask>", "<eod>", "<eop>"]
        ),
        "xlmr.model": trained(lines, user_defined_symbols=["«u»", "harb"]),
        "deberta.model": trained(
            lines,
            pad_id=0,
            bos_id=1,
            eos_id=2,
            unk_id=3,
            pad_piece="[PAD]",
            bos_piece="[CLS]",
            eos_piece="[SEP]",
            unk_piece="[UNK]",
        ),
        "llama.model": trained(lines, model_type="bpe", **llama),
        "gemma.model": trained(
            lines,
            model_type="bpe",
            pad_id=0,
            eos_id=1,
            bos_id=2,
            unk_id=3,
            eos_piece="<eos>",
            bos_piece="<bos>",
            user_defined_symbols=["<mask>", "<start_of_turn>", "<end_of_turn>", "\n\n", "▁▁▁"],
            **llama,
        ),
        "bpe.model": trained(lines, model_type="bpe", user_defined_symbols=["«u»"]),
        "bpe_unused.model": trained(lines, disuse, model_type="bpe", **whitespace),
        "unigram_bytes.model": trained(
            lines, disuse, byte_fallback=True, vocab_size=740, user_defined_symbols=["harb", "«u»"]
        ),
        "suffix.model": trained(lines, treat_whitespace_as_suffix=True, remove_extra_whitespaces=False),
        "bare.model": trained(lines, add_dummy_prefix=False, **identity),
    }


def byte_level_bpe(lines, suffix):
    suffix_option = {"end_of_word_suffix": suffix} if suffix else {}
    tokenizer = Tokenizer(models.BPE(**suffix_option))
    if suffix:
        pattern = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
        tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
        split = pre_tokenizers.Split(Regex(pattern), behavior="removed", invert=True)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False)])
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=760 if suffix else 560,
        special_tokens=["<|startoftext|>", "<|endoftext|>"] if suffix else SPECIALS + WHISPER,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
        **suffix_option,
    )
    tokenizer.train_from_iterator(training_lines(lines, 180), trainer)
    return json.loads(tokenizer.to_str())["model"]


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def merges_text(merges):
    return "".join(["#version: 0.2\n"] + [" ".join(pair) + "\n" for pair in merges]).encode("utf-8")


def vocabulary_of(model_bytes, start, end):
    model = proto.ModelProto.FromString(model_bytes)
    pieces = [p.piece for p in model.pieces if p.type in (NORMAL, USER_DEFINED, BYTE)]
    return {piece: i for i, piece in enumerate(start + pieces[::-1] + end)}


def converted_model(name, model_bytes, folder):
    """The "model" of the tokenizer.json that a class makes of a sentencepiece model."""
    from transformers import LlamaTokenizerFast, T5TokenizerFast

    path = folder / "spiece.model"
    path.write_bytes(model_bytes)
    if name == "unigram":
        tokenizer = T5TokenizerFast(vocab_file=str(path), extra_ids=0)
    else:
        tokenizer = LlamaTokenizerFast(vocab_file=str(path))
    return json.loads(tokenizer.backend_tokenizer.to_str())["model"]


def files(lines):
    """Name -> content."""
    import tempfile
    from pathlib import Path

    result = sentence_pieces(lines)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        result["nmt_nfkc.part"] = charsmap_part(lines, normalization_rule_name="nmt_nfkc")
        result["rules.part"] = charsmap_part(lines, normalization_rule_tsv=small_rules(folder / "rules.tsv"))
        result["unigram.model.json"] = text(converted_model("unigram", result["t5.model"], folder))
        result["llama.model.json"] = text(converted_model("llama", result["llama.model"], folder))

    bpe = byte_level_bpe(lines, "")
    result["byte_level.model.json"] = text(bpe)
    result["byte_level.vocab.json"] = text(bpe["vocab"])
    result["byte_level.merges.txt"] = merges_text(bpe["merges"])
    bare = [piece for piece in bpe["vocab"] if piece not in SPECIALS + WHISPER]
    result["byte_level_bare.vocab.json"] = text({piece: i for i, piece in enumerate(bare)})
    clip = byte_level_bpe(lines, "</w>")
    result["clip.vocab.json"] = text(clip["vocab"])
    result["clip.merges.txt"] = merges_text(clip["merges"])
    result["marian.vocab.json"] = text(
        vocabulary_of(result["t5.model"], ["</s>", "<unk>"], [">>de<<", ">>fr<<", "<pad>"])
    )
    result["marian_target.vocab.json"] = text(
        vocabulary_of(result["xlmr.model"], ["<pad>", "<unk>", "</s>"], [])
    )
    result["m2m.vocab.json"] = text(vocabulary_of(result["bpe.model"], ["<s>", "<pad>", "</s>", "<unk>"], []))
    wordpiece = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    wordpiece += "a b c d e f g h i k l m n o p r s t u v w y é 中 . , ! ' 1 2 ½ ㍿ < > [ ] the and".split()
    wordpiece += [
        "a",
        "##a",
        "##e",
        "##s",
        "##t",
        "##ing",
        "##er",
        "##ur",
        "##n",
        "##o",
        "##b",
        "",
        "har",
        "x ",
    ]
    wordpiece += ["<s>", "<pad>", "</s>", "<mask>"]
    result["vocab.txt"] = "".join(piece + "\n" for piece in wordpiece).encode("utf-8")
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    model.update({"max_input_chars_per_word": 100, "vocab": {piece: i for i, piece in enumerate(wordpiece)}})
    result["wordpiece.model.json"] = text(model)
    return result
