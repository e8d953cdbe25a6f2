// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/similarity.h"
#include "tests/ui/export/export_support.h"
#include "tests/ui/ui_support.h"
#include "ui/bridge/inference_lane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using test::FakeEngine;
using test::headAt;
using test::waitFor;

/// A lane that compares, and all that it says of it.
class CompareLane : public testing::Test {
  protected:
    FakeEngine fake;
    std::shared_ptr<const Analysis> analysis;
    std::vector<std::shared_ptr<const HeadComparison>> comparisons;
    std::vector<std::shared_ptr<const SimilarHeads>> lists;
    std::vector<Failure> failures;
    std::unique_ptr<InferenceLane> lane;

    void SetUp() override {
        TextInput input;
        for (int i = 0; i < 20; ++i) {
            input.text += 'w';
            input.text += std::to_string(i);
            input.text += ' ';
        }
        const auto ignore = [](auto&&...) {};
        analysis = fake.run({test::fakeModel("/m/fake"), input}, {ignore, ignore, ignore, ignore}, {});
        lane = std::make_unique<InferenceLane>(fake.engine());
        QObject::connect(lane.get(), &InferenceLane::compared, lane.get(),
                         [this](const auto& one) { comparisons.push_back(one); });
        QObject::connect(lane.get(), &InferenceLane::similarFound, lane.get(),
                         [this](const auto& one) { lists.push_back(one); });
        const auto failed = [this](const Failure& failure) { failures.push_back(failure); };
        QObject::connect(lane.get(), &InferenceLane::compareFailed, lane.get(), failed);
        QObject::connect(lane.get(), &InferenceLane::similarFailed, lane.get(), failed);
    }
    ComparedSide side(int layer, int head) const { return {analysis, headAt(layer, head)}; }
};

TEST_F(CompareLane, GivesWhatTheCoreFinds) {
    lane->compare(side(0, 0), side(1, 1));
    EXPECT_TRUE(lane->isComparing());
    ASSERT_TRUE(waitFor([this] { return !comparisons.empty(); }));
    EXPECT_FALSE(lane->isComparing());
    const HeadComparison expected = compareHeads(side(0, 0), side(1, 1), 10, {});
    EXPECT_EQ(comparisons[0]->numbers.divergence, expected.numbers.divergence);
    EXPECT_EQ(comparisons[0]->sides[1].head, headAt(1, 1));
}

TEST_F(CompareLane, TheLatestWins) {
    fake.holdCompares = true;
    lane->compare(side(0, 0), side(0, 1));
    ASSERT_TRUE(waitFor([this] { return fake.compares == 1; }));
    lane->compare(side(0, 0), side(0, 2));
    ASSERT_TRUE(waitFor([this] { return fake.stoppedCompares == 1; }));
    fake.holdCompares = false;
    ASSERT_TRUE(waitFor([this] { return !comparisons.empty(); }));
    EXPECT_EQ(comparisons[0]->sides[1].head, headAt(0, 2));
    EXPECT_EQ(comparisons.size(), 1U);
    EXPECT_TRUE(failures.empty()) << "what nobody waits for any more says nothing";
}

TEST_F(CompareLane, CancellingSaysNothing) {
    fake.holdCompares = true;
    lane->compare(side(0, 0), side(0, 1));
    lane->findSimilar(side(0, 0));
    ASSERT_TRUE(waitFor([this] { return fake.compares == 1 && fake.similars == 1; }));
    lane->cancelCompare();
    lane->cancelSimilar();
    EXPECT_FALSE(lane->isComparing() || lane->isFindingSimilar());
    ASSERT_TRUE(waitFor([this] { return fake.stoppedCompares == 2; }));
    QTest::qWait(20);
    EXPECT_TRUE(comparisons.empty() && lists.empty() && failures.empty());
}

TEST_F(CompareLane, AComparisonDoesNotWaitForARunNorForAList) {
    fake.holdRuns = true;
    lane->analyse({analysis->model, analysis->input});
    ASSERT_TRUE(waitFor([this] { return fake.runs == 2; }));
    fake.holdCompares = true;
    lane->findSimilar(side(0, 0));
    ASSERT_TRUE(waitFor([this] { return fake.similars == 1; }));
    lane->compare(side(0, 0), side(0, 1));
    ASSERT_TRUE(waitFor([this] { return fake.compares == 1; }));
    fake.holdCompares = false;
    EXPECT_TRUE(waitFor([this] { return comparisons.size() == 1 && lists.size() == 1; }));
    EXPECT_TRUE(lane->isRunning());
    fake.holdRuns = false;
}

