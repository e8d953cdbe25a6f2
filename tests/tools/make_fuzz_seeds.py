#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the seeds of tests/fuzz for the weights, the configuration and the tokenizers: small good files in every form, and
typical bad ones.

    python3 -m venv venv
    venv/bin/pip install torch==2.13.0 safetensors==0.8.0 numpy
    venv/bin/python tests/tools/make_fuzz_seeds.py

Names of seeds written here start with "made_"; the others were found by fuzzing and are kept because they reach code of their
own or once broke something.
"""
import io
import json
import pathlib
import struct
import zipfile
from collections import OrderedDict

import numpy as np
import torch
from safetensors.torch import save

SEEDS = pathlib.Path(__file__).resolve().parents[1] / "fuzz" / "seeds"


def write(target, name, content):
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"made_{name}").write_bytes(content if isinstance(content, bytes) else content.encode())


def saved(value, **options):
    out = io.BytesIO()
    torch.save(value, out, **options)
    return out.getvalue()


def rezipped(data, compression, zip64=False):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", compression) as new:
        for info in old.infolist():
            entry = zipfile.ZipInfo(info.filename, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = compression
            with new.open(entry, "w", force_zip64=zip64) as part:
                part.write(old.read(info))
    return out.getvalue()


def pickle_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(next(n for n in archive.namelist() if n.endswith("data.pkl")))


def weights():
    matrix = torch.arange(6.0).reshape(2, 3)
    states = {
        "plain": OrderedDict(w=matrix, b=torch.ones(2, dtype=torch.bfloat16)),
        "views": {"t": matrix.t(), "columns": matrix[:, 1:], "tied": matrix, "expanded": torch.ones(1).expand(4),
                  "scalar": torch.tensor(1.0), "empty": torch.empty(0, 2)},
        "types": {str(t)[6:]: torch.ones(1, dtype=t) for t in (torch.float64, torch.float16, torch.int64, torch.int32,
                                                               torch.int16, torch.int8, torch.uint8, torch.bool)},
        "parameters": {"w": torch.nn.Parameter(torch.ones(2))},
        "wrapped": {"state_dict": OrderedDict(w=matrix), "epoch": 3, "rate": 0.5, "seed": 2 ** 80, "type": torch.float16,
                    "size": torch.Size([1, 2]), "list": [1, None, True]},
        "module": torch.nn.Linear(1, 1),
    }
    for name, state in states.items():
        zipped = saved(state)
        write("pickle", name, pickle_of(zipped))
        write("pickle", f"{name}_4", pickle_of(saved(state, pickle_protocol=4)))
        if name in ("plain", "views", "wrapped"):
            write("pytorch_file", f"{name}_zip", rezipped(zipped, zipfile.ZIP_STORED))
            write("pytorch_file", f"{name}_legacy", saved(state, _use_new_zipfile_serialization=False))
    plain = saved(states["plain"])
    write("pytorch_file", "torch", plain)
    write("pytorch_file", "deflated", rezipped(plain, zipfile.ZIP_DEFLATED))
    write("pytorch_file", "zip64", rezipped(plain, zipfile.ZIP_STORED, True))
    write("pytorch_file", "lfs", "version https://git-lfs.github.com/spec/v1\nsize 9\n")

    write("safetensors", "plain", save({"w": matrix, "b": torch.ones(2, dtype=torch.bfloat16)}, {"format": "pt"}))
    write("safetensors", "types", save(states["types"]))
    write("safetensors", "empty", save({}))
    write("safetensors", "scalar", save({"s": torch.tensor(1.0), "none": torch.empty(0, 2)}))
    write("safetensors", "html", "<!DOCTYPE html><html></html>")
    write("safetensors", "not_finite", save({"w": torch.tensor([float("nan"), float("inf")], dtype=torch.float16)}))


def configurations():
    names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    write("shard_index", "two", json.dumps({"metadata": {"total_size": 8}, "weight_map": {"a": names[0], "b": names[1]}}))
    write("shard_index", "one_missing", json.dumps({"weight_map": {"a": names[1]}}))
    write("shard_index", "parent", json.dumps({"weight_map": {"a": "../x.safetensors"}}))
    write("shard_index", "twice", '{"weight_map":{"a":"x.safetensors","a":"y.safetensors"}}')
    write("shard_index", "not_an_object", '{"weight_map":[]}')

    write("config", "bert", json.dumps({"model_type": "bert", "architectures": ["BertModel"], "hidden_size": 384,
                                        "layer_norm_eps": 1e-12, "hidden_act": "gelu", "pruned_heads": {}, "dtype": "float32",
                                        "eos_token_id": [1, 2], "is_decoder": False, "id2label": {"0": "a"}}))
    write("config", "nested", json.dumps({"model_type": "gemma3", "text_config": {
        "hidden_size": 64, "layer_types": ["full_attention", "sliding_attention"], "rope_scaling": {"rope_type": "linear",
                                                                                                     "factor": 8.0}}}))
    write("config", "quantised", json.dumps({"quantization_config": {"quant_method": "gptq", "bits": 4}}))
    write("config", "bitsandbytes", json.dumps({"vision_config": {"quantization_config": {"load_in_8bit": True}}}))
    write("config", "not_finite", '\ufeff{"a": NaN, "b": -Infinity, "c": 1000000000000000000000000000000, "d": null}')


def npz(compressed=False, **arrays):
    out = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(out, **arrays)
    return out.getvalue()


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def even(heads, queries, keys, causal=False):
    weights = np.tril(np.ones((heads, queries, keys))) if causal else np.ones((heads, queries, keys))
    return (weights / weights.sum(-1, keepdims=True)).astype("f4")


def attention_files():
    numbers = {letters: np.ones((2, 2), letters) for letters in ("b1", "i2", "u4", "i8", "f2", "f8")}
    texts = {"u": np.array(["a", "\u4e2d"]), "s": np.array([b"ab"])}
    for name, compressed in (("stored", False), ("deflated", True)):
        write("npz", name, npz(compressed, fortran=np.asfortranarray(np.ones((2, 3))), scalar=np.array(1), **numbers, **texts))
    write("npz", "object", npz(meta=np.array({"a": 1}, dtype=object)))
    write("npz", "records", npz(meta=np.zeros(2, dtype=[("a", "f4")])))
    write("npz", "empty", npz())

    def attention(name, kind, content, beside=""):
        beside = beside.encode()
        write("attention_file", name, kind + struct.pack("<H", len(beside)) + beside + content)

    tokens = ["[CLS]"] + ["a", "b", "."] * 13
    single = {"attentions.0": even(2, 40, 40, True), "attentions.1": even(1, 40, 40, True).astype("f8")[None]}
    attention("single", b"n", npz(True, **single, tokens=np.array(tokens), input_ids=np.arange(40), special=np.array([0]),
                                  causal=np.array(1), window=np.array([0, 50])))
    attention("beside", b"n", npz(True, **single), json.dumps({"tokens": tokens, "window": [None, 41], "learned_sink": True,
                                                             "unknown": 1}))
    stacks = {"encoder_attentions.0": even(1, 9, 9), "decoder_attentions.0": even(2, 10, 10, True),
              "cross_attentions.0": even(2, 10, 9)}
    attention("stacks", b"s", save({name: torch.from_numpy(maps) for name, maps in stacks.items()} | {
        "decoder_input_ids": torch.arange(10)}, {"tokens": json.dumps(tokens[:10]), "source_tokens": json.dumps(tokens[:9]),
                                                  "segments": json.dumps([-1, 0, 1] * 3 + [1]), "causal": "true"}))
    attention("one_cell", b"s", save({"attentions.0": torch.ones(1, 1, 1, dtype=torch.bfloat16)}))
    attention("scores", b"s", save({"attentions.0": torch.full((1, 3, 3), 7.5)}))
    attention("weights", b"s", save({"encoder.weight": torch.ones(2)}))
    both = np.stack([even(2, 3, 3), even(2, 3, 3, True)])
    attention("array", b"y", npy(both), '{"axes": "layers,heads,q,k", "tokens": ["a", "b", "[PAD]"]}')
    attention("fortran", b"y", npy(np.asfortranarray(both.T.astype("f8"))), '{"axes": "k,q,heads,layers", "causal": false}')
    attention("batch", b"n", npz(True, arr_0=both, arr_1=both.astype("f2")), '{"axes": "batch,heads,q,k", "sample": 1}')
    attention("said", b"n", npz(maps=both[0], axes=np.array("heads,k,q"), causal=np.array(False)))
    torches = [torch.from_numpy(maps) for maps in both]
    attention("tuple", b"p", saved(tuple(torches)), '{"axes": "heads,q,k"}')
    attention("outputs", b"p", saved({"attentions": tuple(one[None] for one in torches), "causal": True}))
    attention("nested", b"p", saved({"a": {"b": [torches[0].transpose(1, 2)]}}, _use_new_zipfile_serialization=False),
              '{"axes": "heads,k,q"}')
    attention("not_a_number", b"y", npy(np.full((1, 2, 2), np.nan, "f4")), '{"axes": "heads,q,k"}')
    attention("sink", b"y", npy(even(1, 3, 3, True) / 4), '{"axes": "heads,q,k", "learned_sink": true, "window": 2}')


def arrays():
    square = np.arange(6.0).reshape(2, 3)
    for name, array in (("plain", square.astype("f4")), ("fortran", np.asfortranarray(square)), ("bytes", np.ones(3, "u1")),
                        ("halves", square.astype("f2")), ("scalar", np.array(True)), ("empty", np.zeros((0, 4), "i2")),
                        ("objects", np.array([{"a": 1}], dtype=object)), ("texts", np.array(["a"])),
                        ("big_endian", square.astype(">f4")), ("complex", np.ones(1, "c8")),
                        ("records", np.zeros(2, dtype=[("a", "f4")])), ("turned", np.asfortranarray(np.ones((2, 3, 1, 2), "i8")))):
        write("npy", name, npy(array))
    long = io.BytesIO()
    np.lib.format.write_array(long, square, version=(2, 0))
    write("npy", "version_2", long.getvalue())


def adapters():
    """LoRA adapters of the small model that the target has."""
    module = "base_model.model.model.layers.0.self_attn.q_proj"
    other = "base_model.model.transformer.h.0.attn.c_attn"
    a, b = torch.ones(1, 2), torch.ones(3, 1)

    def adapter(name, tensors, layout="o", **fields):
        config = json.dumps({"peft_type": "LORA", "r": 1, "lora_alpha": 2, **fields}).encode()
        zipped = isinstance(tensors, bytes)
        write("adapter", name, (b"p" if zipped else b"s") + layout.encode() + struct.pack("<H", len(config)) + config
              + (tensors if zipped else save(tensors)))

    plain = {f"{module}.lora_A.weight": a, f"{module}.lora_B.weight": b}
    adapter("plain", plain, base_model_name_or_path="org/base", target_modules=["q_proj"], task_type="CAUSAL_LM")
    adapter("saved", saved({name: tensor.bfloat16() for name, tensor in plain.items()}), use_rslora=True)
    adapter("legacy", saved(OrderedDict(plain), _use_new_zipfile_serialization=False))
    adapter("turned", {f"{other}.lora_A.weight": torch.ones(2, 3), f"{other}.lora_B.weight": torch.ones(2, 2)}, "i",
            fan_in_fan_out=True, rank_pattern={"c_attn": 2}, alpha_pattern={"h.0.attn.c_attn": 0.5})
    adapter("older", {f"{module}.lora_A.default.weight": a, f"{module}.lora_B.default.weight": b})
    adapter("half", {f"{module}.lora_A.weight": a})
    adapter("rank", plain, r=2)
    adapter("twice", plain | {f"{module[17:]}.lora_A.weight": a.clone(), f"{module[17:]}.lora_B.weight": b.clone()})
    adapter("not_finite", {f"{module}.lora_A.weight": a * float("nan"), f"{module}.lora_B.weight": b})
    adapter("other_kind", plain, peft_type="IA3")
    adapter("pissa", plain, init_lora_weights="pissa")
    adapter("saved_modules", plain, modules_to_save=["lm_head"], use_dora=True)
    adapter("bias", plain, bias="all")


def protobuf(*fields):
    """A message of (number, value): bytes and text, floats, and whole numbers."""
    def varint(value):
        out = bytearray()
        while value >= 0x80:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes(out + bytes([value]))

    out = b""
    for number, value in fields:
        if isinstance(value, float):
            out += varint(number << 3 | 5) + struct.pack("<f", value)
        elif isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            content = value if isinstance(value, bytes) else value.encode()
            out += varint(number << 3 | 2) + varint(len(content)) + content
    return out


def sentence_piece(pieces, kind=1, *trainer):
    """A sentencepiece model of (spelling, score, type), of kind 1 (unigram) or 2 (BPE)."""
    listed = [(1, protobuf((1, spelling), (2, score), (3, of))) for spelling, score, of in pieces]
    return protobuf(*listed, (2, protobuf((3, kind), *trainer)), (3, protobuf((3, 1), (4, 1), (5, 1))))


# The classes by the byte that chooses them in tokenizer_load: one more than their place in class_rules_table.cpp.
CLASSES = ["json", "any", "bert", "distilbert", "electra", "mpnet", "roberta", "bart", "deberta", "gpt2", "codegen", "qwen2",
           "whisper", "clip", "gpt_neox", "bloom", "cohere", "xlmr", "camembert", "mbart", "mbart50", "nllb", "albert", "xlnet",
           "deberta_v2", "t5", "mt5", "pegasus", "llama", "code_llama", "gemma", "marian", "m2m100", "barthez", "byt5"]


def folder(name, config="", special="", added="", tokenizer="", vocabulary="", last=b""):
    parts = [part if isinstance(part, bytes) else part.encode() for part in (config, special, added, tokenizer, vocabulary, last)]
    return bytes([CLASSES.index(name)]) + b"\x1f".join(parts)


WORDS = {"[UNK]": 0, "a": 1, "b": 2, "##b": 3, "ab": 4, "é": 5, "▁": 6, "▁a": 7, "Ġ": 8, "Ġa": 9}
MODELS = {
    "bpe": {"type": "BPE", "unk_token": "[UNK]", "fuse_unk": True, "vocab": WORDS, "merges": ["a b", "▁ a"]},
    "wordpiece": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
                  "vocab": WORDS},
    "wordlevel": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": WORDS},
    "unigram": {"type": "Unigram", "unk_id": 0, "byte_fallback": True,
                "vocab": [["<unk>", 0], ["a", -1.5], ["▁a", -2], ["<0x62>", -3]]},
    "untyped": {"vocab": WORDS, "merges": []},
}


def tokenizer_files():
    flags = {"single_word": False, "lstrip": True, "rstrip": False, "normalized": True, "special": True}
    bert = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    stages = {
        "plain": {},
        "bert": {"normalizer": bert, "pre_tokenizer": {"type": "BertPreTokenizer"},
                 "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}},
        "sequences": {"normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKC"}, {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            {"type": "Strip", "strip_left": True, "strip_right": False}]},
                      "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                          {"type": "Split", "pattern": {"Regex": "\\s+(?!\\S)|a*?b"}, "behavior": "Isolated", "invert": False},
                          {"type": "Digits", "individual_digits": True}, {"type": "Punctuation", "behavior": "Contiguous"}]},
                      "added_tokens": [{"id": 9, "content": "<s>", **flags}, {"id": 10, "content": "é", **flags}]},
        "byte_level": {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True},
                       "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0],
                                          "trim_offsets": True, "add_prefix_space": True}},
        "template": {"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True},
                     "post_processor": {"type": "TemplateProcessing",
                                        "single": [{"SpecialToken": {"id": "x", "type_id": 0}},
                                                   {"Sequence": {"id": "A", "type_id": 0}}],
                                        "pair": [{"Sequence": {"id": "B", "type_id": 1}},
                                                 {"Sequence": {"id": "A", "type_id": 0}}],
                                        "special_tokens": {"x": {"id": "x", "ids": [1, 2], "tokens": ["a", "b"]}}}},
    }
    documents = {}
    for index, (name, model) in enumerate(MODELS.items()):
        stage = list(stages)[index]
        documents[name] = json.dumps({"version": "1.0", "truncation": None, "padding": None, **stages[stage], "decoder": None,
                                      "model": model}, ensure_ascii=False)
        write("tokenizer_load", f"{name}_{stage}", b"\0" + documents[name].encode())
    write("tokenizer_load", "nested", b"\0" + b'{"model":' * 1000)
    write("tokenizer_load", "nul_behind", b"\0" + documents["wordlevel"].encode() + b"\0{")
    write("tokenizer_load", "multiplied", b"\0" + json.dumps({"model": MODELS["wordlevel"], "post_processor": {
        "type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}] * 60, "pair": [],
        "special_tokens": {}}}).encode())
    write("tokenizer_load", "charsmap", b"\0" + json.dumps({
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": "CAAAAAAAAACAAAAA"}, "model": MODELS["wordlevel"]}).encode())
    write("tokenizer_load", "bert_json", folder("bert", json.dumps({"do_lower_case": False, "added_tokens_decoder": {
        "7": {"content": "<x>", **flags}}, "additional_special_tokens": ["<y>"]}),
        json.dumps({"mask_token": "[M]"}), '{"<z>": 77}',
        documents["wordpiece"]))
    write("tokenizer_load", "gpt2_json", folder("gpt2", '{"add_prefix_space": true}', tokenizer=documents["bpe"]))


def older_forms():
    write("tokenizer_load", "vocab_txt", folder("bert", '{"strip_accents": false}',
                                               last="[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\na\n\n"))
    write("tokenizer_load", "mpnet", folder("mpnet", last="<s>\n<pad>\n</s>\n[UNK]\na\nb"))
    letters = {"<s>": 0, "</s>": 1, "<unk>": 2, "a": 3, "b": 4, "ab": 5, "Ġ": 6, "<|endoftext|>": 7, "<|startoftranscript|>": 8,
               "a</w>": 9, "<|startoftext|>": 10}
    for name in ("gpt2", "roberta", "qwen2", "whisper", "clip", "codegen", "deberta"):
        write("tokenizer_load", name, folder(name, '{"errors": "replace"}', vocabulary=json.dumps(letters, ensure_ascii=False),
                                           last="#version: 0.2\na b\n"))
    pieces = [("<unk>", 0.0, 2), ("<s>", 0.0, 3), ("</s>", 0.0, 3), ("▁", -1.0, 1), ("a", -2.0, 1), ("▁a", -1.5, 1),
              ("user", 0.0, 4), ("ab", -3.0, 1), ("b", -4.0, 1), ("unused", -5.0, 5)]
    padded = [("<pad>", 0.0, 3), ("</s>", 0.0, 3), ("<unk>", 0.0, 2), *pieces[3:]]
    unigram = sentence_piece(pieces)
    bpe = sentence_piece(pieces, 2)
    for name in ("xlmr", "camembert", "mbart", "mbart50", "nllb", "albert", "xlnet", "deberta_v2", "llama", "barthez"):
        write("tokenizer_load", name, folder(name, last=unigram))
    for name in ("llama", "code_llama", "gemma"):
        write("tokenizer_load", f"{name}_bpe", folder(name, '{"add_bos_token": true, "legacy": false}', last=bpe))
    write("tokenizer_load", "t5", folder("t5", '{"extra_ids": 2}', last=sentence_piece(padded, 1, (40, 2))))
    write("tokenizer_load", "pegasus", folder("pegasus", '{"offset": 3}', last=unigram))
    ids = json.dumps({spelling: number for number, (spelling, _, _) in enumerate([("<pad>", 0, 0), *pieces])}, ensure_ascii=False)
    write("tokenizer_load", "marian", folder("marian", '{"source_lang": "en", "target_lang": "de"}',
                                            vocabulary=ids, last=unigram))
    write("tokenizer_load", "m2m100", folder("m2m100", '{"src_lang": "en"}', vocabulary=ids, last=unigram))
    write("tokenizer_load", "byt5", folder("byt5", '{"extra_ids": 2, "eos_token": "b"}',
                                          '{"additional_special_tokens": ["extra_id", "\u00e9 extra_id"]}', '{"<z>": 77}'))
    write("tokenizer_load", "cut_model", folder("llama", last=bpe[:-3]))


def pipelines():
    """For every model and every stage of the grammar of tokenizer_encode a text that has something for it."""
    text = "a ab\té \u4e2d\ufb01\U0001f600 \u0301<s> <m>  <r>\u00bd\u2581b\r\n\u0001É 12"
    pair = "\x1fb a"
    for model in range(13):
        write("tokenizer_encode", f"model_{model}", bytes([model, 0, 0, 0, 0, 0, 0, 0]) + text.encode())
        write("tokenizer_encode", f"added_{model}", bytes([model, model + 1, 0, 0, model + 1, 0, 127, 1])
              + (text + pair).encode())
    for stage in range(1, 22):
        write("tokenizer_encode", f"stages_{stage}",
              bytes([stage, stage, 22 - stage, min(stage, 19), 20 - min(stage, 19), stage, stage, 1])
              + (text + pair).encode())
    write("tokenizer_encode", "not_utf8", bytes(8) + b"a\xc3 \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\x80 a\0b\xff")


def gguf_files():
    """Headers built by hand: good ones of two architectures, and each kind of fault."""
    def text(value):
        return struct.pack("<Q", len(value)) + value.encode()

    def key(name, kind, value):
        return text(name) + struct.pack("<I", kind) + value

    def numbers(prefix, **values):
        return [key(f"{prefix}.{name.replace('__', '.')}", 4, struct.pack("<I", value)) for name, value in values.items()]

    def file(keys, tensors, data, version=3):
        head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys)) + b"".join(keys)
        for name, extents, kind, offset in tensors:
            head += text(name) + struct.pack("<I", len(extents)) + struct.pack(f"<{len(extents)}Q", *extents)
            head += struct.pack("<IQ", kind, offset)
        return head + bytes(-len(head) % 32) + data

    sizes = dict(block_count=1, context_length=8, embedding_length=4, feed_forward_length=4, attention__head_count=1)
    keys = [key("general.architecture", 8, text("llama")), *numbers("llama", **sizes),
            key("llama.attention.layer_norm_rms_epsilon", 6, struct.pack("<f", 1e-5))]
    words = ("token_embd.weight", [4, 3], 0, 0)
    write("gguf", "llama", file(keys, [words, ("blk.0.attn_q.weight", [4, 4], 1, 64)], bytes(96)))
    write("gguf", "llama_version2", file(keys, [words], bytes(48), version=2))
    fused = [key("general.architecture", 8, text("falcon")), *numbers("falcon", attention__head_count_kv=1, **sizes),
             key("falcon.attention.layer_norm_epsilon", 6, struct.pack("<f", 1e-5))]
    write("gguf", "falcon", file(fused, [words, ("blk.0.attn_qkv.weight", [4, 12], 0, 64)], bytes(256)))
    for kind, (elements, size) in {2: (32, 18), 8: (32, 34), 10: (256, 84), 11: (256, 110), 12: (256, 144), 14: (256, 210)}.items():
        write("gguf", f"type_{kind}", file([], [("w", [elements], kind, 0)], b"\x7e" * size))
    values = key("list", 9, struct.pack("<IQ", 8, 2) + text("a") + text("b")) + key("huge", 10, struct.pack("<Q", 2 ** 64 - 1))
    write("gguf", "values", file([values[:values.index(text("huge"))], values[values.index(text("huge")):]], [], b""))
    write("gguf", "nested", file([key("list", 9, struct.pack("<IQ", 9, 1))], [], b""))
    write("gguf", "long_text", file([key("k", 8, struct.pack("<Q", 2 ** 63))], [], b""))
    write("gguf", "overlap", file([], [("a", [8], 0, 0), ("b", [8], 0, 0)], bytes(64)))
    write("gguf", "counts", b"GGUF" + struct.pack("<IQQ", 3, 2 ** 63, 2 ** 63))

    def array(kind, numbers):
        packed = b"".join(text(one) for one in numbers) if kind == 8 else struct.pack(f"<{len(numbers)}{'if'[kind - 5]}", *numbers)
        return struct.pack("<IQ", kind, len(numbers)) + packed

    def vocabulary(name, model, tokens, kinds=None, scores=None, merges=None, pre=None, gemma=False, **more):
        keys = [key("tokenizer.ggml.model", 8, text(model)), key("tokenizer.ggml.tokens", 9, array(8, tokens))]
        if pre:
            keys.append(key("tokenizer.ggml.pre", 8, text(pre)))
        for name_, kind, numbers in (("token_type", 5, kinds), ("scores", 6, scores), ("merges", 8, merges)):
            if numbers is not None:
                keys.append(key(f"tokenizer.ggml.{name_}", 9, array(kind, numbers)))
        for name_, value in more.items():
            isFlag = isinstance(value, bool)
            keys.append(key(f"tokenizer.ggml.{name_}", 7 if isFlag else 4, struct.pack("<B" if isFlag else "<I", value)))
        write("gguf_tokenizer", name, (b"g" if gemma else b"l") + file(keys, [], b""))

    pieces = ["<unk>", "<s>", "</s>", "<0x61>", "\u2581", "a", "b", "\u2581a", "ab", "user", "unused"]
    kinds = [2, 3, 3, 6, 1, 1, 1, 1, 1, 4, 5]
    scores = [0.0, 0.0, 0.0, 0.0, -1.0, -2.0, -3.0, -1.5, -2.5, 0.0, 0.0]
    for name, gemma in (("llama", False), ("gemma", True)):
        vocabulary(name, "llama", pieces, kinds, scores, gemma=gemma, bos_token_id=1, eos_token_id=2, add_eos_token=True)
    vocabulary("no_prefix", "llama", pieces, kinds, scores, add_space_prefix=False, add_bos_token=False)
    vocabulary("no_scores", "llama", pieces, kinds)
    letters = ["a", "b", "c", "1", "12", "ab", "<s>", "\u0120", "\u00c3", "user", "unused"]
    for pre in ("gpt-2", "phi-2", "llama-bpe", "qwen2", "other"):
        vocabulary(pre.replace("-", "_"), "gpt2", letters, [1] * 6 + [3, 1, 1, 4, 5], merges=["a b", "1 2"], pre=pre,
                   bos_token_id=6, eos_token_id=6, add_eos_token=pre == "phi-2")
    vocabulary("one_piece", "gpt2", letters, merges=["ab"], pre="gpt-2")
    vocabulary("far_id", "gpt2", letters, merges=["a b"], pre="llama-bpe", bos_token_id=99)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "\u2581a", "\u2581b", "b", "\u2581caf"]
    vocabulary("bert", "bert", words, [3] * 5 + [1] * 4, pre="bert-bge")
    vocabulary("twice", "bert", words + ["b"], [3] * 5 + [1] * 5, pre="bert-bge")
    vocabulary("kind_0", "llama", ["a"], [0], [0.0])


if __name__ == "__main__":
    weights()
    gguf_files()
    configurations()
    attention_files()
    arrays()
    adapters()
    tokenizer_files()
    older_forms()
    pipelines()
