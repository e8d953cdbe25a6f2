// SPDX-License-Identifier: GPL-3.0-or-later
// What others have published about heads of models that many people have. The weights are not part of this
// project: each test reads a folder that an environment variable names, and says that it skips without one.
#include "core/analysis/analysis.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>

namespace headscope {
namespace {

using ::testing::ElementsAre;
using Ids = std::vector<std::int64_t>;
using Score = std::function<double(const HeadMetrics&)>;

/// The model of a test, or nothing and why.
class Published : public testing::Test {
  protected:
    std::shared_ptr<const OpenModel> model;

    void open(const char* variable, const char* name) {
        const char* folder = std::getenv(variable);
        if (folder == nullptr || *folder == '\0')
            GTEST_SKIP() << "skipped: set " << variable << " to the folder of " << name;
        model = openModel(folder, {DeviceChoice::Cpu}, {}, {});
    }

    /// The mean of a score over texts, of all heads.
    std::map<std::string, double> means(const std::vector<TextInput>& inputs, const Score& score) const {
        std::map<std::string, double> sums;
        for (const TextInput& input : inputs) {
            const auto analysis = analyse({model, input}, {}, {});
            for (const auto& layer : analysis->layers)
                for (std::size_t h = 0; h < layer->heads.size(); ++h)
                    sums[fmt::format("{}.{}", layer->layer.value, h)] +=
                        score(layer->heads[h].metrics) / static_cast<double>(inputs.size());
        }
        return sums;
    }
};

std::vector<std::string> ranked(const std::map<std::string, double>& scores) {
    std::vector<std::string> names;
    for (const auto& [name, score] : scores) names.push_back(name);
    std::ranges::sort(names, [&](const auto& a, const auto& b) { return scores.at(a) > scores.at(b); });
    return names;
}

std::vector<std::string> above(const std::map<std::string, double>& scores, double cut) {
    std::vector<std::string> names;
    for (const auto& [name, score] : scores)
        if (score > cut) names.push_back(name);
    return names;
}

double median(const std::map<std::string, double>& scores) {
    std::vector<double> sorted;
    for (const auto& [name, score] : scores) sorted.push_back(score);
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
}

double induction(const HeadMetrics& metrics) {
    return metrics.tokens ? metrics.tokens->induction.mass : 0.0;
}
double duplicate(const HeadMetrics& metrics) {
    return metrics.tokens ? metrics.tokens->duplicate.mass : 0.0;
}
double previous(const HeadMetrics& metrics) {
    return metrics.offsets ? metrics.offsets->previous.mass : 0.0;
}
double next(const HeadMetrics& metrics) {
    return metrics.offsets ? metrics.offsets->next.mass : 0.0;
}

/// GPT-2's only special token, then `length` random ones, `times` times over.
TextInput repeated(int length, int times, unsigned seed) {
    constexpr std::int64_t kEndOfText = 50256;
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<std::int64_t> anyId(0, kEndOfText - 1);
    Ids block(static_cast<std::size_t>(length));
    std::ranges::generate(block, [&] { return anyId(random); });
    Ids ids{kEndOfText};
    for (int i = 0; i < times; ++i) ids.insert(ids.end(), block.begin(), block.end());
    TextInput input;
    input.ids = ids;
    return input;
}

class Gpt2Small : public Published {
  protected:
    void SetUp() override { open("HEADSCOPE_GPT2_SMALL", "GPT-2 small"); }

