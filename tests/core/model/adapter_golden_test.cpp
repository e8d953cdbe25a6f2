// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA adapters that PEFT saved, against the models that PEFT merged (tests/tools/make_adapter_files.py).
#include "tests/core/model/family_fixture.h"
#include "tests/support/temporary_folder.h"

namespace headscope::test {
namespace {

struct Case {
    std::string adapter; ///< tests/data/adapters/ADAPTER
    std::string base;    ///< below tests/data
};

void PrintTo(const Case& one, std::ostream* stream) {
    *stream << one.adapter << " on " << one.base;
}

class AdapterGolden : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, AdapterGolden,
                         ::testing::Values(Case{"llama-patterns", "families/llama/plain"},
                                           Case{"llama-root", "families/llama/plain"},
                                           Case{"llama-headless", "families/llama/plain"},
                                           Case{"gpt2", "families/gpt2/plain"},
                                           // Rows in another order, and matrices the other way round.
                                           Case{"llama-patterns", "gguf/llama-plain.gguf"},
                                           Case{"gpt2", "gguf/gpt2-plain.gguf"}));

TEST_P(AdapterGolden, EqualsTheMergedModel) {
    const std::filesystem::path folder = dataPath("adapters/" + GetParam().adapter);
    const Checkpoint checkpoint = openCheckpoint(dataPath(GetParam().base), folder);
    FamilyFixture(folder).compare(checkpoint, kResidentWeights);
    FamilyFixture(folder).compare(checkpoint, 0);
}

} // namespace
} // namespace headscope::test
