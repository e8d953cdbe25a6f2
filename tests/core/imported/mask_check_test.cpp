// SPDX-License-Identifier: GPL-3.0-or-later
// The commonest mistakes in masks that are written by hand, each made here as they are made there.
#include "core/checkpoint/numpy.h"
#include "core/imported/attention_reader.h"
#include "core/imported/mask_check.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Sees = std::function<bool(std::int64_t query, std::int64_t key)>;

/// Softmax over the keys that a query sees, of scores that differ; over all where it sees none, as masks of
/// -1e9 do.
std::vector<float> softmaxOver(std::int64_t tokens, const Sees& sees) {
    std::vector<float> weights;
    for (std::int64_t query = 0; query < tokens; ++query) {
        std::vector<double> row(static_cast<std::size_t>(tokens));
        double sum = 0.0;
        for (std::int64_t key = 0; key < tokens; ++key) {
            const double score = std::sin(static_cast<double>(3 * query + 5 * key));
            sum += row[static_cast<std::size_t>(key)] = sees(query, key) ? std::exp(score) : 0.0;
        }
        for (const double one : row)
            weights.push_back(static_cast<float>(sum > 0.0 ? one / sum : 1.0 / static_cast<double>(tokens)));
    }
    return weights;
}

bool everything(std::int64_t, std::int64_t) {
    return true;
}

/// A file with one head.
class MaskCheck : public ::testing::Test {
  protected:
    ImportedAttention read(std::int64_t tokens, const std::vector<float>& weights, const char* json = "") {
        m_folder.write("maps.json", json);
        const std::vector<std::int64_t> shape{1, tokens, tokens};
        writeNpy(m_folder / "maps.npy", shape, [&](const auto& emit) { emit(weights); });
        return readAttentionFile(m_folder / "maps.npy",
                                 {.axes = parseArrayAxes("heads,q,k", "x"), .sample = {}}, {});
    }
    std::string refusal(std::int64_t tokens, const std::vector<float>& weights, const char* json = "") {
        return sentenceOf([&] { read(tokens, weights, json); });
    }

  private:
    test::TemporaryFolder m_folder;
};

TEST_F(MaskCheck, AMaskUpsideDownIsNoted) {
    // triu in place of tril, with and without the diagonal.
    for (const std::int64_t from : {0, 1}) {
        const auto weights =
            softmaxOver(6, [from](std::int64_t query, std::int64_t key) { return key >= query + from; });
        const ImportedAttention file = read(6, weights);
        EXPECT_FALSE(file.layers[0].mask.causal);
        EXPECT_THAT(file.notes,
                    ElementsAre("maps.npy: attentions.0, head 0, row 0: there is weight only on this "
                                "query and on later keys, so the causal mask seems to be upside down"));
        EXPECT_THAT(refusal(6, weights, R"({"causal": true})"),
                    HasSubstr("no query reads an earlier key: the mask seems to be upside down"));
    }
}

TEST_F(MaskCheck, RightMasksAreNotNoted) {
    EXPECT_THAT(read(6, softmaxOver(6, everything), R"({"causal": false})").notes, IsEmpty());
    const auto causal = [](std::int64_t query, std::int64_t key) { return key <= query; };
    EXPECT_THAT(read(6, softmaxOver(6, causal), R"({"causal": true})").notes, IsEmpty());
    // A head of both ways that reads itself alone, and one that reads the next token, are no mistakes.
    const auto self = [](std::int64_t query, std::int64_t key) { return key == query; };
    EXPECT_THAT(read(6, softmaxOver(6, self), R"({"causal": false})").notes, IsEmpty());
    EXPECT_FALSE(isUpsideDown({}));
    const std::vector<float> two{0.0F, 1.0F, 0.5F, 0.5F};
    EXPECT_FALSE(isUpsideDown({two.data(), 2, 2})) << "two tokens say too little";
}

TEST_F(MaskCheck, AMaskAfterTheSoftmaxIsNamed) {
    std::vector<float> weights = softmaxOver(6, everything);
    for (std::size_t query = 0; query < 6; ++query)
        for (std::size_t key = query + 1; key < 6; ++key) weights[query * 6 + key] = 0.0F;
    const std::string sentence = refusal(6, weights);
    EXPECT_THAT(sentence, HasSubstr("maps.npy: attentions.0, head 0, row 0: its weights sum to 0."));
    EXPECT_THAT(sentence,
                HasSubstr("the causal mask seems to be laid over the weights after the softmax: hide "
                          "the scores before it"));
}

TEST_F(MaskCheck, WeightOnPaddingIsNoted) {
    const char* tokens = R"({"tokens": ["a", "b", "c", "[PAD]", "[PAD]"], "causal": false})";
    EXPECT_THAT(read(5, softmaxOver(5, everything), tokens).notes,
                ElementsAre(HasSubstr("maps.npy: attentions.0, head 0, row 0: 0.")));
    EXPECT_THAT(
        read(5, softmaxOver(5, everything), tokens).notes,
        ElementsAre(HasSubstr("of the weight is on padding (from key 3), so the mask that should hide it is "
                              "missing")));
    // Padding may read what it likes.
    const auto hidden = [](std::int64_t query, std::int64_t key) { return query >= 3 || key < 3; };
    EXPECT_THAT(read(5, softmaxOver(5, hidden), tokens).notes, IsEmpty());
}

TEST_F(MaskCheck, SwappedAxesAreNamed) {
    const std::vector<float> rows = softmaxOver(5, everything);
    std::vector<float> turned(rows.size());
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) turned[j * 5 + i] = rows[i * 5 + j];
    EXPECT_THAT(refusal(5, turned), HasSubstr("its columns do instead: queries and keys seem to be swapped"));
}

} // namespace
} // namespace headscope
