// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/npy_source.h"
#include "tests/fuzz/fuzz_support.h"

using namespace headscope;
using namespace headscope::test;

/// A whole .npy file: its header, and its numbers in whichever order they stand.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const MemoryFile file(textOf(data, size));
    readOrRefuse([&] { readTensors(*openNpy(file.path())); });
    return 0;
}
