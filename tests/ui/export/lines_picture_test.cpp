// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/support/sentence_of.h"
#include "tests/ui/export/export_support.h"
#include "tests/ui/print_qt.h"
#include "ui/export/lines_picture.h"
#include "ui/export/picture_writer.h"
#include "ui/reading/line_colors.h"

#include <QImage>

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

using headscope::test::readBytes;
using headscope::test::sentenceOf;
using headscope::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The scale from 0 to a weight that is so small that every line has its whole colour.
FigureOptions wholeColours() {
    FigureOptions options;
    options.range = {.mode = RangeMode::Fixed, .low = 0.0F, .high = 0.001F};
    return options;
}
ExportPart part(std::vector<HeadRef> heads = {headAt(1, 2)}, const MapView& view = {},
                const ShownPart& shown = {}) {
    return resolvePart(tinyAnalysis(), {.heads = std::move(heads), .view = view, .part = shown});
}
const HeadMap& mapAt(int layer, int head) {
    return *tinyAnalysis()->find(headAt(layer, head))->map;
}
/// All weights between two spans, the largest first.
std::vector<float> weightsOf(const HeadMap& map, Span rows, Span columns) {
    std::vector<float> weights;
    for (std::int64_t i = rows.begin; i < rows.end; ++i)
        for (std::int64_t j = columns.begin; j < columns.end; ++j)
            if (map.cell(i, j) > 0.0F) weights.push_back(map.cell(i, j));
    std::sort(weights.rbegin(), weights.rend());
    return weights;
}
int dotsOf(const QImage& image, const QColor& color) {
    int dots = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) dots += image.pixel(x, y) == color.rgb() ? 1 : 0;
    return dots;
}
QImage imageOf(const Picture& picture) {
    return renderPicture(picture, 200, QStringLiteral("a.png"));
}
constexpr Span kAll{0, 23};

TEST(LinesPicture, HasTheSizeAskedForAndARowForEveryToken) {
    FigureOptions options;
    options.widthMm = 85.0;
    const Picture narrow = linesPicture(part(), {}, options);
    EXPECT_NEAR(narrow.size.width(), 85.0 / 25.4 * 72.0, 0.01);
    EXPECT_EQ(narrow.title, QStringLiteral("Head 1.2"));
    const Picture few = linesPicture(part({headAt(1, 2)}, {}, {Span{2, 12}, Span{0, 8}}), {}, options);
    const Picture fewer = linesPicture(part({headAt(1, 2)}, {}, {Span{2, 7}, Span{0, 5}}), {}, options);
    // Five rows of the taller column: letters of 13 with 4 between, or a little more, in letters of 8 points.
    const double row = (few.size.height() - fewer.size.height()) / 5.0;
    EXPECT_GT(row, 17.0 * 8.0 / 13.0);
    EXPECT_LT(row, 24.0 * 8.0 / 13.0);
}

TEST(LinesPicture, LinesHaveTheColoursOfTheirHeads) {
    const auto& colors = lineColors(HeatmapTheme::lightTheme());
    const DrawnLines most{.rule = {1, 0.0F}, .followed = {}, .colors = {}};
    const QImage none =
        imageOf(linesPicture(part(), {.rule = {0, 2.0F}, .followed = {}, .colors = {}}, wholeColours()));
    const QImage one = imageOf(linesPicture(part(), most, wholeColours()));
    EXPECT_GT(dotsOf(one, colors[0]), dotsOf(none, colors[0]) + 500)
        << "the line, beside the end of the scale";
    EXPECT_EQ(dotsOf(one, colors[1]), 0);
    const DrawnLines all{.rule = {0, 0.0F}, .followed = {}, .colors = {}};
    const QImage two = imageOf(linesPicture(part({headAt(1, 2), headAt(1, 0)}), all, wholeColours()));
    EXPECT_GT(dotsOf(two, colors[0]), 500);
    EXPECT_GT(dotsOf(two, colors[1]), 500);
    const DrawnLines kept{.rule = {0, 0.0F}, .followed = {}, .colors = {3, 1}};
    const QImage others = imageOf(linesPicture(part({headAt(1, 2), headAt(1, 0)}), kept, wholeColours()));
    EXPECT_EQ(dotsOf(others, colors[0]), 0) << "those that they have on screen";
    EXPECT_GT(dotsOf(others, colors[3]), 500);
}

TEST(LinesPicture, SaysHowManyLinesThereAreAndWhichWeightsAreLeftOut) {
    const std::vector<float> weights = weightsOf(mapAt(1, 2), kAll, kAll);
    const auto captionOf = [](const LineRule& rule) {
        return linesPicture(part(), {.rule = rule, .followed = {}, .colors = {}}, wholeColours())
            .caption.toStdString();
    };
    EXPECT_THAT(captionOf({7, 0.0F}),
                AllOf(HasSubstr("Attention weights of head 1.2 of tiny-bert for “The animal did not"),
                      HasSubstr(fmt::format(
                          "Drawn are the 7 largest weights, down to {}; {} smaller ones are left out.",
                          weights[6], weights.size() - 7)),
                      HasSubstr("The larger its weight, the stronger a line: 0 to 0.001 (fixed); larger "
                                "weights are drawn as its end")));
    const auto strong = std::count_if(weights.begin(), weights.end(), [](float w) { return w >= 0.125F; });
    EXPECT_THAT(
        captionOf({0, 0.125F}),
        HasSubstr(fmt::format("Drawn are the {} weights of at least 0.125; {} smaller ones are left out.",
                              strong, static_cast<std::int64_t>(weights.size()) - strong)));
    EXPECT_THAT(captionOf({0, 0.0F}),
                HasSubstr(fmt::format("All {} weights above 0 are drawn.", weights.size())));
}

