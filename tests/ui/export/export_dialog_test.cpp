// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_json.h"
#include "tests/ui/export/export_support.h"
#include "ui/export/export_dialog.h"
#include "ui/export/export_job.h"
#include "ui/export/export_preview.h"
#include "ui/export/picture_writer.h"

#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>
#include <tuple>

namespace headscope::ui::test {
namespace {

using headscope::test::readBytes;
using headscope::test::TemporaryFolder;

class ExportDialogTest : public testing::Test {
  protected:
    ExportDialogTest() : m_dialog(tinyAnalysis(), headAt(1, 2), shownOptions()) {
        QSettings().clear();
        m_dialog.show();
    }

    static FigureOptions shownOptions() {
        FigureOptions options;
        options.range = {.mode = RangeMode::Fixed, .low = 0.0F, .high = 0.25F};
        options.colormap = Colormap::Magma;
        return options;
    }
    template <typename Widget>
    Widget* widget(int index = 0) {
        return m_dialog.findChildren<Widget*>().value(index);
    }
    template <typename Widget>
    Widget* named(const char* name) {
        for (auto* one : m_dialog.findChildren<Widget*>())
            if (one->accessibleName() == QLatin1String(name)) return one;
        return nullptr;
    }
    QComboBox* boxWith(const QString& item) {
        for (auto* box : m_dialog.findChildren<QComboBox*>())
            if (box->findText(item) >= 0) return box;
        return nullptr;
    }
    void choose(const QString& item) {
        QComboBox* box = boxWith(item);
        ASSERT_NE(box, nullptr) << item.toStdString();
        box->setCurrentIndex(box->findText(item));
    }
    QLineEdit* file() {
        for (auto* edit : m_dialog.findChildren<QLineEdit*>())
            if (edit->accessibleName() == QStringLiteral("File")) return edit;
        return nullptr;
    }
    QPushButton* saveButton() {
        for (auto* button : m_dialog.findChildren<QPushButton*>())
            if (button->isDefault()) return button;
        return nullptr;
    }
    QString message() {
        for (auto* label : m_dialog.findChildren<QLabel*>())
            if (label->property("role") == QStringLiteral("error") && label->isVisible())
                return label->text();
        return {};
    }
    QString pathTo(const char* name) { return QString::fromStdString((m_place / name).string()); }
    /// Presses Save and waits until the dialog is closed or says something.
    void save() {
        QTest::mouseClick(saveButton(), Qt::LeftButton);
        EXPECT_TRUE(QTest::qWaitFor([&] { return !m_dialog.isVisible() || !message().isEmpty(); }, 20000));
    }

    TemporaryFolder m_place;
    ExportDialog m_dialog;
};

TEST(ExportOfAView, IsNamedForAllTheHeadsOfTheMap) {
    const ExportDialog dialog(tinyAnalysis(), headAt(1, 2), FigureOptions(), {.heads = HeadsShown::Mean});
    ExportJob job = dialog.job();
    EXPECT_EQ(partOf(job).heads.size(), 4U);
    EXPECT_EQ(suggestedFileName(job), QStringLiteral("tiny-bert-layer-1-mean.png"));
    QStringList subjects;
    for (const auto* box : dialog.findChildren<QComboBox*>())
        for (int i = 0; i < box->count(); ++i) subjects << box->itemText(i);
    EXPECT_TRUE(subjects.contains(QStringLiteral("Mean of heads 1.0, 1.1, 1.2, 1.3")));
    job.view.heads = HeadsShown::Rollout;
    EXPECT_EQ(suggestedFileName(job), QStringLiteral("tiny-bert-layer-1-rollout.png"));
}

TEST_F(ExportDialogTest, BeginsWithTheHeadAsShown) {
    const ExportJob job = m_dialog.job();
    EXPECT_EQ(job.head, headAt(1, 2));
    EXPECT_EQ(job.subject, ExportSubject::Head);
    EXPECT_EQ(job.figure.range, shownOptions().range);
    EXPECT_EQ(job.figure.colormap, Colormap::Magma);
    EXPECT_EQ(job.extension, QStringLiteral("png"));
    EXPECT_TRUE(file()->text().endsWith(QStringLiteral("tiny-bert-head-1.2.png")))
        << file()->text().toStdString();
}

TEST_F(ExportDialogTest, PreviewShowsThePicture) {
    auto* preview = widget<ExportPreview>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !preview->image().isNull(); }, 20000));
    const QImage first = preview->image();
    QSignalSpy painted(preview, &ExportPreview::painted);
    choose(QStringLiteral("Dark"));
    ASSERT_TRUE(painted.wait(20000));
    EXPECT_NE(preview->image().pixel(0, 0), first.pixel(0, 0));
    EXPECT_EQ(preview->image().pixel(0, 0), HeatmapTheme::darkTheme().panel.rgb());
}