    static std::vector<TextInput> fiveSeeds(int length, int times) {
        std::vector<TextInput> inputs;
        for (unsigned seed = 1; seed <= 5; ++seed) inputs.push_back(repeated(length, times, seed));
        return inputs;
    }
};

TEST_F(Gpt2Small, ReadsThePreviousTokenWith4_11) {
    const auto scores = means(fiveSeeds(100, 1), previous);
    const auto order = ranked(scores);
    EXPECT_EQ(order[0], "4.11");
    EXPECT_GT(scores.at("4.11"), 0.95) << "published: 0.985 on random tokens";
    EXPECT_EQ(order[1], "2.2");
    EXPECT_LT(scores.at("2.2"), 0.75) << "published: 0.568 on prompts";
}

TEST_F(Gpt2Small, HasFiveHeadsThatAnswerRandomRepeats) {
    const auto scores = means(fiveSeeds(25, 4), induction);
    EXPECT_THAT(above(scores, 0.35), ElementsAre("5.1", "5.5", "6.9", "7.10", "7.2"));
    EXPECT_LT(median(scores), 0.05);
}

TEST_F(Gpt2Small, InductionScoresAreThosePublished) {
    const auto scores = means(fiveSeeds(50, 2), induction);
    const std::map<std::string, double> published{
        {"5.5", 0.929}, {"6.9", 0.917}, {"7.10", 0.912}, {"5.1", 0.905}, {"7.2", 0.828}};
    for (const auto& [name, score] : published) EXPECT_NEAR(scores.at(name), score, 0.03) << name;
    EXPECT_LT(median(scores), 0.05) << "published: 0.005";
    EXPECT_LT(scores.at("4.11"), 0.01) << "published: 0.000";
}

TEST_F(Gpt2Small, FindsTheSameTokenWithHeadsOfTheFirstLayers) {
    const auto order = ranked(means(fiveSeeds(50, 2), duplicate));
    const std::vector<std::string> first(order.begin(), order.begin() + 6);
    for (const char* name : {"0.1", "0.5", "3.0"})
        EXPECT_THAT(first, testing::Contains(name)) << testing::PrintToString(first);
}

class BertBase : public Published {
  protected:
    void SetUp() override { open("HEADSCOPE_BERT_BASE", "bert-base-uncased"); }

    static std::vector<TextInput> pairs() {
        const std::vector<std::pair<const char*, const char*>> texts{
            {"The old bridge was closed in the spring, because the river had carried away two of its piers. "
             "Nobody in the village was surprised. The carts went round by the mill for a year.",
             "In the end the council found the money. A new bridge of stone was built, and the first to "
             "cross "
             "it was a herd of sheep. The miller, who had sold them flour all year, was not there."},
            {"She put the letter into the drawer and turned the key. It was late, the lamp was nearly out, "
             "and the dog had been asleep for hours. Tomorrow there would be time to answer.",
             "But on the next day the house was full of guests. They talked about the harvest, about the "
             "price "
             "of wool and about a comet. Only when they had gone did she remember the drawer."},
            {"Copper is soft, conducts heat well and does not rust. It was the first metal that people "
             "worked. "
             "With a little tin it becomes bronze, which is much harder.",
             "Iron came later. It has to be heated far more, and it must be hammered while it glows. Once "
             "smiths had learned this, bronze was kept for bells, for coins and for statues."},
        };
        std::vector<TextInput> inputs;
        for (const auto& [first, second] : texts) {
            TextInput input;
            input.text = first;
            input.pair = second;
            inputs.push_back(input);
        }
        return inputs;
    }
    static Score classMass(TokenClass kind) {
        return [kind](const HeadMetrics& metrics) {
            return metrics.tokens ? metrics.tokens->of(kind).mass : 0.0;
        };
    }
};

TEST_F(BertBase, FourHeadsReadThePreviousTokenAndFiveTheNext) {
    EXPECT_EQ(above(means(pairs(), previous), 0.5).size(), 4U);
    const auto nextScores = means(pairs(), next);
    EXPECT_EQ(above(nextScores, 0.5).size(), 5U);
    EXPECT_GT(nextScores.at("2.0"), 0.5);
}

TEST_F(BertBase, ReadsSeparatorsAndPeriodsWhereTheFiguresShowIt) {
    EXPECT_GT(means(pairs(), classMass(TokenClass::Separator)).at("7.6"), 0.6);
    const auto punctuation = ranked(means(pairs(), classMass(TokenClass::Punctuation)));
    EXPECT_THAT(std::vector(punctuation.begin(), punctuation.begin() + 3), testing::Contains("10.5"));
    const auto entropy = means(pairs(), [](const HeadMetrics& metrics) { return metrics.entropy; });
    EXPECT_GT(entropy.at("0.0"), 3.8) << "one of the broadest";
}

TEST_F(BertBase, MostWeightOfTheMiddleLayersLiesOnSeparators) {
    const auto scores = means(pairs(), classMass(TokenClass::Separator));
    double sum = 0.0;
    for (const auto& [name, score] : scores)
        for (const char* layer : {"5.", "6.", "7.", "8.", "9."})
            if (name.starts_with(layer)) sum += score / (5 * 12);
    EXPECT_GT(sum, 0.5);
}

} // namespace
} // namespace headscope
