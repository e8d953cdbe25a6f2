// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "core/model/model.h"
#include "tests/core/model/capturing_observer.h"
#include "tests/core/model/golden.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace headscope {
namespace {

using test::CapturingObserver;
using test::GoldenText;
using test::readGolden;

std::filesystem::path tinyFolder(const std::string& name) {
    return test::dataPath("models") / name;
}

/// Runs every text of a golden file and holds each weight of each head against the stored bound.
void compareWithGolden(const std::filesystem::path& folder, const std::string& golden, DeviceChoice device) {
    const Checkpoint checkpoint = openCheckpoint(folder);
    const std::shared_ptr<const Model> model = loadModel(checkpoint, device, {}, {});
    for (const auto& [name, text] : readGolden(golden)) {
        SCOPED_TRACE(golden + " " + name);
        CapturingObserver observer;
        ForwardHooks hooks;
        hooks.observer = &observer;
        const std::vector<float> hidden = model->forward({text.ids, text.tokenTypes, {}}, hooks).hidden;
        ASSERT_EQ(observer.layers.size(), text.weights.size());
        for (std::size_t layer = 0; layer < observer.layers.size(); ++layer) {
            ASSERT_EQ(observer.layers[layer]->heads, text.heads(layer));
            EXPECT_EQ(observer.begun[layer], LayerIndex(static_cast<std::int64_t>(layer)));
            EXPECT_LT(observer.checks[layer].rowSumError, 1e-5);
            for (int head = 0; head < text.heads(layer); ++head)
                EXPECT_LE(text.largestDifference(layer, head,
                                                 *recomputedMap(observer.layers[layer], HeadIndex(head))),
                          text.bound)
                    << "head " << layer << "." << head;
        }
        if (text.hiddenState.empty()) continue;
        ASSERT_EQ(hidden.size(), text.hiddenState.size());
        for (std::size_t i = 0; i < hidden.size(); ++i)
            ASSERT_LE(std::fabs(hidden[i] - text.hiddenState[i]), text.hiddenBound) << i;
    }
}

class TinyGolden : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, TinyGolden,
                         ::testing::Values("tiny-bert", "flagged-bert", "old-names-bert", "half-bert",
                                           "bfloat-bert", "deep-bert"),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST_P(TinyGolden, EqualsTheReferenceOnTheCpu) {
    compareWithGolden(tinyFolder(GetParam()), GetParam(), DeviceChoice::Cpu);
}

TEST_P(TinyGolden, EqualsTheReferenceOnCuda) {
    if (!hasCudaDevice()) GTEST_SKIP() << "skipped: no CUDA device";
    compareWithGolden(tinyFolder(GetParam()), GetParam(), DeviceChoice::Cuda);
}

class MiniLmGolden : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Texts, MiniLmGolden, ::testing::Values("minilm", "minilm-long"),
                         [](const auto& parameter) {
                             return std::string(parameter.param) == "minilm" ? "short" : "long";
                         });

TEST_P(MiniLmGolden, EqualsTheReferenceOnTheCpu) {
    if (test::minilmFolder().empty())
        GTEST_SKIP() << "skipped: no MiniLM checkpoint at " << HEADSCOPE_MINILM_DIR;
    compareWithGolden(test::minilmFolder(), GetParam(), DeviceChoice::Cpu);
}

TEST_P(MiniLmGolden, EqualsTheReferenceOnCuda) {
    if (!hasCudaDevice()) GTEST_SKIP() << "skipped: no CUDA device";
    if (test::minilmFolder().empty())
        GTEST_SKIP() << "skipped: no MiniLM checkpoint at " << HEADSCOPE_MINILM_DIR;
    compareWithGolden(test::minilmFolder(), GetParam(), DeviceChoice::Cuda);
}

TEST(WeightMemory, SaysWhatIsReadAsItStandsInTheFile) {
    for (const auto& [name, bytesEach] : std::vector<std::pair<const char*, std::uint64_t>>{
             {"tiny-bert", 4}, {"half-bert", 2}, {"bfloat-bert", 2}}) {
        const Checkpoint checkpoint = openCheckpoint(tinyFolder(name));
        std::uint64_t numbers = 0; // of the blocks
        for (const TensorInfo& tensor : checkpoint.weights->tensors())
            if (tensor.name.find("layer.") != std::string::npos)
                numbers += static_cast<std::uint64_t>(tensor.elements);
        const WeightMemory streamed = loadModel(checkpoint, DeviceChoice::Cpu, {}, {}, 0)->weightMemory();
        EXPECT_EQ(streamed.streamed, numbers * 4) << name;
        EXPECT_EQ(streamed.inFile, numbers * bytesEach) << name;
        EXPECT_EQ(streamed.resident, 0U) << name;
        const WeightMemory resident = loadModel(checkpoint, DeviceChoice::Cpu, {}, {})->weightMemory();
        EXPECT_EQ(resident.resident, numbers * 4) << name;
        EXPECT_EQ(resident.inFile, 0U) << name;
    }
}

TEST(Golden, ADifferenceOfABoundWouldBeFound) {
    // The comparison itself: a stored map that is off by more than the bound in one cell must show.
    GoldenText text = readGolden("tiny-bert").at("pair");
    const std::int64_t tokens = text.tokens();
    std::vector<float> weights(text.weights[1].begin(), text.weights[1].begin() + tokens * tokens);
    const StoredMap same({tokens, tokens}, weights);
    EXPECT_EQ(text.largestDifference(1, 0, same), 0.0);
    weights[17] += 1e-4F;
    const StoredMap other({tokens, tokens}, weights);
    EXPECT_GT(text.largestDifference(1, 0, other), text.bound);
    weights[17] = std::nanf("");
    const StoredMap broken({tokens, tokens}, weights);
    EXPECT_GT(text.largestDifference(1, 0, broken), text.bound);
}

} // namespace
} // namespace headscope
