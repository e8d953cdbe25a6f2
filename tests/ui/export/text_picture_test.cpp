// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sentence_of.h"
#include "tests/ui/export/export_support.h"
#include "tests/ui/print_qt.h"
#include "ui/export/picture_writer.h"
#include "ui/export/text_picture.h"

#include <QImage>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace headscope::ui::test {
namespace {

using headscope::test::readBytes;
using headscope::test::sentenceOf;
using headscope::test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::Not;

FigureOptions fixedRange() {
    FigureOptions options;
    options.range = {.mode = RangeMode::Fixed, .low = 0.0F, .high = 0.2F};
    return options;
}
ExportPart part(const MapView& view = {}, std::vector<HeadRef> heads = {headAt(1, 2)}) {
    return resolvePart(tinyAnalysis(), {.heads = std::move(heads), .view = view});
}
Picture pictureOf(const FollowedToken& followed, const FigureOptions& options = fixedRange()) {
    return textPicture(part(), followed, options);
}
std::set<QRgb> colorsIn(const Picture& picture) {
    const QImage image = renderPicture(picture, 300, QStringLiteral("a.png"));
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) colors.insert(image.pixel(x, y) | 0xff000000U);
    return colors;
}
/// The colour of a weight on a scale from 0 to 0.2.
QRgb colorOf(float weight) {
    const int bin = std::min(255, static_cast<int>(static_cast<double>(weight) / 0.2 * 256.0));
    return colorsOf(Colormap::Viridis)[static_cast<std::size_t>(bin)];
}

TEST(TextPicture, EveryTokenHasTheColourOfItsWeight) {
    const HeadMap& map = *tinyAnalysis()->find(headAt(1, 2))->map;
    const std::set<QRgb> row = colorsIn(pictureOf({false, 3}));
    const std::set<QRgb> column = colorsIn(pictureOf({true, 3}));
    for (std::int64_t i = 0; i < map.extent().rows; ++i) {
        EXPECT_TRUE(row.contains(colorOf(map.cell(3, i)))) << i << ' ' << map.cell(3, i);
        EXPECT_TRUE(column.contains(colorOf(map.cell(i, 3)))) << i << ' ' << map.cell(i, 3);
    }
}

TEST(TextPicture, HasTheSizeAskedForAndTheTitleOfTheToken) {
    FigureOptions options = fixedRange();
    options.widthMm = 85.0;
    const Picture narrow = pictureOf({false, 2}, options);
    EXPECT_NEAR(narrow.size.width(), 85.0 / 25.4 * 72.0, 0.01);
    EXPECT_EQ(narrow.title, QStringLiteral("Head 1.2: what “animal” reads"));
    EXPECT_EQ(pictureOf({true, 0}).title, QStringLiteral("Head 1.2: who reads [CLS]"));
    options.widthMm = 170.0;
    EXPECT_LT(pictureOf({false, 2}, options).size.height(), narrow.size.height()) << "fewer lines";
    options.fontSizePt = 16.0;
    EXPECT_NEAR(pictureOf({false, 2}, options).size.width(), 170.0 / 25.4 * 72.0, 0.01);
}

TEST(TextPicture, SvgHasTheWordsCaptionAndFacts) {
    const TemporaryFolder place;
    writePicture(pictureOf({false, 2}), PictureFormat::Svg, 300, place / "a.svg");
    const std::string svg = readBytes(place / "a.svg");
    EXPECT_EQ(svg.find("<text"), std::string::npos) << "letters are outlines";
    EXPECT_THAT(svg, HasSubstr("<title>Head 1.2: what “animal” reads</title>"));
    EXPECT_THAT(svg, HasSubstr("<desc>Attention weights of head 1.2 of tiny-bert for “The animal did not"));
    EXPECT_THAT(svg, HasSubstr("is the weight with which “animal” (token 2) reads it. Colour scale viridis, "
                               "0 to 0.2 (fixed)"));
    EXPECT_THAT(svg, HasSubstr("&quot;query&quot;: 2"));
    EXPECT_THAT(svg, HasSubstr("&quot;subject&quot;: &quot;text&quot;"));
}

TEST(TextPicture, GoesByTokensWhateverTheViewPutsTogether) {
    const Picture plain = pictureOf({false, 2});
    const Picture viewed =
        textPicture(part({.words = true, .hideSpecial = true, .hideFirst = true}), {false, 2}, fixedRange());
    EXPECT_EQ(plain.title, viewed.title);
    EXPECT_EQ(renderPicture(plain, 96, QString()), renderPicture(viewed, 96, QString()));
}

TEST(TextPicture, TheCaptionNamesMaskedTokensWhereThereAreSome) {
    const auto grey = HasSubstr("Tokens in grey letters have none: the mask leaves them out.");
    EXPECT_THAT(pictureOf({false, 2}).caption.toStdString(), Not(grey)) << "every token sees every other";
    const auto model = openModel("demo:constructed", {DeviceChoice::Cpu}, CancelToken(), {});
    TextInput input;
    input.text = "a b c";
    const auto causal = analyse({model, input}, {}, CancelToken());
    const std::int64_t last = causal->text.axis->size() - 1;
    const auto captionOf = [&](const FollowedToken& followed) {
        return textPicture(resolvePart(causal, {.heads = {headAt(0, 0)}}), followed, {})
            .caption.toStdString();
    };
    EXPECT_THAT(captionOf({false, 0}), grey);
    EXPECT_THAT(captionOf({false, last}), Not(grey)) << "it sees all";
    EXPECT_THAT(captionOf({true, last}), grey);
}

TEST(TextPicture, WhatIsNotThereIsSaid) {
    EXPECT_EQ(sentenceOf([] {
                  pictureOf({false, 23});
              }),
              "token 23: there is no such token, the text has 23 tokens, hence 0 to 22.");
    EXPECT_THAT(sentenceOf([] {
                    textPicture(part({}, {headAt(0, 0), headAt(0, 1)}), {false, 0}, {});
                }),
                HasSubstr("text: 2 heads were asked for, expected one head"));
}

} // namespace
} // namespace headscope::ui::test