TEST_F(ExportDialogTest, TheFileNameFollowsTheChoices) {
    choose(QStringLiteral("All heads of layer 1"));
    choose(QStringLiteral("SVG picture"));
    EXPECT_TRUE(file()->text().endsWith(QStringLiteral("tiny-bert-layer-1.svg")))
        << file()->text().toStdString();
    file()->setText(pathTo("mine.svg"));
    choose(QStringLiteral("CSV table"));
    EXPECT_EQ(file()->text(), pathTo("mine.csv"));
}

TEST_F(ExportDialogTest, TheTypedEndingChoosesTheFormat) {
    file()->clear();
    QTest::keyClicks(file(), pathTo("typed.npy"));
    EXPECT_EQ(m_dialog.job().extension, QStringLiteral("npy"));
    EXPECT_EQ(file()->text(), pathTo("typed.npy"));
    save();
    EXPECT_EQ(m_dialog.writtenFile(), pathTo("typed.npy")) << message().toStdString();
    EXPECT_EQ(readBytes(m_place / "typed.npy").substr(1, 5), "NUMPY");
}

TEST_F(ExportDialogTest, SavesAndRemembersFolderAndFormat) {
    choose(QStringLiteral("PDF picture"));
    file()->setText(pathTo("a.pdf"));
    save();
    EXPECT_EQ(m_dialog.result(), QDialog::Accepted) << message().toStdString();
    EXPECT_EQ(m_dialog.writtenFile(), pathTo("a.pdf"));
    EXPECT_EQ(readBytes(m_place / "a.pdf").substr(0, 5), "%PDF-");
    const ExportDialog next(tinyAnalysis(), headAt(0, 0), FigureOptions());
    EXPECT_EQ(next.job().extension, QStringLiteral("pdf"));
    EXPECT_EQ(QString::fromStdString(next.job().target.string()), pathTo("tiny-bert-head-0.0.pdf"));
}

TEST_F(ExportDialogTest, AnExistingFileIsReplacedOnlyWhenConfirmed) {
    m_place.write("a.csv", "old");
    choose(QStringLiteral("CSV table"));
    file()->setText(pathTo("a.csv"));
    save();
    EXPECT_TRUE(m_dialog.isVisible());
    EXPECT_TRUE(message().contains(QStringLiteral("a.csv exists already"))) << message().toStdString();
    EXPECT_EQ(readBytes(m_place / "a.csv"), "old");
    QTest::mouseClick(saveButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_dialog.isVisible(); }, 20000));
    EXPECT_EQ(readBytes(m_place / "a.csv").substr(0, 6), ",[CLS]");
}

