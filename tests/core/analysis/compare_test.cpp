// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const kText = "the cat sat on the matting.";

HeadRef head(int layer, int number) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(number)};
}

/// Two models with other vocabularies, on the same and on other texts.
class Compare : public testing::Test {
  protected:
    std::shared_ptr<const OpenModel> bert =
        openModel(test::dataPath("models/tiny-bert"), DeviceChoice::Cpu, {}, {});
    std::shared_ptr<const OpenModel> words = openModel("demo:constructed", DeviceChoice::Cpu, {}, {});

    static std::shared_ptr<const Analysis> pass(const std::shared_ptr<const OpenModel>& model,
                                                const std::string& text) {
        TextInput input;
        input.text = text;
        return analyse({model, input}, {}, {});
    }
    static HeadComparison compare(const ComparedSide& first, const ComparedSide& second) {
        return compareHeads(first, second, 3, CancelToken());
    }
};

TEST_F(Compare, TwoHeadsOfATextLieTokenByToken) {
    const auto analysis = pass(bert, kText);
    const HeadComparison result = compare({analysis, head(0, 0)}, {analysis, head(1, 1)});
    EXPECT_EQ(result.alignment, Alignment::Tokens);
    EXPECT_THAT(result.note, IsEmpty());
    ASSERT_NE(result.difference, nullptr);
    EXPECT_EQ(result.difference->extent(), result.maps[0].map->extent());
    EXPECT_EQ(result.difference->cell(2, 3), result.maps[0].map->cell(2, 3) - result.maps[1].map->cell(2, 3));
    EXPECT_GT(result.numbers.rows, 0);
    EXPECT_GT(result.numbers.divergence, 0.0);
    EXPECT_EQ(result.numbers.farthest.size(), 3U);
}

TEST_F(Compare, TheSameHeadTwiceIsNoDifference) {
    const auto analysis = pass(bert, kText);
    const HeadComparison result = compare({analysis, head(1, 0)}, {analysis, head(1, 0)});
    EXPECT_EQ(result.numbers.divergence, 0.0);
    EXPECT_EQ(result.numbers.largest, 0.0);
}

TEST_F(Compare, OtherTextsOfOneLengthLieByPositionAndThatIsSaid) {
    const HeadComparison result =
        compare({pass(bert, "the cat sat"), head(0, 0)}, {pass(bert, "the dog sat"), head(0, 0)});
    EXPECT_EQ(result.alignment, Alignment::Tokens);
    EXPECT_THAT(result.note, HasSubstr("The texts differ"));
}

TEST_F(Compare, OtherLengthsCannotBeSubtracted) {
    const HeadComparison result =
        compare({pass(bert, "the cat"), head(0, 0)}, {pass(bert, kText), head(0, 0)});
    EXPECT_EQ(result.alignment, Alignment::None);
    EXPECT_EQ(result.difference, nullptr);
    EXPECT_THAT(result.note, HasSubstr("The maps have 4 tokens and 15 tokens"));
    EXPECT_EQ(result.maps[1].map->extent().rows, 15) << "each is still there";
}

TEST_F(Compare, OtherTokenizersLieWordByWord) {
    const auto first = pass(bert, kText);
    const HeadComparison result = compare({first, head(0, 1)}, {pass(words, kText), head(0, 1)});
    ASSERT_EQ(result.alignment, Alignment::Words) << result.note;
    EXPECT_THAT(result.note, HasSubstr("words are compared"));
    std::vector<std::string> labels;
    for (const AxisEntry& word : result.maps[0].keys->entries) labels.push_back(word.label);
    EXPECT_THAT(labels, ElementsAre("the", "cat", "sat", "on", "the", "matting", "."));
    EXPECT_EQ(result.maps[1].map->extent(), (Extent{7, 7}));
    // "sat" are the tokens 3 to 5 of the first model, "cat" is its token 2.
    const HeadMap& map = *first->find(head(0, 1))->map;
    double sum = 0.0;
    for (std::int64_t query = 3; query <= 5; ++query) sum += map.cell(query, 2);
    EXPECT_FLOAT_EQ(result.maps[0].map->cell(2, 1), static_cast<float>(sum / 3.0));
    sum = 0.0;
    for (std::int64_t key = 3; key <= 5; ++key) sum += map.cell(2, key);
    EXPECT_FLOAT_EQ(result.maps[0].map->cell(1, 2), static_cast<float>(sum));
    EXPECT_GT(result.maps[0].statistics.maximum, 0.0F);
}

TEST_F(Compare, AHeadThatTheModelDoesNotHaveIsNamed) {
    const auto analysis = pass(bert, kText);
    EXPECT_THROW(compare({analysis, head(0, 0)}, {analysis, head(7, 0)}), Error);
}

} // namespace
} // namespace headscope
