// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pytorch_file.h"
#include "tests/fuzz/fuzz_support.h"

using namespace headscope;
using namespace headscope::test;

/// A whole file of torch.save: zip directory, pickle and storages, or the form before PyTorch 1.6.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const MemoryFile file(textOf(data, size));
    readOrRefuse([&] { readTensors(*openPytorch(file.path()).tensors); });
    return 0;
}
