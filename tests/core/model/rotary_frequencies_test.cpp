// SPDX-License-Identifier: GPL-3.0-or-later
// Reference values: transformers 4.57.6, modeling_rope_utils.py, with torch 2.13.0.
#include "core/checkpoint/config_reader.h"
#include "core/model/families/rotary_config.h"
#include "core/model/rotary_frequencies.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace headscope {
namespace {

std::vector<float> numbersOf(const at::Tensor& tensor) {
    const at::Tensor whole = tensor.contiguous();
    const float* values = whole.const_data_ptr<float>();
    return {values, values + whole.numel()};
}

std::vector<float> frequencies(const RotarySpec& spec, std::int64_t tokens = 8) {
    return numbersOf(rotaryFrequencies(spec, tokens));
}

RotarySpec plain(double theta, std::int64_t dims) {
    RotarySpec spec;
    spec.theta = theta;
    spec.dims = dims;
    return spec;
}

/// As a config.json with these members says, for heads of `headSize`.
RotarySpec fromConfig(const std::string& members, std::int64_t headSize, std::int64_t positions) {
    const Json config = parseJson("{" + members + "}", "config.json", {});
    RotaryDefaults defaults;
    defaults.headSize = headSize;
    defaults.maxPositions = positions;
    return rotaryOf(ConfigReader(config, "config.json"), defaults);
}

using Expected = std::vector<std::pair<std::size_t, double>>;

void expectNear(const std::vector<float>& found, const Expected& expected) {
    for (const auto& [index, value] : expected)
        EXPECT_NEAR(found.at(index), value, 4e-7 * value) << "frequency " << index;
}

TEST(RotaryFrequencies, AreRoundedOneOperationAtATime) {
    // Entries on which one computation in double, rounded at the end, differs in the last bit.
    const std::vector<float> usual = frequencies(plain(1e4, 64));
    ASSERT_EQ(usual.size(), 32U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(usual[0]), 0x3f800000U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(usual[5]), 0x3e72d423U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(usual[10]), 0x3d6655c2U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(usual[12]), 0x3d0186e3U);
    const std::vector<float> slow = frequencies(plain(5e5, 128));
    ASSERT_EQ(slow.size(), 64U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(slow[2]), 0x3f29e1c6U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(slow[10]), 0x3e03c6a0U);
}

TEST(RotaryFrequencies, LinearDividesAll) {
    RotarySpec spec = plain(1e4, 64);
    const std::vector<float> unscaled = frequencies(spec);
    spec.scaling = RotaryScaling::Linear;
    spec.factor = 4.0;
    const std::vector<float> scaled = frequencies(spec);
    for (std::size_t i = 0; i < scaled.size(); ++i) EXPECT_EQ(scaled[i], unscaled[i] / 4.0F);
}

TEST(RotaryFrequencies, DynamicGrowsTheBaseBeyondTheOriginalLength) {
    const RotarySpec spec = fromConfig(R"("rope_scaling": {"rope_type": "dynamic", "factor": 2.0})", 64, 16);
    EXPECT_EQ(frequencies(spec, 16), frequencies(plain(1e4, 64)));
    expectNear(frequencies(spec, 17),
               {{0, 1.0}, {1, 0.747050404548645}, {10, 0.05413762107491493}, {31, 0.0001185352448374033}});
    expectNear(frequencies(spec, 40),
               {{0, 1.0}, {1, 0.7170982956886292}, {10, 0.035957302898168564}, {31, 3.333803397254087e-05}});
}

TEST(RotaryFrequencies, Llama3KeepsShortWavesAndBlendsThoseBetween) {
    const RotarySpec spec = fromConfig(
        R"("rope_theta": 500000.0, "rope_scaling": {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0,
            "high_freq_factor": 4.0, "original_max_position_embeddings": 8192})",
        64, 131072);
    const std::vector<float> found = frequencies(spec);
    const std::vector<float> unscaled = frequencies(plain(5e5, 64));
    for (std::size_t i = 0; i <= 14; ++i) EXPECT_EQ(found[i], unscaled[i]) << i;
    for (std::size_t i = 18; i < 32; ++i) EXPECT_EQ(found[i], unscaled[i] / 32.0F) << i;
    expectNear(found, {{1, 0.66360124},
                       {14, 0.003211446},
                       {15, 0.0012905479},
                       {16, 0.0004295568},
                       {17, 9.7082878e-5},
                       {18, 1.9461638e-5},
                       {31, 9.4183067e-8}});
    EXPECT_EQ(spec.attentionFactor, 1.0);
    expectNear(frequencies(fromConfig(
                   R"("rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 2.0,
                       "high_freq_factor": 4.0, "original_max_position_embeddings": 64})",
                   16, 64)),
               {{0, 1.0}, {1, 0.20846302807}, {2, 0.012500000186}, {7, 3.9528473280e-5}});
}

