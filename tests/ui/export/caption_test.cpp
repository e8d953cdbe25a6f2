// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/support/sentence_of.h"
#include "tests/ui/export/export_support.h"
#include "tests/ui/print_qt.h"
#include "ui/export/caption.h"
#include "ui/export/export_job.h"
#include "ui/export/map_table.h"
#include "ui/export/picture_writer.h"

#include <QImage>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

using headscope::test::readBytes;
using headscope::test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kText =
    "“The animal did not cross the street: it was \"too\" <tired> & small, see.” (23 tokens)";
const char* const kAxes =
    " Rows are the tokens that read (queries), columns the tokens that are read (keys).";

Picture pictureFor(const MapView& view, const FigureOptions& figure,
                   std::vector<HeadRef> heads = {headAt(1, 2)}, const ShownPart& part = {}) {
    return headsPicture(resolvePart(tinyAnalysis(), {.heads = std::move(heads), .view = view, .part = part}),
                        figure);
}
std::string captionFor(const MapView& view, const FigureOptions& figure = {},
                       std::vector<HeadRef> heads = {headAt(1, 2)}, const ShownPart& part = {}) {
    return pictureFor(view, figure, std::move(heads), part).caption.toStdString();
}
std::vector<HeadRef> layerOne() {
    return headsOfLayer(tinyAnalysis()->model->spec(), AttentionKind::Self, LayerIndex(1));
}
FigureOptions fixedRange() {
    FigureOptions options;
    options.range = {.mode = RangeMode::Fixed, .low = 0.0F, .high = 1.0F};
    return options;
}

/// The upper end of the automatic range, from the cells: nearest rank of 95% of the row maxima without key 0,
/// at least four times the even weight.
float upperEnd(const HeadMap& map) {
    const std::int64_t n = map.extent().rows;
    std::vector<float> maxima;
    for (std::int64_t i = 0; i < n; ++i) {
        float most = 0.0F;
        for (std::int64_t j = 1; j < n; ++j) most = std::max(most, map.cell(i, j));
        maxima.push_back(most);
    }
    std::sort(maxima.begin(), maxima.end());
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(n)));
    return std::min(1.0F, std::max(maxima[rank - 1], 4.0F / static_cast<float>(n)));
}

TEST(Caption, SaysModelTextHeadAxesScaleAndRange) {
    EXPECT_EQ(captionFor({}, fixedRange()),
              fmt::format("Attention weights of head 1.2 of tiny-bert for {}.{} Colour scale viridis, 0 to 1 "
                          "(fixed).",
                          kText, kAxes));
}

TEST(Caption, NumbersOfTheAutomaticRangeAreExact) {
    const HeadMap& map = *tinyAnalysis()->find(headAt(1, 2))->map;
    float largest = 0.0F;
    for (std::int64_t i = 0; i < map.extent().rows; ++i)
        for (std::int64_t j = 0; j < map.extent().columns; ++j) largest = std::max(largest, map.cell(i, j));
    const float end = upperEnd(map);
    const std::string clipped =
        largest > end ? fmt::format("; larger weights have the colour of its end, the largest is {}", largest)
                      : std::string();
    EXPECT_THAT(captionFor({}),
                HasSubstr(fmt::format(" Colour scale viridis, 0 to {} (automatic: the 95th percentile of the "
                                      "row maxima without the first key, at least four times the even "
                                      "weight){}.",
                                      end, clipped)));
}

