// SPDX-License-Identifier: GPL-3.0-or-later
// Every family against transformers: maps of every kind, hidden states and logits of the fixtures that
// tests/tools/make_family_fixtures.py wrote. HEADSCOPE_FAMILY_FIXTURES names another folder of such fixtures.
#include "core/checkpoint/checkpoint.h"
#include "tests/core/model/family_fixture.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace headscope {
namespace {

namespace fs = std::filesystem;
fs::path fixtureRoot() {
    const char* other = std::getenv("HEADSCOPE_FAMILY_FIXTURES");
    return other != nullptr ? fs::path(other) : test::dataPath("families");
}

std::vector<std::string> foldersIn(const fs::path& folder) {
    std::vector<std::string> names;
    if (!fs::is_directory(folder)) return names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_directory()) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

class FamilyGolden : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, FamilyGolden, ::testing::ValuesIn(foldersIn(fixtureRoot())),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::replace_if(
                                 name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
                             return name;
                         });

TEST_P(FamilyGolden, EqualsTheReference) {
    for (const std::string& variant : foldersIn(fixtureRoot() / GetParam())) {
        SCOPED_TRACE(GetParam() + "/" + variant);
        const fs::path folder = fixtureRoot() / GetParam() / variant;
        test::FamilyFixture(folder).compare(openCheckpoint(folder), kResidentWeights);
    }
}

/// The weights of every block are read again in the pass: the same numbers.
TEST_P(FamilyGolden, EqualsTheReferenceLayerByLayer) {
    for (const std::string& variant : foldersIn(fixtureRoot() / GetParam())) {
        SCOPED_TRACE(GetParam() + "/" + variant);
        const fs::path folder = fixtureRoot() / GetParam() / variant;
        test::FamilyFixture(folder).compare(openCheckpoint(folder), 0);
    }
}

} // namespace
} // namespace headscope
