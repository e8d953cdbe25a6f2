// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that frameworks write without saying what their axes are: tests/tools/make_attention_files.py wrote
// the same maps in all these forms, and those of the second sample with the names of the layout.
#include "core/checkpoint/numpy.h"
#include "core/imported/attention_reader.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ostream>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::filesystem::path form(const char* name) {
    return std::filesystem::path(HEADSCOPE_TEST_DATA) / "attention/forms" / name;
}

ReadingRules rules(const char* axes, std::optional<std::int64_t> sample = std::nullopt) {
    ReadingRules result;
    if (*axes != '\0') result.axes = parseArrayAxes(axes, "--axes");
    result.sample = sample;
    return result;
}

/// Every weight of every head, layer by layer.
std::vector<std::vector<float>> weightsOf(const ImportedAttention& file) {
    std::vector<std::vector<float>> all;
    for (const ImportedLayer& layer : file.layers)
        for (const auto& head : layer.heads)
            for (std::int64_t row = 0; row < head->extent().rows; ++row) all.push_back(head->row(row));
    return all;
}

struct Form {
    const char* file;
    const char* axes;
    std::optional<std::int64_t> sample;

    friend void PrintTo(const Form& one, std::ostream* out) { *out << one.file; }
};

class LoneArrays : public ::testing::TestWithParam<Form> {};

TEST_P(LoneArrays, GiveTheSameWeightsInEveryForm) {
    const ImportedAttention expected = readAttentionFile(form("expected.safetensors"), {}, {});
    const ImportedAttention file =
        readAttentionFile(form(GetParam().file), rules(GetParam().axes, GetParam().sample), {});
    EXPECT_EQ(file.layers.front().kind, AttentionKind::Self);
    EXPECT_EQ(file.layers.front().heads.size(), 3U);
    EXPECT_EQ(weightsOf(file), weightsOf(expected));
}

