// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/bridge/inference_lane.h"
#include "ui/bridge/job_lane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using test::FakeEngine;
using test::waitFor;
using testing::ElementsAre;

DiagnosisPlan byProbes(std::size_t count) {
    DiagnosisPlan plan;
    plan.texts = test::fakeProbes(count);
    return plan;
}

/// A lane that judges a model, and all that it says of it.
class DiagnosisLane : public testing::Test {
  protected:
    FakeEngine fake;
    std::unique_ptr<InferenceLane> lane;
    std::shared_ptr<const OpenModel> model = test::fakeModel("/m/fake");
    std::vector<DiagnosisPlan> plans;
    std::vector<std::shared_ptr<const Diagnosis>> diagnoses;
    std::vector<Failure> failures;
    std::vector<qint64> texts; ///< that were begun, as they were said
    int started = 0;
    int runs = 0;
    int models = 0;

    void SetUp() override {
        lane = std::make_unique<InferenceLane>(fake.engine());
        QObject::connect(lane.get(), &InferenceLane::diagnosisPlanned, lane.get(),
                         [this](const DiagnosisPlan& plan) { plans.push_back(plan); });
        QObject::connect(lane.get(), &InferenceLane::diagnosisStarted, lane.get(), [this] { ++started; });
        QObject::connect(lane.get(), &InferenceLane::diagnosisProgressed, lane.get(),
                         [this](qint64 text, qint64, double within) {
                             if (within == 0.0) texts.push_back(text);
                         });
        QObject::connect(lane.get(), &InferenceLane::diagnosisFinished, lane.get(),
                         [this](const auto& diagnosis) { diagnoses.push_back(diagnosis); });
        QObject::connect(lane.get(), &InferenceLane::diagnosisFailed, lane.get(),
                         [this](const Failure& failure) { failures.push_back(failure); });
        QObject::connect(lane.get(), &InferenceLane::runFinished, lane.get(),
                         [this](const auto&) { ++runs; });
        QObject::connect(lane.get(), &InferenceLane::modelOpened, lane.get(),
                         [this](const auto&) { ++models; });
    }

    void run(const char* words) {
        TextInput input;
        input.text = words;
        lane->analyse({model, input});
    }
    bool finished() const {
        return waitFor([this] { return !diagnoses.empty(); });
    }
};

TEST(JobLane, LaterJobsWaitForAllOthers) {
    std::vector<int> order;
    {
        JobLane lane;
        std::atomic<bool> hold = true;
        std::atomic<int> done = 0;
        lane.submit([&hold] {
            while (hold) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
        const auto job = [&order, &done](int number) {
            return [&order, &done, number] {
                order.push_back(number);
                ++done;
            };
        };
        lane.submitLater(job(3));
        lane.submit(job(1));
        lane.submitLater(job(4));
        lane.submit(job(2));
        hold = false;
        while (done < 4) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

TEST_F(DiagnosisLane, plansAndReadsTextByText) {
    lane->planDiagnosis(model, {});
    EXPECT_TRUE(lane->isDiagnosing());
    ASSERT_TRUE(waitFor([this] { return plans.size() == 1; }));
    EXPECT_FALSE(lane->isDiagnosing());
    EXPECT_TRUE(plans[0].file.empty());
    lane->diagnose(model, plans[0]);
    EXPECT_EQ(started, 1);
    ASSERT_TRUE(finished());
    EXPECT_FALSE(lane->isDiagnosing());
    EXPECT_EQ(diagnoses[0]->texts.size(), 3U);
    EXPECT_THAT(texts, ElementsAre(0, 1, 2));
    EXPECT_THAT(fake.noted(), ElementsAre("text 0", "text 1", "text 2"));
}

TEST_F(DiagnosisLane, aRunComesFirstAndTheTextIsReadAgain) {
    fake.holdTexts = true;
    lane->diagnose(model, byProbes(3));
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 1; }));
    run("a b c");
    ASSERT_TRUE(waitFor([this] { return runs == 1; })) << "the held text stood in the way";
    EXPECT_EQ(fake.stoppedTexts, 1);
    EXPECT_TRUE(lane->isDiagnosing());
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 2; })) << "it was not read again";
    fake.holdTexts = false;
    ASSERT_TRUE(finished());
    EXPECT_THAT(fake.noted(), ElementsAre("run", "text 0", "text 1", "text 2"));
    EXPECT_EQ(started, 1);
    EXPECT_TRUE(failures.empty());
}