TEST(Caption, SaysEveryViewRangeAndColourMap) {
    EXPECT_THAT(captionFor({.heads = HeadsShown::Mean}, {}, layerOne()),
                HasSubstr("Attention weights (mean over the 4 heads of layer 1) of tiny-bert"));
    EXPECT_THAT(captionFor({.heads = HeadsShown::Largest}, {}, layerOne()),
                HasSubstr("Attention weights (largest over the 4 heads of layer 1) of"));
    EXPECT_THAT(
        captionFor({.heads = HeadsShown::Rollout}, {}, layerOne()),
        HasSubstr("Attention rollout to layer 1 (the mean maps of all layers up to it, each half of it "
                  "with half of the identity, multiplied) of tiny-bert"));
    EXPECT_THAT(captionFor({.valueWeighted = true}), HasSubstr("each times the norm of what its key gives"));
    EXPECT_THAT(captionFor({.words = true}), HasSubstr("Tokens are put together by words"));
    EXPECT_THAT(captionFor({.hideSpecial = true}), HasSubstr("Special tokens are left out"));
    EXPECT_THAT(captionFor({.hideFirst = true}),
                ::testing::AllOf(HasSubstr("The first key is masked; the other weights are as they were."),
                                 HasSubstr("Grey cells are masked")));
    FigureOptions options;
    options.colormap = Colormap::Cividis;
    options.range.mode = RangeMode::PerRow;
    EXPECT_THAT(captionFor({}, options),
                HasSubstr("Colour scale cividis, each row from 0 to its own largest weight."));
    options.range.mode = RangeMode::Log;
    EXPECT_THAT(captionFor({}, options), HasSubstr("logarithmic, 0.0001 to 1."));
    options.range = {.mode = RangeMode::Fixed, .low = 0.125F, .high = 0.3F};
    EXPECT_THAT(captionFor({}, options), HasSubstr("0.125 to 0.3 (fixed); larger weights have the colour"));
    options.yLabel = QStringLiteral("Target Sequence");
    EXPECT_THAT(captionFor({}, options), HasSubstr("(keys); rows are named “Target Sequence”."));
}

TEST(Caption, SaysWhichPartAndWhichLetterIsWhichHead) {
    EXPECT_THAT(captionFor({}, {}, {headAt(1, 2)}, {Span{2, 5}, std::nullopt}),
                HasSubstr(" Shown: rows 2 to 4 of 23, counted from 0."));
    const std::string two = captionFor({}, {}, {headAt(1, 2), headAt(0, 3)});
    EXPECT_THAT(two, HasSubstr("Attention weights of (a) head 1.2, (b) head 0.3 of tiny-bert for"));
    EXPECT_THAT(two, HasSubstr(fmt::format(": (a) {}", upperEnd(*tinyAnalysis()->find(headAt(1, 2))->map))));
    EXPECT_THAT(two, HasSubstr(fmt::format(", (b) {}", upperEnd(*tinyAnalysis()->find(headAt(0, 3))->map))));
}

TEST(Caption, SaysWhatTheBarsAre) {
    FigureOptions options = fixedRange();
    EXPECT_THAT(captionFor({}, options), Not(HasSubstr("Bars")));
    options.margins = true;
    const std::int64_t tokens = tinyAnalysis()->text.axis->size();
    EXPECT_THAT(captionFor({}, options),
                HasSubstr(fmt::format("how widely each row spreads over the keys shown, 0 to {} nats",
                                      std::log(static_cast<double>(tokens)))));
    EXPECT_THAT(captionFor({}, options, layerOne()), HasSubstr("Bars at the right of each map"));
    EXPECT_TRUE(parseJson(pictureFor({}, options).facts, "facts").find("picture")->find("margins")->asBool());
}

TEST(Caption, SaysWhereADotIsSeveralCells) {
    FigureOptions small;
    small.dpi = 36;
    small.widthMm = 20.0;
    EXPECT_THAT(captionFor({}, small), HasSubstr("A dot of the picture shows the largest of its cells."));
    small.pooling = Pooling::Mean;
    EXPECT_THAT(captionFor({}, small), HasSubstr("A dot of the picture shows the mean of its cells."));
    EXPECT_THAT(captionFor({}), Not(HasSubstr("A dot of the picture")));
}

TEST(Caption, OfAComparisonAndOfTheGrid) {
    const HeadComparison comparison =
        compareHeads({tinyAnalysis(), headAt(0, 1)}, {tinyAnalysis(), headAt(2, 3)}, 10, {});
    const std::string two = comparisonPicture(comparison, fixedRange()).caption.toStdString();
    EXPECT_THAT(two, HasSubstr("Attention weights of (a) head 0.1 of tiny-bert for “The animal"));
    EXPECT_THAT(two, HasSubstr("(b) head 2.3 of tiny-bert for"));
    EXPECT_THAT(two, HasSubstr("Colour scale viridis, 0 to 1 (fixed)."));
    const auto largest = static_cast<float>(comparison.numbers.largest);
    EXPECT_THAT(
        two, HasSubstr(fmt::format("(c) the weight of a less that of b, colour scale diverging, -{0} to {0}.",
                                   largest)));
    EXPECT_THAT(gridPicture(*tinyAnalysis(), AttentionKind::Self, {}).caption.toStdString(),
                HasSubstr("Attention weights of all heads of tiny-bert for “The animal"));
}

