#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times tokenizers of this program against the tokenizers library, one thread each, in one run, and prints the ratios.

    pip install tokenizers==0.22.2
    cmake -S . -B build -DHEADSCOPE_BUILD_BENCHMARKS=ON && ninja -C build tokenizer_bench

    bench_tokenizers.py --text TEXT --program build/tests/bench/tokenizer_bench TOKENIZER.json...
        Loading each tokenizer.json and encoding the text with it: the least of several times in milliseconds, and this
        program's time over the library's.
    bench_tokenizers.py --make 128000 TOKENIZER.json
        Writes a BPE tokenizer with about that many pieces, made of the words of TEXT and of random ones.
"""

import argparse
import json
import os
import random
import subprocess
import time
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

from tokenizers import Tokenizer  # noqa: E402


def least(action, seconds):
    best = float("inf")
    end = time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
        if time.perf_counter() > end:
            return 1000 * best


def own_times(options):
    """Name of the benchmark -> (milliseconds, tokens)."""
    command = [options.program, options.text, *options.tokenizers, "--benchmark_format=json"]
    command += ["--benchmark_repetitions=5", f"--benchmark_min_time={options.seconds / 5}"]
    output = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    best = {}
    for run in output["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        name = run["run_name"]
        best[name] = min(best.get(name, (float("inf"), 0)), (run["real_time"], int(run.get("tokens", 0))))
    return best


def compare(options):
    text = Path(options.text).read_text(encoding="utf-8")
    own = own_times(options)
    print(f"{'':44}{'own ms':>10}{'library ms':>12}{'ratio':>8}{'tokens':>10}")
    for path in options.tokenizers:
        tokenizer = Tokenizer.from_file(path)
        tokenizer.no_truncation()  # as this program reads the file
        tokenizer.no_padding()
        tokens = len(tokenizer.encode(text).ids)
        library = {
            "load": least(lambda: Tokenizer.from_file(path), options.seconds),
            "encode": least(lambda: tokenizer.encode(text), options.seconds),
        }
        for what, milliseconds in library.items():
            mine, count = own[f"{what}/{path}"]
            shown = "" if what == "load" else str(count) if count == tokens else f"{count} != {tokens}"
            name = f"{what} {Path(path).name}"
            print(f"{name:44}{mine:10.1f}{milliseconds:12.1f}{mine / milliseconds:8.2f}{shown:>10}")


def make(options):
    rng = random.Random(1)
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    byte_characters = [chr(c) for c in printable] + [chr(0x100 + i) for i in range(256 - len(printable))]
    words = ["Ġ" + word for word in Path(options.text).read_text(encoding="utf-8").split()] if options.text else []
    vocab = {c: i for i, c in enumerate(byte_characters)}
    merges = []

    def learn(word):
        left = word[0]
        for c in word[1:]:
            if left + c not in vocab:
                vocab[left + c] = len(vocab)
                merges.append(f"{left} {c}")
            left += c

    for word in dict.fromkeys(words):
        if all(c in vocab for c in word) and len(vocab) < options.make:
            learn(word)
    while len(vocab) < options.make:
        learn("".join(rng.choices(byte_characters[:120], k=rng.randrange(2, 10))))
    file = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "vocab": vocab, "merges": merges},
    }
    path = Path(options.tokenizers[0])
    path.write_text(json.dumps(file, ensure_ascii=False, indent=2), encoding="utf-8")
    print(f"{path}: {len(vocab)} pieces, {len(merges)} merges, {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tokenizers", nargs="+")
    parser.add_argument("--text")
    parser.add_argument("--program")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    parser.add_argument("--make", type=int)
    options = parser.parse_args()
    if options.make:
        make(options)
    elif options.text and options.program:
        compare(options)
    else:
        parser.error("give --text and --program, or --make")


if __name__ == "__main__":
    main()