TEST_F(CompareLane, FailuresAreSaid) {
    fake.failCompares = true;
    lane->compare(side(0, 0), side(0, 1));
    lane->findSimilar(side(0, 0));
    ASSERT_TRUE(waitFor([this] { return failures.size() == 2; }));
    EXPECT_EQ(failures[0].sentence, QStringLiteral("heads: they cannot be compared."));
    EXPECT_FALSE(failures[0].cancelled);
}

TEST_F(CompareLane, EndsWhileItCompares) {
    fake.holdCompares = true;
    lane->compare(side(0, 0), side(0, 1));
    ASSERT_TRUE(waitFor([this] { return fake.compares == 1; }));
    lane.reset();
    EXPECT_EQ(fake.stoppedCompares, 1);
}

TEST_F(CompareLane, ListsTheOtherHeadsNearestFirst) {
    const SimilarHeads found = similarHeads(side(0, 1), {});
    ASSERT_EQ(found.others.size(), 5U);
    EXPECT_EQ(found.untested, 0U);
    // Head 1.0 rests on the same token as 0.1.
    EXPECT_EQ(found.others[0].head, headAt(1, 0));
    EXPECT_EQ(found.others[0].divergence, 0.0);
    for (std::size_t i = 1; i < found.others.size(); ++i)
        EXPECT_LE(found.others[i - 1].divergence, found.others[i].divergence);
    EXPECT_GT(found.others.back().divergence, 0.1);
}

TEST_F(CompareLane, LeavesOutLayersThatSeeOtherKeys) {
    auto other = std::make_shared<Analysis>(*analysis);
    auto layer = std::make_shared<LayerResult>(*analysis->layers[1]);
    layer->mask.causal = true;
    other->layers[1] = layer;
    const SimilarHeads found = similarHeads({other, headAt(0, 1)}, {});
    EXPECT_EQ(found.others.size(), 2U);
    EXPECT_EQ(found.otherMasks, 3U);
}

TEST_F(CompareLane, AShortTextTestsNothing) {
    TextInput input;
    input.text = "one two three four";
    const auto ignore = [](auto&&...) {};
    const auto shortRun = fake.run({analysis->model, input}, {ignore, ignore, ignore, ignore}, {});
    const SimilarHeads found = similarHeads({shortRun, headAt(0, 0)}, {});
    EXPECT_TRUE(found.others.empty());
    EXPECT_EQ(found.untested, 5U);
}

/// Where a sink leaves too few rows of every pair, all keys tell the heads apart.
TEST_F(CompareLane, WithoutRowsBesideTheSinksAllKeysCount) {
    auto plan = std::make_shared<ColumnPlan>(20);
    const Span all{0, 20};
    for (int row = 0; row < 20; ++row) plan->addRow({&all, 1}, 20, -1);
    plan->finish();
    auto sunk = std::make_shared<Analysis>(*analysis);
    for (auto& shared : sunk->layers) {
        auto layer = std::make_shared<LayerResult>(*shared);
        for (HeadResult& one : layer->heads) {
            one.metrics.columns.plan = plan;
            one.metrics.columns.mass.assign(20, 0.9);
        }
        shared = layer;
    }
    const SimilarHeads found = similarHeads({sunk, headAt(0, 1)}, {});
    EXPECT_TRUE(found.withSinks);
    ASSERT_EQ(found.others.size(), 5U);
    EXPECT_EQ(found.others[0].head, headAt(1, 0));
    EXPECT_EQ(found.others[0].rows, 20);
    EXPECT_FALSE(similarHeads(side(0, 1), {}).withSinks);
}

/// On a model: the numbers of the core for each pair, whichever of the two is first.
TEST(SimilarHeadsOfAModel, AreThoseOfComparePair) {
    TextInput input;
    for (int i = 0; i < 12; ++i) input.text += "the animal did not cross ";
    const auto analysis = analyse({test::tinyAnalysis()->model, input}, {}, CancelToken());
    const HeadRef of = headAt(1, 2);
    const SimilarHeads found = similarHeads({analysis, of}, {});
    ASSERT_GT(found.others.size(), 3U);
    const auto compared = [&analysis](const HeadRef& ref) {
        const HeadResult* head = analysis->find(ref);
        return ComparedHead{head->map, &head->metrics};
    };
    for (const SimilarHeads::Other& other : found.others) {
        const std::vector<ComparedHead> pair{compared(of), compared(other.head)};
        const PairSimilarity expected = comparePair(pair, 0, 1, analysis->layers[0]->mask);
        EXPECT_EQ(other.divergence, expected.divergence);
        EXPECT_EQ(other.rows, expected.rows);
    }
}

} // namespace
} // namespace headscope::ui
