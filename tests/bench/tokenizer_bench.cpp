// SPDX-License-Identifier: GPL-3.0-or-later
// Loading tokenizers and encoding a text with them: tokenizer_bench TEXT TOKENIZER.json... [--benchmark_...].
// tests/tools/bench_tokenizers.py compares the figures with those of the tokenizers library.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/tokenizer/tokenizer.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <optional>
#include <string>

namespace {

using namespace headscope;

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{512} << 20;

void load(benchmark::State& state, const std::string& json) {
    for (auto _ : state) benchmark::DoNotOptimize(parseTokenizer(json, "tokenizer.json", {}));
}

void encode(benchmark::State& state, const std::string& json, const std::string& text) {
    const auto tokenizer = parseTokenizer(json, "tokenizer.json", {});
    std::size_t tokens = 0;
    for (auto _ : state) tokens = tokenizer->encode(text, std::nullopt, {}).size();
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
    state.counters["tokens"] = static_cast<double>(tokens);
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (argc < 3) {
        std::fputs("usage: tokenizer_bench TEXT TOKENIZER.json... [--benchmark_...]\n", stderr);
        return 2;
    }
    try {
        const std::string text = readWholeFile(argv[1], kMaxFileBytes);
        for (int i = 2; i < argc; ++i) {
            const std::string path = argv[i];
            const std::string json = readWholeFile(path, kMaxFileBytes);
            benchmark::RegisterBenchmark(("load/" + path).c_str(), load, json)->Unit(benchmark::kMillisecond);
            benchmark::RegisterBenchmark(("encode/" + path).c_str(), encode, json, text)
                ->Unit(benchmark::kMillisecond);
        }
        benchmark::RunSpecifiedBenchmarks();
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
