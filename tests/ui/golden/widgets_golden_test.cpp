// SPDX-License-Identifier: GPL-3.0-or-later
// Whole widgets against pictures that were looked at. See README.md beside this file.
#include "tests/ui/golden/picture_compare.h"
#include "tests/ui/heatmap/heat_support.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/models/head_filter.h"
#include "ui/models/head_table.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/head_table_view.h"
#include "ui/panels/inspector.h"
#include "ui/panels/map_card.h"
#include "ui/panels/overview_card.h"
#include "ui/theme.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QProcess>
#include <QToolButton>

#include <cmath>
#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

constexpr std::int64_t kTokens = 12;
constexpr int kLayers = 3;
constexpr int kHeads = 4;
constexpr qint64 kLargestFile = 60000; ///< bytes of a picture that is kept

std::shared_ptr<const Axis> tokens() {
    return fakeTokens("[CLS] The animal did not cross the street , being tired [SEP]").axis;
}

/// Weight around the token `head` places back, and some on the first one, the more the deeper the layer.
std::vector<float> weightsOf(int layer, int head) {
    std::vector<float> weights;
    for (int i = 0; i < kTokens; ++i) {
        std::vector<float> row;
        float sum = 0.0F;
        for (int j = 0; j < kTokens; ++j) {
            const float away = static_cast<float>(i - head - j);
            row.push_back(std::exp(-away * away / 2.0F) +
                          (j == 0 ? 0.4F * static_cast<float>(layer) : 0.01F));
            sum += row.back();
        }
        for (const float weight : row) weights.push_back(weight / sum);
    }
    return weights;
}

HeadResult resultOf(int layer, int head) {
    HeadResult result = fakeHead(layer, head, kTokens);
    std::vector<float> weights = weightsOf(layer, head);
    result.thumbnail.weights.assign(weights.begin(), weights.end());
    result.map = std::make_shared<StoredMap>(Extent{kTokens, kTokens}, std::move(weights));
    return result;
}

std::shared_ptr<const LayerResult> layerOf(int layer) {
    auto result = std::make_shared<LayerResult>();
    result->layer = LayerIndex(layer);
    result->mask.queries = result->mask.keys = kTokens;
    for (int head = 0; head < kHeads; ++head) result->heads.push_back(resultOf(layer, head));
    return result;
}

std::shared_ptr<const Analysis> analysis() {
    auto made = std::make_shared<Analysis>();
    made->model = fakeModel("/models/fake");
    made->input.text = "The animal did not cross the street, being tired";
    made->text.axis = tokens();
    for (int layer = 0; layer < kLayers; ++layer) made->layers.push_back(layerOf(layer));
    return made;
}

HeadRef refOf(int layer, int head) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(head)};
}

/// A widget as it is shown: not under the mouse, without the keyboard.
QImage pictureOf(QWidget& widget) {
    QCoreApplication::processEvents();
    if (QWidget* focused = QApplication::focusWidget()) focused->clearFocus();
    QCoreApplication::processEvents();
    const QPixmap shown = widget.grab();
    QImage image(shown.size(), QImage::Format_RGB32);
    image.setDevicePixelRatio(shown.devicePixelRatio());
    image.fill(Theme::instance().colors().panel); // some let what is behind them through
    QPainter(&image).drawPixmap(0, 0, shown);
    return image;
}

/// With 16 steps of each channel, far below what the comparison forgives: the file is a third as large.
QImage few(QImage image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            const auto step = [](int value) { return (value + 8) / 17 * 17; };
            image.setPixel(x, y, qRgb(step(qRed(pixel)), step(qGreen(pixel)), step(qBlue(pixel))));
        }
    return image;
}

class WidgetPicture : public testing::Test {
  protected:
    static int ratio() { return qRound(qApp->devicePixelRatio()); }
    static QString nameOf(const char* widget) {
        return QStringLiteral("%1@%2.png").arg(QLatin1String(widget)).arg(ratio());
    }
    static QString pathOf(const char* widget) {
        return QStringLiteral(HEADSCOPE_TEST_DATA "/golden_images/widgets/") + nameOf(widget);
    }

    static void show(QWidget& widget, const QSize& size) {
        widget.setFixedSize(size);
        widget.show();
    }
    static PictureDifference differenceTo(const char* widget, const QImage& actual) {
        const QImage golden = QImage(pathOf(widget)).convertToFormat(QImage::Format_RGB32);
        return differenceOf(golden, actual, likenessAt(ratio()));
    }
    static bool isAlike(const char* widget, QWidget& shown) {
        return differenceTo(widget, pictureOf(shown)).isAlike(likenessAt(ratio()));
    }
    static void expectLike(const char* name, QWidget& widget) {
        const QImage actual = pictureOf(widget);
        ASSERT_EQ(actual.size(), widget.size() * ratio());
        if (qEnvironmentVariableIsSet("HEADSCOPE_UPDATE_GOLDEN")) {
            ASSERT_TRUE(few(actual).save(pathOf(name), "PNG", 0));
            EXPECT_LT(QFileInfo(pathOf(name)).size(), kLargestFile);
        }
        const QImage golden(pathOf(name));
        ASSERT_EQ(golden.size(), actual.size()) << pathOf(name).toStdString();
        const PictureDifference difference = differenceTo(name, actual);
        if (difference.isAlike(likenessAt(ratio()))) return;
        const QDir folder(QCoreApplication::applicationDirPath() + QStringLiteral("/golden_failures"));
        folder.mkpath(QStringLiteral("."));
        const QString shown = folder.filePath(QStringLiteral("actual-") + nameOf(name));
        const QString marked = folder.filePath(QStringLiteral("difference-") + nameOf(name));
        actual.save(shown);
        difference.picture.save(marked);
        ADD_FAILURE() << name << ": " << difference.worst << " pixels differ in the square at "
                      << difference.at.x() << ", " << difference.at.y() << ", at most "
                      << likenessAt(ratio()).most << " may. See " << shown.toStdString() << " and "
                      << marked.toStdString();
    }

