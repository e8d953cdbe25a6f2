#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the weights files of tests/data/checkpoints, as the libraries that users have write them.

    python3 -m venv venv
    venv/bin/pip install torch==2.13.0 safetensors==0.8.0 numpy
    venv/bin/python tests/tools/make_checkpoint_files.py

The same tensors in every form: each element type, contiguous and not, tied, scalar and empty. expected.json holds what is to be
read (row-major, from torch itself). Files of torch.save carry a random id or memory addresses, so that their bytes differ from
run to run while what is read from them does not.
"""
import io
import json
import pathlib
import tarfile
import zipfile
from collections import OrderedDict

import torch
from safetensors.torch import save_file

ROOT = pathlib.Path(__file__).resolve().parents[1] / "data" / "checkpoints"


def tensors():
    generator = torch.Generator().manual_seed(5)
    matrix = torch.randn(4, 6, generator=generator)
    wide = torch.randn(3, 2, 4, generator=generator)
    result = OrderedDict()
    result["matrix"] = matrix
    result["tied"] = matrix
    result["transposed"] = matrix.t()
    result["columns"] = matrix[:, 1:4]
    result["rows"] = matrix[1:3]
    result["every_other"] = matrix[::2, ::3]
    result["permuted"] = wide.permute(2, 0, 1)
    result["expanded"] = torch.tensor([1.5, -2.5]).expand(3, 2)
    result["scalar"] = torch.tensor(7.25)
    result["empty"] = torch.empty(0, 3)
    result["double"] = torch.tensor([0.1, -1e-30, 3e38], dtype=torch.float64)
    result["half"] = torch.tensor([1.0, -65504.0, 6e-8], dtype=torch.float16)
    result["bfloat"] = torch.tensor([1.0, -3.140625, 1e-40], dtype=torch.bfloat16)
    result["int64"] = torch.tensor([[1, -(2 ** 62)]])
    result["int32"] = torch.tensor([5, -6], dtype=torch.int32)
    result["int16"] = torch.tensor([7, -8], dtype=torch.int16)
    result["int8"] = torch.tensor([9, -10], dtype=torch.int8)
    result["uint8"] = torch.tensor([11, 255], dtype=torch.uint8)
    result["bool"] = torch.tensor([True, False])
    return result


NAMES = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64",
         torch.int32: "I32", torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}


def expected(state):
    def bits(value):  # row-major bytes, so that nothing is lost to decimals
        return value.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes().hex() if value.numel() else ""

    return {name: {"dtype": NAMES[value.dtype], "shape": list(value.shape), "bits": bits(value)}
            for name, value in state.items()}


def rezip(source, target, compression, zip64):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", compression) as new:
        for info in old.infolist():
            entry = zipfile.ZipInfo(info.filename, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = compression
            with new.open(entry, "w", force_zip64=zip64) as out:
                out.write(old.read(info))


class RunsACommand:
    def __reduce__(self):
        import os
        return os.system, ("touch headscope-was-here",)


class Doubler(torch.nn.Module):
    def forward(self, x):
        return x + x


def main():
    ROOT.mkdir(parents=True, exist_ok=True)
    state = tensors()
    (ROOT / "expected.json").write_text(json.dumps(expected(state), indent=1) + "\n")

    torch.save(state, ROOT / "zip.bin")
    torch.save(state, ROOT / "protocol4.bin", pickle_protocol=4)
    torch.save(state, ROOT / "legacy.bin", _use_new_zipfile_serialization=False)
    torch.save({"state_dict": state, "epoch": 3, "rate": 0.5, "seed": 2 ** 80}, ROOT / "state_dict.bin")
    torch.save({"model": state}, ROOT / "model.bin")
    torch.save({n: torch.nn.Parameter(v) for n, v in state.items() if v.is_floating_point()}, ROOT / "parameters.bin")
    rezip(ROOT / "zip.bin", ROOT / "deflated.bin", zipfile.ZIP_DEFLATED, False)
    rezip(ROOT / "zip.bin", ROOT / "zip64.bin", zipfile.ZIP_STORED, True)
    save_file({n: v.clone().contiguous() for n, v in state.items()}, ROOT / "whole.safetensors")

    names = list(state)
    halves = [names[:9], names[9:]]
    for number, half in enumerate(halves, 1):
        save_file({n: state[n].clone().contiguous() for n in half}, ROOT / f"model-{number:05}-of-00002.safetensors")
        torch.save(OrderedDict((n, state[n]) for n in half), ROOT / f"pytorch_model-{number:05}-of-00002.bin")
    for stem, ending in (("model", "safetensors"), ("pytorch_model", "bin")):
        index = {"metadata": {"total_size": 1}, "weight_map": {n: f"{stem}-{k:05}-of-00002.{ending}"
                                                               for k, half in enumerate(halves, 1) for n in half}}
        (ROOT / f"{stem}.{ending}.index.json").write_text(json.dumps(index) + "\n")

    # What is to be refused.
    torch.save({"w": torch.ones(2), "x": RunsACommand()}, ROOT / "runs_a_command.bin")
    torch.save(torch.nn.Linear(2, 2), ROOT / "whole_module.bin")
    torch.jit.script(Doubler()).save(str(ROOT / "torchscript.bin"))
    with tarfile.open(ROOT / "tar.bin", "w", format=tarfile.USTAR_FORMAT) as tar:
        data = b"\x80\x02."
        info = tarfile.TarInfo("pickle")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    for path in ROOT.iterdir():
        path.chmod(0o644)


if __name__ == "__main__":
    main()