TEST(LinesPicture, OneTokenAloneAndAPartOfTheTokens) {
    const Picture row =
        linesPicture(part(), {.rule = {}, .followed = FollowedToken{false, 2}, .colors = {}}, {});
    EXPECT_EQ(row.title, QStringLiteral("Head 1.2: what “animal” reads"));
    EXPECT_THAT(
        row.caption.toStdString(),
        AllOf(HasSubstr("Only those from “animal” (token 2) are drawn."),
              HasSubstr(fmt::format("All {} weights above 0", weightsOf(mapAt(1, 2), {2, 3}, kAll).size()))));
    const Picture column = linesPicture(part({headAt(1, 2), headAt(1, 0)}),
                                        {.rule = {}, .followed = FollowedToken{true, 0}, .colors = {}}, {});
    EXPECT_EQ(column.title, QStringLiteral("Heads 1.2, 1.0: who reads [CLS]"));
    const Picture some = linesPicture(part({headAt(1, 2)}, {}, {Span{2, 5}, Span{0, 4}}),
                                      {.rule = {0, 0.0F}, .followed = {}, .colors = {}}, {});
    EXPECT_THAT(some.caption.toStdString(),
                AllOf(HasSubstr("Shown: rows 2 to 4 of 23, counted from 0; columns 0 to 3 of 23"),
                      HasSubstr(fmt::format("All {} weights above 0",
                                            weightsOf(mapAt(1, 2), {2, 5}, {0, 4}).size()))));
}

TEST(LinesPicture, FactsSayWhatIsDrawn) {
    const Picture picture =
        linesPicture(part({headAt(1, 2), headAt(1, 0)}, {}, {Span{2, 5}, std::nullopt}),
                     {.rule = {0, 0.05F}, .followed = FollowedToken{false, 3}, .colors = {}}, {});
    const Json facts = parseJson(picture.facts, "facts");
    EXPECT_EQ(facts.find("subject")->asString(), "lines");
    EXPECT_EQ(facts.find("heads")->items()[1].asString(), "1.0");
    EXPECT_EQ(facts.find("rows")->items()[0].asInteger(), 2);
    EXPECT_EQ(facts.find("rows")->items()[1].asInteger(), 5);
    EXPECT_EQ(facts.find("query")->asInteger(), 3);
    EXPECT_EQ(facts.find("lines")->find("from")->asReal(), 0.05);
    std::int64_t strong = 0;
    for (const int head : {2, 0})
        for (std::int64_t j = 0; j < 23; ++j) strong += mapAt(1, head).cell(3, j) >= 0.05F ? 1 : 0;
    EXPECT_EQ(facts.find("lines")->find("drawn")->asInteger(), strong);
}

TEST(LinesPicture, ByWordsItIsTheMapOfTheWords) {
    const Picture words = linesPicture(part({headAt(1, 2)}, {.words = true, .hideSpecial = true}), {}, {});
    EXPECT_EQ(words.title, QStringLiteral("Head 1.2, by words, without special tokens"));
    EXPECT_THAT(words.caption.toStdString(), HasSubstr("Tokens are put together by words"));
    EXPECT_LT(words.size.height(), linesPicture(part(), {}, {}).size.height()) << "fewer rows";
}

TEST(LinesPicture, SvgKeepsLinesAndLettersAsPaths) {
    const TemporaryFolder place;
    writePicture(linesPicture(part(), {.rule = {3, 0.0F}, .followed = {}, .colors = {}}, wholeColours()),
                 PictureFormat::Svg, 300, place / "a.svg");
    const std::string svg = readBytes(place / "a.svg");
    EXPECT_EQ(svg.find("<text"), std::string::npos);
    EXPECT_THAT(svg, HasSubstr("<title>Head 1.2</title>"));
    std::size_t strokes = 0;
    const std::string accent =
        "stroke=\"" + lineColors(HeatmapTheme::lightTheme())[0].name().toStdString() + "\"";
    for (std::size_t at = svg.find(accent); at != std::string::npos; at = svg.find(accent, at + 1)) ++strokes;
    EXPECT_EQ(strokes, 3U);
}

TEST(LinesPicture, WhatCannotBeIsSaid) {
    const auto sentence = [](const ExportPart& shown, std::optional<FollowedToken> followed) {
        return sentenceOf([&] { linesPicture(shown, {.rule = {}, .followed = followed, .colors = {}}, {}); });
    };
    std::vector<HeadRef> seven;
    for (int i = 0; i < 7; ++i) seven.push_back(headAt(i / 4, i % 4));
    EXPECT_THAT(sentence(part(seven), {}), HasSubstr("lines: 7 heads were asked for, expected at most 6"));
    EXPECT_EQ(sentence(part(), FollowedToken{true, 23}),
              "token 23: there is no such token, the text has 23 tokens, hence 0 to 22.");
    EXPECT_THAT(sentence(part({headAt(1, 2)}, {.hideSpecial = true}), FollowedToken{false, 0}),
                HasSubstr("token 0: it is left out in this view"));
    EXPECT_THAT(sentence(part({headAt(1, 2)}, {}, {Span{2, 5}, std::nullopt}), FollowedToken{false, 7}),
                HasSubstr("token 7: it is not among the tokens that are shown"));
}

} // namespace
} // namespace headscope::ui::test
