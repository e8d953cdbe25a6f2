// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/temporary_folder.h"
#include "ui/bridge/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

/// The core as the window calls it, over a small checkpoint.
class RealEngine : public testing::Test {
  protected:
    Engine engine = Engine::real();
    std::shared_ptr<const OpenModel> model =
        engine.open(test::dataPath("models/flagged-bert"), {DeviceChoice::Cpu}, CancelToken(), {});
    test::TemporaryFolder folder;
};

TEST_F(RealEngine, PlansByTheTextsOfTheProgram) {
    const DiagnosisPlan plan = engine.planDiagnosis(*model, {});
    EXPECT_TRUE(plan.file.empty());
    EXPECT_GT(plan.texts.size(), 8U);
    EXPECT_GT(plan.seconds, 0.0);
    for (const DiagnosisText& text : plan.texts) EXPECT_FALSE(text.name.empty());
}

TEST_F(RealEngine, PlansByAFileAndReadsItTextByText) {
    std::string longLine;
    for (int i = 0; i < 400; ++i) longLine += "the cat sat on the mat ";
    const auto file = folder.write("mine.txt", "the dog ran\n\n" + longLine + "\n");
    const DiagnosisPlan plan = engine.planDiagnosis(*model, file);
    EXPECT_EQ(plan.file, file);
    ASSERT_EQ(plan.texts.size(), 2U);
    const auto reader = engine.startDiagnosis(model, plan);
    CancelToken cancelled;
    cancelled.cancel();
    EXPECT_THROW(reader->readNext({}, cancelled), Error);
    EXPECT_EQ(reader->done(), 0U) << "a text that was cancelled is read again";
    reader->readNext({}, CancelToken());
    reader->readNext({}, CancelToken());
    EXPECT_EQ(reader->done(), 2U);
    const auto diagnosis = reader->finish();
    EXPECT_EQ(diagnosis->heads.size(), 12U);
    ASSERT_EQ(diagnosis->texts.size(), 2U);
    EXPECT_EQ(diagnosis->texts[1].tokens, 128) << "a line that is too long is cut";
    EXPECT_THAT(diagnosis->texts[1].notes, testing::Not(testing::IsEmpty())) << "and says so";
}

TEST_F(RealEngine, KeepsWhatTheTextsOfTheProgramFound) {
    const auto small = std::make_shared<const OpenModel>(*model);
    for (const bool again : {false, true}) {
        const Engine session = Engine::real(folder / "kept");
        DiagnosisPlan plan = session.planDiagnosis(*small, {});
        ASSERT_EQ(plan.kept != nullptr, again) << "an earlier session's";
        if (again) {
            ASSERT_EQ(plan.kept->texts.size(), 1U);
            EXPECT_EQ(plan.kept->texts[0].name, plan.texts[0].name);
            EXPECT_EQ(plan.kept->heads.size(), 12U);
            return;
        }
        plan.texts.resize(1);
        const auto reader = session.startDiagnosis(small, plan);
        reader->readNext({}, CancelToken());
        reader->finish();
    }
}

TEST_F(RealEngine, KeepsNothingOfTextsOfTheUsersOwnAndNothingWithoutAFolder) {
    const auto file = folder.write("mine.txt", "the dog ran\n");
    const Engine session = Engine::real(folder / "kept");
    const auto read = [this](const Engine& with, const std::filesystem::path& texts) {
        DiagnosisPlan plan = with.planDiagnosis(*model, texts);
        plan.texts.resize(1);
        const auto reader = with.startDiagnosis(model, plan);
        reader->readNext({}, CancelToken());
        reader->finish();
    };
    read(session, file);
    read(engine, {});
    EXPECT_EQ(session.planDiagnosis(*model, {}).kept, nullptr);
    EXPECT_EQ(engine.planDiagnosis(*model, {}).kept, nullptr);
    // A folder that cannot be made keeps nothing, and nothing else is lost by it.
    folder.write("taken", "");
    const Engine blocked = Engine::real(folder / "taken");
    read(blocked, {});
    EXPECT_EQ(blocked.planDiagnosis(*model, {}).kept, nullptr);
}

TEST_F(RealEngine, AFileWithoutATextIsAnErrorWithItsName) {
    const auto file = folder.write("none.txt", "\n");
    try {
        engine.planDiagnosis(*model, file);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_THAT(error.sentence(), testing::HasSubstr("none.txt: it holds no text"));
    }
}

} // namespace
} // namespace headscope::ui
