// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/gguf/gguf_source.h"
#include "tests/fuzz/token_checks.h"

using namespace headscope;
using namespace headscope::test;

/// The keys below tokenizer.ggml: "g" where the model is a Gemma, then a whole GGUF file. What tokenizer it
/// has, and what that makes of two texts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const MemoryFile file(textOf(data, size).substr(1));
    std::shared_ptr<const Tokenizer> tokenizer;
    readOrRefuse([&] {
        Checkpoint checkpoint;
        checkpoint.gguf = std::make_shared<const GgufSource>(file.path());
        checkpoint.config = Json::object();
        checkpoint.config.members().emplace_back("model_type",
                                                 Json(std::string(data[0] == 'g' ? "gemma" : "llama")));
        if (!holdsTokenizer(checkpoint)) return;
        tokenizer =
            loadTokenizer(checkpoint, [](const std::string& note) { HS_CHECK(!firstInvalidUtf8(note)); });
    });
    if (tokenizer == nullptr) return 0;
    const std::int64_t limit = tokenizer->idLimit();
    for (const std::int64_t id : {std::int64_t{-1}, std::int64_t{0}, limit - 1, limit}) {
        const bool isOutside = id < 0 || id >= limit;
        HS_CHECK(!isOutside || !(tokenizer->piece(id) || tokenizer->isSpecial(id)));
    }
    checkEncoding(*tokenizer, "a <s>b  Caf\u00e9 \u4e2d\n1\u00bd \U0001f600", "ab x\u0301", {},
                  Spans::Anywhere);
    checkEncoding(*tokenizer, "a b12", std::nullopt, {.addSpecial = false, .target = false}, Spans::Anywhere);
    return 0;
}