TEST_F(ExportDialogTest, ErrorsAreSaidInside) {
    file()->setText(pathTo("none/a.png"));
    save();
    EXPECT_TRUE(m_dialog.isVisible());
    EXPECT_TRUE(message().contains(QStringLiteral("does not exist"))) << message().toStdString();
    const QString model = QString::fromStdString(headscope::test::dataPath("models/tiny-bert").string());
    file()->setText(model + QStringLiteral("/a.png"));
    EXPECT_EQ(message(), QString()); // a new name, a new try
    save();
    EXPECT_TRUE(message().contains(QStringLiteral("model folder"))) << message().toStdString();
    EXPECT_FALSE(QFile::exists(model + QStringLiteral("/a.png")));
}

TEST_F(ExportDialogTest, PictureChoicesRestWhereTheyMeanNothing) {
    auto* range = boxWith(QStringLiteral("As on screen"));
    auto* density = named<QSpinBox>("Density");
    EXPECT_TRUE(range->isEnabled());
    choose(QStringLiteral("PDF picture"));
    EXPECT_FALSE(density->isEnabled());
    choose(QStringLiteral("NumPy array"));
    EXPECT_FALSE(range->isEnabled());
}

TEST_F(ExportDialogTest, PicturesAreLightWhateverTheWindowIs) {
    FigureOptions shown;
    shown.theme = HeatmapTheme::darkTheme();
    const ExportDialog dialog(tinyAnalysis(), headAt(0, 0), shown);
    EXPECT_FALSE(dialog.job().figure.theme.dark);
    EXPECT_EQ(dialog.job().figure.theme.panel, QColor(0xff, 0xff, 0xff));
    choose(QStringLiteral("Dark"));
    EXPECT_TRUE(m_dialog.job().figure.theme.dark);
}

TEST_F(ExportDialogTest, APresetSetsSizeAndLettersUntilOneIsChanged) {
    choose(QStringLiteral("As in the articles, 10 × 8 in"));
    FigureOptions figure = m_dialog.job().figure;
    EXPECT_EQ(figure.widthMm, 254.0);
    EXPECT_EQ(figure.heightMm, 203.2);
    EXPECT_EQ(figure.dpi, 100);
    EXPECT_EQ(figure.fontSizePt, 10.0);
    EXPECT_EQ(figure.colormap, Colormap::Viridis);
    EXPECT_EQ(figure.xLabel, QStringLiteral("Source Sequence"));
    EXPECT_EQ(figure.yLabel, QStringLiteral("Target Sequence"));
    named<QDoubleSpinBox>("Width")->setValue(100.0);
    EXPECT_EQ(boxWith(QStringLiteral("Slide"))->currentText(), QStringLiteral("As set below"));
    figure = m_dialog.job().figure;
    EXPECT_EQ(figure.widthMm, 100.0) << "and the other numbers stay";
    EXPECT_EQ(figure.heightMm, 203.2);
    choose(QStringLiteral("Single column, 85 mm"));
    EXPECT_EQ(m_dialog.job().figure.widthMm, 85.0);
    EXPECT_EQ(m_dialog.job().figure.heightMm, std::nullopt);
}

TEST_F(ExportDialogTest, AxesTokensAndTitleAreTheUsers) {
    named<QLineEdit>("Words of the rows")->setText(QStringLiteral("reader"));
    named<QLineEdit>("Words of the columns")->setText(QStringLiteral(" "));
    named<QLineEdit>("Rows")->setText(QStringLiteral("2:5"));
    const ExportJob job = m_dialog.job();
    EXPECT_EQ(job.figure.yLabel, QStringLiteral("reader"));
    EXPECT_TRUE(job.figure.xLabel.isEmpty());
    EXPECT_FALSE(job.figure.xLabel.isNull()) << "none, not the usual words";
    EXPECT_TRUE(job.figure.title.isNull());
    EXPECT_EQ(job.figure.rows, (Span{2, 5}));
    EXPECT_EQ(job.figure.columns, std::nullopt);
    EXPECT_EQ(partOf(job).axes.queries.positions, (std::vector<std::int64_t>{2, 3, 4}));
    named<QLineEdit>("Rows")->setText(QStringLiteral("5:2"));
    EXPECT_TRUE(message().startsWith(QStringLiteral("Rows: write first:end"))) << message().toStdString();
    file()->setText(pathTo("a.png"));
    save();
    EXPECT_TRUE(m_dialog.isVisible());
    EXPECT_FALSE(QFile::exists(pathTo("a.png")));
}

