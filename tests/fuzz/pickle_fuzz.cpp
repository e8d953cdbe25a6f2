// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pickle_machine.h"
#include "core/checkpoint/pytorch/state_dict.h"
#include "core/checkpoint/pytorch/strided_runs.h"
#include "tests/fuzz/fuzz_support.h"

using namespace headscope;
using namespace headscope::test;

/// A pickle, the tensors in it, and that none of them reaches outside its storage.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    readOrRefuse([&] {
        const StateDict dict = readStateDict(readPickle(textOf(data, size), "pickle"), "file");
        HS_CHECK_EQ(dict.views.size(), dict.tensors.size());
        for (std::size_t i = 0; i < dict.views.size() && i < 100; ++i) {
            const std::int64_t elements = dict.tensors[i].elements;
            const std::int64_t held = dict.storages.at(dict.views[i].storage).elements;
            const std::int64_t piece = std::min<std::int64_t>(elements, 1000);
            const StridedRuns runs(dict.views[i]);
            for (const std::int64_t first : {std::int64_t{0}, elements - piece})
                runs.forEach(first, piece, [&](std::int64_t element, std::int64_t count) {
                    HS_CHECK_LE(0, element);
                    HS_CHECK_LT(0, count);
                    HS_CHECK_LE(element, held - count);
                });
        }
    });
    return 0;
}
