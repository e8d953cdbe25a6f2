#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny checkpoints of every family with the maps, hidden states and logits that transformers computes from them.

    pip install torch==2.13.0 transformers==4.57.6 safetensors==0.8.0 numpy

    make_family_fixtures.py [--family NAME ...] [--variant NAME ...]
        writes tests/data/families/FAMILY/VARIANT (format: families/common.py)
    make_family_fixtures.py --live build/tests/model_tests --family NAME --count N [--seed S] [--keep FOLDER]
        writes N random configurations of the family into a scratch folder and has the tests compare them
"""
import argparse
import importlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from families import common  # noqa: E402

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "families"


def all_families():
    families = {}
    for path in sorted((pathlib.Path(__file__).resolve().parent / "families").glob("*.py")):
        if path.stem not in ("common", "__init__"):
            for family in getattr(importlib.import_module(f"families.{path.stem}"), "FAMILIES", []):  # none: a helper
                families[family.name] = family
    return families


def seed_of(*parts):
    return zlib.crc32("/".join(map(str, parts)).encode())


def live(program, families, count, seed, keep):
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(keep or scratch)
        for family in families:
            made = attempt = 0
            while made < count and attempt < 4 * count:
                attempt += 1
                number = seed_of(family.name, seed, attempt)
                variant = family.random(random.Random(number))
                folder = root / family.name / f"random{made}"
                try:
                    common.make(family, f"random{made}", variant, folder, number, random.Random(number))
                    made += 1
                except AssertionError as problem:  # such a draw proves nothing: the next one
                    print(f"{family.name}: left out, {problem}")
                    shutil.rmtree(folder)
        environment = {**os.environ, "HEADSCOPE_FAMILY_FIXTURES": str(root)}
        return subprocess.run([program, "--gtest_filter=*FamilyGolden*", "--gtest_brief=1"], env=environment).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--family", action="append")
    parser.add_argument("--variant", action="append")
    parser.add_argument("--live", metavar="MODEL_TESTS")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    known = all_families()
    families = [known[name] for name in arguments.family or known]
    if arguments.live:
        return live(arguments.live, families, arguments.count, arguments.seed, arguments.keep)
    total = 0
    for family in families:
        for name, variant in family.variants.items():
            if arguments.variant and name not in arguments.variant:
                continue
            folder = DATA / family.name / name
            shutil.rmtree(folder, ignore_errors=True)
            seed = seed_of(family.name, name)
            total += common.make(family, name, variant, folder, seed, random.Random(seed))
    print(f"{total / 1024:.0f} KiB in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
