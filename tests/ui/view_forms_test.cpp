// SPDX-License-Identifier: GPL-3.0-or-later
// What a view makes of a head is the same in every form of it: map, text, lines, strip and clipboard.
#include "tests/support/temporary_folder.h"
#include "tests/ui/compare_support.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/reading/reading_support.h"
#include "ui/heatmap/readout.h"
#include "ui/heatmap/token_strip.h"
#include "ui/panels/map_card.h"
#include "ui/panels/token_card.h"
#include "ui/reading/line_view.h"
#include "ui/reading/text_view.h"

#include <QApplication>
#include <QClipboard>

namespace headscope::ui::test {
namespace {

/// A small BERT with its own tokenizer: [CLS] first, [SEP] last.
class ViewForms : public testing::Test {
  protected:
    std::unique_ptr<MainWindow> window;

    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{Engine::real(), false, {}});
        window->resize(1280, 800);
        window->show();
        ViewState state;
        state.model.path = QString::fromStdString(headscope::test::dataPath("models/tiny-bert").string());
        state.text = QStringLiteral("the cats sat");
        window->start(state);
        ASSERT_TRUE(settled());
        ASSERT_NE(window->controller().shown().analysis, nullptr);
    }
    bool settled() const {
        return waitFor([this] { return window->controller().isSettled(); }, 60000);
    }
    void choose(const char* id) const {
        window->actions().action(QString::fromLatin1(id))->trigger();
        ASSERT_TRUE(settled());
    }
    void look(const std::function<void(ViewState&)>& edit) const {
        window->store().change({}, MergeGroup::None, edit);
        ASSERT_TRUE(settled());
    }
    const ViewState& state() const { return window->store().state(); }
    MapCard& map() const { return window->map(); }
    TokenStrip& strip() const { return *window->tokens().strip(); }
    std::int64_t tokens() const { return window->controller().shown().queries(AttentionKind::Self)->size(); }
    const HeadMap& head() const { return *window->controller().shown().find(state().headRef())->map; }
    /// The largest number in the text's sentence, or none: "most: X 0.1234".
    static QString most(const TextView& text) {
        return text.sentence().section(QStringLiteral(" · "), 0, 0).section(QLatin1Char(' '), -1);
    }
};

TEST_F(ViewForms, HiddenSpecialTokensAreInNoForm) {
    choose("view.hide_special");
    choose("view.form_lines");
    const auto& picks = map().lines()->canvas()->picks();
    EXPECT_EQ(picks.candidates, (tokens() - 2) * (tokens() - 2))
        << "[CLS] and [SEP] neither read nor are read";
    choose("view.form_text");
    EXPECT_FALSE(map().text()->canvas()->plainText().contains(QStringLiteral("[CLS]")));
    look([](ViewState& s) { s.query = 1; });
    // The strongest among the keys that are left.
    const std::vector<float> row = head().row(1);
    const float largest = *std::max_element(row.begin() + 1, row.end() - 1);
    EXPECT_EQ(most(*map().text()), weightText(largest));
    EXPECT_FALSE(map().text()->sentence().contains(QStringLiteral("even weight"))) << "of fewer keys";
    EXPECT_FALSE(strip().describe(0).contains(QStringLiteral("[CLS]")));
    EXPECT_TRUE(strip().describe(0).endsWith(weightText(row[1]))) << strip().describe(0).toStdString();
    look([](ViewState& s) { s.query = 0; }); // [CLS] itself is hidden
    EXPECT_EQ(window->tokens().title(), QStringLiteral("Tokens"));
    EXPECT_TRUE(strip().describe(0).endsWith(QStringLiteral("token 1"))) << "its number in the text";
}

TEST_F(ViewForms, AMaskedFirstKeyIsReadInNoForm) {
    choose("view.hide_first");
    look([](ViewState& s) { s.key = 0; });
    choose("view.form_lines");
    EXPECT_EQ(map().lines()->canvas()->picks().candidates, tokens() * (tokens() - 1));
    look([](ViewState& s) {
        s.query = 1;
        s.key.reset();
    });
    const std::vector<float> row = head().row(1);
    choose("view.form_text");
    EXPECT_EQ(most(*map().text()), weightText(*std::max_element(row.begin() + 1, row.end())));
    EXPECT_TRUE(strip().describe(0).endsWith(weightText(0.0F))) << strip().describe(0).toStdString();
}

