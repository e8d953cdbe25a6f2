// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "tests/ui/print_qt.h"
#include "ui/view_state.h"
#include "ui/view_store.h"

#include <QSignalSpy>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

ViewState fullState() {
    ViewState s;
    s.model.path = QStringLiteral("/models/minilm é");
    s.model.device = DeviceChoice::Cpu;
    s.text = QStringLiteral("a \"text\"\nwith lines and 東京 🙂");
    s.pair = QStringLiteral("second");
    s.showPair = true;
    s.length = LengthPolicy::Piece;
    s.piece = 3;
    s.kind = AttentionKind::Cross;
    s.layer = 5;
    s.head = 11;
    s.query = 7;
    s.key = 0;
    s.range = {RangeMode::Fixed, 0.1F, 0.35F};
    s.colormap = Colormap::Magma;
    s.pooling = Pooling::Mean;
    s.readBy = true;
    s.viewport = {1.5, 2.25, 10.0, 12.5};
    s.page = CentrePage::Diagnose;
    s.form = HeadForm::Lines;
    s.lines = {{0, 0.05F}, std::vector<int>{3, LinesShown::kNoHead, 11}};
    s.margins = true;
    s.ownScales = true;
    s.view = {.heads = HeadsShown::Largest,
              .valueWeighted = true,
              .words = true,
              .hideSpecial = true,
              .hideFirst = true};
    return s;
}

std::string errorOf(const QByteArray& json) {
    try {
        viewStateFromJson(json, QStringLiteral("view.json"));
    } catch (const Error& error) {
        return error.sentence();
    }
    return "no error";
}

QByteArray changed(const char* from, const char* to) {
    QByteArray json = toJson(fullState());
    EXPECT_TRUE(json.contains(from)) << json.toStdString();
    return json.replace(from, to);
}

TEST(ViewState, comesBackFromJson) {
    EXPECT_EQ(viewStateFromJson(toJson(fullState()), QStringLiteral("x")), fullState());
    EXPECT_EQ(viewStateFromJson(toJson({}), QStringLiteral("x")), ViewState());
    for (const RangeMode mode : {RangeMode::Auto, RangeMode::PerRow, RangeMode::Log}) {
        ViewState s;
        s.range.mode = mode;
        EXPECT_EQ(viewStateFromJson(toJson(s), QStringLiteral("x")).range.mode, mode);
    }
}

TEST(ViewState, everyPageHasItsWord) {
    for (const CentrePage page : {CentrePage::Explore, CentrePage::Diagnose, CentrePage::Compare}) {
        ViewState s;
        s.page = page;
        EXPECT_EQ(viewStateFromJson(toJson(s), QStringLiteral("x")).page, page);
    }
    EXPECT_EQ(centrePageOf(QStringLiteral("compare")), CentrePage::Compare);
}

std::string linesError(const char* lines) {
    return errorOf(QByteArray("{\"headscope_view\": 1, \"lines\": ") + lines + "}");
}

TEST(ViewState, linesComeBackFromJson) {
    for (const LinesShown& lines :
         {LinesShown{}, LinesShown{{42, 0.0F}, std::nullopt}, LinesShown{{0, 0.0F}, std::vector<int>{}},
          LinesShown{{3000, 0.0F}, std::vector<int>{5}}, LinesShown{{0, 1e6F}, std::vector<int>{-1, 0}}}) {
        ViewState s;
        s.lines = lines;
        EXPECT_EQ(viewStateFromJson(toJson(s), QStringLiteral("x")).lines, lines);
    }
    EXPECT_TRUE(toJson(fullState()).contains("\"from\": 0.05")) << "as it was chosen";
}

