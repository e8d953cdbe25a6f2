// SPDX-License-Identifier: GPL-3.0-or-later
// What an attention file may hold, and the sentence for each thing that it may not.
#include "core/checkpoint/numpy.h"
#include "core/checkpoint/safetensors.h"
#include "core/imported/attention_reader.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <ostream>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A tensor of a file to be written.
struct Array {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

/// A whole file: its tensors, its metadata and the JSON beside it.
struct Content {
    std::vector<Array> arrays;
    std::vector<std::pair<std::string, std::string>> metadata{};
    std::string beside{};
};

std::filesystem::path write(const test::TemporaryFolder& folder, const Content& content) {
    const auto path = folder / "maps.safetensors";
    std::vector<SafetensorsWriter::Entry> entries;
    for (const Array& one : content.arrays) entries.push_back({one.name, DType::F32, one.shape});
    SafetensorsWriter writer(path, entries, content.metadata);
    for (const Array& one : content.arrays) writer.write(std::as_bytes(std::span(one.values)));
    writer.commit();
    if (!content.beside.empty()) folder.write("maps.json", content.beside);
    return path;
}

ImportedAttention read(const Content& content) {
    const test::TemporaryFolder folder;
    return readAttentionFile(write(folder, content), {}, {});
}

std::string refusal(const Content& content) {
    const test::TemporaryFolder folder;
    const auto path = write(folder, content);
    return sentenceOf([&] { readAttentionFile(path, {}, {}); });
}

/// Every query gives the same weight to every key it sees.
Array even(std::string name, std::int64_t heads, Extent extent, bool causal = false) {
    Array array{std::move(name), {heads, extent.rows, extent.columns}, {}};
    for (std::int64_t cell = 0; cell < heads * extent.rows * extent.columns; ++cell) {
        const std::int64_t row = cell / extent.columns % extent.rows;
        const std::int64_t key = cell % extent.columns;
        const std::int64_t seen = causal ? row + 1 : extent.columns;
        array.values.push_back(key < seen ? 1.0F / static_cast<float>(seen) : 0.0F);
    }
    return array;
}

Array causalMap() {
    return even("attentions.0", 2, {4, 4}, true);
}

Array withWeight(Array array, std::size_t cell, float value) {
    array.values.at(cell) = value;
    return array;
}

TEST(AttentionReader, ReadsOneStack) {
    Array second = even("attentions.1", 3, {4, 4}, true); // layers may differ in heads
    second.shape.insert(second.shape.begin(), 1);         // a batch of one
    const ImportedAttention file =
        read({{causalMap(), second, even("hidden_states.0", 4, {4, 4})},
              {{"tokens", R"(["[CLS]", "a", "\u0120b", ""])"}, {"window", "[null, 4]"}},
              R"({"causal": true})"});
    EXPECT_EQ(file.name, "maps.safetensors");
    ASSERT_EQ(file.layers.size(), 2U);
    EXPECT_EQ(file.layers[0].heads.size(), 2U);
    EXPECT_EQ(file.layers[1].heads.size(), 3U);
    EXPECT_TRUE(file.layers[1].mask.causal);
    EXPECT_FALSE(file.layers[0].mask.window.has_value());
    EXPECT_EQ(file.layers[1].mask.window, 4);
    EXPECT_EQ(file.layers[0].heads[1]->row(2), (std::vector<float>{1.0F / 3, 1.0F / 3, 1.0F / 3, 0.0F}));
    ASSERT_NE(file.sourceAxis, nullptr);
    EXPECT_EQ(file.targetAxis, nullptr);
    EXPECT_EQ(file.sourceAxis->entries[2].piece, "\u0120b");
    EXPECT_TRUE(file.sourceAxis->entries[0].special) << "by its well-known name";
    EXPECT_FALSE(file.sourceAxis->entries[1].special);
    EXPECT_FALSE(file.learnedSink);
    EXPECT_THAT(file.notes, IsEmpty());
}

TEST(AttentionReader, CausalityIsConcludedWhereNothingSaysIt) {
    const ImportedAttention causal = read({{causalMap()}});
    EXPECT_TRUE(causal.layers[0].mask.causal);
    EXPECT_THAT(causal.notes, ElementsAre(HasSubstr("the maps are taken as causal")));
    const ImportedAttention both = read({{causalMap(), even("attentions.1", 1, {4, 4})}});
    EXPECT_FALSE(both.layers[0].mask.causal) << "one layer that sees later keys speaks for all";
    EXPECT_THAT(both.notes, IsEmpty());
    EXPECT_FALSE(read({{causalMap()}, {{"causal", "false"}}}).layers[0].mask.causal);
    // Maps of an encoder see both ways, those of a decoder are causal, whatever is in them.
    const ImportedAttention stacks =
        read({{even("encoder_attentions.0", 1, {3, 3}, true), even("decoder_attentions.0", 1, {4, 4}, true),
               even("cross_attentions.0", 1, {4, 3})}});
    ASSERT_EQ(stacks.layers.size(), 3U);
    EXPECT_FALSE(stacks.layers[0].mask.causal);
    EXPECT_TRUE(stacks.layers[1].mask.causal);
    EXPECT_FALSE(stacks.layers[2].mask.causal);
    EXPECT_EQ(stacks.layers[2].mask.queries, 4);
    EXPECT_EQ(stacks.layers[2].mask.keys, 3);
}

TEST(AttentionReader, AnEncoderAndADecoderHaveTheirOwnTokens) {
    const ImportedAttention file =
        read({{even("cross_attentions.1", 1, {2, 3}), even("decoder_attentions.1", 1, {2, 2}, true),
               even("cross_attentions.0", 1, {2, 3}), even("decoder_attentions.0", 1, {2, 2}, true),
               even("encoder_attentions.0", 1, {3, 3})},
              {{"tokens", R"(["x", "y"])"}, {"special", "[0]"}},
              R"({"source_tokens": ["a", "b", "c"], "input_ids": [7, 8, 7], "window": 2})"});
    std::vector<std::string> order;
    for (const ImportedLayer& layer : file.layers)
        order.push_back(fmt::format("{}.{}", nameOf(layer.kind), layer.layer.value));
    EXPECT_THAT(order, ElementsAre("encoder_attentions.0", "decoder_attentions.0", "cross_attentions.0",
                                   "decoder_attentions.1", "cross_attentions.1"));
    ASSERT_NE(file.sourceAxis, nullptr);
    ASSERT_NE(file.targetAxis, nullptr);
    EXPECT_EQ(file.sourceAxis->entries[2].id, 7);
    EXPECT_EQ(file.sourceAxis->entries[1].piece, "b");
    EXPECT_TRUE(file.targetAxis->entries[0].special);
    EXPECT_EQ(file.keyAxis(AttentionKind::Cross), file.sourceAxis.get());
    EXPECT_EQ(file.keyAxis(AttentionKind::Decoder), file.targetAxis.get());
    EXPECT_EQ(file.layers[1].mask.window, 2);
    EXPECT_FALSE(file.layers[0].mask.window.has_value());
    EXPECT_FALSE(file.layers[2].mask.window.has_value());
}

TEST(AttentionReader, ALearnedSinkMayTakeAnyShare) {
    Array taken = causalMap();
    for (float& weight : taken.values) weight *= 0.25F;
    taken.values[0] = 0.0F; // all of it
    EXPECT_TRUE(read({{taken}, {{"learned_sink", "true"}}}).learnedSink);
    EXPECT_EQ(
        refusal({{withWeight(taken, 5, 1.0F)}, {{"learned_sink", "true"}}}),
        "maps.safetensors: attentions.0, head 0, row 1: its weights sum to 1.125, expected at most 1, of "
        "which a learned sink takes the rest.");
}

TEST(AttentionReader, SmallErrorsArePutRight) {
    Array array = causalMap();
    array.values[15] += 0.0009F;
    array.values[3] = 1e-7F;   // on the future
    array.values[12] = -5e-4F; // below 0; the row still sums to 1 nearly
    array.values[13] += 0.25F;
    const ImportedAttention file = read({{array}, {{"causal", "true"}}});
    EXPECT_EQ(file.layers[0].heads[0]->cell(0, 3), 0.0F);
    EXPECT_EQ(file.layers[0].heads[0]->cell(3, 0), 0.0F);
    EXPECT_THAT(file.notes, ElementsAre("weights below 0 are taken as 0 (1 of them, the least -0.0005)"));
}

TEST(AttentionReader, TheJsonBesideItMayBeEmptyOrSayMore) {
    const test::TemporaryFolder folder;
    const auto path = write(folder, {{causalMap()}, {{"causal", "true"}}});
    folder.write("maps.json", "");
    EXPECT_THAT(readAttentionFile(path, {}, {}).notes, IsEmpty());
    folder.write("maps.json", "\xef\xbb\xbf{\"token\": [], \"causal\": 1}");
    EXPECT_THAT(readAttentionFile(path, {}, {}).notes,
                ElementsAre("maps.json: \"token\" means nothing here"));
}

TEST(AttentionReader, StopsWhenCancelled) {
    const CancelToken cancel;
    cancel.cancel();
    const test::TemporaryFolder folder;
    const auto path = write(folder, {{causalMap()}});
    EXPECT_THROW(readAttentionFile(path, {}, cancel), Error);
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Bad {
    const char* name;
    Content content;
    std::string sentence; ///< behind the file's name

    friend void PrintTo(const Bad& one, std::ostream* out) { *out << one.name; }
};

class BadAttentionFile : public ::testing::TestWithParam<Bad> {};

TEST_P(BadAttentionFile, IsRefusedInOneSentence) {
    EXPECT_EQ(refusal(GetParam().content), "maps" + GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, BadAttentionFile,
    ::testing::Values(
        Bad{"NaN",
            {{withWeight(causalMap(), 16 + 9, kNaN)}},
            ".safetensors: attentions.0, head 1, row 2: the weight on key 1 is NaN, expected weights from 0 "
            "to 1, "
            "as a softmax leaves them."},
        Bad{"Infinity",
            {{withWeight(causalMap(), 0, -kInfinity)}},
            ".safetensors: attentions.0, head 0, row 0: the weight on key 0 is -inf, expected weights from 0 "
            "to 1, "
            "as a softmax leaves them."},
        Bad{"Negative",
            {{withWeight(causalMap(), 4, -0.25F)}},
            ".safetensors: attentions.0, head 0, row 1: the weight on key 0 is -0.25, expected weights from "
            "0 to "
            "1, as a softmax leaves them; these may be scores or hidden states."},
        Bad{"AboveOne",
            {{withWeight(causalMap(), 5, 3.5F)}},
            ".safetensors: attentions.0, head 0, row 1: the weight on key 1 is 3.5, expected weights from 0 "
            "to 1, "
            "as a softmax leaves them; these may be scores or hidden states."},
        Bad{"SumTooSmall",
            {{withWeight(causalMap(), 5, 0.25F)}},
            ".safetensors: attentions.0, head 0, row 1: its weights sum to 0.75, expected 1 within 0.001; "
            "cut "
            "padding off; where a learned sink takes the rest, say \"learned_sink\": true."},
        Bad{"SumTooLarge",
            {{withWeight(causalMap(), 5, 1.0F)}},
            ".safetensors: attentions.0, head 0, row 1: its weights sum to 1.5, expected 1 within 0.001."},
        Bad{"OnTheFuture",
            {{withWeight(causalMap(), 6, 0.125F)}, {{"causal", "true"}}},
            ".safetensors: attentions.0, head 0, row 1: there is weight on the future, 0.125 on key 2, "
            "expected "
            "none on keys after the query, since the maps are causal; a map that sees both ways says "
            "\"causal\": "
            "false."},
        Bad{"OnTheFutureOfADecoder",
            {{even("decoder_attentions.0", 1, {2, 2})}},
            ".safetensors: decoder_attentions.0, head 0, row 0: there is weight on the future, 0.5 on key 1, "
            "expected none on keys after the query, since the maps are causal; a map that sees both ways "
            "says "
            "\"causal\": false."},
        Bad{"OutsideTheWindow",
            {{causalMap()}, {{"causal", "true"}, {"window", "2"}}},
            ".safetensors: attentions.0, head 0, row 2: there is weight outside the window, 0.3333333 on key "
            "0, "
            "expected none beyond a window of 2."},
        Bad{"OutsideAWindowOfBothWays",
            {{even("attentions.0", 1, {3, 3})}, {{"causal", "false"}, {"window", "[2]"}}},
            ".safetensors: attentions.0, head 0, row 0: there is weight outside the window, 0.3333333 on key "
            "2, "
            "expected none beyond a window of 2."}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Shapes, BadAttentionFile,
    ::testing::Values(
        Bad{"NoMaps",
            {{even("a", 1, {1, 1}), even("b", 1, {1, 1}), even("c", 1, {1, 1}), even("d", 1, {1, 1}),
              even("attentions", 1, {1, 1}), even("f", 1, {1, 1})}},
            ".safetensors: it holds no attention maps but \"a\", \"b\", \"c\", \"d\", \"attentions\" and 1 "
            "more, "
            "expected attentions.0, attentions.1 and so on of [heads, queries, keys] (or "
            "encoder_attentions.0, "
            "decoder_attentions.0, cross_attentions.0); a model is opened by its folder."},
        Bad{"Nothing",
            {{}},
            ".safetensors: it holds no arrays, expected attentions.0, attentions.1 and so on of [heads, "
            "queries, keys] "
            "(or encoder_attentions.0, decoder_attentions.0, cross_attentions.0); a model is opened by its "
            "folder."},
        Bad{"LayerMissing",
            {{even("attentions.0", 1, {1, 1}), even("attentions.2", 1, {1, 1})}},
            ".safetensors: it holds attentions.2 but not attentions.1, expected all layers, numbered from "
            "0."},
        Bad{"FirstMissing",
            {{even("attentions.1", 1, {1, 1})}},
            ".safetensors: it holds attentions.1 but not attentions.0, expected all layers, numbered from "
            "0."},
        Bad{"NoNumber",
            {{even("attentions.01", 1, {1, 1})}},
            ".safetensors: \"attentions.01\" has no layer number, expected attentions.0, attentions.1 and so "
            "on."},
        Bad{"HiddenStates",
            {{even("attentions.0", 1, {7, 5})}},
            ".safetensors: attentions.0: its shape is [1, 7, 5], expected as many queries as keys; hidden "
            "states "
            "have such a shape."},
        Bad{"Batch",
            {{Array{"attentions.0", {2, 1, 1, 1}, {1, 1}}}},
            ".safetensors: attentions.0: its shape is [2, 1, 1, 1], expected [heads, queries, keys]; of a "
            "batch of 2 samples, --axes batch,heads,q,k --sample 0 takes the first."},
        Bad{"RowsOfACache",
            {{Array{"attentions.0", {1, 1, 1, 2}, {0.5, 0.5}}}},
            ".safetensors: attentions.0: its shape is [1, 1, 1, 2], expected as many queries as keys; a pass "
            "with a "
            "cache gives its last rows alone: run the whole text at once."},
        Bad{"OneMatrix",
            {{Array{"attentions.0", {1, 1}, {1}}}},
            ".safetensors: attentions.0: its shape is [1, 1], expected [heads, queries, keys]."},
        Bad{"NoHeads",
            {{Array{"attentions.0", {0, 2, 2}, {}}}},
            ".safetensors: attentions.0: its shape is [0, 2, 2], expected [heads, queries, keys]."},
        Bad{"ManyHeads",
            {{even("attentions.0", 20'001, {1, 1})}},
            ".safetensors: it holds more than 20000 heads, expected the maps of one model."},
        Bad{"TwoTexts",
            {{even("attentions.0", 1, {2, 2}), even("attentions.1", 1, {3, 3})}},
            ".safetensors: attentions.0 has 2 x 2 cells, attentions.1 has 3 x 3, expected maps of one text."},
        Bad{"CrossQueries",
            {{even("decoder_attentions.0", 1, {2, 2}, true), even("cross_attentions.0", 1, {3, 4})}},
            ".safetensors: cross_attentions.0 has 3 queries, but decoder_attentions.0 has 2 tokens, expected "
            "maps "
            "of one text."},
        Bad{"CrossKeys",
            {{even("encoder_attentions.0", 1, {2, 2}), even("cross_attentions.0", 1, {3, 4})}},
            ".safetensors: cross_attentions.0 has 4 keys, but encoder_attentions.0 has 2 tokens, expected "
            "maps of "
            "one text."},
        Bad{"TwoModels",
            {{even("attentions.0", 1, {2, 2}), even("cross_attentions.0", 1, {2, 2})}},
            ".safetensors: it holds attentions beside maps of an encoder or a decoder, expected one stack, "
            "or an "
            "encoder and a decoder."}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Facts, BadAttentionFile,
    ::testing::Values(
        Bad{"TokenCount",
            {{causalMap()}, {{"tokens", R"(["a", "b"])"}}},
            ".safetensors: \"tokens\": 2 are given, expected 4, as many as the maps have positions."},
        Bad{"IdCount",
            {{causalMap()}, {}, R"({"input_ids": [1]})"},
            ".safetensors: \"input_ids\": 1 are given, expected 4, as many as the maps have positions."},
        Bad{"SourceTokenCount",
            {{even("cross_attentions.0", 1, {2, 3})}, {}, R"({"source_tokens": ["a"]})"},
            ".safetensors: \"source_tokens\": 1 are given, expected 3, as many as the maps have positions."},
        Bad{"SpecialPosition",
            {{causalMap()}, {{"special", "[4]"}}},
            ".safetensors: \"special\": it names position 4, expected positions below 4."},
        Bad{"WindowCount",
            {{causalMap()}, {{"window", "[2, 3]"}}},
            ".safetensors: \"window\": it lists 2 numbers, expected one for each of 1 layers."},
        Bad{"NegativeWindow",
            {{causalMap()}, {{"window", "-2"}}},
            ".safetensors: \"window\": found -2, expected a number of keys, or null for none."},
        Bad{"TokensOfAnEncoder",
            {{even("encoder_attentions.0", 1, {2, 2})}, {}, R"({"tokens": ["a", "b"]})"},
            ".json: \"tokens\": the file has no maps that it could be about, expected source_tokens for maps "
            "of an "
            "encoder."},
        Bad{"IdsOfADecoder",
            {{causalMap()}, {}, R"({"decoder_input_ids": [1]})"},
            ".json: \"decoder_input_ids\": the file has no maps that it could be about, expected "
            "decoder_attentions or cross_attentions."},
        Bad{"NoList",
            {{causalMap()}, {}, R"({"tokens": "a b"})"},
            ".json: \"tokens\": found a string, expected a list of texts."},
        Bad{"NoTexts",
            {{causalMap()}, {}, R"({"tokens": ["a", 7]})"},
            ".json: \"tokens\": found in it the number 7, expected a list of texts."},
        Bad{"NoNumbers",
            {{causalMap()}, {}, R"({"special": [0.5]})"},
            ".json: \"special\": found in it a number, expected a list of whole numbers."},
        Bad{"NoTruth",
            {{causalMap()}, {}, R"({"causal": 2})"},
            ".json: \"causal\": found the number 2, expected true or false."},
        Bad{"NoWindow",
            {{causalMap()}, {}, R"({"window": "all"})"},
            ".json: \"window\": found a string, expected a whole number, null, or a list with one for each "
            "layer."},
        Bad{"Twice",
            {{causalMap()}, {}, R"({"causal": true, "causal": false})"},
            ".json: \"causal\" stands twice."},
        Bad{"NoObject",
            {{causalMap()}, {}, R"(["a"])"},
            ".json: found an array, expected an object that says what the maps are about."},
        Bad{"OtherTokens",
            {{causalMap()}, {{"tokens", R"(["a", "b", "c", "d"])"}}, R"({"tokens": ["a", "b", "c", "e"]})"},
            ".json: tokens differs from what maps.safetensors says, expected one of them or the same; remove "
            "the "
            "wrong one."},
        Bad{"OtherCausality",
            {{causalMap()}, {{"causal", "true"}}, R"({"causal": false})"},
            ".json: causal differs from what maps.safetensors says, expected one of them or the same; remove "
            "the "
            "wrong one."},
        Bad{"OtherWindow",
            {{causalMap()}, {{"window", "[4]"}}, R"({"window": 5})"},
            ".json: window differs from what maps.safetensors says, expected one of them or the same; remove "
            "the "
            "wrong one."},
        Bad{"OtherSink",
            {{causalMap()}, {{"learned_sink", "false"}}, R"({"learned_sink": true})"},
            ".json: learned_sink differs from what maps.safetensors says, expected one of them or the same; "
            "remove "
            "the wrong one."}),
    [](const auto& row) { return row.param.name; });

TEST(AttentionReader, TheSameSaidTwiceIsNoError) {
    const ImportedAttention file =
        read({{causalMap(), even("attentions.1", 1, {4, 4}, true)},
              {{"tokens", R"(["a", "b", "c", "d"])"}, {"causal", "true"}, {"window", "[4, 4]"}},
              R"({"tokens": ["a", "b", "c", "d"], "causal": true, "window": 4})"});
    EXPECT_EQ(file.layers[1].mask.window, 4);
}

NpzEntry numbers(std::string name, const std::string& header, std::string bytes) {
    return {.name = std::move(name),
            .header = header,
            .bytes = bytes.size(),
            .produce = [bytes](const auto& emit) { emit(std::as_bytes(std::span(bytes))); }};
}

TEST(AttentionReader, ArraysBesideTheMapsHaveTheirTypes) {
    const test::TemporaryFolder folder;
    const auto path = folder / "maps.npz";
    const std::vector<std::int64_t> square{1, 1, 1};
    const std::vector<std::int64_t> one{1};
    const std::string map("\0\0\x80\x3f", 4);
    const auto sentence = [&](NpzEntry entry) {
        writeNpz(path, {numbers("attentions.0", npyHeader(DType::F32, square), map), std::move(entry)});
        return sentenceOf([&] { readAttentionFile(path, {}, {}); });
    };
    EXPECT_EQ(sentence(numbers("causal", npyHeader(DType::Bool, {}), "\1")), "");
    EXPECT_EQ(sentence(numbers("special", npyHeader(DType::F32, one), map)),
              "maps.npz: \"special\": its type is F32, expected whole numbers.");
    EXPECT_EQ(sentence(numbers("input_ids", npyHeader(DType::U8, std::vector<std::int64_t>{2, 2}), "abcd")),
              "maps.npz: \"input_ids\": its shape is [2, 2], expected a list.");
    EXPECT_EQ(sentence(numbers("special", npyHeader(DType::U8, std::vector<std::int64_t>{1'000'001}),
                               std::string(1'000'001, '\0'))),
              "maps.npz: \"special\": it has 1000001 elements, at most 1000000 are read.");
    EXPECT_EQ(sentence(numbers("tokens", npyHeader(DType::U8, one), "a")),
              "maps.npz: \"tokens\": found in it the number 97, expected a list of texts.");
    EXPECT_EQ(sentence(numbers("attentions.1", npyHeader(DType::I32, square), map)),
              "maps.npz: attentions.1: its type is I32, expected F16, BF16, F32 or F64.");
}

TEST(AttentionReader, RoundedWeightsMaySumToLess) {
    // 0.7 and 0.3 as BF16 are 0.69921875 and 0.30078125; three thirds sum to 1.001953125.
    const test::TemporaryFolder folder;
    const auto path = folder / "maps.safetensors";
    const auto written = [&](DType type, const std::vector<std::uint16_t>& row) {
        SafetensorsWriter writer(
            path, {{"cross_attentions.0", type, {1, 1, static_cast<std::int64_t>(row.size())}}}, {});
        writer.write(std::as_bytes(std::span(row)));
        writer.commit();
        return sentenceOf([&] { readAttentionFile(path, {}, {}); });
    };
    EXPECT_EQ(written(DType::BF16, {0x3eab, 0x3eab, 0x3eab}), ""); // 3 x 0.333984375
    EXPECT_EQ(written(DType::F16, {0x3555, 0x3555, 0x3555}), "");
    EXPECT_EQ(written(DType::F16, {0x3565, 0x3555, 0x3555}),
              "maps.safetensors: cross_attentions.0, head 0, row 0: its weights sum to 1.003662, expected 1 "
              "within 0.0015.");
}

} // namespace
} // namespace headscope