INSTANTIATE_TEST_SUITE_P(All, LoneArrays,
                         ::testing::Values(Form{"layers_batch_heads.npy", "layers,batch,heads,q,k", 1},
                                           Form{"fortran.npy", "layers,heads,q,k", {}},
                                           Form{"layers_last.npy", "q,k,heads,layers", {}},
                                           Form{"keys_first.npy", "layers,heads,k,q", {}},
                                           Form{"list.npz", "batch,heads,q,k", 1},
                                           Form{"scores.safetensors", "layers,batch,heads,q,k", 1},
                                           Form{"tuple.pt", "batch,heads,q,k", 1}, Form{"outputs.pt", "", {}},
                                           Form{"view.pt", "layers,heads,q,k", {}},
                                           Form{"old.pt", "layers,heads,q,k", {}}),
                         [](const auto& one) {
                             std::string name = one.param.file;
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

TEST(LoneArraysFile, MaySayItself) {
    const ImportedAttention expected = readAttentionFile(form("expected.safetensors"), {}, {});
    const ImportedAttention file = readAttentionFile(form("said.npz"), {}, {});
    ASSERT_EQ(file.layers.size(), 1U);
    EXPECT_EQ(file.layers[0].heads[2]->row(4), expected.layers[0].heads[2]->row(4));
    const ImportedAttention other = readAttentionFile(form("said.npz"), rules("", 0), {});
    EXPECT_NE(other.layers[0].heads[2]->row(4), expected.layers[0].heads[2]->row(4)) << "what is asked wins";
}

TEST(LoneArraysFile, AveragesAreSaidToBeSuch) {
    const ImportedAttention file = readAttentionFile(form("averaged.npy"), rules("batch,q,k", 1), {});
    const ImportedAttention heads = readAttentionFile(form("expected.safetensors"), {}, {});
    ASSERT_EQ(file.layers.size(), 1U);
    ASSERT_EQ(file.layers[0].heads.size(), 1U);
    float mean = 0.0F;
    for (const auto& head : heads.layers[0].heads) mean += head->cell(3, 1) / 3.0F;
    EXPECT_NEAR(file.layers[0].heads[0]->cell(3, 1), mean, 1e-7F);
    EXPECT_THAT(file.notes, ElementsAre(HasSubstr("its maps are means over the heads of a layer")));
    EXPECT_THAT(heads.notes, IsEmpty());
}

std::string refusalOf(const std::filesystem::path& path, const ReadingRules& reading = {}) {
    return sentenceOf([&] { readAttentionFile(path, reading, {}); });
}

TEST(LoneArraysFile, AxesAreAskedForAndNeverGuessed) {
    EXPECT_EQ(refusalOf(form("fortran.npy")),
              "fortran.npy: what the axes of \"fortran\", [2, 3, 5, 5], count is not known, expected --axes "
              "layers,heads,q,k or --axes batch,heads,q,k or --axes layers,batch,q,k; of a batch, --sample 0 "
              "takes the first; the same may stand as \"axes\" in fortran.json.");
    EXPECT_EQ(
        refusalOf(form("list.npz")),
        "list.npz: what the axes of \"arr_0\" to \"arr_1\", [2, 3, 5, 5] each, count is not known, "
        "expected --axes batch,heads,q,k; of a batch, --sample 0 takes the first; the same may stand as "
        "\"axes\" in list.json.");
    try {
        readAttentionFile(form("tuple.pt"), {}, {});
        FAIL();
    } catch (const AxesNeeded& needed) {
        EXPECT_THAT(needed.question().shape, ElementsAre(2, 3, 5, 5));
    }
}

TEST(LoneArraysFile, AxesMustFitTheArray) {
    EXPECT_EQ(refusalOf(form("fortran.npy"), rules("heads,q,k")),
              "fortran.npy: \"fortran\": its shape is [2, 3, 5, 5], expected 3 dimensions as --axes says, "
              "heads,q,k.");
    EXPECT_EQ(
        refusalOf(form("fortran.npy"), rules("q,k,layers,heads")),
        "fortran.npy: \"fortran\": its shape is [2, 3, 5, 5], 2 queries and 3 keys, expected as many "
        "queries as keys; hidden states and logits have such a shape; maps of cross-attention are named "
        "cross_attentions.");
    EXPECT_EQ(refusalOf(form("fortran.npy"), rules("batch,heads,q,k")),
              "fortran.npy: \"fortran\": its batch has 2 samples, expected --sample 0 to 1.");
    EXPECT_EQ(refusalOf(form("fortran.npy"), rules("batch,heads,q,k", 2)),
              "fortran.npy: \"fortran\": sample 2 was asked for, expected 0 to 1.");
    EXPECT_EQ(refusalOf(form("fortran.npy"), rules("layers,heads,q,k", 1)),
              "fortran.npy: \"fortran\": sample 1 was asked for, expected 0, since there is one.");
    EXPECT_EQ(
        refusalOf(form("expected.safetensors"), rules("layers,q,k")),
        "expected.safetensors: attentions.0: --axes gives it layers, expected none, since by its name it "
        "is one.");
    EXPECT_EQ(
        refusalOf(form("list.npz"), rules("layers,heads,q,k")),
        "list.npz: it holds 2 arrays, \"arr_0\", \"arr_1\", expected one, since --axes has the layers in "
        "it; save the one with the maps.");
    try {
        readAttentionFile(form("keys_first.npy"), rules("layers,heads,q,k"), {});
        FAIL();
    } catch (const AxesNeeded& offered) {
        EXPECT_THAT(offered.sentence(),
                    HasSubstr("its columns do instead: queries and keys seem to be swapped, "
                              "and --axes layers,heads,k,q reads them so."));
        EXPECT_EQ(offered.question(),
                  (AxesQuestion{.shape = {2, 3, 5, 5}, .suggested = parseArrayAxes("layers,heads,k,q", "")}));
    }
}

/// One array of float32, [shape], each value 1 / the last extent.
void writeEven(const std::filesystem::path& path, const std::vector<std::int64_t>& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) elements *= extent;
    const std::vector<float> values(static_cast<std::size_t>(elements),
                                    1.0F / static_cast<float>(shape.back()));
    writeNpy(path, shape, [&](const auto& emit) { emit(values); });
}

TEST(LoneArraysFile, WhatIsNoMapIsRefused) {
    const test::TemporaryFolder folder;
    const auto path = folder / "x.npy";
    writeEven(path, {7});
    EXPECT_EQ(refusalOf(path),
              "x.npy: \"x\": its shape is [7], expected 2 to 5 dimensions, queries and keys among them.");
    writeEven(path, {1, 6, 16});
    EXPECT_THAT(refusalOf(path, rules("batch,q,k")), HasSubstr("6 queries and 16 keys"));
    writeEven(path, {2, 2});
    EXPECT_EQ(readAttentionFile(path, rules("q,k"), {}).layers.size(), 1U);
    folder.write("x.json", R"({"axes": "q,k"})");
    EXPECT_EQ(readAttentionFile(path, {}, {}).layers.size(), 1U);
    folder.write("x.json", R"({"axes": 7})");
    EXPECT_EQ(refusalOf(path),
              "x.json: \"axes\": found an integer, expected a text such as \"layers,heads,q,k\".");
    folder.write("x.json", R"({"axes": "q,z"})");
    EXPECT_EQ(refusalOf(path),
              "x.json: \"axes\": \"z\" is no axis, expected layers, batch, heads, q and k in the "
              "order of the array.");
    folder.write("x.json", R"({"axes": "batch,q,k", "sample": "first"})");
    EXPECT_EQ(refusalOf(path), "x.json: \"sample\": found a string, expected a whole number.");
    // A cross map by its name; the file's own name is that of the array.
    const auto cross = folder / "cross_attentions.npy";
    writeEven(cross, {2, 3, 4});
    const ImportedAttention file = readAttentionFile(cross, rules("heads,q,k"), {});
    EXPECT_EQ(file.layers[0].kind, AttentionKind::Cross);
    EXPECT_EQ(file.layers[0].mask.keys, 4);
}

} // namespace
} // namespace headscope
