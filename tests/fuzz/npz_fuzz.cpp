// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/npz_source.h"
#include "tests/fuzz/fuzz_support.h"

using namespace headscope;
using namespace headscope::test;

/// A whole .npz archive: zip directory, headers of arrays, their numbers and texts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const MemoryFile file(textOf(data, size));
    readOrRefuse([&] { readTensors(*openNpz(file.path()).numbers); });
    return 0;
}
