// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/fixed_random.h"
#include "core/analysis/probe_repeats.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

namespace headscope {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::SizeIs;
using Ids = std::vector<std::int64_t>;

Ids numbers(std::int64_t first, std::size_t count) {
    Ids ids(count);
    std::iota(ids.begin(), ids.end(), first);
    return ids;
}

/// What a row of repeats is made of, found by looking at it.
struct Shape {
    std::size_t block = 0;
    Ids gaps;
};

/// Expects four equal copies, and nothing else that comes twice.
Shape shapeOf(const Ids& ids) {
    std::map<std::int64_t, int> counts;
    for (const std::int64_t id : ids) ++counts[id];
    Shape shape;
    while (shape.block < ids.size() && counts[ids[shape.block]] == 4) ++shape.block;
    const Ids copy(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(shape.block));
    EXPECT_THAT(std::set<std::int64_t>(copy.begin(), copy.end()), SizeIs(shape.block));
    auto at = ids.begin() + static_cast<std::ptrdiff_t>(shape.block);
    while (at != ids.end()) {
        const auto next = std::search(at, ids.end(), copy.begin(), copy.end());
        if (next == ids.end()) {
            ADD_FAILURE() << "something follows the last copy";
            return shape;
        }
        for (auto filler = at; filler != next; ++filler) EXPECT_EQ(counts[*filler], 1) << *filler;
        shape.gaps.push_back(next - at);
        at = next + static_cast<std::ptrdiff_t>(shape.block);
    }
    EXPECT_THAT(shape.gaps, SizeIs(3));
    return shape;
}

TEST(FixedRandom, IsSplitMix64) {
    FixedRandom random(1234567);
    for (const std::uint64_t expected : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                         4593380528125082431U, 16408922859458223821U})
        EXPECT_EQ(random.next(), expected);
}

TEST(FixedRandom, DrawsWithinItsBounds) {
    FixedRandom random(7);
    std::vector<std::size_t> drawn(12);
    for (std::size_t& one : drawn) one = random.below(10);
    EXPECT_THAT(drawn, ElementsAre(7, 4, 6, 3, 4, 5, 8, 2, 5, 5, 3, 6));
    EXPECT_EQ(random.below(1), 0U);
    Ids ids = numbers(0, 50);
    random.draw(ids, 50);
    EXPECT_NE(ids, numbers(0, 50));
    EXPECT_THAT(ids, ::testing::UnorderedElementsAreArray(numbers(0, 50)));
}

// Expected values are those of the same steps written in Python.
TEST(ProbeRepeats, AreTheSameEverywhere) {
    EXPECT_THAT(
        *repeatedIds(numbers(1000, 1000), 38, 1),
        ElementsAreArray({1235, 1535, 1308, 1485, 1529, 1780, 1416, 1751, 1550, 1669, 1902, 1235, 1535,
                          1308, 1485, 1529, 1780, 1416, 1751, 1277, 1235, 1535, 1308, 1485, 1529, 1780,
                          1416, 1751, 1595, 1460, 1235, 1535, 1308, 1485, 1529, 1780, 1416, 1751}));
    const Shape shape = shapeOf(*repeatedIds(numbers(1000, 1000), 254, 4));
    EXPECT_EQ(shape.block, 20U);
    EXPECT_THAT(shape.gaps, ElementsAre(1, 8, 3));
}

TEST(ProbeRepeats, BlocksAndGapsVaryWithTheSeed) {
    std::set<std::size_t> blocks;
    std::set<Ids> gaps;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Shape shape = shapeOf(*repeatedIds(numbers(0, 5000), 254, seed));
        blocks.insert(shape.block);
        gaps.insert(shape.gaps);
        EXPECT_THAT(std::set<std::int64_t>(shape.gaps.begin(), shape.gaps.end()), SizeIs(3)) << seed;
        EXPECT_GE(*std::ranges::min_element(shape.gaps), 1);
        EXPECT_LE(*std::ranges::max_element(shape.gaps), 8);
    }
    EXPECT_EQ(*blocks.begin(), 10U);
    EXPECT_EQ(*blocks.rbegin(), 25U);
    EXPECT_GT(gaps.size(), 200U) << "of 336";
}