    void SetUp() override { Theme::instance().setChoice(ThemeChoice::Light); }
};

/// The map of head 1.1 with its labels, flags and legend.
class CardPicture : public WidgetPicture {
  protected:
    MapCard card;

    void SetUp() override {
        WidgetPicture::SetUp();
        ViewState state;
        state.layer = 1;
        state.head = 1;
        state.query = 5;
        state.key = 4;
        card.showState(state);
        card.showHead(refOf(1, 1), resultOf(1, 1), tokens(), tokens());
        card.viewButton()->setText(QStringLiteral("View")); // its arrow is of a font of the machine
        show(card, {620, 460});
        ASSERT_TRUE(waitFor([this] { return card.isComplete(); }));
    }
};

TEST_F(CardPicture, MapCard) {
    expectLike("map_card", card);
}

TEST_F(CardPicture, FailsOnWhatIsMissingOrMoved) {
    ASSERT_TRUE(isAlike("map_card", card));
    card.pinButton()->hide();
    EXPECT_FALSE(isAlike("map_card", card)) << "a button is missing";
    card.pinButton()->show();
    ASSERT_TRUE(isAlike("map_card", card));
    const QRect former = card.view()->geometry();
    card.view()->setGeometry(former.translated(0, 4));
    EXPECT_FALSE(isAlike("map_card", card)) << "the map is four pixels lower";
    card.view()->setGeometry(former);
    card.setStale(QStringLiteral("of the previous text"));
    EXPECT_FALSE(isAlike("map_card", card)) << "a word too much";
    card.setStale(QString());
    ASSERT_TRUE(isAlike("map_card", card));
    card.showHead(refOf(1, 1), resultOf(1, 2), tokens(), tokens());
    ASSERT_TRUE(waitFor([this] { return card.isComplete(); }));
    EXPECT_FALSE(isAlike("map_card", card)) << "the map of another head";
}

TEST_F(WidgetPicture, OverviewGrid) {
    OverviewCard card;
    card.showKinds({AttentionKind::Self});
    card.showShape({AttentionKind::Self, kLayers, kHeads, kHeads, 16, false});
    std::vector<std::shared_ptr<const LayerResult>> layers;
    for (int layer = 0; layer < kLayers; ++layer) {
        layers.push_back(layerOf(layer));
        card.showLayer(*layers.back(), *tokens());
    }
    card.showSummary(layers, AttentionKind::Self);
    ViewState state;
    state.layer = 2;
    card.showState(state);
    show(card, {420, 520});
    expectLike("overview", card);
}

TEST_F(WidgetPicture, DiagnoseTable) {
    HeadTable table;
    HeadFilter filter(table);
    table.setDiagnosis(fakeDiagnosis(fakeProbes(8)));
    table.setNotes({{refOf(1, 0), QStringLiteral("a note")}});
    HeadTableView view(filter);
    view.showKinds(table.hasKinds());
    view.showHead(refOf(1, 1));
    show(view, {760, 240});
    expectLike("diagnose_table", view);
}

TEST_F(WidgetPicture, ComparePanel) {
    ComparePanel panel(ComparePanel::Role::Pinned);
    ComparePanel::Content content;
    content.side = {analysis(), refOf(1, 1)};
    const HeadResult* head = content.side.analysis->find(content.side.head);
    content.shown = {.map = head->map,
                     .queries = tokens(),
                     .keys = tokens(),
                     .axes = nullptr,
                     .statistics = head->range,
                     .view = {}};
    content.statistics = head->range;
    content.ownScale = true;
    content.choosable = true;
    content.letter = QStringLiteral("a");
    panel.showContent(content);
    panel.showState({});
    show(panel, {440, 420});
    ASSERT_TRUE(waitFor([&panel] { return panel.view()->isComplete(); }));
    expectLike("compare_panel", panel);
}

TEST_F(WidgetPicture, InspectorOfASink) {
    Inspector inspector;
    inspector.setDiagnosis(fakeDiagnosis(fakeProbes(8)), [](std::size_t) { return true; });
    inspector.showHead(refOf(1, 1), resultOf(1, 1), *tokens(),
                       {AttentionKind::Self, kLayers, kHeads, kHeads, 16, false});
    show(inspector, {300, 520});
    expectLike("inspector", inspector);
}

/// The same pictures where a pixel of the layout is two of the screen. The ratio is of the whole program.
TEST(WidgetPictures, AreAlikeAtTwiceTheDots) {
    if (qRound(qApp->devicePixelRatio()) != 1) GTEST_SKIP() << "this is it";
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HEADSCOPE_TEST_SCALE"), QStringLiteral("2"));
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QCoreApplication::applicationFilePath(),
                  {QStringLiteral("--gtest_filter=WidgetPicture.*:CardPicture.*")});
    ASSERT_TRUE(program.waitForFinished(300000));
    const QString said = QString::fromUtf8(program.readAll());
    EXPECT_EQ(program.exitCode(), 0) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("[  PASSED  ] 6 tests"))) << said.toStdString();
}

} // namespace
} // namespace headscope::ui::test