TEST(RotaryFrequencies, YarnRampsBetweenWholeDimensions) {
    const RotarySpec spec = fromConfig(
        R"("rope_theta": 1e6, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
            "original_max_position_embeddings": 32768})",
        128, 131072);
    EXPECT_NEAR(spec.attentionFactor, 1.1386294361, 1e-9);
    const std::vector<float> found = frequencies(spec);
    const std::vector<float> unscaled = frequencies(plain(1e6, 128));
    for (std::size_t i = 0; i <= 23; ++i) EXPECT_EQ(found[i], unscaled[i]) << i;
    for (std::size_t i = 24; i < 40; ++i) {
        EXPECT_LT(found[i], unscaled[i]) << i;
        EXPECT_GT(found[i], unscaled[i] / 4.0F) << i;
    }
    for (std::size_t i = 40; i < 64; ++i) EXPECT_EQ(found[i], unscaled[i] / 4.0F) << i;
    expectNear(found,
               {{23, 0.006978305988}, {24, 0.005375321489}, {39, 6.490394298e-5}, {40, 4.445698505e-5}});
}

TEST(RotaryFrequencies, YarnWithoutTruncationRampsBetweenFractions) {
    const RotarySpec spec = fromConfig(
        R"("rope_theta": 150000, "rope_scaling": {"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0,
            "beta_slow": 1.0, "truncate": false, "original_max_position_embeddings": 4096})",
        64, 131072);
    EXPECT_NEAR(spec.attentionFactor, 1.3465735903, 1e-9);
    const std::vector<float> found = frequencies(spec);
    const std::vector<float> unscaled = frequencies(plain(150000.0, 64));
    EXPECT_EQ(found[8], unscaled[8]);
    // The ramp runs from 8.0927791 to 17.3980245.
    for (const std::size_t i : {9U, 13U, 17U}) {
        const double stretched = (static_cast<double>(i) - 8.0927791) / (17.3980245 - 8.0927791);
        EXPECT_NEAR(found[i], unscaled[i] * (1.0 - stretched * (1.0 - 1.0 / 32.0)), 4e-7 * unscaled[i]) << i;
    }
    expectNear(found,
               {{9, 0.031705696136}, {13, 0.003860359080}, {18, 3.830881178e-5}, {31, 3.023511397e-7}});
}

RotarySpec yarn(double theta, std::int64_t headSize, const std::string& members) {
    return fromConfig(
        fmt::format(R"("rope_theta": {}, "rope_scaling": {{"rope_type": "yarn", {}}})", theta, members),
        headSize, 64);
}

TEST(RotaryFrequencies, YarnsRampStaysInsideTheDimensions) {
    // It would begin below the first dimension.
    const RotarySpec below = yarn(100.0, 16, R"("factor": 8.0, "original_max_position_embeddings": 16)");
    EXPECT_NEAR(below.attentionFactor, 1.2079441542, 1e-9);
    expectNear(frequencies(below), {{0, 1.0}, {1, 0.31631699204}, {2, 0.039528470486}, {7, 0.0022228492890}});
    // Both ends are the first dimension.
    expectNear(frequencies(yarn(1e4, 16, R"("factor": 8.0, "original_max_position_embeddings": 4)")),
               {{0, 1.0}, {1, 0.039528470486}, {2, 0.012500000186}, {7, 3.9528473280e-5}});
    // Both would lie beyond the last.
    expectNear(frequencies(yarn(2.0, 8, R"("factor": 4.0, "original_max_position_embeddings": 1024)")),
               {{0, 0.25}, {1, 0.21022410691}, {2, 0.17677669227}, {3, 0.14865088463}});
}

TEST(RotaryFrequencies, YarnTakesItsOwnBetasAndScales) {
    const RotarySpec spec = fromConfig(
        R"("rope_scaling": {"rope_type": "yarn", "factor": 8.0, "mscale": 0.7, "mscale_all_dim": 1.3,
            "beta_fast": 4.0, "beta_slow": 1.5, "truncate": false})",
        16, 4096);
    EXPECT_NEAR(spec.attentionFactor, 0.9017839870, 1e-9);
    expectNear(
        frequencies(spec),
        {{0, 1.0}, {1, 0.31622776389}, {4, 0.0099999997765}, {5, 0.0012922771275}, {6, 1.2500000594e-4}});
}

