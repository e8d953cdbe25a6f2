#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tiny random BERT checkpoints of tests/data/models.

    python3 -m venv venv
    venv/bin/pip install torch==2.13.0 transformers==4.57.6 tokenizers==0.22.2 safetensors==0.8.0 numpy
    venv/bin/python tests/tools/make_tiny_models.py

The library's own initialisation (standard deviation 0.02, zero biases) gives nearly flat maps in which most errors are
invisible, so every weight, bias, norm and position table here has a real spread; |score| stays under 50. Each folder spells
its tensors in another way that is found in the wild. What the flagged model promises (one head even, one head stuck on every
text of at least 32 tokens) is checked before anything is written.
"""
import json
import math
import pathlib

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel

ROOT = pathlib.Path(__file__).resolve().parents[1] / "data" / "models"

WORDS = """the a an and of to in is it was that he she for on are with as at be this have from or one had by but not what all
were we when your can said there use each which do how their if will up other about out many then them these so some her would
make like him into time has look two more write go see no way could my than first been call who now find long down day did get
come made may part cat dog animal street cross because too tired tree house water light small large""".split()
PIECES = ["##ing", "##ed", "##er", "##ly", "##est"]

TEXT = ("The animal did not cross the street because it was too tired, and the dog looked at the small house by the water; "
        "then it wrote: \"no way!\"")
FLAG_TEXTS = [TEXT, " ".join(["cat"] * 40), "0123456789 " * 8, "?!,.;: " * 16, " ".join(WORDS[:100]),
              "zebra quick fox jumps over lazily 42 times in 1999 (or was it 2001?) without ever looking back"]


def tokenizer():
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)] + [str(d) for d in range(10)]
    marks = list(".,;:?!'\"-()/#%&+*=")
    words = [word for word in dict.fromkeys(WORDS) if len(word) > 1]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + marks + letters + ["##" + x for x in letters]
    vocabulary += PIECES + words
    ids = {piece: number for number, piece in enumerate(vocabulary)}
    result = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", continuing_subword_prefix="##",
                                        max_input_chars_per_word=100))
    result.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    result.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None,
                                                   lowercase=True)
    result.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    result.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])])
    return result


def spread(model, seed, score_scale, mixing):
    """Gives every parameter a spread of its own. `score_scale`: standard deviation of query and key weights, times sqrt of
    the hidden size; `mixing`: the same for all other matrices (in deep models a small one keeps tokens apart)."""
    generator = torch.Generator().manual_seed(seed)

    def normal(shape, deviation, mean=0.0):
        return torch.empty(shape).normal_(mean, deviation, generator=generator)

    hidden = model.config.hidden_size
    for name, parameter in model.named_parameters():
        shape = parameter.shape
        if name.endswith("LayerNorm.weight"):
            value = normal(shape, 0.3, 1.0)
        elif name.endswith("bias"):
            value = normal(shape, 0.3)
        elif "embeddings" in name:
            value = normal(shape, 1.0 if "word" in name else 0.7)
        elif ".query." in name or ".key." in name:
            value = normal(shape, score_scale / math.sqrt(hidden))
        else:
            value = normal(shape, mixing / math.sqrt(shape[1]))
        parameter.data.copy_(value)


def largest_score(model, ids):
    """Largest |score| before the softmax, from the projections themselves."""
    found = []
    for layer in model.encoder.layer:
        attention = layer.attention.self
        kept = {}
        hooks = [getattr(attention, part).register_forward_hook(
            lambda module, inputs, output, part=part, kept=kept: kept.__setitem__(part, output)) for part in ("query", "key")]
        found.append((attention, kept, hooks))
    with torch.no_grad():
        model(ids)
    worst = 0.0
    for attention, kept, hooks in found:
        heads, size = attention.num_attention_heads, attention.attention_head_size
        q, k = (kept[part].view(1, -1, heads, size).transpose(1, 2) for part in ("query", "key"))
        worst = max(worst, (q @ k.transpose(-1, -2) / math.sqrt(size)).abs().max().item())
        for hook in hooks:
            hook.remove()
    return worst


def put_flags(model):
    """Head 1.2 gives every key the same weight (query weights and bias 0). Head 0.1 reads key 0 whatever the text: the last
    hidden dimension is raised by the position code of position 0 alone, and the head asks for that dimension."""
    size = model.config.hidden_size // model.config.num_attention_heads
    with torch.no_grad():
        even = model.encoder.layer[1].attention.self.query
        even.weight[2 * size:3 * size] = 0.0
        even.bias[2 * size:3 * size] = 0.0

        embeddings = model.embeddings
        for table in (embeddings.word_embeddings, embeddings.token_type_embeddings, embeddings.position_embeddings):
            table.weight[:, -1] *= 0.1
        embeddings.position_embeddings.weight[0, -1] = 14.0
        embeddings.LayerNorm.weight[-1] = 1.0
        embeddings.LayerNorm.bias[-1] = 0.0
        stuck = model.encoder.layer[0].attention.self
        rows = slice(size, 2 * size)
        stuck.query.weight[rows] *= 0.05
        stuck.query.bias[rows] = 0.0
        stuck.query.bias[size] = 8.0
        stuck.key.weight[rows] *= 0.05
        stuck.key.weight[size, -1] = 1.4


def check_flags(model, pieces):
    for text in FLAG_TEXTS:
        ids = torch.tensor([pieces.encode(text).ids[:model.config.max_position_embeddings]])
        assert ids.shape[1] >= 32, (text, ids.shape)
        with torch.no_grad():
            maps = model(ids, output_attentions=True).attentions
        keys = ids.shape[1]
        assert (maps[1][0, 2] - 1.0 / keys).abs().max() < 1e-6
        assert maps[0][0, 1, :, 0].min() > 0.9, (text, maps[0][0, 1, :, 0].min())
        # On texts with some variety no other head may look like one of the two.
        for number, layer in enumerate(maps if len(set(ids[0].tolist())) > 8 else []):
            for head in range(layer.shape[1]):
                weights = layer[0, head].double()
                entropy = -(weights * weights.clamp_min(1e-300).log()).sum(-1).mean().item()
                mass = weights.mean(0).max().item()
                if (number, head) != (1, 2):
                    assert math.log(keys) - entropy > 0.15, (text, number, head)
                if (number, head) != (0, 1):
                    assert mass < 0.85, (text, number, head, mass)


def bert(seed, score_scale=1.6, mixing=1.2, **fields):
    defaults = dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64,
                    max_position_embeddings=128, type_vocab_size=2, hidden_act="gelu")
    config = BertConfig(**{**defaults, **fields}, attn_implementation="eager")
    model = BertModel(config).eval()
    spread(model, seed, score_scale, mixing)
    return model


def write(name, model, pieces, rename=lambda key: "bert." + key, dtype=torch.float32, extra=None, config=None):
    folder = ROOT / name
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {rename(key): value.detach().to(dtype).contiguous() for key, value in model.named_parameters()}
    tensors.update(extra or {})
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)
    fields = model.config.to_dict()
    for key in ("_name_or_path", "transformers_version", "_attn_implementation_autoset", "dtype", "torch_dtype"):
        fields.pop(key, None)
    fields.update(config or {})
    fields = {key: value for key, value in fields.items() if value != "REMOVED"}
    (folder / "config.json").write_text(json.dumps(fields, indent=2, sort_keys=True) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps(json.loads(pieces.to_str()), ensure_ascii=False) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "cls_token": "[CLS]", "sep_token": "[SEP]",
         "unk_token": "[UNK]", "pad_token": "[PAD]", "mask_token": "[MASK]", "model_max_length": model.config.
         max_position_embeddings}, indent=2, sort_keys=True) + "\n")
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{name}: {size / 1024:.0f} KiB")
    assert size < 300 * 1024, name


def main():
    pieces = tokenizer()
    vocabulary = pieces.get_vocab_size()
    ids = torch.tensor([pieces.encode(TEXT).ids])
    assert ids.shape[1] < 64

    def checked(model):
        worst = largest_score(model, ids)
        assert 3.0 < worst < 50.0, worst
        return model

    tiny = checked(bert(1, vocab_size=vocabulary))
    write("tiny-bert", tiny, pieces)

    flagged = bert(1, score_scale=2.4, vocab_size=vocabulary)
    put_flags(flagged)
    checked(flagged)
    check_flags(flagged, pieces)
    write("flagged-bert", flagged, pieces)

    # As the oldest files on the hub: gamma and beta, a language model's heads and a position buffer beside the encoder, and a
    # config.json without model_type.
    old = checked(bert(2, vocab_size=vocabulary, num_hidden_layers=2, max_position_embeddings=64))
    write("old-names-bert", old, pieces,
          rename=lambda key: "bert." + key.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias",
                                                                                                  "LayerNorm.beta"),
          extra={"bert.embeddings.position_ids": torch.arange(64).unsqueeze(0),
                 "cls.predictions.bias": torch.zeros(vocabulary), "cls.seq_relationship.weight": torch.zeros(2, 32)},
          config={"architectures": ["BertForPreTraining"], "model_type": "REMOVED"})

    # Without prefix, half precision, one head.
    half = bert(3, vocab_size=vocabulary, num_hidden_layers=2, num_attention_heads=1, max_position_embeddings=64,
                hidden_act="gelu_new")
    half.half().float()
    write("half-bert", checked(half), pieces, rename=lambda key: key, dtype=torch.float16)

    # Without prefix and pooler, bfloat16, eight heads of size three, ReLU.
    brain = bert(4, score_scale=1.3, vocab_size=vocabulary, hidden_size=24, num_hidden_layers=2, num_attention_heads=8,
                 intermediate_size=40, max_position_embeddings=64, hidden_act="relu")
    brain.bfloat16().float()
    brain.pooler = None
    write("bfloat-bert", checked(brain), pieces, rename=lambda key: key, dtype=torch.bfloat16,
          config={"architectures": ["BertModel"]})

    # Deep: errors of single layers add up.
    deep = checked(bert(5, score_scale=1.7, mixing=0.4, vocab_size=vocabulary, hidden_size=16, num_hidden_layers=16,
                        num_attention_heads=2, intermediate_size=32, max_position_embeddings=64, hidden_act="silu"))
    write("deep-bert", deep, pieces)


if __name__ == "__main__":
    main()