TEST(ProbeRepeats, FitIntoAnyRoomAndVocabulary) {
    for (const std::size_t words : {0U, 1U, 11U, 12U, 13U, 20U, 33U, 49U, 1000U}) {
        for (std::int64_t room = -3; room < 140; ++room) {
            const auto ids = repeatedIds(numbers(7, words), room, static_cast<std::uint64_t>(room + 5));
            ASSERT_EQ(ids.has_value(), room >= 30 && words >= 12) << room << " " << words;
            if (!ids) continue;
            EXPECT_LE(static_cast<std::int64_t>(ids->size()), room);
            EXPECT_GE(shapeOf(*ids).block, 6U);
            EXPECT_GE(*std::ranges::min_element(*ids), 7);
            EXPECT_LT(*std::ranges::max_element(*ids), 7 + static_cast<std::int64_t>(words));
        }
    }
}

/// A vocabulary by its pieces alone.
class Vocabulary : public Tokenizer {
  public:
    explicit Vocabulary(std::vector<std::string> pieces) : m_pieces(std::move(pieces)) {}
    std::vector<Token> encode(std::string_view, std::optional<std::string_view>,
                              const EncodeOptions&) const override {
        return {};
    }
    std::optional<std::string> piece(std::int64_t id) const override {
        const std::string& piece = m_pieces[static_cast<std::size_t>(id)];
        return piece.empty() ? std::nullopt : std::optional(piece);
    }
    std::optional<std::int64_t> id(std::string_view) const override { return std::nullopt; }
    bool isSpecial(std::int64_t id) const override { return piece(id) == "start"; }
    std::int64_t idLimit() const override { return static_cast<std::int64_t>(m_pieces.size()); }

  private:
    std::vector<std::string> m_pieces;
};

/// Word number `n`, of letters.
std::string word(std::size_t n) {
    std::string text = "aaa";
    for (char& c : text) {
        c = static_cast<char>('a' + n % 26);
        n /= 26;
    }
    return text;
}

TEST(ProbeRepeats, OnlyTokensWithAMeaningAreDrawn) {
    const Vocabulary small({"start",  "<unk>", "[UNK]",        "",          ",", "…",    "▁",
                            "<0x41>", "\xff",  "<extra_id_0>", "[unused7]", "é", "狗",   "▁dog",
                            "cat",    "##ing", "▁of",          "x",         "7", "▁2019"});
    EXPECT_THAT(contentIds(&small, 20), ElementsAre(11, 12, 13, 14, 15, 16, 17, 18, 19))
        << "too few words: whatever holds a letter or a digit";
    EXPECT_THAT(contentIds(&small, 14), ElementsAre(11, 12, 13)) << "rows of the word table end here";
}

TEST(ProbeRepeats, WholeWordsOfTheMiddleOfALargeVocabulary) {
    std::vector<std::string> marked{"start", "<unk>"};
    std::vector<std::string> bare = marked;
    for (std::size_t n = 0; n < 1000; ++n) {
        marked.push_back("▁" + word(n));
        marked.push_back(word(n));
        bare.push_back(word(n));
        bare.push_back("##" + word(n));
    }
    for (const std::vector<std::string>& pieces : {marked, bare}) {
        const Vocabulary vocabulary(pieces);
        Ids expected;
        for (std::int64_t n = 100; n < 500; ++n) expected.push_back(2 + 2 * n);
        EXPECT_EQ(contentIds(&vocabulary, 2002), expected);
    }
}

TEST(ProbeRepeats, WithoutATokenizerByNumberAlone) {
    EXPECT_EQ(contentIds(nullptr, 1000), numbers(100, 400));
    EXPECT_EQ(contentIds(nullptr, 48), numbers(4, 44)) << "all but the first tenth of a small one";
    EXPECT_THAT(contentIds(nullptr, 1), ElementsAre(0));
}

} // namespace
} // namespace headscope
