// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/export_data.h"
#include "core/analysis/export_json.h"
#include "core/analysis/export_part.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <numeric>

namespace headscope::test {
namespace {

/// 5 x 6, cell (i, j) = 10 i + j; row i sees keys 0 to i + 1, as a causal map with an offset of one.
class StairMap final : public HeadMap {
  public:
    Extent extent() const override { return {5, 6}; }
    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        for (std::int64_t i = 0; i < rows.size(); ++i)
            for (std::int64_t j = 0; j < columns.size(); ++j)
                out.at(i, j) = static_cast<float>(10 * (rows.begin + i) + columns.begin + j);
    }
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override { out = {{0, row + 2}}; }
};

TEST(SelectedMap, HoldsTheChosenCells) {
    const auto map = selectedMap(std::make_shared<StairMap>(), {0, 2, 3, 4}, {1, 2, 5});
    EXPECT_EQ(map->extent(), (Extent{4, 3}));
    EXPECT_EQ(map->row(0), (std::vector<float>{1, 2, 5}));
    EXPECT_EQ(map->row(1), (std::vector<float>{21, 22, 25}));
    EXPECT_EQ(map->column(2), (std::vector<float>{5, 25, 35, 45}));
    std::vector<float> part(4, -1.0F);
    map->tile({1, 3}, {1, 3}, {part.data(), 2, 2});
    EXPECT_EQ(part, (std::vector<float>{22, 25, 32, 35}));
}

TEST(SelectedMap, KeepsWhatIsVisible) {
    const auto map = selectedMap(std::make_shared<StairMap>(), {0, 3, 4}, {1, 4, 5});
    std::vector<Span> spans;
    map->visibleSpans(0, spans);
    EXPECT_EQ(spans, (std::vector<Span>{{0, 1}})); // keys 0 and 1, of which 1 is left
    map->visibleSpans(1, spans);
    EXPECT_EQ(spans, (std::vector<Span>{{0, 2}}));
    map->visibleSpans(2, spans);
    EXPECT_EQ(spans, (std::vector<Span>{{0, 3}}));
}

TEST(SelectedMap, JoinsWhatWasApart) {
    /// Sees keys 0, 1 and 4, 5.
    class Gap final : public HeadMap {
      public:
        Extent extent() const override { return {1, 6}; }
        void tile(Span, Span, MatrixView<float>) const override {}
        void visibleSpans(std::int64_t, std::vector<Span>& out) const override { out = {{0, 2}, {4, 6}}; }
    };
    std::vector<Span> spans;
    selectedMap(std::make_shared<Gap>(), {0}, {0, 1, 4, 5})->visibleSpans(0, spans);
    EXPECT_EQ(spans, (std::vector<Span>{{0, 4}}));
    selectedMap(std::make_shared<Gap>(), {0}, {2, 3})->visibleSpans(0, spans);
    EXPECT_TRUE(spans.empty());
}

std::shared_ptr<const Analysis> tinyAnalysis() {
    static const std::shared_ptr<const Analysis> analysis = [] {
        const auto model = openModel(dataPath("models/tiny-bert"), {DeviceChoice::Cpu}, CancelToken(), {});
        TextInput input;
        input.text = "the cat said";
        return analyse({model, input}, {}, CancelToken());
    }();
    return analysis;
}

HeadRef headAt(int layer, int head) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(head)};
}

