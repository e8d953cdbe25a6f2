// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_model.h"
#include "core/checkpoint/gguf/gguf_source.h"
#include "tests/fuzz/fuzz_support.h"

using namespace headscope;
using namespace headscope::test;

/// The whole of a GGUF file: header, what its keys and tensors say of a model, and the data of every tensor.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const MemoryFile file(textOf(data, size));
    readOrRefuse([&] {
        const auto source = std::make_shared<const GgufSource>(file.path());
        readTensors(*source);
        GgufModel model = describeGguf(*source);
        quantisedTypes(*source, model.views);
        readTensors(*viewTensors(source, std::move(model.views)));
    });
    return 0;
}