TEST(Caption, OfAComparisonOfViewsSaysThemOfTheirSide) {
    const auto captionOf = [](const MapView& first, const MapView& second) {
        return comparisonPicture(compareHeads({tinyAnalysis(), headAt(0, 1), first},
                                              {tinyAnalysis(), headAt(2, 3), second}, 10, {}),
                                 fixedRange())
            .caption.toStdString();
    };
    const std::string mean = captionOf({.heads = HeadsShown::Mean, .words = true}, {.words = true});
    EXPECT_THAT(mean, HasSubstr("Attention weights of (a) mean of heads 0.0, 0.1, 0.2, 0.3, of tiny-bert"));
    EXPECT_THAT(mean, HasSubstr("(b) head 2.3 of tiny-bert"));
    EXPECT_THAT(mean, HasSubstr(" Tokens are put together by words:")) << "once, of both";
    const std::string units = captionOf({.valueWeighted = true}, {.hideFirst = true});
    EXPECT_THAT(units,
                HasSubstr("(a) head 0.1 (each weight times the norm of what its key gives, no shares of 1)"));
    EXPECT_THAT(units, HasSubstr("(b) The first key is masked"));
    EXPECT_THAT(units, HasSubstr("there is nothing to subtract"));
    const std::string rollout = captionOf({.heads = HeadsShown::Rollout}, {});
    EXPECT_THAT(rollout, HasSubstr("Attention of (a) rollout to layer 0, of tiny-bert"));
    EXPECT_THAT(rollout, HasSubstr("A rollout is the mean maps of all layers up to it"));
}

TEST(Caption, LettersGoOnAfterZ) {
    EXPECT_EQ(letterOf(0), QStringLiteral("(a)"));
    EXPECT_EQ(letterOf(25), QStringLiteral("(z)"));
    EXPECT_EQ(letterOf(26), QStringLiteral("(aa)"));
    EXPECT_EQ(letterOf(26 + 26 * 26), QStringLiteral("(aaa)"));
}

TEST(PictureMetadata, StandsInEveryFormat) {
    const TemporaryFolder place;
    FigureOptions options = fixedRange();
    options.colormap = Colormap::Magma;
    const Picture picture = pictureFor({.words = true, .hideFirst = true}, options);
    const Json facts = parseJson(picture.facts, "facts");
    EXPECT_EQ(facts.find("model")->asString(), "tiny-bert");
    EXPECT_EQ(facts.find("text")->asString(), tinyAnalysis()->input.text);
    EXPECT_EQ(facts.find("heads")->items().front().asString(), "1.2");
    EXPECT_TRUE(facts.find("view")->find("words")->asBool());
    EXPECT_TRUE(facts.find("view")->find("hide_first")->asBool());
    EXPECT_FALSE(facts.find("view")->find("hide_special")->asBool());
    EXPECT_EQ(facts.find("picture")->find("range")->asString(), "0:1");
    EXPECT_EQ(facts.find("picture")->find("colormap")->asString(), "magma");
    EXPECT_EQ(facts.find("picture")->find("dpi")->asInteger(), 300);

    writePicture(picture, PictureFormat::Png, 100, place / "a.png");
    const QImage image(QString::fromStdString((place / "a.png").string()));
    EXPECT_EQ(image.text(QStringLiteral("headscope")).toStdString(), picture.facts);
    EXPECT_EQ(image.text(QStringLiteral("Description")), picture.caption);
    EXPECT_EQ(image.text(QStringLiteral("Title")), picture.title);
    writePicture(picture, PictureFormat::Svg, 100, place / "a.svg");
    const std::string svg = readBytes(place / "a.svg");
    EXPECT_THAT(svg, HasSubstr("<desc>Attention weights of head 1.2 of tiny-bert for “The animal"));
    EXPECT_THAT(svg, HasSubstr("<metadata>{&quot;headscope&quot;: "));
    writePicture(picture, PictureFormat::Pdf, 100, place / "a.pdf");
    const std::string pdf = readBytes(place / "a.pdf");
    EXPECT_THAT(pdf, HasSubstr("<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">Attention weights of "
                               "head 1.2 of tiny-bert"));
    EXPECT_THAT(pdf, HasSubstr("<headscope:facts>{&quot;headscope&quot;: "));
    EXPECT_THAT(pdf, HasSubstr("&lt;tired&gt; &amp; small"));
}

