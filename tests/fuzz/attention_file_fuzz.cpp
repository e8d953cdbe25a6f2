// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/imported_layers.h"
#include "tests/fuzz/fuzz_support.h"
#include "tests/fuzz/input_folder.h"

using namespace headscope;
using namespace headscope::test;

namespace {

const char* endingOf(std::uint8_t form) {
    switch (form) {
    case 'n':
        return "maps.npz";
    case 'y':
        return "maps.npy";
    case 'p':
        return "maps.pt";
    default:
        return "maps.safetensors";
    }
}

} // namespace

/// An attention file: "n", "y", "p" or "s" for its form, two bytes for the length of the JSON beside it, that
/// JSON, the file. What is read is measured and judged too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const std::string_view rest = textOf(data, size).substr(3);
    const std::size_t json =
        std::min<std::size_t>(data[1] | static_cast<std::size_t>(data[2]) << 8U, rest.size());
    static const InputFolder folder; // what is read depends on the names of the files
    const std::filesystem::path file = folder.path() / endingOf(data[0]);
    folder.write("maps.json", rest.substr(0, json));
    folder.write(endingOf(data[0]), rest.substr(json));
    readOrRefuse([&] {
        const ImportedAttention maps = readAttentionFile(file, {}, {});
        for (const auto& layer : measureImported(maps, {}, {}))
            for (const HeadResult& head : layer->heads) HS_CHECK(head.metrics.entropy >= 0.0);
    });
    return 0;
}