TEST_F(ExportDialogTest, TooManyPixelsAreSaidBeforeSaving) {
    named<QDoubleSpinBox>("Width")->setValue(5000.0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !message().isEmpty(); }, 20000));
    EXPECT_TRUE(message().contains(QStringLiteral("at most 32767 are possible on a side")))
        << message().toStdString();
    EXPECT_TRUE(message().contains(QStringLiteral("59056 x")))
        << message().toStdString(); // 5000 / 25.4 * 300
    EXPECT_TRUE(message().contains(QStringLiteral(".svg or .pdf"))) << message().toStdString();
}

TEST_F(ExportDialogTest, ASheetHasTheWidthThatSuitsItUnlessOneWasSet) {
    choose(QStringLiteral("All heads of layer 1"));
    EXPECT_EQ(m_dialog.job().figure.widthMm, 180.0); // 2 x 2 maps of 90 mm
    choose(QStringLiteral("This head (1.2)"));
    EXPECT_EQ(m_dialog.job().figure.widthMm, 160.0);
    named<QDoubleSpinBox>("Width")->setValue(99.5);
    choose(QStringLiteral("All heads of layer 1"));
    EXPECT_EQ(m_dialog.job().figure.widthMm, 99.5);
}

TEST_F(ExportDialogTest, BeginsWithTheDefaultsOfTheUser) {
    ExportDefaults defaults;
    defaults.dark = true;
    defaults.range = RangeChoice::ZeroToOne;
    defaults.dpi = 150;
    defaults.fontSizePt = 11;
    defaults.transparent = true;
    defaults.described = false;
    m_dialog.beginWith(defaults);
    ExportJob job = m_dialog.job();
    EXPECT_TRUE(job.figure.theme.dark);
    EXPECT_EQ(job.figure.range, (DisplayRange{.mode = RangeMode::Fixed, .low = 0.0F, .high = 1.0F}));
    EXPECT_EQ(job.figure.dpi, 150);
    EXPECT_EQ(job.figure.fontSizePt, 11.0);
    EXPECT_TRUE(job.figure.transparent);
    EXPECT_FALSE(job.described);
    EXPECT_EQ(job.figure.widthMm, 160.0) << "what suits the head";
    EXPECT_EQ(m_dialog.choices(), defaults);
    choose(QStringLiteral("Slide"));
    EXPECT_EQ(m_dialog.job().figure.dpi, 192);
    choose(QStringLiteral("As set below"));
    EXPECT_EQ(m_dialog.job().figure.dpi, 150) << "left again, the user's numbers hold";
    defaults.preset = "article";
    m_dialog.beginWith(defaults);
    job = m_dialog.job();
    EXPECT_EQ(job.figure.widthMm, 254.0);
    EXPECT_EQ(job.figure.dpi, 100);
    EXPECT_EQ(job.figure.xLabel, QStringLiteral("Source Sequence"));
    EXPECT_EQ(m_dialog.choices(), defaults);
}

