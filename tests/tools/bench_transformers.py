#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""HeadScope beside transformers (eager attention, output_attentions, entropies of all heads), in turn on one machine.

usage: bench_transformers.py PROGRAM [--tokens 1024] [--rounds 3] [--threads 2]

Makes a checkpoint of GPT-2 small's shape with random weights in a temporary folder. Each round runs both, each in a process
of its own, so that peak memory is each one's own; the least time of all rounds counts. Needs torch and transformers 4.57.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time


def make_checkpoint(folder, tokens):
    import torch
    from transformers import GPT2Config, GPT2Model

    torch.manual_seed(0)
    model = GPT2Model(GPT2Config(n_positions=max(1024, tokens)))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0.0, 0.05)
    model.save_pretrained(folder)


def run_transformers(folder, tokens, threads):
    """In a process of its own: prints seconds and peak memory as JSON."""
    import torch
    from transformers import GPT2Model

    torch.set_num_threads(threads)
    model = GPT2Model.from_pretrained(folder, attn_implementation="eager").eval()
    ids = torch.randint(0, model.config.vocab_size, (1, tokens), generator=torch.Generator().manual_seed(1))
    least = {"forward": float("inf"), "entropies": float("inf")}
    with torch.inference_mode():
        for _ in range(3):
            start = time.perf_counter()
            maps = model(ids, output_attentions=True).attentions
            middle = time.perf_counter()
            for weights in maps:
                -(weights * weights.clamp_min(1e-30).log()).sum(-1).mean(-1)
            end = time.perf_counter()
            least["forward"] = min(least["forward"], middle - start)
            least["entropies"] = min(least["entropies"], end - middle)
            del maps
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({**least, "peak": peak}))


def run_headscope(program, folder, tokens, threads):
    command = [program, "bench", folder, "--tokens", str(tokens), "--threads", str(threads), "--device", "cpu", "--json", "--quiet"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--inner", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inner:
        run_transformers(options.inner, options.tokens, options.threads)
        return
    if not options.program:
        parser.error("which program?")
    with tempfile.TemporaryDirectory() as folder:
        make_checkpoint(folder, options.tokens)
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(run_headscope(options.program, folder, options.tokens, options.threads))
            inner = [sys.executable, os.path.abspath(__file__), "--inner", folder, "--tokens", str(options.tokens),
                     "--threads", str(options.threads)]
            theirs.append(json.loads(subprocess.run(inner, check=True, capture_output=True, text=True).stdout))
    with_maps = min(one["forward_with_maps_s"] for one in ours)
    products = min(one["matrix_products_s"] for one in ours)
    peak = min(one["peak_rss_bytes"] for one in ours)
    forward = min(one["forward"] for one in theirs)
    entropies = min(one["entropies"] for one in theirs)
    their_peak = min(one["peak"] for one in theirs)
    print(f"{options.tokens} tokens, {options.threads} threads, the least of {options.rounds} rounds")
    print(f"  HeadScope, forward with maps, metrics and thumbnails  {with_maps:8.3f} s  {peak / 1e6:8.0f} MB")
    print(f"  transformers, forward with maps                       {forward:8.3f} s")
    print(f"  transformers, entropies of the maps                   {entropies:8.3f} s  {their_peak / 1e6:8.0f} MB")
    print(f"  transformers over HeadScope                           {(forward + entropies) / with_maps:8.2f} x  {their_peak / peak:8.2f} x")
    print(f"  HeadScope over the bare matrix products ({products:.3f} s)   {with_maps / products:8.2f} x")


if __name__ == "__main__":
    main()
