#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of tests/data/tokenizer/forms.

A case is {"name", "files": {file name: [part]}}, where a part is the name of a file of that folder or {"text": its text};
"fails": true where transformers refuses the folder, "target": true where a text of the decoder's side is read as well,
"single": true where pairs are not."""

import json

from make_tokenizer_fixtures import added, bert_normalizer


def text(value):
    return {"text": json.dumps(value, ensure_ascii=False, separators=(",", ":"))}


def case(name, files, model_type, config=None, **more):
    """`config` is tokenizer_config.json; `more` may give special_map, old_added, model (more of config.json), fails."""
    result = {"name": name, "files": dict(files)}
    result["files"]["config.json"] = [text({"model_type": model_type, **more.get("model", {})})]
    extra = {"tokenizer_config": config, "special_tokens_map": more.get("special_map")}
    extra["added_tokens"] = more.get("old_added")
    for file, content in extra.items():
        if content is not None:
            result["files"][f"{file}.json"] = [text(content)]
    for flag in ("fails", "target", "single"):
        if more.get(flag):
            result[flag] = True
    return result


# --- tokenizer.json ---

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
INNER = {**BYTE_LEVEL, "add_prefix_space": False, "use_regex": False}
SPLIT = {
    "type": "Split",
    "pattern": {"Regex": r"\p{N}{1,3}| ?[^\p{N}]+"},
    "behavior": "Isolated",
    "invert": False,
}
NESTED = {"type": "Sequence", "pretokenizers": [SPLIT, INNER]}
ROBERTA = {"type": "RobertaProcessing", "sep": ["</s>", 3], "cls": ["<s>", 1]}
ROBERTA.update({"trim_offsets": False, "add_prefix_space": True})
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
LLAMA = {
    "type": "Sequence",
    "normalizers": [
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    ],
}


def template(single, pair, ids):
    def slots(words):
        result = []
        for word in words.split():
            name, _, kind = word.partition("/")
            key = "Sequence" if name in "AB" else "SpecialToken"
            result.append({key: {"id": name, "type_id": int(kind or 0)}})
        return result

    special = {token: {"id": token, "ids": [id], "tokens": [token]} for token, id in ids.items()}
    return {
        "type": "TemplateProcessing",
        "single": slots(single),
        "pair": slots(pair),
        "special_tokens": special,
    }


def tokenizer_json(model, tokens=(), **stages):
    head = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": list(tokens)}
    head.update({"normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None})
    head.update(stages)
    start = json.dumps(head, ensure_ascii=False, separators=(",", ":"))[:-1]
    return {"tokenizer.json": [{"text": start + ',"model":'}, f"{model}.model.json", {"text": "}"}]}


def byte_level(tokens=(), **stages):
    return tokenizer_json("byte_level", tokens, **{"pre_tokenizer": BYTE_LEVEL, **stages})


def unigram(tokens=(), **stages):
    return tokenizer_json("unigram", tokens, **{"pre_tokenizer": METASPACE, **stages})


def llama(tokens=(), **stages):
    return tokenizer_json("llama", tokens, **{"normalizer": LLAMA, **stages})


def as_entry(token):
    return {k: v for k, v in token.items() if k != "id"}


def decoder(*tokens):
    return {"added_tokens_decoder": {str(t["id"]): as_entry(t) for t in tokens}}


def added_object(content, **flags):
    token = as_entry(added(0, content, **flags))
    return {"__type": "AddedToken", **token}


def byte_level_classes():
    special = [added(i, t, special=True) for i, t in [(0, "<|endoftext|>"), (1, "<s>"), (3, "</s>")]]
    roberta = byte_level(special, post_processor=ROBERTA)
    trims = byte_level(special, post_processor={**BYTE_LEVEL, "trim_offsets": False})
    padding = {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0}
    padding.update({"pad_type_id": 0, "pad_token": "harb"})
    old = {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}
    old = template("<s> A", "<s> A B/1", {"<s>": 1}) or old
    mask = added(5, "<mask>", special=True, normalized=True)
    yield case("json roberta silent", roberta, "roberta")
    yield case("json roberta flags", roberta, "roberta", {"add_prefix_space": True, "trim_offsets": False})
    yield case("json roberta trim null", roberta, "roberta", {"trim_offsets": None}, fails=True)
    yield case("json roberta byte level", trims, "roberta", {"tokenizer_class": "RobertaTokenizer"})
    yield case("json roberta template", byte_level(special, post_processor=old), "roberta")
    yield case("json roberta mask listed", byte_level(special + [mask], post_processor=ROBERTA), "roberta")
    yield case(
        "json roberta mask declared",
        byte_level(special + [mask], post_processor=ROBERTA),
        "roberta",
        {"mask_token": "<mask>", "unk_token": added_object("<unk>", rstrip=True)},
    )
    yield case("json roberta decoder", roberta, "roberta", decoder(*special, added(5, "<mask>", rstrip=True)))
    yield case(
        "json roberta old tokens",
        roberta,
        "roberta",
        special_map={"mask_token": as_entry(mask), "bos_token": "<s>", "additional_special_tokens": ["<a>"]},
        old_added={"<a>": 561, "<pad>": 2, "harbour": 562, "[MASK]": 8},
    )
    yield case("json bart silent", roberta, "bart")
    yield case("json bart flags", roberta, "bart", {"add_prefix_space": True, "mask_token": "har"})
    yield case("json deberta", byte_level(special), "deberta", {"do_lower_case": False})
    yield case("json deberta prefix", byte_level(special), "deberta", {"add_prefix_space": True})
    for prefix in (True, False, None):
        config = {"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": prefix, "add_bos_token": True}
        yield case(f"json gpt2 {prefix}", byte_level(), "gpt2", config)
    yield case("json gpt2 padding", byte_level(padding=padding), "gpt2")
    yield case("json gpt2 padding given", byte_level(padding=padding), "gpt2", {"pad_token": "<pad>"})
    yield case("json gpt2 nested", byte_level(pre_tokenizer=NESTED), "gpt2", {"add_prefix_space": True})
    yield case("json gpt2 malformed", byte_level(), "gpt2", {"pad_token": 7}, fails=True)
    yield case("json codegen", byte_level(), "phi", {"tokenizer_class": "CodeGenTokenizer"})
    yield case("json codegen bos", byte_level(), "phi", {"add_bos_token": True}, fails=True)
    for name in ("gpt_neox", "olmo2", "stablelm"):
        yield case(f"json {name}", byte_level(post_processor=old), name)
    flags = {"add_bos_token": True, "add_eos_token": True, "bos_token": "<s>", "eos_token": "</s>"}
    yield case("json gpt_neox flags", byte_level(padding=padding), "gpt_neox", flags)
    yield case(
        "json gpt_neox no bos",
        byte_level(),
        "gpt_neox",
        {"add_bos_token": True, "bos_token": None},
        fails=True,
    )
    for prefix in (True, False):
        bloom = {"tokenizer_class": "BloomTokenizerFast", "add_prefix_space": prefix}
        yield case(f"json bloom {prefix}", byte_level(pre_tokenizer=NESTED), "bloom", bloom)
        cohere = {"add_prefix_space": prefix, "add_eos_token": prefix}
        yield case(f"json cohere {prefix}", byte_level(pre_tokenizer=NESTED), "cohere", cohere)
    yield case("json bloom top", byte_level(), "bloom")
    yield case("json cohere2", byte_level(post_processor=old), "cohere2", {"add_bos_token": False})
    qwen = byte_level(normalizer={"type": "NFC"}, pre_tokenizer=NESTED)
    yield case("json qwen2", qwen, "qwen2")
    yield case(
        "json qwen3 tokens", qwen, "qwen3", {"bos_token": "é", "eos_token": "<s>", "add_bos_token": True}
    )
    yield case(
        "json whisper", byte_level(post_processor=old), "whisper", {"language": "de", "task": "translate"}
    )
    yield case("json clip", byte_level(pre_tokenizer=NESTED, post_processor=ROBERTA), "clip")
    yield case("json clip old", byte_level(), "clip", fails=True)
    plain = {"tokenizer_class": "PreTrainedTokenizerFast"}
    for name in ("modernbert", "falcon", "smollm3", "gpt_oss"):
        yield case(f"json {name}", byte_level(special, post_processor=old), name)
    yield case("json plain bos does nothing", byte_level(), "llama", {**plain, "add_bos_token": True})
    more = {"image_token": "<image>", "boi_token": added_object("<boi>", lstrip=True)}
    yield case("json plain extra", byte_level(), "llama", {**plain, "extra_special_tokens": more})
    yield case(
        "json plain extra list", byte_level(), "llama", {**plain, "extra_special_tokens": ["<a>"]}, fails=True
    )
    yield case("json plain split", byte_level(special), "llama", {**plain, "split_special_tokens": True})
    yield case(
        "json unknown class", byte_level(), "gpt2", {"tokenizer_class": "TokenizersBackend"}, fails=True
    )
    yield case(
        "json class of config", byte_level(), "gpt2", model={"tokenizer_class": "GPTNeoXTokenizerFast"}
    )


def other_classes():
    words = {"pre_tokenizer": {"type": "BertPreTokenizer"}}
    bert = {**words, "normalizer": bert_normalizer(True, False, None, False)}
    inner = {**words, "normalizer": {"type": "Sequence", "normalizers": [bert["normalizer"]]}}
    for name, config in {
        "silent": None,
        "cased": {"do_lower_case": False, "strip_accents": True, "tokenize_chinese_chars": True},
        "decoder": decoder(added(5, "<mask>", special=True), added(90, "tail", normalized=True)),
    }.items():
        yield case(f"json mpnet {name}", tokenizer_json("wordpiece", **bert), "mpnet", config)
    yield case("json mpnet inside", tokenizer_json("wordpiece", **inner), "mpnet")
    yield case("json electra", tokenizer_json("wordpiece", **bert), "electra")

    pieces = [added(0, "<pad>", special=True), added(1, "</s>", special=True)]
    yield case("json xlm-roberta", unigram(pieces), "xlm-roberta")
    yield case("json xlm-roberta map", unigram(), "xlm-roberta", special_map={"mask_token": "<pad>"})
    yield case("json camembert", unigram(pieces), "camembert")
    yield case("json camembert null", unigram(), "camembert", {"additional_special_tokens": None})
    yield case("json albert", unigram(pieces), "albert", {"do_lower_case": False, "keep_accents": True})
    yield case("json xlnet", unigram(pieces), "xlnet")
    yield case("json xlnet list", unigram(), "xlnet", {"additional_special_tokens": ["<eop>", "x y"]})
    yield case("json deberta-v2", unigram(pieces), "deberta-v2", {"add_prefix_space": True})
    yield case("json t5", unigram(pieces), "t5")
    yield case("json t5 none", unigram(pieces), "mt5", {"extra_ids": 0})
    yield case("json t5 named", unigram(), "umt5", {"additional_special_tokens": ["<new>"], "extra_ids": 3})
    wrong = {"additional_special_tokens": ["<extra_id_0>"], "extra_ids": 3}
    yield case("json t5 wrong count", unigram(), "t5", wrong, fails=True)
    right = {
        "additional_special_tokens": ["<extra_id_1>", added_object("<extra_id_0>", lstrip=True)],
        "extra_ids": 2,
    }
    yield case("json t5 right count", unigram(), "t5", right)
    rebuilt = {**unigram(), "spiece.model": ["t5.model", "nmt_nfkc.part"]}
    for prefix in (True, False, None):
        config = {"add_prefix_space": prefix, "legacy": False, "extra_ids": 4}
        yield case(f"json t5 prefix {prefix}", rebuilt, "t5", config)
    yield case("json t5 prefix only", unigram(), "t5", {"add_prefix_space": True}, fails=True)
    yield case(
        "json mbart", unigram(pieces), "mbart", {"src_lang": "de_DE", "tgt_lang": "ro_RO"}, target=True
    )
    yield case("json mbart silent", unigram(pieces), "mbart", {"additional_special_tokens": ["<x>", "de_DE"]})
    yield case("json mbart unknown", unigram([added(2, "<unk>", special=True)]), "mbart", {"src_lang": "xx"})
    fifty = {"tokenizer_class": "MBart50Tokenizer"}
    yield case("json mbart50", unigram(pieces), "mbart", {**fifty, "tgt_lang": "gl_ES"}, target=True)
    yield case("json mbart50 unknown", unigram(pieces), "mbart", {**fifty, "src_lang": "xx"}, fails=True)
    nllb = {"tokenizer_class": "NllbTokenizer"}
    yield case(
        "json nllb",
        unigram(pieces),
        "m2m_100",
        {**nllb, "src_lang": "deu_Latn", "tgt_lang": "fra_Latn"},
        target=True,
    )
    yield case("json nllb legacy", unigram(), "m2m_100", {**nllb, "legacy_behaviour": True})
    yield case("json nllb named", unigram(), "m2m_100", {**nllb, "additional_special_tokens": ["eng_Latn"]})
    yield case("json pegasus", unigram(pieces), "pegasus", {"offset": 5, **decoder(added(0, "x"))})
    yield case(
        "json pegasus named", unigram(), "pegasus", {"offset": 6, "additional_special_tokens": ["<a>"]}
    )
    wrong = {"offset": 6, "additional_special_tokens": ["<unk_2>", "<unk_3>", "<unk_3>"]}
    yield case("json pegasus wrong", unigram(), "pegasus", wrong, fails=True)
    slow = {**unigram(), "spiece.model": ["t5.model", "rules.part"]}
    twice = {"mask_token_sent": None, "offset": 5, "tokenizer_file": None}
    yield case("json pegasus twice", slow, "pegasus", twice, fails=True)
    yield case("json pegasus rebuilt", slow, "pegasus", {"offset": 5, "pad_token": "<s>"})

    special = [added(i, t, special=True) for i, t in enumerate(["<unk>", "<s>", "</s>"])]
    yield case("json llama", llama(special), "llama")
    yield case("json llama flags", llama(special), "mistral", {"add_bos_token": False, "add_eos_token": True})
    yield case("json llama none", llama(), "mixtral", {"add_bos_token": None, "legacy": False})
    yield case("json llama no bos", llama(special), "phi3", {"bos_token": None}, fails=True)
    yield case("json llama colon", llama(special), "llama", {"bos_token": "a:b"}, fails=True)
    yield case("json llama byte level", byte_level(), "llama", {"tokenizer_class": "LlamaTokenizerFast"})
    yield case(
        "json code llama", llama(special), "llama", {"tokenizer_class": "CodeLlamaTokenizer"}, single=True
    )
    yield case("json gemma", llama(special), "gemma2", {"bos_token": "<s>"})
    both = {**llama(special), "tokenizer.model": ["llama.model"]}
    for prefix in (True, False, None):
        yield case(f"json llama prefix {prefix}", both, "llama", {"add_prefix_space": prefix})
    new = {"add_prefix_space": True, "legacy": False, **decoder(*special, added(800, "<new>", lstrip=True))}
    yield case("json llama prefix new", both, "llama", new)
    yield case("json llama prefix only", llama(special), "llama", {"add_prefix_space": True}, fails=True)


def null_files():
    """A tokenizer_file that is null stands in for tokenizer.json, which is then not read."""
    null = {"tokenizer_file": None}
    bert = {
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "normalizer": bert_normalizer(True, True, None, True),
    }
    words = {**tokenizer_json("wordpiece", [added(60, "tail")], **bert), "vocab.txt": ["vocab.txt"]}
    merges = {"vocab.json": ["byte_level.vocab.json"], "merges.txt": ["byte_level.merges.txt"]}
    yield case("null file bert", words, "bert", {**null, "mask_token": "zz"})
    yield case("null file mpnet", words, "mpnet", {**null, **decoder(added(3, "<x>", lstrip=True))})
    for name in ("roberta", "bart", "deberta", "gpt2", "qwen2", "whisper"):
        yield case(f"null file {name}", {**byte_level([added(9, "harb")]), **merges}, name, null)
    spm = {**unigram(), "sentencepiece.bpe.model": ["xlmr.model", "rules.part"]}
    tokens = decoder(added(1, "<pad>", special=True), added(700, "old", normalized=True))
    yield case("null file nllb", spm, "m2m_100", {**null, "tokenizer_class": "NllbTokenizer", **tokens})
    for name in ("xlm-roberta", "camembert", "mbart"):
        yield case(f"null file {name}", spm, name, null, special_map={"unk_token": added_object("<unk>")})
    spiece = {**unigram(), "spiece.model": ["xlnet.model"]}
    for name in ("albert", "xlnet", "t5", "pegasus"):
        yield case(f"null file {name}", spiece, name, null)
    model = {**llama(), "tokenizer.model": ["llama.model"]}
    yield case("null file llama", model, "llama", null)
    yield case(
        "null file code llama", model, "llama", {**null, "tokenizer_class": "CodeLlamaTokenizer"}, single=True
    )
    yield case("null file alone", unigram(), "xlm-roberta", null, fails=True)
    yield case("null file without a form", byte_level(), "gpt_neox", null, fails=True)
    yield case(
        "null file named", unigram(), "xlm-roberta", {"tokenizer_file": "/x/tokenizer.json"}, fails=True
    )


def oddities():
    """What follows from how the reference is written, and decides ids all the same."""
    special = [added(1, "[SEP]", special=True), added(17, "[SEP]", rstrip=True)]
    yield case("odd listed twice", unigram(special), "albert")
    spiece = {"spiece.model": ["albert.model"]}
    twice = decoder(added(689, "[SEP]"), added(3, "[SEP]", rstrip=True))
    yield case("odd declared twice", spiece, "albert", twice)
    ordinary = [added(7, "[SEP]"), added(2, "<pad>")]
    yield case("odd becomes special", byte_level(ordinary), "deberta", {"split_special_tokens": True})
    trims = byte_level(post_processor={**BYTE_LEVEL, "trim_offsets": False})
    yield case("odd null prefix", trims, "roberta", {"add_prefix_space": None})
    yield case("odd space in end", unigram(), "mbart", {"eos_token": " old"})
    merges = {"vocab.json": ["byte_level.vocab.json"], "merges.txt": ["byte_level.merges.txt"]}
    extra = {"additional_special_tokens": ["<s>", " old"]}
    mask = {"mask_token": added_object(" old", single_word=True)}
    yield case("odd last added", merges, "qwen2", mask, special_map=extra, old_added={"<a>": 9, "harb": 600})
    language = {"tokenizer_file": None, "language": "de", "predict_timestamps": True}
    yield case("odd language kept back", {**byte_level(), **merges}, "whisper", language)
    yield case("odd vocabulary first", {"vocab.txt": ["vocab.txt"]}, "mpnet", None, old_added={"<s>": 839})
    raw = {"cls_token": added_object("<mask_1>")}
    yield case("odd object unread", llama(), "llama", raw, old_added={"<mask_1>": 800})
    untyped = {"content": "<mask>", "lstrip": True}
    for key, value in {
        "mask_token": untyped,
        "additional_special_tokens": ["a", untyped],
        "extra_special_tokens": {"image_token": untyped},
    }.items():
        yield case(f"odd untyped {key}", unigram(), "albert", {key: value}, fails=True)
    typed = {"mask_token": "<mask>"}
    yield case("odd untyped replaced", unigram(), "albert", {"mask_token": untyped}, special_map=typed)
    yield case("odd null mask", {"spiece.model": ["t5.model"]}, "pegasus", {"mask_token": None, "offset": 5})


# --- older forms ---


def word_piece_forms():
    files = {"vocab.txt": ["vocab.txt"]}
    yield case("vocab.txt bert", files, "bert")
    yield case("vocab.txt bert cased", files, "bert", {"do_lower_case": False, "strip_accents": True})
    yield case(
        "vocab.txt distilbert", files, "distilbert", {"tokenize_chinese_chars": False, "mask_token": "har"}
    )
    yield case("vocab.txt electra", files, "electra", {"do_basic_tokenize": False, "strip_accents": False})
    missing = {"cls_token": "<new>", "sep_token": added_object("<sep>", lstrip=True)}
    yield case(
        "vocab.txt new tokens", files, "bert", {**missing, **decoder(added(200, "tail", special=True))}
    )
    yield case("vocab.txt mpnet", files, "mpnet", {"tokenizer_class": "MPNetTokenizer"})
    yield case(
        "vocab.txt old tokens",
        files,
        "bert",
        special_map={"mask_token": "[MASK]"},
        old_added={"<a>": 99, "the": 2},
    )
    crlf = {"vocab.txt": [{"text": "[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\n[MASK]\ra\nb\n##a\na\n\nend"}]}
    yield case("vocab.txt line ends", crlf, "bert")
    yield case("vocab.txt spaces in cls", files, "bert", {"cls_token": "a b"}, fails=True)


def merge_forms():
    files = {"vocab.json": ["byte_level.vocab.json"], "merges.txt": ["byte_level.merges.txt"]}
    bare = {**files, "vocab.json": ["byte_level_bare.vocab.json"]}
    for name in ("gpt2", "roberta", "bart", "deberta", "qwen2", "whisper", "phi", "opt", "starcoder2"):
        yield case(f"merges {name}", files, name)
    for name in ("gpt2", "roberta", "bart", "deberta", "qwen2"):
        yield case(f"merges {name} bare", bare, name, {"add_prefix_space": name != "qwen2"})
    opt = {"tokenizer_class": "GPT2Tokenizer", "add_bos_token": True, "bos_token": "</s>"}
    yield case("merges opt bos", files, "opt", {**opt, "pad_token": added_object("<pad>")})
    yield case("merges null prefix", files, "gpt2", {"add_prefix_space": None}, fails=True)
    tokens = decoder(added(5, "<mask>", special=True, lstrip=True), added(900, "harb", normalized=True))
    yield case("merges roberta decoder", files, "roberta", {**tokens, "mask_token": "<mask>"})
    yield case("merges roberta trim", files, "roberta", {"trim_offsets": False, "sep_token": "<new>"})
    yield case("merges whisper language", files, "whisper", {"language": "German", "task": "translate"})
    stamps = {"language": "zh", "predict_timestamps": True, "tokenizer_class": "WhisperTokenizer"}
    yield case("merges whisper code", files, "whisper", stamps)
    yield case("merges whisper unknown", files, "whisper", {"language": "klingon"}, fails=True)
    clip = {"vocab.json": ["clip.vocab.json"], "merges.txt": ["clip.merges.txt"]}
    yield case("merges clip", clip, "clip")
    yield case("merges clip pad", clip, "clip", {"pad_token": "!"})
    yield case("merges neox", files, "gpt_neox", fails=True)
    yield case(
        "merges short line", {**files, "merges.txt": [{"text": "#version\na b\nab\n"}]}, "gpt2", fails=True
    )
    repeated = "first line\ne r\ni n\ne n\ni n\ne r\nu u"
    yield case("merges repeated", {**files, "merges.txt": [{"text": repeated}]}, "gpt2")
    yield case(
        "merges empty lines",
        {**files, "merges.txt": [{"text": "#version: 0.2" + repeated[10:] + "\n\n a n \n"}]},
        "qwen2",
    )


def sentence_piece_forms():
    nfkc, rules = "nmt_nfkc.part", "rules.part"

    def files(name, *parts):
        return {name: list(parts)}

    spiece, bpe_name, llama_name = "spiece.model", "sentencepiece.bpe.model", "tokenizer.model"
    yield case("spm albert", files(spiece, "albert.model", nfkc), "albert")
    yield case(
        "spm albert cased",
        files(spiece, "albert.model"),
        "albert",
        {"do_lower_case": False, "keep_accents": True},
    )
    yield case("spm xlnet", files(spiece, "xlnet.model", nfkc), "xlnet")
    yield case(
        "spm xlnet lower",
        files(spiece, "xlnet.model", rules),
        "xlnet",
        {"do_lower_case": True, "sep_token": "é"},
    )
    yield case("spm xlnet other ids", files(spiece, "t5.model", rules), "xlnet")
    for name in ("xlm-roberta", "camembert"):
        yield case(f"spm {name}", files(bpe_name, "xlmr.model", nfkc), name)
        yield case(
            f"spm {name} other ids", files(bpe_name, "t5.model", rules), name, {"mask_token": "[MASK]"}
        )
    tokens = decoder(added(4, "<x>", lstrip=True), added(0, "<s>", special=True), added(700, "<y>"))
    yield case("spm camembert decoder", files(bpe_name, "xlmr.model"), "camembert", tokens)
    yield case("spm xlm-roberta decoder", files(bpe_name, "xlmr.model"), "xlm-roberta", tokens)
    languages = {"src_lang": "fr_XX", "tgt_lang": "ar_AR"}
    yield case("spm mbart", files(bpe_name, "xlmr.model", nfkc), "mbart", languages, target=True)
    yield case(
        "spm mbart silent", files(bpe_name, "t5.model"), "mbart", {"additional_special_tokens": ["harbour"]}
    )
    fifty = {"tokenizer_class": "MBart50Tokenizer"}
    yield case(
        "spm mbart50", files(bpe_name, "xlmr.model", rules), "mbart", {**fifty, **languages}, target=True
    )
    nllb = {"tokenizer_class": "NllbTokenizer", "src_lang": "eng_Latn", "tgt_lang": "deu_Latn"}
    yield case("spm nllb", files(bpe_name, "xlmr.model", nfkc), "m2m_100", nllb, target=True)
    yield case(
        "spm nllb bpe", files(bpe_name, "bpe.model", nfkc), "m2m_100", {**nllb, "legacy_behaviour": True}
    )
    yield case("spm t5", files(spiece, "t5.model", nfkc), "t5")
    yield case("spm t5 new", files(spiece, "t5.model", rules), "mt5", {"legacy": False, "extra_ids": 3})
    yield case(
        "spm t5 no prefix", files(spiece, "t5.model"), "umt5", {"add_prefix_space": False, "extra_ids": 0}
    )
    yield case(
        "spm t5 null prefix", files(spiece, "t5.model"), "t5", {"add_prefix_space": None, "extra_ids": 2}
    )
    yield case("spm t5 bytes", files(spiece, "unigram_bytes.model"), "t5", {"extra_ids": 1})
    yield case("spm pegasus", files(spiece, "t5.model", nfkc), "pegasus")
    short = {"offset": 6, "additional_special_tokens": ["<a>", "<mask_1>"], "mask_token": "<m>"}
    yield case("spm pegasus short", files(spiece, "t5.model"), "pegasus", short)
    yield case(
        "spm pegasus no mask",
        files(spiece, "t5.model", rules),
        "pegasus",
        {"mask_token_sent": None, "offset": 4},
    )
    yield case("spm deberta-v2", files("spm.model", "deberta.model", nfkc), "deberta-v2")
    lower = {"do_lower_case": True, "split_by_punct": True, "mask_token": "<mask>"}
    yield case("spm deberta-v2 lower", files("spm.model", "deberta.model", rules), "deberta-v2", lower)
    yield case("spm llama", files(llama_name, "llama.model"), "llama")
    for prefix in (True, False, None):
        config = {"add_prefix_space": prefix, "legacy": prefix is None, "add_eos_token": True}
        yield case(f"spm llama prefix {prefix}", files(llama_name, "llama.model"), "llama", config)
    yield case(
        "spm llama legacy no prefix", files(llama_name, "llama.model"), "llama", {"add_prefix_space": False}
    )
    named = {
        "unk_token": "<pad>",
        "bos_token": "<b>",
        **decoder(added(0, "<zero>"), added(1, "<s>", special=True)),
    }
    yield case("spm llama names", files(llama_name, "llama.model"), "mistral", named)
    yield case("spm llama unigram", files(llama_name, "unigram_bytes.model"), "llama", {"legacy": False})
    yield case(
        "spm code llama",
        files(llama_name, "llama.model"),
        "llama",
        {"tokenizer_class": "CodeLlamaTokenizer"},
        single=True,
    )
    yield case("spm gemma", files(llama_name, "gemma.model"), "gemma")
    yield case(
        "spm gemma tokens",
        files(llama_name, "gemma.model"),
        "gemma3_text",
        {"pad_token": "<mask>", "add_eos_token": True},
    )
    both = {**files(spiece, "t5.model"), **files(llama_name, "xlnet.model")}
    yield case("spm t5 beside tokenizer.model", both, "t5", {"extra_ids": 0})
    yield case("spm not a model", {llama_name: [{"text": "IQ== 0\nIg== 1\n"}]}, "llama", fails=True)


def slow_forms():
    def marian(source, target):
        return {"source.spm": source, "target.spm": target, "vocab.json": ["marian.vocab.json"]}

    nfkc, rules = "nmt_nfkc.part", "rules.part"
    pair = marian(["t5.model", nfkc], ["xlmr.model", rules])
    more = {"target": True}
    yield case("marian", pair, "marian", **more)
    yield case(
        "marian class", pair, "marian", {"tokenizer_class": "MarianTokenizer", "eos_token": "▁the"}, **more
    )
    yield case("marian bpe", marian(["bpe.model", rules], ["llama.model"]), "marian", **more)
    yield case("marian bytes", marian(["unigram_bytes.model", rules], ["bpe_unused.model"]), "marian", **more)
    yield case("marian suffix", marian(["suffix.model", rules], ["bare.model", nfkc]), "marian", **more)
    apart = {**pair, "target_vocab.json": ["marian_target.vocab.json"]}
    yield case("marian separate", apart, "marian", {"separate_vocabs": True}, **more)
    tokens = decoder(added(1, "<unk>", special=True), added(477, "harbour", lstrip=True, rstrip=True))
    tokens["added_tokens_decoder"].update(
        decoder(added(478, "old", single_word=True), added(479, "["))["added_tokens_decoder"]
    )
    yield case(
        "marian tokens", pair, "marian", {**tokens, "additional_special_tokens": ["ha", "arb"]}, **more
    )
    split = {**tokens, "split_special_tokens": True}
    yield case("marian split", pair, "marian", split, **more)
    m2m = {"sentencepiece.bpe.model": ["bpe.model", nfkc], "vocab.json": ["m2m.vocab.json"]}
    yield case("m2m_100", m2m, "m2m_100", {"tgt_lang": "fr"}, target=True)
    listed = {"src_lang": "de", "additional_special_tokens": ["__de__", "__en__"], "language_codes": "m2m100"}
    yield case("m2m_100 listed", m2m, "m2m_100", listed)
    yield case("m2m_100 wmt21", m2m, "m2m_100", {"language_codes": "wmt21", "src_lang": "ha"})
    yield case("m2m_100 unknown", m2m, "m2m_100", {"src_lang": "xx"}, fails=True)


def barthez_forms():
    barthez = {"tokenizer_class": "BarthezTokenizer"}
    special = [added(i, t, special=True) for i, t in enumerate(["<s>", "<pad>", "</s>", "<unk>"])]
    yield case("json barthez", unigram(special), "mbart", {**barthez, "mask_token": "[MASK]"})
    yield case("json barthez fast", unigram(), "mbart", {"tokenizer_class": "BarthezTokenizerFast", "cls_token": "<pad>"})
    for name in ("deberta", "t5", "bpe"):
        files = {"sentencepiece.bpe.model": [f"{name}.model", "nmt_nfkc.part"]}
        yield case(f"spm barthez {name}", files, "mbart", barthez)
    tokens = decoder(added(4, "<x>", lstrip=True), added(0, "<s>", special=True), added(700, "<y>"))
    files = {"sentencepiece.bpe.model": ["xlmr.model"]}
    yield case("spm barthez decoder", files, "mbart", {**barthez, **tokens})


T5_TOKENS = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}


def byte_forms():
    """ByT5, which has no vocabulary file."""
    byt5 = {"tokenizer_class": "ByT5Tokenizer"}
    yield case("bytes", {}, "t5", byt5, target=True)
    yield case("bytes class of config", {}, "mt5", model=byt5)
    hub = {key: added_object(token, normalized=True) for key, token in T5_TOKENS.items()}
    hub.update({"extra_ids": 125, "additional_special_tokens": [f"<extra_id_{i}>" for i in range(125)]})
    flat = {**T5_TOKENS, "additional_special_tokens": hub["additional_special_tokens"]}
    yield case("bytes hub", {}, "t5", {**byt5, **hub}, special_map=flat)
    yield case("bytes few", {}, "t5", {**byt5, "extra_ids": 3, "eos_token": "é"})
    # A token of one character is that byte's spelling too.
    named = ["<a>", added_object("é", lstrip=True), "b", "\u00c3"]
    yield case("bytes named", {}, "t5", {**byt5, "extra_ids": 0, "additional_special_tokens": named})
    yield case("bytes empty list", {}, "t5", {**byt5, "additional_special_tokens": []})
    same = ["<extra_id_0>", added_object("<extra_id_0>"), "my extra_id"]
    yield case("bytes right count", {}, "t5", {**byt5, "extra_ids": 3, "additional_special_tokens": same})
    yield case("bytes wrong count", {}, "t5", {**byt5, "extra_ids": 2, "additional_special_tokens": same}, fails=True)
    yield case("bytes no extra ids", {}, "t5", {**byt5, "additional_special_tokens": ["<a>"]}, fails=True)
    tokens = decoder(added(1, "<end>", special=True), added(200, "<in>"), added(300, "the", single_word=True))
    yield case("bytes decoder", {}, "t5", {**byt5, **tokens, "extra_ids": 1})
    own = decoder(added(0, "<pad>", special=True), added(1, "</s>", special=True), added(2, "<unk>"))
    yield case("bytes decoder own", {}, "t5", {**byt5, **own, "eos_token": "</s>"})
    yield case("bytes split", {}, "t5", {**byt5, "split_special_tokens": True})
    old = {"<new>": 384, "a": 100, "<extra_id_7>": 399}
    yield case("bytes old tokens", {}, "t5", byt5, old_added=old, special_map={"eos_token": "<new>"})
    listed = [added(0, "<|endoftext|>", special=True), added(560, "harb", lstrip=True, rstrip=True)]
    yield case("bytes beside tokenizer.json", byte_level(listed), "t5", byt5)
    yield case("bytes no padding", {}, "t5", {**byt5, "pad_token": None}, fails=True)
    yield case("bytes null extra ids", {}, "t5", {**byt5, "extra_ids": None}, fails=True)
    yield case("bytes fast", {}, "t5", {"tokenizer_class": "ByT5TokenizerFast"}, fails=True)


def fast_names():
    """Classes without a fast tokenizer have no name with Fast either."""
    marian = {"source.spm": ["t5.model"], "target.spm": ["t5.model"], "vocab.json": ["marian.vocab.json"]}
    m2m = {"sentencepiece.bpe.model": ["bpe.model"], "vocab.json": ["m2m.vocab.json"]}
    yield case("marian fast", marian, "marian", {"tokenizer_class": "MarianTokenizerFast"}, fails=True)
    yield case("m2m_100 fast", m2m, "m2m_100", {"tokenizer_class": "M2M100TokenizerFast"}, fails=True)


def cases(data):
    groups = [byte_level_classes, other_classes, null_files, oddities, word_piece_forms, merge_forms]
    groups += [sentence_piece_forms, slow_forms, barthez_forms, byte_forms, fast_names]
    result = [one for group in groups for one in group()]
    names = [one["name"] for one in result]
    assert len(set(names)) == len(names)
    return result
