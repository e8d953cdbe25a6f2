// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/panels/axes_form.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>
#include <optional>

namespace headscope::ui {
namespace {

class AxesFormTest : public testing::Test {
  protected:
    AxesFormTest() {
        form.resize(900, 120);
        QObject::connect(&form, &AxesForm::answered, [this](const ReadingRules& rules) { answer = rules; });
    }
    void ask(std::vector<std::int64_t> shape, ArrayAxes known = {}, bool ofOneLayer = false) {
        answer.reset();
        form.ask(QStringLiteral("maps.npy"),
                 {.shape = std::move(shape), .known = std::move(known), .ofOneLayer = ofOneLayer});
        form.show();
    }
    void choose(std::size_t dimension, ArrayAxis axis) {
        QComboBox* choice = form.choices()[dimension];
        choice->setCurrentIndex(choice->findData(static_cast<int>(axis)));
    }
    /// "", "heads", ...: what is chosen for each dimension.
    std::string chosen() const {
        std::string all;
        for (const QComboBox* choice : form.choices())
            all += (choice->currentData().isValid() ? choice->currentText().toStdString() : "?") + "|";
        return all;
    }

    AxesForm form;
    std::optional<ReadingRules> answer;
};

TEST_F(AxesFormTest, ChoosesOnlyWhatAllUsualReadingsAgreeOn) {
    ask({4, 6, 32, 32});
    EXPECT_EQ(chosen(), "?|?|queries|keys|");
    EXPECT_FALSE(form.openButton()->isEnabled());
    EXPECT_EQ(form.explanation(), "Choose what each dimension counts.");
    QTest::keyClick(&form, Qt::Key_Return);
    EXPECT_FALSE(answer) << "what is not chosen is never guessed";

    ask({3, 32, 32});
    EXPECT_EQ(chosen(), "?|queries|keys|");
    ask({3, 6, 32, 32}, {}, true);
    EXPECT_EQ(chosen(), "samples|heads|queries|keys|")
        << "layers are apart, and only one usual reading is left";
    EXPECT_EQ(form.choices()[0]->findData(static_cast<int>(ArrayAxis::Layers)), -1);
}

TEST_F(AxesFormTest, AnswersWhatWasChosen) {
    ask({4, 6, 32, 31});
    choose(0, ArrayAxis::Layers);
    choose(1, ArrayAxis::Heads);
    EXPECT_EQ(form.explanation(), "4 layers · 6 heads · 32 queries, each reading 31 keys");
    EXPECT_TRUE(form.sample()->isHidden());
    form.openButton()->click();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->axes, parseArrayAxes("layers,heads,q,k", ""));
    EXPECT_FALSE(answer->sample);
    EXPECT_TRUE(form.isHidden());
}

TEST_F(AxesFormTest, ABatchHasASample) {
    ask({4, 6, 32, 32});
    choose(0, ArrayAxis::Batch);
    choose(1, ArrayAxis::Heads);
    EXPECT_FALSE(form.sample()->isHidden());
    EXPECT_EQ(form.sample()->maximum(), 3);
    form.sample()->setValue(2);
    EXPECT_EQ(form.explanation(), "6 heads · 32 queries, each reading 32 keys · sample 2 of 4");
    QTest::keyClick(&form, Qt::Key_Return);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->axes, parseArrayAxes("batch,heads,q,k", ""));
    EXPECT_EQ(answer->sample, 2);
}

TEST_F(AxesFormTest, KnownAxesWaitForTheSampleAlone) {
    ask({2, 3, 5, 5}, parseArrayAxes("layers,batch,q,k", ""));
    EXPECT_FALSE(form.choices()[0]->isEnabled());
    EXPECT_TRUE(form.openButton()->isEnabled());
    EXPECT_EQ(form.sample()->maximum(), 2);
    form.openButton()->click();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->sample, 0);
}

TEST_F(AxesFormTest, SaysWhatCannotBe) {
    ask({4, 6, 32, 32});
    choose(0, ArrayAxis::Heads);
    choose(1, ArrayAxis::Heads);
    EXPECT_EQ(form.explanation(), "Two dimensions cannot both count heads.");
    choose(0, ArrayAxis::Layers);
    choose(2, ArrayAxis::Batch);
    EXPECT_EQ(form.explanation(), "One dimension has to count queries and one keys.");
    EXPECT_FALSE(form.openButton()->isEnabled());
}

TEST_F(AxesFormTest, EveryOrderCanBeChosen) {
    ask({5, 7, 3, 2});
    choose(0, ArrayAxis::Keys);
    choose(1, ArrayAxis::Queries);
    choose(2, ArrayAxis::Heads);
    choose(3, ArrayAxis::Layers);
    form.openButton()->click();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->axes, parseArrayAxes("k,q,heads,layers", ""));
}

TEST_F(AxesFormTest, EscapeLeavesTheFile) {
    ask({3, 32, 32});
    QSignalSpy shown(&form, &AxesForm::shownChanged);
    QTest::keyClick(&form, Qt::Key_Escape);
    EXPECT_TRUE(form.isHidden());
    EXPECT_EQ(shown.size(), 1);
    EXPECT_FALSE(answer);
}

} // namespace
} // namespace headscope::ui
