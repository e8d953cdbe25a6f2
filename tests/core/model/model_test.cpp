// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/activation.h"
#include "core/model/feed_forward.h"
#include "core/model/model.h"
#include "tests/core/model/capturing_observer.h"
#include "tests/core/model/tiny_checkpoint.h"

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace headscope {
namespace {

using headscope::test::CapturingObserver;
using headscope::test::sentenceOf;
using headscope::test::TinyCheckpoint;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string loadError(const TinyCheckpoint& tiny) {
    return sentenceOf([&] { loadModel(tiny.checkpoint(), DeviceChoice::Cpu, {}, {}); });
}

std::shared_ptr<const Model> load(const TinyCheckpoint& tiny) {
    return loadModel(tiny.checkpoint(), DeviceChoice::Cpu, {}, {});
}

TEST(Model, CountsParametersAndReportsEveryTensor) {
    const TinyCheckpoint tiny;
    std::vector<std::int64_t> done;
    std::int64_t total = 0;
    const auto model = loadModel(tiny.checkpoint(), DeviceChoice::Cpu, {}, [&](const Progress& progress) {
        EXPECT_EQ(progress.unit, "tensor");
        done.push_back(progress.done);
        total = progress.total;
    });
    EXPECT_EQ(model->parameters(), tiny.elements());
    EXPECT_EQ(total, 5 + 2 * 16);
    EXPECT_EQ(done.back(), total);
    EXPECT_EQ(model->device(), DeviceChoice::Cpu);
    EXPECT_TRUE(model->notes().empty());
}

TEST(Model, ForwardTellsProgressAndIsRepeatable) {
    const auto model = load(TinyCheckpoint());
    std::vector<std::int64_t> layers;
    ForwardHooks hooks;
    hooks.progress = [&](const Progress& progress) {
        EXPECT_EQ(progress.unit, "layer");
        EXPECT_EQ(progress.total, 2);
        layers.push_back(progress.done);
    };
    CapturingObserver observer;
    const std::vector<float> plain = model->forward({{1, 2, 3}, {}, {}}, hooks).hidden;
    EXPECT_THAT(layers, ElementsAre(1, 2));
    hooks.observer = &observer;
    const std::vector<float> observed = model->forward({{1, 2, 3}, {}, {}}, hooks).hidden;
    EXPECT_EQ(plain.size(), 3U * 8U);
    EXPECT_EQ(plain, observed) << "listening must not change what is computed";
    EXPECT_EQ(observer.layers.size(), 2U);
}

/// Mean over all pairs of rows, in double and from the definition.
double meanCosineOf(const std::vector<float>& rows, std::size_t width) {
    const auto dot = [&](std::size_t a, std::size_t b) {
        double sum = 0.0;
        for (std::size_t d = 0; d < width; ++d)
            sum += static_cast<double>(rows[a * width + d]) * static_cast<double>(rows[b * width + d]);
        return sum;
    };
    double sum = 0.0;
    int pairs = 0;
    for (std::size_t a = 0; a < rows.size() / width; ++a)
        for (std::size_t b = 0; b < a; ++b, ++pairs) sum += dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
    return sum / pairs;
}

TEST(Model, SaysHowAlikeTheTokensAreThatALayerReads) {
    TinyCheckpoint tiny;
    CapturingObserver observer;
    ForwardHooks hooks;
    hooks.observer = &observer;
    load(tiny)->forward({{1, 2, 3, 4, 2}, {}, {}}, hooks);
    ASSERT_EQ(observer.cosines.size(), 2U);
    // What the second layer reads is what a model of one layer puts out.
    const std::string layers = "\"num_hidden_layers\": 2";
    tiny.config.replace(tiny.config.find(layers), layers.size(), "\"num_hidden_layers\": 1");
    const auto one = load(tiny);
    const std::vector<float> hidden = one->forward({{1, 2, 3, 4, 2}, {}, {}}, {}).hidden;
    EXPECT_NEAR(observer.cosines[1], meanCosineOf(hidden, hidden.size() / 5), 1e-5);
    observer.cosines.clear();
    one->forward({{1}, {}, {}}, hooks);
    EXPECT_TRUE(observer.cosines.empty()) << "one token has no pair";
}

TEST(Model, TokenTypesEnterTheSum) {
    const auto model = load(TinyCheckpoint());
    EXPECT_EQ(model->forward({{1, 2}, {0, 0}, {}}, {}).hidden, model->forward({{1, 2}, {}, {}}, {}).hidden);
    EXPECT_NE(model->forward({{1, 2}, {0, 1}, {}}, {}).hidden, model->forward({{1, 2}, {}, {}}, {}).hidden);
}

TEST(Model, OneTokenAndTheLastPositionWork) {
    const auto model = load(TinyCheckpoint());
    EXPECT_EQ(model->forward({{5}, {}, {}}, {}).hidden.size(), 8U);
    EXPECT_EQ(model->forward({std::vector<std::int64_t>(16, 3), {}, {}}, {}).hidden.size(), 16U * 8U);
}

TEST(Model, RefusesWhatDoesNotFit) {
    const auto model = load(TinyCheckpoint());
    const auto error = [&](ModelInput input) { return sentenceOf([&] { model->forward(input, {}); }); };
    EXPECT_THAT(error({{}, {}, {}}), HasSubstr("no tokens"));
    EXPECT_THAT(error({{1, 10}, {}, {}}),
                HasSubstr("token id 10 is outside the vocabulary, expected 0 to 9"));
    EXPECT_THAT(error({{-1}, {}, {}}), HasSubstr("token id -1"));
    EXPECT_THAT(error({{1}, {2}, {}}), HasSubstr("token type 2"));
    EXPECT_THAT(error({std::vector<std::int64_t>(17, 1), {}, {}}),
                HasSubstr("17 tokens, expected at most 16"));
}

TEST(Model, CancelStopsLoadingAndRunning) {
    const TinyCheckpoint tiny;
    CancelToken cancelled;
    cancelled.cancel();
    try {
        loadModel(tiny.checkpoint(), DeviceChoice::Cpu, cancelled, {});
        FAIL() << "loading went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.parts().kind, ErrorKind::Cancelled);
    }
    const auto model = load(tiny);
    ForwardHooks hooks;
    hooks.progress = [&](const Progress& progress) {
        EXPECT_EQ(progress.done, 1) << "the second layer ran";
        hooks.cancel.cancel();
    };
    try {
        model->forward({{1, 2, 3}, {}, {}}, hooks).hidden;
        FAIL() << "running went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.parts().kind, ErrorKind::Cancelled);
    }
}

TEST(Model, NamesTheLayerWhoseOutputIsNotFinite) {
    TinyCheckpoint tiny;
    // Finite weights whose products are not: 1e30 times 1e30.
    tiny.fill("bert.encoder.layer.1.intermediate.dense.weight", 1e30F);
    tiny.fill("bert.encoder.layer.1.output.dense.weight", 1e30F);
    EXPECT_THAT(sentenceOf([&] {
                    load(tiny)->forward({{1, 2, 3}, {}, {}}, {}).hidden;
                }),
                HasSubstr("layer 1: its output holds NaN or infinity"));
}

TEST(Model, NotANumberInTheWeightsIsRefusedByName) {
    TinyCheckpoint tiny;
    tiny.fill("bert.encoder.layer.0.output.dense.bias", std::numeric_limits<float>::quiet_NaN());
    EXPECT_THAT(loadError(tiny), HasSubstr("bert.encoder.layer.0.output.dense.bias"));
}

TEST(Model, NotANumberInAWordRowIsRefusedWhenTheWordIsRead) {
    TinyCheckpoint tiny;
    tiny.values("bert.embeddings.word_embeddings.weight")[4 * 8 + 1] = std::numeric_limits<float>::infinity();
    const auto model = load(tiny);
    EXPECT_EQ(model->forward({{3, 5}, {}, {}}, {}).hidden.size(), 16U);
    EXPECT_THAT(sentenceOf([&] {
                    model->forward({{3, 4}, {}, {}}, {}).hidden;
                }),
                HasSubstr("word_embeddings"));
}

TEST(Model, MissingAndMisshapedTensorsAreNamed) {
    TinyCheckpoint missing;
    missing.remove("bert.encoder.layer.1.attention.self.key.bias");
    EXPECT_THAT(loadError(missing), HasSubstr("\"bert.encoder.layer.1.attention.self.key.bias\" is missing"));
    EXPECT_THAT(loadError(missing), HasSubstr("[8]"));

    TinyCheckpoint misshaped;
    misshaped.put("bert.encoder.layer.0.intermediate.dense.weight", {11, 8});
    EXPECT_THAT(loadError(misshaped), HasSubstr("has shape [11, 8], expected [12, 8] from config.json"));

    TinyCheckpoint rank;
    rank.put("bert.embeddings.LayerNorm.weight", {8, 1});
    EXPECT_THAT(loadError(rank), HasSubstr("has shape [8, 1], expected [8]"));

    TinyCheckpoint empty;
    empty.clear();
    EXPECT_THAT(loadError(empty), HasSubstr("\"bert.embeddings.word_embeddings.weight\" is missing"));
}

TEST(Model, NormsMayBeSpelledGammaAndBeta) {
    TinyCheckpoint tiny;
    const std::vector<float> expected = load(tiny)->forward({{1, 2, 3}, {}, {}}, {}).hidden;
    tiny.renameAll("LayerNorm.weight", "LayerNorm.gamma");
    tiny.renameAll("LayerNorm.bias", "LayerNorm.beta");
    EXPECT_EQ(load(tiny)->forward({{1, 2, 3}, {}, {}}, {}).hidden, expected);
    tiny.renameAll("bert.", "");
    EXPECT_EQ(load(tiny)->forward({{1, 2, 3}, {}, {}}, {}).hidden, expected);
}

// Known pitfall "gamma/beta": a rename anywhere in a name would spoil other names.
TEST(Model, OnlyTheEndOfANameIsAnOldNorms) {
    for (const char* name :
         {"bert.encoder.layer.0.output.LayerNorm.gamma_scale", "bert.LayerNorm.beta.weight"}) {
        TinyCheckpoint tiny;
        tiny.put(name, {8});
        ASSERT_EQ(load(tiny)->notes().size(), 1U) << name;
        EXPECT_THAT(load(tiny)->notes()[0], HasSubstr(name));
    }
    TinyCheckpoint tiny; // not found under a name that only contains the old one
    tiny.renameAll("embeddings.LayerNorm.weight", "embeddings.LayerNorm.gamma.weight");
    EXPECT_THAT(loadError(tiny), HasSubstr("embeddings.LayerNorm.weight"));
}

TEST(Model, TensorsThatAreNotUsedAreSaid) {
    TinyCheckpoint tiny;
    tiny.put("bert.pooler.dense.weight", {8, 8});
    tiny.put("cls.predictions.bias", {10});
    tiny.put("bert.embeddings.position_ids", {1, 16});
    EXPECT_TRUE(load(tiny)->notes().empty());
    tiny.put("bert.encoder.layer.2.output.dense.bias", {8});
    ASSERT_EQ(load(tiny)->notes().size(), 1U);
    EXPECT_THAT(load(tiny)->notes()[0], HasSubstr("bert.encoder.layer.2.output.dense.bias"));
}

TEST(Activations, EqualTheCheckFigures) {
    const auto at = [](Activation activation, float x) {
        return applyActivation(activation, at::full({1}, x)).item<float>();
    };
    EXPECT_NEAR(at(Activation::GeluErf, -2.0F), -0.0455003, 6e-7);
    EXPECT_NEAR(at(Activation::GeluErf, 1.0F), 0.8413447, 6e-7);
    EXPECT_NEAR(at(Activation::GeluTanh, -2.0F), -0.0454023, 6e-7);
    EXPECT_NEAR(at(Activation::GeluTanh, 3.0F), 2.9963626, 6e-7);
    EXPECT_NEAR(at(Activation::QuickGelu, -2.0F), -0.0643414, 6e-7);
    EXPECT_NEAR(at(Activation::QuickGelu, 0.5F), 0.3503884, 6e-7);
    EXPECT_EQ(at(Activation::Relu, -1.0F), 0.0F);
    EXPECT_EQ(at(Activation::Relu, 2.0F), 2.0F);
    EXPECT_NEAR(at(Activation::Silu, 1.0F), 0.7310586, 6e-7);
}

TEST(Device, AutoGivesADeviceAndCudaIsRefusedWithoutOne) {
    EXPECT_EQ(resolveDevice(DeviceChoice::Cpu), DeviceChoice::Cpu);
    EXPECT_EQ(resolveDevice(DeviceChoice::Auto), hasCudaDevice() ? DeviceChoice::Cuda : DeviceChoice::Cpu);
    if (hasCudaDevice()) GTEST_SKIP() << "skipped: there is a CUDA device, so it cannot be refused";
    EXPECT_THAT(sentenceOf([] { resolveDevice(DeviceChoice::Cuda); }), HasSubstr("cuda: "));
    EXPECT_THAT(sentenceOf([] { resolveDevice(DeviceChoice::Cuda); }), HasSubstr("--device cpu"));
}

TEST(Device, ThreadsCanBeSetAndVersionsAreSaid) {
    const int before = torchThreads();
    setTorchThreads(1);
    EXPECT_EQ(torchThreads(), 1);
    setTorchThreads(before);
    EXPECT_EQ(torchThreads(), before);
    EXPECT_THAT(torchVersionText(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+ \\(.*\\)"));
}

TEST(FeedForward, LongTextsInChunksEqualTheWhole) {
    // 1,500 tokens run in two chunks; the first 1,024 alone run in one.
    auto weights = std::make_shared<MemoryTensorSource>();
    const auto add = [&](const std::string& name, std::vector<std::int64_t> shape, std::size_t count) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = 0.4F * std::sin(1.7F * static_cast<float>(i));
        weights->add(name, std::move(shape), std::move(values));
    };
    add("up.weight", {12, 8}, 96);
    add("up.bias", {12}, 12);
    add("down.weight", {8, 12}, 96);
    add("down.bias", {8}, 8);
    FeedForwardSpec spec;
    spec.intermediateSize = 12;
    spec.up = linearSpec("up");
    spec.down = linearSpec("down");
    const auto part =
        readFeedForward(WeightLoader({weights, "", DeviceChoice::Cpu}, WeightLoader::Mode::Read), spec, 8);
    at::manual_seed(3);
    const at::Tensor input = at::randn({1500, 8});
    const at::Tensor whole = part->forward(input);
    EXPECT_LT((whole.narrow(0, 0, 1024) - part->forward(input.narrow(0, 0, 1024))).abs().max().item<float>(),
              1e-6F);
    EXPECT_LT(
        (whole.narrow(0, 1024, 476) - part->forward(input.narrow(0, 1024, 476))).abs().max().item<float>(),
        1e-6F);
}

} // namespace
} // namespace headscope
