// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/bridge/inference_lane.h"

#include <QThread>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using test::FakeEngine;
using test::waitFor;

/// Owns an engine and a lane and notes what arrives.
class Lane : public testing::Test {
  protected:
    FakeEngine fake;
    std::unique_ptr<InferenceLane> lane;
    std::vector<std::shared_ptr<const OpenModel>> models;
    std::vector<std::shared_ptr<const Analysis>> analyses;
    std::vector<Failure> openFailures;
    std::vector<Failure> runFailures;
    std::vector<std::int64_t> counts;
    int layers = 0;
    int progress = 0;
    bool onOtherThread = false;

    void SetUp() override {
        lane = std::make_unique<InferenceLane>(fake.engine());
        const auto here = [this] { onOtherThread |= QThread::currentThread() != lane->thread(); };
        QObject::connect(lane.get(), &InferenceLane::modelOpened, lane.get(), [=, this](const auto& model) {
            here();
            models.push_back(model);
        });
        QObject::connect(lane.get(), &InferenceLane::openFailed, lane.get(),
                         [this](const Failure& failure) { openFailures.push_back(failure); });
        QObject::connect(lane.get(), &InferenceLane::runFinished, lane.get(),
                         [=, this](const auto& analysis) {
                             here();
                             analyses.push_back(analysis);
                         });
        QObject::connect(lane.get(), &InferenceLane::runFailed, lane.get(),
                         [this](const Failure& failure) { runFailures.push_back(failure); });
        QObject::connect(lane.get(), &InferenceLane::counted, lane.get(),
                         [this](const TokenizedText& text) { counts.push_back(text.fullLength); });
        QObject::connect(lane.get(), &InferenceLane::layerReady, lane.get(), [=, this](const auto&) {
            here();
            ++layers;
        });
        QObject::connect(lane.get(), &InferenceLane::runProgressed, lane.get(),
                         [this](const Progress&) { ++progress; });
    }

    static TextInput text(const char* words) {
        TextInput input;
        input.text = words;
        return input;
    }
    void run(const char* words) { lane->analyse({test::fakeModel("/m/fake"), text(words)}); }
};

TEST_F(Lane, opensAModel) {
    lane->open({QStringLiteral("/m/first"), DeviceChoice::Auto});
    EXPECT_TRUE(lane->isOpening());
    EXPECT_TRUE(models.empty()) << "nothing arrives before the event loop runs";
    ASSERT_TRUE(waitFor([this] { return models.size() == 1; }));
    EXPECT_EQ(models[0]->name, "first");
    EXPECT_FALSE(lane->isOpening());
    EXPECT_FALSE(onOtherThread);
}

TEST_F(Lane, theLatestModelWins) {
    fake.holdOpens = true;
    lane->open({QStringLiteral("/m/first"), DeviceChoice::Auto});
    ASSERT_TRUE(waitFor([this] { return fake.opens == 1; }));
    lane->open({QStringLiteral("/m/second"), DeviceChoice::Auto});
    fake.holdOpens = false;
    ASSERT_TRUE(waitFor([this] { return !models.empty(); }));
    QTest::qWait(30);
    ASSERT_EQ(models.size(), 1U);
    EXPECT_EQ(models[0]->name, "second");
    EXPECT_TRUE(openFailures.empty()) << "the older one is dropped in silence";
}

TEST_F(Lane, sendsTokensLayersAndTheWhole) {
    run("one two three");
    EXPECT_TRUE(lane->isRunning());
    ASSERT_TRUE(waitFor([this] { return analyses.size() == 1; }));
    EXPECT_EQ(layers, test::kFakeLayers);
    EXPECT_EQ(progress, test::kFakeLayers);
    EXPECT_EQ(analyses[0]->text.axis->size(), 3);
    EXPECT_FALSE(lane->isRunning());
    EXPECT_FALSE(onOtherThread);
}

TEST_F(Lane, theLatestRunWins) {
    fake.holdRuns = true;
    run("first");
    ASSERT_TRUE(waitFor([this] { return layers == 1; }));
    run("second one");
    run("third one here");
    fake.holdRuns = false;
    ASSERT_TRUE(waitFor([this] { return !analyses.empty(); }));
    QTest::qWait(30);
    ASSERT_EQ(analyses.size(), 1U);
    EXPECT_EQ(analyses[0]->input.text, "third one here");
    EXPECT_TRUE(runFailures.empty());
    EXPECT_LE(fake.runs, 2) << "the second one was cancelled before it began";
}

TEST_F(Lane, lateResultsOfACancelledRunAreDropped) {
    fake.holdRuns = true;
    fake.deaf = true;
    run("first");
    ASSERT_TRUE(waitFor([this] { return layers == 1; }));
    lane->cancelRun();
    fake.holdRuns = false; // it goes on to its end: nobody listens
    run("second one");
    ASSERT_TRUE(waitFor([this] { return !analyses.empty(); }));
    QTest::qWait(30);
    ASSERT_EQ(analyses.size(), 1U);
    EXPECT_EQ(analyses[0]->input.text, "second one");
}

