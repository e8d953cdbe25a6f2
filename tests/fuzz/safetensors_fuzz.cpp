// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"
#include "tests/fuzz/fuzz_support.h"

using namespace headscope;
using namespace headscope::test;

/// The whole of a .safetensors file: header, metadata, and the data of every tensor.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const MemoryFile file(textOf(data, size));
    readOrRefuse([&] { readTensors(*openSafetensors(file.path())); });
    readOrRefuse([&] { readSafetensorsMetadata(file.path()); });
    return 0;
}