TEST(ExportPart, ResolvesRangesAndSpecialTokens) {
    const ExportPart whole = resolvePart(tinyAnalysis(), {.heads = {headAt(1, 2)}});
    EXPECT_EQ(whole.axes.queries.positions, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(whole.map(0), tinyAnalysis()->find(headAt(1, 2))->map); // not copied
    const ExportPart part = resolvePart(tinyAnalysis(), {.heads = {headAt(1, 2)},
                                                         .view = {.hideSpecial = true},
                                                         .part = {.rows = Span{0, 3}, .columns = {}}});
    EXPECT_EQ(part.axes.queries.positions, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(part.axes.keys.positions, (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(part.axes.keys.axis->entries.at(2).piece, "said");
    EXPECT_EQ(part.map(0)->cell(1, 2), whole.map(0)->cell(2, 3));
}

TEST(ExportPart, SaysWhatIsOutOfRange) {
    const auto sentence = [](const PartRequest& request) {
        return sentenceOf([&] { resolvePart(tinyAnalysis(), request); });
    };
    EXPECT_EQ(sentence({.heads = {headAt(3, 0)}}),
              "head 3.0: there is no such head, the model has layers 0 to 2 and heads 0 to 3.");
    EXPECT_EQ(sentence({.heads = {headAt(0, 0)}, .part = {.rows = Span{2, 6}, .columns = {}}}),
              "rows: 2:6 was asked for, there are 5 tokens, hence 0:5 at most.");
    EXPECT_EQ(sentence({.heads = {headAt(0, 0)},
                        .view = {.hideSpecial = true},
                        .part = {.rows = {}, .columns = Span{4, 5}}}),
              "columns: only special tokens are in this part, and they are hidden; leave out --hide-special "
              "or give "
              "a longer text.");
}

TEST(ExportPart, StatisticsFollowWhatIsLeft) {
    const PartRequest request = {.heads = {headAt(0, 1)}, .part = {.rows = Span{0, 3}, .columns = {}}};
    const ExportPart cut = resolvePart(tinyAnalysis(), request);
    const RangeStatistics& whole = tinyAnalysis()->find(headAt(0, 1))->range;
    EXPECT_EQ(cut.statistics(0).maximum, whole.maximum); // the colours of the whole
    PartRequest hidden = request;
    hidden.part.rows.reset();
    hidden.view.hideSpecial = true;
    const ExportPart left = resolvePart(tinyAnalysis(), hidden);
    float largest = 0.0F;
    for (std::int64_t i = 0; i < 3; ++i)
        for (const float weight : left.map(0)->row(i)) largest = std::max(largest, weight);
    EXPECT_EQ(left.statistics(0).maximum, largest);
    EXPECT_EQ(left.statistics(0).evenWeight, whole.evenWeight);
}

TEST(ExportData, CsvFieldsAreQuotedWhereTheyMustBe) {
    EXPECT_EQ(csvField("plain text"), "plain text");
    EXPECT_EQ(csvField(","), "\",\"");
    EXPECT_EQ(csvField("\""), "\"\"\"\"");
    EXPECT_EQ(csvField("a\nb"), "\"a\nb\"");
}

TEST(ExportData, StripsCoverAllRowsInOrder) {
    const StoredMap map({1000, 3000}, std::vector<float>(3'000'000, 0.5F));
    std::int64_t next = 0;
    forEachStrip(map, CancelToken(), [&](Span rows, MatrixView<const float> weights) {
        EXPECT_EQ(rows.begin, next);
        EXPECT_EQ(weights.rows, rows.size());
        EXPECT_EQ(weights.columns, 3000);
        EXPECT_EQ(weights.at(rows.size() - 1, 2999), 0.5F);
        next = rows.end;
    });
    EXPECT_EQ(next, 1000);
    const CancelToken cancelled;
    cancelled.cancel();
    EXPECT_EQ(
        sentenceOf([&] { forEachStrip(map, cancelled, [](Span, MatrixView<const float>) { FAIL(); }); }),
        "cancelled.");
}

TEST(ExportJson, CompactFormIsOneLineAndTouchesNoString) {
    JsonWriter json;
    json.beginObject();
    json.member("a\n b", "x,\n  y");
    json.key("list");
    json.beginArray();
    json.value(1);
    json.value(2);
    json.endArray();
    json.endObject();
    EXPECT_EQ(compactJson(json.finish()), R"({"a\n b": "x,\n  y", "list": [1, 2]})");
}

} // namespace
} // namespace headscope::test
