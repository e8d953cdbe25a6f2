#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/written_targets.json: what generate() of transformers writes greedily for the encoder-decoders among the fixtures.

    pip install torch==2.13.0 transformers==4.57.6 safetensors==0.8.0 numpy
    make_written_targets.py

Each case names a folder of tests/data/families, settings that stand in its config.json in place of its own, the ids that are read, and those
that are written, the start token first.
"""
import json
import pathlib
import tempfile

import torch
from transformers import AutoConfig, AutoModelForSeq2SeqLM, GenerationConfig

ROOT = pathlib.Path(__file__).resolve().parents[1] / "data"
LIMIT = 40  # written as max_new_tokens: enough to tell, and quick
FAMILIES = ("t5", "mt5", "umt5", "bart", "marian", "m2m_100", "mbart", "pegasus", "encoder-decoder")


def cases():
    for family in FAMILIES:
        for folder in sorted((ROOT / "families" / family).iterdir()):
            config = json.loads((folder / "config.json").read_text())
            if "alone" in folder.name or "classification" in folder.name:
                continue
            yield folder, {}, config
            if folder.name == "plain":
                yield folder, {"forced_bos_token_id": 5}, config
                yield folder, {"bad_words_ids": [[7], [9]], "suppress_tokens": [11]}, config
                yield folder, {"eos_token_id": list(range(12, 30))}, config


def written(folder, settings, source):
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        for name in ("model.safetensors", "pytorch_model.bin"):
            if (folder / name).exists():
                (place / name).symlink_to(folder / name)
        config = json.loads((folder / "config.json").read_text())
        (place / "config.json").write_text(json.dumps(config))
        model, info = AutoModelForSeq2SeqLM.from_pretrained(place, attn_implementation="eager", dtype=torch.float32,
                                                            output_loading_info=True)
        missing = [name for name in info["missing_keys"] if "lm_head" in name or "shared" in name]
        if missing:
            return None  # a head that the file lacks would be random
        model.config.forced_eos_token_id = model.generation_config.forced_eos_token_id = None  # acts at a limit of its own
        start = model.config.decoder_start_token_id
        if start is None:
            return None  # refused
        limits = [LIMIT]
        table = getattr(model.config, "decoder", None) or model.config
        if model.config.model_type not in ("t5", "mt5", "umt5", "m2m_100"):  # these have no table that ends
            limits.append(table.max_position_embeddings)
        limit = min(limits)
        given = {"eos_token_id": model.config.eos_token_id if model.config.eos_token_id != [] else None, "pad_token_id": model.config.pad_token_id, **settings}
        settled = GenerationConfig(decoder_start_token_id=start, max_new_tokens=limit, num_beams=1, do_sample=False, use_cache=False, **given)
        ids = model.eval().generate(torch.tensor([source]), generation_config=settled)
        return ids[0].tolist(), limit


def main():
    result = []
    for folder, settings, config in cases():
        source = [4 + (i * i + i // 7) % 23 for i in range(12)]
        try:
            outcome = written(folder, settings, source)
        except Exception as problem:  # noqa: BLE001: some fixtures have parts alone
            print(f"{folder.parent.name}/{folder.name} {settings}: left out, {problem}")
            continue
        if outcome is None:
            print(f"{folder.parent.name}/{folder.name} {settings}: left out, it has no output head")
            continue
        ids, limit = outcome
        print(f"{folder.parent.name}/{folder.name} {settings}: {len(ids)} ids, limit {limit}")
        result.append({"model": f"{folder.parent.name}/{folder.name}", "settings": {**settings, "max_new_tokens": LIMIT}, "source": source, "written": ids})
    lines = ",\n".join(" " + json.dumps(one) for one in result)
    (ROOT / "written_targets.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