TEST_F(ExportDialogTest, MakesItsChoicesTheDefaults) {
    QPushButton* keep = nullptr;
    for (auto* button : m_dialog.findChildren<QPushButton*>())
        if (button->text().endsWith(QStringLiteral("defaults"))) keep = button;
    ASSERT_NE(keep, nullptr);
    EXPECT_FALSE(keep->isEnabled()) << "nothing differs from a first start";
    const QSignalSpy chosen(&m_dialog, &ExportDialog::defaultsChosen);
    choose(QStringLiteral("Dark"));
    choose(QStringLiteral("Logarithmic"));
    named<QSpinBox>("Labels")->setValue(9);
    ASSERT_TRUE(keep->isEnabled());
    keep->click();
    ASSERT_EQ(chosen.size(), 1);
    ExportDefaults expected;
    expected.dark = true;
    expected.range = RangeChoice::Log;
    expected.fontSizePt = 9;
    EXPECT_EQ(chosen.front().front().value<ExportDefaults>(), expected);
    EXPECT_FALSE(keep->isEnabled());
    choose(QStringLiteral("Double column, 178 mm"));
    ASSERT_TRUE(keep->isEnabled());
    keep->click();
    expected.preset = "double";
    EXPECT_EQ(chosen.back().front().value<ExportDefaults>(), expected) << "the preset's 8 pt are its own";
    choose(QStringLiteral("CSV table"));
    EXPECT_FALSE(keep->isEnabled()) << "a table has none of this";
}

TEST_F(ExportDialogTest, WithoutACaptionTheFileSaysNothingOfTheText) {
    const std::tuple<const char*, const char*> formats[] = {
        {"PNG picture", "a.png"}, {"SVG picture", "a.svg"}, {"PDF picture", "a.pdf"}};
    for (const auto& [item, name] : formats) {
        choose(QString::fromLatin1(item));
        ExportJob job = m_dialog.job();
        job.target = m_place / name;
        runExportJob(job, CancelToken());
        const std::string with = readBytes(job.target);
        job.described = false;
        runExportJob(job, CancelToken());
        const std::string without = readBytes(job.target);
        EXPECT_LT(without.size(), with.size()) << name;
        for (const char* word : {"tiny-bert", "The animal"})
            EXPECT_EQ(without.find(word), std::string::npos) << name << ": " << word;
        if (std::string(name) != "a.png") continue;
        const QImage image(pathTo(name));
        EXPECT_EQ(image.textKeys(), QStringList{QStringLiteral("Software")});
    }
}

/// Two heads side by side, as the page Compare asks for them.
class ComparisonExport : public testing::Test {
  protected:
    ComparisonExport()
        : m_comparison(std::make_shared<const HeadComparison>(
              compareHeads({tinyAnalysis(), headAt(0, 1)}, {tinyAnalysis(), headAt(2, 3)}, 10, {}))) {
        QSettings().clear();
    }
    static void choose(ExportDialog& dialog, const QString& item) {
        for (auto* box : dialog.findChildren<QComboBox*>())
            if (const int at = box->findText(item); at >= 0) box->setCurrentIndex(at);
    }
    /// Writes the job that the dialog asks for.
    std::string written(const ExportDialog& dialog, const char* name) const {
        ExportJob job = dialog.job();
        job.target = m_place / name;
        runExportJob(job, CancelToken());
        return readBytes(job.target);
    }

    TemporaryFolder m_place;
    std::shared_ptr<const HeadComparison> m_comparison;
};

TEST_F(ComparisonExport, BeginsWithTheComparison) {
    const ExportDialog dialog(m_comparison, FigureOptions());
    const ExportJob job = dialog.job();
    EXPECT_EQ(job.subject, ExportSubject::Comparison);
    EXPECT_EQ(job.figure.widthMm, comparisonWidthMm(*m_comparison));
    EXPECT_TRUE(QString::fromStdString(job.target.string())
                    .endsWith(QStringLiteral("tiny-bert-heads-0.1-and-2.3.png")));
}