TEST(ViewState, linesThatCannotBeAreRefused) {
    EXPECT_THAT(linesError("3"), testing::HasSubstr("lines is an integer, expected a JSON object"));
    for (const char* strongest : {"0", "3001", "-1", "1.5", "\"all\""})
        EXPECT_THAT(linesError((std::string("{\"strongest\": ") + strongest + "}").c_str()),
                    testing::HasSubstr("\"lines.strongest\" is "));
    for (const char* from : {"-0.1", "1000001", "1e300", "\"low\""})
        EXPECT_THAT(linesError((std::string("{\"from\": ") + from + "}").c_str()),
                    testing::HasSubstr("\"lines.from\" is "));
    EXPECT_THAT(linesError("{\"strongest\": 30, \"from\": 0.1}"),
                testing::HasSubstr("expected either \"strongest\" or \"from\""));
    for (const char* heads : {"7", "[1, 1]", "[-1]", "[1.5]", "[null]", "[0, 1, 2, 3, 4, 5, 6]", "[\"1\"]"})
        EXPECT_THAT(linesError((std::string("{\"heads\": ") + heads + "}").c_str()),
                    testing::HasSubstr("expected up to 6 heads of the layer, each once"));
    EXPECT_THAT(linesError("{\"colour\": 1}"), testing::HasSubstr("lines.colour"));
}

TEST(ViewState, everyFormOfTheHeadHasItsWord) {
    for (const HeadForm form : {HeadForm::Map, HeadForm::Text, HeadForm::Lines}) {
        ViewState s;
        s.form = form;
        EXPECT_EQ(viewStateFromJson(toJson(s), QStringLiteral("x")).form, form);
    }
    EXPECT_EQ(headFormOf(QStringLiteral("lines")), HeadForm::Lines);
    EXPECT_EQ(headFormOf(QStringLiteral("Lines")), std::nullopt);
}

TEST(ViewState, absentFieldsKeepTheirDefaults) {
    EXPECT_EQ(viewStateFromJson("{\"headscope_view\": 1}", QStringLiteral("x")), ViewState());
}

TEST(ViewState, refusesOtherVersionsAndOtherFiles) {
    EXPECT_THAT(errorOf(changed("\"headscope_view\": 1", "\"headscope_view\": 2")),
                testing::HasSubstr("view.json: \"headscope_view\" is 2, expected version 1"));
    EXPECT_THAT(errorOf("{}"), testing::HasSubstr("there is no version number"));
    EXPECT_THAT(errorOf("[1]"), testing::HasSubstr("the file is an array"));
    EXPECT_THAT(errorOf("{\"headscope_view\": 1"), testing::HasSubstr("the JSON is malformed (at byte"));
}

TEST(ViewState, refusesFieldsThatCannotBe) {
    EXPECT_THAT(errorOf(changed("\"layer\": 5", "\"layer\": -1")), testing::HasSubstr("\"layer\""));
    EXPECT_THAT(errorOf(changed("\"layer\": 5", "\"layer\": 1e300")), testing::HasSubstr("\"layer\""));
    EXPECT_THAT(errorOf(changed("\"head\": 11", "\"head\": 1.5")), testing::HasSubstr("\"head\""));
    EXPECT_THAT(errorOf(changed("\"show_pair\": true", "\"show_pair\": 1")),
                testing::HasSubstr("\"show_pair\""));
    EXPECT_THAT(errorOf(changed("\"colormap\": \"magma\"", "\"colormap\": \"rainbow\"")),
                testing::HasSubstr("\"colormap\""));
    EXPECT_THAT(errorOf(changed("\"device\": \"cpu\"", "\"device\": \"tpu\"")),
                testing::HasSubstr("\"device\""));
    EXPECT_THAT(errorOf(changed("\"page\": \"diagnose\"", "\"page\": \"lab\"")),
                testing::HasSubstr("\"page\""));
    EXPECT_THAT(errorOf(changed("\"form\": \"lines\"", "\"form\": \"song\"")),
                testing::HasSubstr("\"form\""));
    EXPECT_THAT(errorOf(changed("cross_attentions", "other_attentions")), testing::HasSubstr("\"kind\""));
    EXPECT_THAT(errorOf(changed("\"left\": 1.5", "\"left\": \"far\"")),
                testing::HasSubstr("\"viewport.left\" is \"far\""));
}