TEST_F(Lane, cancelIsSaidAtOnceAndReachesTheWork) {
    fake.holdRuns = true;
    run("a b c");
    ASSERT_TRUE(waitFor([this] { return layers == 1; }));
    lane->cancelRun();
    ASSERT_EQ(runFailures.size(), 1U);
    EXPECT_TRUE(runFailures[0].cancelled);
    EXPECT_FALSE(lane->isRunning());
    ASSERT_TRUE(waitFor([this] { return fake.stoppedRuns == 1; }));
    EXPECT_TRUE(analyses.empty());
    lane->cancelRun(); // nothing runs: nothing is said
    EXPECT_EQ(runFailures.size(), 1U);
}

TEST_F(Lane, errorsArriveAsSentenceAndHint) {
    fake.failRuns = true;
    run("a b c");
    ASSERT_TRUE(waitFor([this] { return !runFailures.empty(); }));
    EXPECT_EQ(runFailures[0].sentence, QStringLiteral("text: it cannot be run."));
    EXPECT_EQ(runFailures[0].hint, QStringLiteral("Try another text."));
    EXPECT_FALSE(runFailures[0].cancelled);
    EXPECT_FALSE(lane->isRunning());

    fake.failOpens = true;
    lane->open({QStringLiteral("/m/broken"), DeviceChoice::Auto});
    ASSERT_TRUE(waitFor([this] { return !openFailures.empty(); }));
    EXPECT_EQ(openFailures[0].sentence, QStringLiteral("broken: there is no config.json."));
    EXPECT_EQ(openFailures[0].hint, QStringLiteral("Choose another folder."));
}

TEST_F(Lane, strangeExceptionsAreErrorsToo) {
    fake.throwStrange = true;
    run("a b c");
    ASSERT_TRUE(waitFor([this] { return !runFailures.empty(); }));
    EXPECT_EQ(runFailures[0].sentence, QStringLiteral("something of a library"));
}

TEST_F(Lane, countsWhileARunIsHeld) {
    fake.holdRuns = true;
    run("a b c");
    ASSERT_TRUE(waitFor([this] { return layers == 1; }));
    lane->count(test::fakeModel("/m/fake"), text("one two"));
    ASSERT_TRUE(waitFor([this] { return counts.size() == 1; }));
    EXPECT_EQ(counts[0], 2);
    EXPECT_TRUE(lane->isRunning());
    fake.holdRuns = false;
    ASSERT_TRUE(waitFor([this] { return !analyses.empty(); }));
}

TEST_F(Lane, onlyTheLatestCountArrives) {
    const auto model = test::fakeModel("/m/fake");
    for (const char* words : {"a", "a b", "a b c", "a b c d"}) {
        lane->count(model, text(words));
    }
    ASSERT_TRUE(waitFor([this] { return !counts.empty(); }));
    QTest::qWait(30);
    EXPECT_EQ(counts, std::vector<std::int64_t>{4});
}

TEST_F(Lane, openingCancelsARun) {
    fake.holdRuns = true;
    run("a b c");
    ASSERT_TRUE(waitFor([this] { return layers == 1; }));
    lane->open({QStringLiteral("/m/other"), DeviceChoice::Auto});
    ASSERT_EQ(runFailures.size(), 1U);
    EXPECT_TRUE(runFailures[0].cancelled);
    ASSERT_TRUE(waitFor([this] { return models.size() == 1; }));
    fake.holdRuns = false;
}

TEST_F(Lane, cancelledOpeningIsSaid) {
    fake.holdOpens = true;
    lane->open({QStringLiteral("/m/other"), DeviceChoice::Auto});
    ASSERT_TRUE(waitFor([this] { return fake.opens == 1; }));
    lane->cancelOpen();
    ASSERT_EQ(openFailures.size(), 1U);
    EXPECT_TRUE(openFailures[0].cancelled);
    fake.holdOpens = false;
    QTest::qWait(30);
    EXPECT_TRUE(models.empty());
}

TEST_F(Lane, closesWhileWorkRuns) {
    fake.holdRuns = true;
    run("a b c");
    run("d e f");
    ASSERT_TRUE(waitFor([this] { return fake.runs >= 1; }));
    lane->count(test::fakeModel("/m/fake"), text("x"));
    lane.reset(); // cancels, waits, and nothing arrives afterwards
    QTest::qWait(30);
    EXPECT_TRUE(analyses.empty());
}

TEST_F(Lane, closesWhileAModelOpens) {
    fake.holdOpens = true;
    lane->open({QStringLiteral("/m/other"), DeviceChoice::Auto});
    ASSERT_TRUE(waitFor([this] { return fake.opens == 1; }));
    lane.reset();
    EXPECT_TRUE(models.empty());
}

TEST_F(Lane, manyRequestsInARow) {
    for (int i = 0; i < 200; ++i) {
        run("a b c d");
        lane->count(test::fakeModel("/m/fake"), text("a b"));
        if (i % 7 == 0) lane->cancelRun();
        if (i % 20 == 0) QTest::qWait(1);
    }
    run("the last one");
    ASSERT_TRUE(
        waitFor([this] { return !analyses.empty() && analyses.back()->input.text == "the last one"; }));
    EXPECT_FALSE(lane->isRunning());
}

} // namespace
} // namespace headscope::ui
