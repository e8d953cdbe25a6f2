// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/export/export_support.h"
#include "ui/export/export_dialog.h"
#include "ui/export/export_job.h"
#include "ui/export/export_preview.h"

#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

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
    auto* density = widget<QSpinBox>(1);
    EXPECT_TRUE(range->isEnabled());
    choose(QStringLiteral("PDF picture"));
    EXPECT_FALSE(density->isEnabled());
    choose(QStringLiteral("NumPy array"));
    EXPECT_FALSE(range->isEnabled());
}

} // namespace
} // namespace headscope::ui::test