TEST(ViewState, knowsWhatChangesTheAnalysis) {
    const ViewState state = fullState();
    ViewState other = state;
    other.head = 2;
    other.range = {};
    other.query.reset();
    EXPECT_TRUE(state.sameInput(other));
    other.text += QLatin1Char('!');
    EXPECT_FALSE(state.sameInput(other));
    // A second text that is hidden is not given to the model.
    ViewState hidden = state;
    hidden.showPair = false;
    ViewState hiddenOther = hidden;
    hiddenOther.pair = QStringLiteral("else");
    EXPECT_TRUE(hidden.sameInput(hiddenOther));
    EXPECT_FALSE(hidden.textInput().pair.has_value());
    EXPECT_EQ(state.textInput().pair, "second");
}

TEST(ViewStore, undoesAndRedoes) {
    ViewStore store;
    QSignalSpy spy(&store, &ViewStore::changed);
    store.change(QStringLiteral("Head"), MergeGroup::None, [](ViewState& s) { s.head = 3; });
    store.change(QStringLiteral("Layer"), MergeGroup::None, [](ViewState& s) { s.layer = 2; });
    EXPECT_EQ(store.state().head, 3);
    EXPECT_EQ(spy.size(), 2);
    store.undoStack().undo();
    EXPECT_EQ(store.state().layer, 0);
    EXPECT_EQ(store.state().head, 3);
    store.undoStack().undo();
    EXPECT_EQ(store.state(), ViewState());
    store.undoStack().redo();
    store.undoStack().redo();
    EXPECT_EQ(store.state().layer, 2);
    EXPECT_EQ(spy.size(), 6);
}

TEST(ViewStore, aChangeThatChangesNothingIsNoStep) {
    ViewStore store;
    store.change(QStringLiteral("Head"), MergeGroup::None, [](ViewState& s) { s.head = 0; });
    EXPECT_EQ(store.undoStack().count(), 0);
}

TEST(ViewStore, typingMergesUntilAPause) {
    ViewStore store;
    const auto type = [&store](const char* text) {
        store.change(QStringLiteral("Typing"), MergeGroup::Text,
                     [text](ViewState& s) { s.text = QString::fromLatin1(text); });
    };
    type("a");
    type("ab");
    type("abc");
    EXPECT_EQ(store.undoStack().count(), 1);
    QTest::qWait(kMergeMs + 80);
    type("abcd");
    EXPECT_EQ(store.undoStack().count(), 2);
    store.undoStack().undo();
    EXPECT_EQ(store.state().text, QStringLiteral("abc"));
    store.undoStack().undo();
    EXPECT_EQ(store.state().text, QString());
}

TEST(ViewStore, otherGroupsDoNotMerge) {
    ViewStore store;
    store.change(QStringLiteral("Typing"), MergeGroup::Text,
                 [](ViewState& s) { s.text = QStringLiteral("a"); });
    store.change(QStringLiteral("Zoom"), MergeGroup::Viewport, [](ViewState& s) {
        s.viewport = {0, 0, 4, 4};
    });
    store.change(QStringLiteral("Typing"), MergeGroup::Text,
                 [](ViewState& s) { s.text = QStringLiteral("ab"); });
    EXPECT_EQ(store.undoStack().count(), 3);
}

TEST(ViewStore, replaceForgetsTheSteps) {
    ViewStore store;
    store.change(QStringLiteral("Head"), MergeGroup::None, [](ViewState& s) { s.head = 3; });
    store.replace(fullState());
    EXPECT_EQ(store.state(), fullState());
    EXPECT_FALSE(store.undoStack().canUndo());
}

} // namespace
} // namespace headscope::ui