TEST_F(DiagnosisLane, openingAModelComesFirstToo) {
    fake.holdTexts = true;
    lane->diagnose(model, byProbes(1));
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 1; }));
    lane->open({QStringLiteral("/m/other"), DeviceChoice::Auto});
    ASSERT_TRUE(waitFor([this] { return models == 1; }));
    fake.holdTexts = false;
    ASSERT_TRUE(finished());
    EXPECT_EQ(fake.stoppedTexts, 1);
}

TEST_F(DiagnosisLane, everyTextIsReadOnceHoweverOftenItIsInterrupted) {
    lane->diagnose(model, byProbes(12));
    for (int i = 0; i < 60; ++i) {
        run("a b c d");
        if (i % 3 == 0) QTest::qWait(1);
    }
    ASSERT_TRUE(finished());
    std::vector<std::string> read;
    for (const std::string& one : fake.noted())
        if (one != "run") read.push_back(one);
    std::vector<std::string> all;
    for (int i = 0; i < 12; ++i) all.push_back("text " + std::to_string(i));
    EXPECT_EQ(read, all);
    EXPECT_EQ(diagnoses.size(), 1U);
    EXPECT_TRUE(failures.empty());
}

TEST_F(DiagnosisLane, cancellingSaysNothingMore) {
    fake.holdTexts = true;
    lane->diagnose(model, byProbes(3));
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 1; }));
    lane->cancelDiagnosis();
    EXPECT_FALSE(lane->isDiagnosing());
    ASSERT_TRUE(waitFor([this] { return fake.stoppedTexts == 1; }));
    fake.holdTexts = false;
    run("a");
    ASSERT_TRUE(waitFor([this] { return runs == 1; }));
    QTest::qWait(30);
    EXPECT_TRUE(diagnoses.empty());
    EXPECT_TRUE(failures.empty());
    EXPECT_EQ(fake.texts, 0);
    EXPECT_EQ(fake.begunTexts, 1);
}

TEST_F(DiagnosisLane, lateTextsOfACancelledOneAreDropped) {
    fake.holdTexts = true;
    fake.deaf = true;
    lane->diagnose(model, byProbes(1));
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 1; }));
    lane->diagnose(model, byProbes(2));
    fake.holdTexts = false;
    ASSERT_TRUE(finished());
    QTest::qWait(30);
    ASSERT_EQ(diagnoses.size(), 1U);
    EXPECT_EQ(diagnoses[0]->texts.size(), 2U);
}

TEST_F(DiagnosisLane, aTextThatFailsEndsIt) {
    fake.failTexts = true;
    lane->diagnose(model, byProbes(3));
    ASSERT_TRUE(waitFor([this] { return !failures.empty(); }));
    EXPECT_EQ(failures[0].sentence, QStringLiteral("probe/0: it cannot be read."));
    EXPECT_EQ(failures[0].hint, QStringLiteral("Leave it out."));
    EXPECT_FALSE(lane->isDiagnosing());
    EXPECT_EQ(fake.begunTexts, 1);
}

TEST_F(DiagnosisLane, aPlanThatFailsIsSaid) {
    lane->planDiagnosis(model, QStringLiteral("/x/broken.txt"));
    ASSERT_TRUE(waitFor([this] { return !failures.empty(); }));
    EXPECT_TRUE(failures[0].sentence.startsWith(QStringLiteral("broken.txt: it holds no text")));
    EXPECT_FALSE(lane->isDiagnosing());
}

TEST_F(DiagnosisLane, closesWhileATextIsRead) {
    fake.holdTexts = true;
    lane->diagnose(model, byProbes(3));
    ASSERT_TRUE(waitFor([this] { return fake.begunTexts == 1; }));
    lane.reset();
    QTest::qWait(30);
    EXPECT_TRUE(diagnoses.empty());
}

} // namespace
} // namespace headscope::ui
