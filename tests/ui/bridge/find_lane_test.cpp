// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_support.h"
#include "ui/bridge/inference_lane.h"

#include <QThread>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using test::waitFor;

/// A lane whose search waits while `hold`, polling its token.
class Finding : public testing::Test {
  protected:
    std::atomic<int> begun = 0;
    std::atomic<int> stopped = 0;
    std::atomic<bool> hold = false;
    std::atomic<bool> onGuiThread = false;
    std::atomic<bool> broken = false;
    std::shared_ptr<const Analysis> analysis = std::make_shared<const Analysis>();
    std::vector<std::size_t> found;
    QString problem;
    std::unique_ptr<InferenceLane> lane;

    void SetUp() override {
        Engine engine;
        engine.find = [this](const Analysis&, const CellQuestion& cell, const CancelToken& cancel) {
            ++begun;
            onGuiThread = QThread::currentThread() == QCoreApplication::instance()->thread();
            while (hold) {
                if (cancel.isCancelled()) {
                    ++stopped;
                    cancel.throwIfCancelled();
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            if (broken) fail("maps", "they cannot be read");
            FoundHeads heads;
            heads.hidden = static_cast<std::size_t>(cell.query);
            return heads;
        };
        lane = std::make_unique<InferenceLane>(engine);
        QObject::connect(
            lane.get(), &InferenceLane::headsFound,
            [this](const std::shared_ptr<const FoundHeads>& heads) { found.push_back(heads->hidden); });
        QObject::connect(lane.get(), &InferenceLane::findFailed,
                         [this](const Failure& failure) { problem = failure.sentence; });
    }
    void find(std::int64_t query) { lane->find(analysis, {AttentionKind::Self, query, 0}); }
};

TEST_F(Finding, HappensOffTheGuiThread) {
    find(7);
    EXPECT_TRUE(lane->isFinding());
    ASSERT_TRUE(waitFor([this] { return !found.empty(); }));
    EXPECT_EQ(found, std::vector<std::size_t>{7});
    EXPECT_FALSE(onGuiThread);
    EXPECT_FALSE(lane->isFinding());
}

TEST_F(Finding, TheLatestQuestionWins) {
    hold = true;
    find(1);
    ASSERT_TRUE(waitFor([this] { return begun == 1; }));
    find(2);
    ASSERT_TRUE(waitFor([this] { return begun == 2; }));
    hold = false;
    ASSERT_TRUE(waitFor([this] { return !lane->isFinding(); }));
    EXPECT_EQ(found, std::vector<std::size_t>{2});
    EXPECT_EQ(stopped, 1);
    EXPECT_TRUE(problem.isEmpty()) << "being cancelled is no problem";
}

TEST_F(Finding, WhatIsCancelledSaysNothing) {
    hold = true;
    find(1);
    ASSERT_TRUE(waitFor([this] { return begun == 1; }));
    lane->cancelFind();
    EXPECT_FALSE(lane->isFinding());
    ASSERT_TRUE(waitFor([this] { return stopped == 1; }));
    QTest::qWait(20);
    EXPECT_TRUE(found.empty());
    EXPECT_TRUE(problem.isEmpty());
}

TEST_F(Finding, AProblemArrivesInWords) {
    broken = true;
    find(1);
    ASSERT_TRUE(waitFor([this] { return !problem.isEmpty(); }));
    EXPECT_TRUE(problem.contains(QStringLiteral("they cannot be read"))) << problem.toStdString();
}

TEST_F(Finding, EndsWithItsOwner) {
    hold = true;
    find(1);
    ASSERT_TRUE(waitFor([this] { return begun == 1; }));
    lane.reset();
    EXPECT_EQ(stopped, 1);
}

} // namespace
} // namespace headscope::ui