TEST_F(ViewForms, WordsAreWholeInEveryForm) {
    // "cats" is "cat" and "##s" where the vocabulary splits it: look for a word of two tokens.
    choose("view.words");
    const auto& axes = window->controller().viewing().now().made->axes;
    std::int64_t word = -1;
    for (std::int64_t i = 0; i < axes.keys.size(); ++i)
        if (axes.keys.tokens[static_cast<std::size_t>(i)].size() > 1) word = i;
    ASSERT_GE(word, 0) << "no word of several pieces";
    const Span pieces = axes.keys.tokens[static_cast<std::size_t>(word)];
    const std::int64_t words = axes.keys.size();
    choose("view.form_lines");
    EXPECT_EQ(map().lines()->canvas()->picks().candidates, words * words);
    look([&](ViewState& s) { s.query = 0; });
    float sum = 0.0F;
    for (std::int64_t piece = pieces.begin; piece < pieces.end; ++piece) sum += head().cell(0, piece);
    EXPECT_TRUE(strip().describe(word).endsWith(weightText(sum))) << strip().describe(word).toStdString();
    // A click means the first of its tokens, and a second one lets go.
    choose("view.form_text");
    TextCanvas& canvas = *map().text()->canvas();
    const QPointF at = canvas.rectsOf({TextSide::Queries, word}).front().rect.center();
    pressMouse(*canvas.viewport(), at);
    EXPECT_EQ(state().query, pieces.begin);
    look([&](ViewState& s) { s.query = pieces.end - 1; }); // as the other views may choose it
    pressMouse(*canvas.viewport(), at);
    EXPECT_FALSE(state().query) << "the word that was followed";
    // The clipboard has the cell that the map shows.
    look([&](ViewState& s) {
        s.query = 0;
        s.key = pieces.end - 1;
    });
    choose("edit.copy_weight");
    const QString copied = QApplication::clipboard()->text();
    EXPECT_NEAR(copied.section(QStringLiteral(": "), -1).toDouble(), double(sum), 1e-6)
        << copied.toStdString();
    EXPECT_TRUE(copied.contains(QStringLiteral("by words"))) << copied.toStdString();
}

TEST_F(ViewForms, NormsAreNotCalledWeights) {
    choose("view.value_weighted");
    look([](ViewState& s) { s.query = 1; });
    choose("view.form_text");
    EXPECT_TRUE(map().text()->sentence().endsWith(QStringLiteral("weight × norm of the value")))
        << map().text()->sentence().toStdString();
    EXPECT_FALSE(map().text()->sentence().contains(QStringLiteral("even weight")));
    choose("view.form_lines");
    EXPECT_TRUE(
        map().lines()->sentence().contains(QStringLiteral("each number: weight × norm of the value")));
    EXPECT_TRUE(strip().describe(0).endsWith(QStringLiteral("(weight × norm of the value)")));
    choose("view.value_weighted");
    EXPECT_FALSE(map().lines()->sentence().contains(QStringLiteral("norm")));
    choose("view.form_text");
    EXPECT_TRUE(map().text()->sentence().contains(QStringLiteral("even weight")));
}

class ViewWhileRunning : public CompareWindow {};

TEST_F(ViewWhileRunning, NothingOfTheRunBeforeIsShownOverANewText) {
    start(4, CentrePage::Explore);
    trigger("view.heads_mean");
    trigger("head.layer_down"); // its layer comes last
    ASSERT_TRUE(settled());
    ASSERT_EQ(window->controller().viewing().now().stage, Viewing::Stage::Made);
    fake.holdRuns = true;
    window->store().change({}, MergeGroup::None, [](ViewState& s) { s.text = words(12); });
    window->controller().run();
    const auto begun = [this] {
        const auto axis = window->controller().shown().queries(AttentionKind::Self);
        return axis && axis->size() == 12;
    };
    ASSERT_TRUE(waitFor(begun)) << "tokens appear at once";
    EXPECT_EQ(window->controller().viewing().now().stage, Viewing::Stage::Plain);
    window->store().change({}, MergeGroup::None, [](ViewState& s) { s.query = 9; }); // no row of the old map
    EXPECT_EQ(window->tokens().strip()->describe(2), QStringLiteral("“w2”, token 2")) << "no weight yet";
    fake.holdRuns = false;
    ASSERT_TRUE(settled());
    EXPECT_EQ(window->map().view()->extent().rows, 12);
    EXPECT_TRUE(window->tokens().strip()->describe(2).startsWith(QStringLiteral("“w9” reads “w2”")));
}

} // namespace
} // namespace headscope::ui::test