/// int(8 * 0.7) = 5 dimensions are counted and 6 turned.
TEST(RotaryFrequencies, OfAnOddNumberOfDimensions) {
    const auto odd = [](const std::string& scaling) {
        const Json config = parseJson("{" + scaling + "}", "config.json", {});
        RotaryDefaults defaults;
        defaults.headSize = 8;
        defaults.partialFactor = 0.7;
        defaults.maxPositions = 16;
        defaults.roundsUp = true;
        return rotaryOf(ConfigReader(config, "config.json"), defaults);
    };
    const std::vector<float> usual = frequencies(odd(""));
    ASSERT_EQ(usual.size(), 3U);
    expectNear(usual, {{0, 1.0}, {1, 0.025118863210}, {2, 0.00063095730729}});
    expectNear(frequencies(odd(R"("rope_scaling": {"rope_type": "linear", "factor": 4.0})")),
               {{0, 0.25}, {1, 0.0062797158025}, {2, 0.00015773932682}});
    expectNear(frequencies(odd(R"("rope_scaling": {"rope_type": "dynamic", "factor": 2.0})"), 40),
               {{0, 1.0}, {1, 0.0099684270099}, {2, 9.9369535747e-5}});
    expectNear(
        frequencies(odd(R"("rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                   "high_freq_factor": 4.0, "original_max_position_embeddings": 64})")),
        {{0, 1.0}, {1, 0.0031398579013}, {2, 7.8869663412e-5}});
    const RotarySpec longRope = odd(R"("rope_scaling": {"rope_type": "longrope", "factor": 4.0,
        "short_factor": [1.0, 1.5, 2.0], "long_factor": [2.0, 3.0, 5.0]})");
    EXPECT_NEAR(longRope.attentionFactor, 1.2247448714, 1e-9);
    expectNear(frequencies(longRope, 40), {{0, 0.5}, {1, 0.0083729540929}, {2, 0.00012619145855}});
}

TEST(RotaryFrequencies, OfAPartOfTheHead) {
    const Json config = parseJson(R"({"partial_rotary_factor": 0.25})", "config.json", {});
    RotaryDefaults defaults;
    defaults.headSize = 64;
    defaults.maxPositions = 16;
    const std::vector<float> part = frequencies(rotaryOf(ConfigReader(config, "config.json"), defaults));
    ASSERT_EQ(part.size(), 8U);
    EXPECT_EQ(part, frequencies(plain(1e4, 16)));
    expectNear(part, {{1, 0.31622776389}, {4, 0.0099999997765}, {7, 0.00031622778624}});
}

// Known pitfall "longrope switch".
TEST(RotaryFrequencies, LongRopeChoosesItsFactorsByTheWholeText) {
    const RotarySpec spec = fromConfig(
        R"("original_max_position_embeddings": 4096, "rope_scaling": {"rope_type": "longrope",
            "short_factor": [1.0, 1.5, 2.0, 4.0], "long_factor": [2.0, 3.0, 5.0, 10.0]})",
        8, 131072);
    EXPECT_NEAR(spec.attentionFactor, 1.1902380714, 1e-9);
    expectNear(frequencies(spec, 4096), {{0, 1.0}, {1, 0.0666666701}, {2, 0.005}, {3, 0.00025}});
    expectNear(frequencies(spec, 4097), {{0, 0.5}, {1, 0.0333333351}, {2, 0.002}, {3, 1e-4}});
    EXPECT_EQ(frequencies(spec, 4096), frequencies(spec, 1)); // no memory of the longer text
}

// Known pitfall "RoPE precision".
TEST(RotaryTable, FarAnglesAreTheProductsOfRoundedNumbers) {
    // Angles taken in double are off by 3e-5 at position 511, by 5e-4 at 8191.
    const RotaryTable table = rotaryTable(plain(1e4, 64), 8192, at::kCPU);
    ASSERT_EQ(table.cosine.sizes(), (std::vector<std::int64_t>{8192, 32}));
    const auto number = [](const at::Tensor& tensor, std::int64_t position, std::int64_t pair) {
        return tensor[position][pair].item<float>();
    };
    EXPECT_EQ(number(table.cosine, 0, 31), 1.0F);
    EXPECT_EQ(number(table.sine, 0, 31), 0.0F);
    EXPECT_NEAR(number(table.cosine, 1, 0), 0.54030234, 2e-7);
    EXPECT_NEAR(number(table.sine, 1, 0), 0.84147096, 2e-7);
    EXPECT_NEAR(number(table.cosine, 511, 5), -0.22395973, 2e-7);
    EXPECT_NEAR(number(table.sine, 511, 5), 0.97459841, 2e-7);
    EXPECT_NEAR(number(table.cosine, 8191, 10), -0.36200255, 2e-7);
    EXPECT_NEAR(number(table.sine, 8191, 10), 0.93217713, 2e-7);
    EXPECT_FALSE(table.interleaved);
}

TEST(RotaryTable, TheAttentionFactorMultipliesBoth) {
    RotarySpec spec = plain(1e4, 4);
    const RotaryTable one = rotaryTable(spec, 3, at::kCPU);
    spec.attentionFactor = 1.25;
    spec.interleaved = true;
    const RotaryTable scaled = rotaryTable(spec, 3, at::kCPU);
    EXPECT_TRUE(scaled.interleaved);
    EXPECT_TRUE(at::equal(scaled.cosine, one.cosine * 1.25));
    EXPECT_TRUE(at::equal(scaled.sine, one.sine * 1.25));
}

} // namespace
} // namespace headscope
