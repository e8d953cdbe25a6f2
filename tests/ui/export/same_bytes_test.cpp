// SPDX-License-Identifier: GPL-3.0-or-later
// The window and the command line write the same pictures for the same settings.
#include "tests/support/process.h"
#include "tests/ui/export/export_support.h"
#include "ui/export/export_dialog.h"
#include "ui/export/export_job.h"
#include "ui/session.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSettings>

#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

using headscope::test::readBytes;
using headscope::test::runProcess;
using headscope::test::TemporaryFolder;

class SameBytes : public testing::Test {
  protected:
    SameBytes() { QSettings().clear(); }

    static void choose(const ExportDialog& dialog, const QString& item) {
        for (auto* box : dialog.findChildren<QComboBox*>())
            if (const int at = box->findText(item); at >= 0) {
                box->setCurrentIndex(at);
                return;
            }
        FAIL() << item.toStdString();
    }
    std::string fromWindow(const ExportDialog& dialog, const std::string& ending) const {
        choose(dialog, ending == "png" ? QStringLiteral("PNG picture") : QStringLiteral("SVG picture"));
        ExportJob job = dialog.job();
        job.target = m_place / ("window." + ending);
        runExportJob(job, CancelToken());
        return readBytes(job.target);
    }
    /// `words`: what stands between "export" and "--out".
    std::string fromCommand(std::vector<std::string> words, const std::string& ending,
                            const char* command = "export") const {
        const std::string file = (m_place / ("command." + ending)).string();
        words.insert(words.begin(), {HEADSCOPE_BINARY, command});
        words.insert(words.end(), {"--out", file, "--quiet"});
        const auto result = runProcess(words);
        EXPECT_EQ(result.code, 0) << result.err;
        return result.code == 0 ? readBytes(file) : std::string();
    }
    static std::vector<std::string> input() {
        return {headscope::test::dataPath("models/tiny-bert").string(), "--text", tinyAnalysis()->input.text};
    }
    static std::vector<std::string> with(std::vector<std::string> words,
                                         const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    static ViewState shown() {
        ViewState state;
        state.model.path = QString::fromStdString(headscope::test::dataPath("models/tiny-bert").string());
        state.text = QString::fromStdString(tinyAnalysis()->input.text);
        state.layer = 1;
        state.head = 2;
        state.range = {.mode = RangeMode::Fixed, .low = 0.0F, .high = 0.25F};
        state.colormap = Colormap::Magma;
        return state;
    }
    static FigureOptions figureOf(const ViewState& state) {
        FigureOptions options;
        options.range = state.range;
        options.colormap = state.colormap;
        options.pooling = state.pooling;
        options.margins = state.margins;
        options.theme = HeatmapTheme::darkTheme(); // the window's, not the picture's
        return options;
    }
    std::string sessionOf(const SessionContent& content) const {
        const std::string file = (m_place / "a.headscope").string();
        saveSessionFile(QString::fromStdString(file), content);
        return file;
    }

    std::string sessionOf(const ViewState& view) const {
        SessionContent content;
        content.view = view;
        return sessionOf(content);
    }

    TemporaryFolder m_place;
};

TEST_F(SameBytes, WithNothingChosen) {
    for (const char* ending : {"png", "svg"}) {
        const ExportDialog dialog(tinyAnalysis(), headAt(1, 2), FigureOptions());
        const std::string window = fromWindow(dialog, ending);
        EXPECT_GT(window.size(), 1000U);
        EXPECT_EQ(window, fromCommand(with(input(), {"--head", "1.2"}), ending)) << ending;
    }
}

TEST_F(SameBytes, WithEachPreset) {
    const std::pair<const char*, const char*> presets[] = {{"single", "Single column, 85 mm"},
                                                           {"double", "Double column, 178 mm"},
                                                           {"slide", "Slide"},
                                                           {"article", "As in the articles, 10 × 8 in"}};
    std::string before;
    for (const auto& [word, item] : presets)
        for (const char* ending : {"png", "svg"}) {
            const ExportDialog dialog(tinyAnalysis(), headAt(1, 2), FigureOptions());
            choose(dialog, QString::fromUtf8(item));
            const std::string window = fromWindow(dialog, ending);
            EXPECT_NE(window, before);
            before = window;
            EXPECT_EQ(window, fromCommand(with(input(), {"--head", "1.2", "--preset", word}), ending))
                << word << ' ' << ending;
        }
}

TEST_F(SameBytes, WithBarsBesideTheMap) {
    FigureOptions figure;
    figure.margins = true;
    const ExportDialog dialog(tinyAnalysis(), headAt(1, 2), figure);
    ViewState state = shown();
    state.margins = true;
    for (const char* ending : {"png", "svg"}) {
        EXPECT_EQ(fromWindow(dialog, ending),
                  fromCommand(with(input(), {"--head", "1.2", "--margins"}), ending));
        const ExportDialog ofState(tinyAnalysis(), headAt(1, 2), figureOf(state), state.view);
        EXPECT_EQ(fromWindow(ofState, ending), fromCommand({"--view", sessionOf(state)}, ending));
    }
    choose(dialog, QStringLiteral("Overview of all heads"));
    EXPECT_EQ(fromWindow(dialog, "svg"), fromCommand(with(input(), {"--grid"}), "svg")) << "it has none";
}

TEST_F(SameBytes, OptionsWinOverThePreset) {
    const ExportDialog dialog(tinyAnalysis(), headAt(1, 2), FigureOptions());
    choose(dialog, QStringLiteral("Slide"));
    for (auto* box : dialog.findChildren<QDoubleSpinBox*>())
        if (box->accessibleName() == QStringLiteral("Width")) box->setValue(120.0);
    for (auto* edit : dialog.findChildren<QLineEdit*>())
        if (edit->accessibleName() == QStringLiteral("Title")) edit->setText(QStringLiteral("Mine, 见"));
    EXPECT_EQ(fromWindow(dialog, "png"),
              fromCommand(with(input(), {"--title", "Mine, 见", "--head", "1.2", "--width-mm", "120",
                                         "--preset", "slide"}),
                          "png"));
}

TEST_F(SameBytes, OfALayerAndTheGrid) {
    const ExportDialog dialog(tinyAnalysis(), headAt(1, 2), FigureOptions());
    choose(dialog, QStringLiteral("All heads of layer 1"));
    EXPECT_EQ(fromWindow(dialog, "svg"), fromCommand(with(input(), {"--layer", "1"}), "svg"));
    choose(dialog, QStringLiteral("Overview of all heads"));
    EXPECT_EQ(fromWindow(dialog, "png"), fromCommand(with(input(), {"--grid"}), "png"));
}

TEST_F(SameBytes, OfASession) {
    ViewState state = shown();
    const ExportDialog plain(tinyAnalysis(), headAt(1, 2), figureOf(state), state.view);
    EXPECT_EQ(fromWindow(plain, "png"), fromCommand({"--view", sessionOf(state)}, "png"));
    state.view = {.heads = HeadsShown::Mean, .words = true, .hideSpecial = true};
    state.range = {.mode = RangeMode::Auto};
    const ExportDialog mean(tinyAnalysis(), headAt(1, 2), figureOf(state), state.view);
    for (const char* ending : {"png", "svg"})
        EXPECT_EQ(fromWindow(mean, ending), fromCommand({"--view", sessionOf(state)}, ending));
    state.view = {.heads = HeadsShown::Rollout, .hideFirst = true};
    const ExportDialog rollout(tinyAnalysis(), headAt(1, 2), figureOf(state), state.view);
    EXPECT_EQ(fromWindow(rollout, "svg"), fromCommand({"--view", sessionOf(state)}, "svg"));
}

TEST_F(SameBytes, OfTheText) {
    ViewState state = shown();
    state.form = HeadForm::Text;
    state.query = 2;
    ExportDialog dialog(tinyAnalysis(), headAt(1, 2), figureOf(state), state.view);
    dialog.offerText({false, 2}, true);
    EXPECT_EQ(dialog.job().subject, ExportSubject::Text);
    for (const char* ending : {"png", "svg"}) {
        const std::string window = fromWindow(dialog, ending);
        EXPECT_EQ(window, fromCommand({"--view", sessionOf(state)}, ending)) << ending;
        EXPECT_EQ(window, fromCommand(with(input(), {"--head", "1.2", "--as", "text", "--query", "2",
                                                     "--range", "0:0.25", "--colormap", "magma"}),
                                      ending))
            << ending;
    }
}

TEST_F(SameBytes, OfLines) {
    ViewState state = shown();
    ExportDialog dialog(tinyAnalysis(), headAt(1, 2), figureOf(state), state.view);
    ShownLines lines;
    lines.drawn.rule = {30, 0.0F};
    lines.heads = {headAt(1, 2), headAt(1, 0)};
    lines.drawn.colors = {0, 1};
    lines.part = {Span{2, 20}, Span{1, 15}};
    dialog.offerLines(lines, true);
    EXPECT_EQ(dialog.job().subject, ExportSubject::Lines);
    for (const char* ending : {"png", "svg"})
        EXPECT_EQ(fromWindow(dialog, ending),
                  fromCommand(with(input(), {"--head", "1.2,1.0", "--as", "lines", "--strongest", "30",
                                             "--rows", "2:20", "--columns", "1:15", "--range", "0:0.25"}),
                              ending))
            << ending;
}

TEST_F(SameBytes, OfTheLinesOfASession) {
    ViewState state = shown();
    state.form = HeadForm::Lines;
    state.view = {.heads = HeadsShown::Mean, .words = true};
    state.key = 2;
    state.readBy = true;
    ExportDialog dialog(tinyAnalysis(), headAt(1, 2), figureOf(state), state.view);
    ShownLines lines;
    lines.drawn.followed = FollowedToken{true, 2};
    dialog.offerLines(lines, true);
    for (const char* ending : {"png", "svg"}) {
        const std::string window = fromWindow(dialog, ending);
        EXPECT_EQ(window, fromCommand({"--view", sessionOf(state)}, ending)) << ending;
        EXPECT_EQ(window, fromCommand(with(input(), {"--head", "1.2", "--combine", "mean", "--words", "--as",
                                                     "lines", "--key", "2", "--range", "0:0.25"}),
                                      ending))
            << ending << ": a single head stands for its layer, as in the window";
    }
}

TEST_F(SameBytes, WhatIsGivenBesideASessionWins) {
    ViewState state = shown();
    state.view.heads = HeadsShown::Mean;
    const ExportDialog dialog(tinyAnalysis(), headAt(0, 3),
                              {.colormap = Colormap::Cividis, .range = {.mode = RangeMode::Log}});
    EXPECT_EQ(fromWindow(dialog, "png"), fromCommand({"--view", sessionOf(state), "--head", "0.3", "--range",
                                                      "log", "--colormap", "cividis"},
                                                     "png"))
        << "a head that is named is shown by itself";
}

TEST_F(SameBytes, OfTheComparisonOfASession) {
    SessionContent content;
    content.view = shown();
    content.pins.push_back(pinOf(content.view, headAt(0, 1)));
    const auto comparison = std::make_shared<const HeadComparison>(
        compareHeads({tinyAnalysis(), headAt(0, 1)}, {tinyAnalysis(), headAt(1, 2)}, 10, {}));
    const ExportDialog dialog(comparison, figureOf(content.view));
    for (const char* ending : {"png", "svg"})
        EXPECT_EQ(fromWindow(dialog, ending), fromCommand({"--view", sessionOf(content)}, ending, "compare"));
}

/// With views: of a session, and of the options that say the same.
TEST_F(SameBytes, OfTheComparisonOfViews) {
    constexpr MapView kPinned{.heads = HeadsShown::Mean, .words = true, .hideSpecial = true};
    constexpr MapView kShown{.words = true, .hideSpecial = true};
    SessionContent content;
    content.view = shown();
    content.view.view = kShown;
    content.pins.push_back(pinOf(content.view, headAt(0, 1), kPinned));
    const auto comparison = std::make_shared<const HeadComparison>(compareHeads(
        {tinyAnalysis(), headAt(0, 1), kPinned}, {tinyAnalysis(), headAt(1, 2), kShown}, 10, {}));
    ASSERT_NE(comparison->difference, nullptr) << comparison->note;
    const ExportDialog dialog(comparison, figureOf(content.view));
    for (const char* ending : {"png", "svg"}) {
        const std::string window = fromWindow(dialog, ending);
        EXPECT_EQ(window, fromCommand({"--view", sessionOf(content)}, ending, "compare")) << ending;
        EXPECT_EQ(window,
                  fromCommand(with(input(), {"--head", "0.1,1.2", "--combine", "mean,one", "--words",
                                             "--hide-special", "--range", "0:0.25", "--colormap", "magma"}),
                              ending, "compare"))
            << ending;
    }
}

/// One side in norms, each on its own scale, without a difference.
TEST_F(SameBytes, OfAComparisonWithoutADifference) {
    constexpr MapView kNorms{.valueWeighted = true};
    const auto comparison = std::make_shared<const HeadComparison>(
        compareHeads({tinyAnalysis(), headAt(0, 1), kNorms}, {tinyAnalysis(), headAt(1, 2)}, 10, {}));
    ASSERT_EQ(comparison->difference, nullptr);
    const ExportDialog dialog(comparison, FigureOptions());
    EXPECT_EQ(
        fromWindow(dialog, "svg"),
        fromCommand(with(input(), {"--head", "0.1,1.2", "--only-a", "value-weighted"}), "svg", "compare"));
}

} // namespace
} // namespace headscope::ui::test