TEST(PictureMetadata, ABackgroundIsPaintedOrNot) {
    FigureOptions options;
    options.transparent = true;
    for (const auto& heads : {std::vector<HeadRef>{headAt(1, 2)}, layerOne()}) {
        const QImage image = renderPicture(pictureFor({}, options, heads), 96, QStringLiteral("a.png"));
        ASSERT_TRUE(image.hasAlphaChannel());
        EXPECT_EQ(image.pixelColor(0, 0).alpha(), 0);
        int opaque = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) opaque += qAlpha(image.pixel(x, y)) == 255 ? 1 : 0;
        EXPECT_GT(opaque, image.width() * image.height() / 10) << "the map itself is painted";
    }
    const TemporaryFolder place;
    writePicture(pictureFor({}, options), PictureFormat::Svg, 96, place / "a.svg");
    writePicture(pictureFor({}, {}), PictureFormat::Svg, 96, place / "b.svg");
    const auto backgrounds = [&](const char* name) {
        const std::string svg = readBytes(place / name);
        return svg.substr(0, svg.find("aria-label")).find("fill=\"#ffffff\"") != std::string::npos;
    };
    EXPECT_FALSE(backgrounds("a.svg"));
    EXPECT_TRUE(backgrounds("b.svg"));
}

TEST(PictureSize, ThePresetOfTheArticlesIsTenByEightInches) {
    FigureOptions options;
    options.widthMm = 254.0;
    options.heightMm = 203.2;
    const Picture picture = pictureFor({}, options);
    EXPECT_NEAR(picture.size.width(), 720.0, 0.01);
    EXPECT_NEAR(picture.size.height(), 576.0, 0.01);
    EXPECT_EQ(pixelSize(picture, 100), QSize(1000, 800));
}

TEST(MapTable, HasTokensAndExactWeights) {
    const ExportPart part =
        resolvePart(tinyAnalysis(), {.heads = {headAt(1, 2)}, .part = {Span{0, 2}, Span{11, 13}}});
    const HeadMap& map = *tinyAnalysis()->find(headAt(1, 2))->map;
    const auto label = [](std::size_t i) { return tinyAnalysis()->text.axis->entries[i].label; };
    ASSERT_EQ(label(11), "\"");
    EXPECT_EQ(mapTable(part, 0, {}),
              fmt::format("\t\"\"\"\"\t{}\n{}\t{}\t{}\n{}\t{}\t{}\n", label(12), label(0), map.cell(0, 11),
                          map.cell(0, 12), label(1), map.cell(1, 11), map.cell(1, 12)));
}

TEST(MapTable, IsRefusedWhereItIsTooLargeForAClipboard) {
    ExportPart part = resolvePart(tinyAnalysis(), {.heads = {headAt(1, 2)}});
    Axis many;
    many.entries.resize(1001);
    part.axes.queries.axis = part.axes.keys.axis = std::make_shared<const Axis>(many);
    EXPECT_EQ(headscope::test::sentenceOf([&] { mapTable(part, 0, {}); }),
              "table: the map has 1001 x 1001 = 1002001 cells, at most 1000000 are copied; export it as CSV, "
              "or a part "
              "of it.");
}

TEST(Caption, PicturesFromQuantisedWeightsAreLabelledSo) {
    auto model = std::make_shared<OpenModel>(*tinyAnalysis()->model);
    model->checkpoint.quantisation = "Q4_K";
    model->name = "tiny (quantised weights: Q4_K)";
    auto analysis = std::make_shared<Analysis>(*tinyAnalysis());
    analysis->model = model;
    const auto pictureOf = [&](const std::vector<HeadRef>& heads) {
        return headsPicture(resolvePart(analysis, {.heads = heads, .view = {}, .part = {}}), {});
    };
    const Picture one = pictureOf({headAt(1, 2)});
    EXPECT_EQ(one.title, "Head 1.2 · from quantised weights");
    EXPECT_THAT(one.caption.toStdString(), HasSubstr("of tiny (quantised weights: Q4_K) for"));
    EXPECT_EQ(pictureFor({}, {}).title, "Head 1.2");
}

} // namespace
} // namespace headscope::ui::test