TEST_F(ComparisonExport, WritesWhatTheCommandLineWrites) {
    ExportDialog dialog(m_comparison, FigureOptions());
    FigureOptions options; // what the command takes without any option
    options.widthMm = comparisonWidthMm(*m_comparison);
    const std::tuple<const char*, const char*, PictureFormat> cases[] = {
        {"PNG picture", "a.png", PictureFormat::Png}, {"SVG picture", "a.svg", PictureFormat::Svg}};
    for (const auto& [item, name, format] : cases) {
        choose(dialog, QString::fromLatin1(item));
        const auto expected = m_place / (std::string("expected-") + name);
        writePicture(comparisonPicture(*m_comparison, options), format, options.dpi, expected);
        EXPECT_EQ(written(dialog, name), readBytes(expected)) << name;
    }
    choose(dialog, QStringLiteral("JSON"));
    writeComparisonJson(*m_comparison, m_place / "expected.json", {});
    EXPECT_EQ(written(dialog, "a.json"), readBytes(m_place / "expected.json"));
    choose(dialog, QStringLiteral("PDF picture"));
    EXPECT_EQ(written(dialog, "a.pdf").substr(0, 5), "%PDF-");
}

TEST_F(ComparisonExport, HasNoTableAndTheRestIsOfTheSecondHead) {
    QSettings().setValue(QStringLiteral("export/format"), QStringLiteral("csv"));
    ExportDialog dialog(m_comparison, FigureOptions());
    EXPECT_EQ(dialog.job().extension, QStringLiteral("png")) << "a comparison is no table";
    choose(dialog, QStringLiteral("This head (2.3)"));
    EXPECT_EQ(dialog.job().subject, ExportSubject::Head);
    EXPECT_EQ(dialog.job().head, headAt(2, 3));
    EXPECT_EQ(dialog.job().figure.widthMm, FigureOptions().widthMm);
    choose(dialog, QStringLiteral("CSV table"));
    EXPECT_EQ(written(dialog, "a.csv").substr(0, 6), ",[CLS]");
    choose(dialog, QStringLiteral("Comparison of 0.1 and 2.3"));
    EXPECT_EQ(dialog.job().extension, QStringLiteral("png"));
}

TEST_F(ComparisonExport, WritesIntoNoModelFolderOfEitherSide) {
    const ExportDialog dialog(m_comparison, FigureOptions());
    ExportJob job = dialog.job();
    job.target = headscope::test::dataPath("models/tiny-bert") / "a.json";
    job.extension = QStringLiteral("json");
    EXPECT_THROW(runExportJob(job, CancelToken()), Error);
    EXPECT_FALSE(std::filesystem::exists(job.target));
}

TEST_F(ExportDialogTest, LinesBeginWithTheTokensInSight) {
    ShownLines lines;
    lines.heads = {headAt(1, 2), headAt(1, 3)};
    lines.drawn.colors = {0, 2};
    lines.drawn.rule = {0, 0.05F};
    lines.part.rows = Span{3, 9};
    m_dialog.offerLines(lines, true);
    auto* rows = named<QLineEdit>("Rows");
    auto* columns = named<QLineEdit>("Columns");
    EXPECT_EQ(rows->text(), QStringLiteral("3:9"));
    EXPECT_EQ(columns->text(), QString()) << "all of them";
    const ExportJob job = m_dialog.job();
    EXPECT_EQ(job.subject, ExportSubject::Lines);
    EXPECT_EQ(partOf(job).size(), 2U);
    EXPECT_EQ(partOf(job).axes.queries.positions.front(), 3);
    EXPECT_TRUE(suggestedFileName(job).endsWith(QStringLiteral("-lines-1.2-1.3.png")))
        << suggestedFileName(job).toStdString();
    EXPECT_FALSE(isWritable(ExportSubject::Lines, QStringLiteral("csv")));
    choose(QStringLiteral("This head (1.2)"));
    EXPECT_EQ(rows->text(), QString()) << "they were of the lines";
    choose(QStringLiteral("Lines between the tokens"));
    rows->setText(QStringLiteral("0:4"));
    choose(QStringLiteral("This head (1.2)"));
    EXPECT_EQ(rows->text(), QStringLiteral("0:4")) << "what was typed stays";
}

} // namespace
} // namespace headscope::ui::test
