// SPDX-License-Identifier: GPL-3.0-or-later
// Maps that were computed elsewhere, by the commands that take a model; and targets that models write.
#include "core/base/json.h"
#include "tests/app/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AttentionFileCommand : public ::testing::Test {
  protected:
    static std::string form(const char* name) { return dataPath("attention/" + std::string(name)).string(); }
    std::string out(const char* name) const { return (place / name).string(); }

    TemporaryFolder place;
};

TEST_F(AttentionFileCommand, GivesTheNumbersOfItsModel) {
    const std::string model = dataPath("models/flagged-bert").string();
    ASSERT_EQ(headscope({"run", model, "--text", "the cat sat", "--out", out("maps.npz"), "--quiet"}).code,
              0);
    for (const char* ending : {".csv", ".npy"}) {
        const std::string expected = out("model") + ending;
        const std::string actual = out("file") + ending;
        ASSERT_EQ(
            headscope({"export", model, "--text", "the cat sat", "--head", "1.1", "--out", expected}).code,
            0);
        const ProcessResult result = headscope({"export", out("maps.npz"), "--head", "1.1", "--out", actual});
        ASSERT_EQ(result.code, 0) << result.err;
        EXPECT_EQ(readBytes(actual), readBytes(expected)) << ending;
    }
}

TEST_F(AttentionFileCommand, IsInspected) {
    const ProcessResult text = headscope({"inspect", form("maps.npz"), "--quiet"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("attentions: 2 layers x 3 heads, 40 x 40 tokens, causal\n"));
    const ProcessResult json = headscope(
        {"inspect", form("forms/tuple.pt"), "--axes", "batch,heads,q,k", "--sample", "1", "--json"});
    ASSERT_EQ(json.code, 0) << json.err;
    const Json facts = parseJson(json.out, "inspect");
    EXPECT_EQ(facts.find("family")->asString(), "attention file");
    const Json& stack = facts.find("stacks")->items().at(0);
    EXPECT_EQ(stack.find("layers")->asInteger(), 2);
    EXPECT_EQ(stack.find("queries")->asInteger(), 5);
    EXPECT_FALSE(stack.find("tokens")->asBool());
}

TEST_F(AttentionFileCommand, WrongUseIsTwo) {
    const auto expectUse = [](const std::vector<std::string>& arguments, const char* sentence) {
        const ProcessResult result = headscope(arguments);
        EXPECT_EQ(result.code, 2) << result.err;
        EXPECT_THAT(result.err, HasSubstr(sentence));
    };
    const std::string target = out("x.csv");
    expectUse({"export", form("maps.npz"), "--text", "a", "--head", "0.0", "--out", target},
              "input: given together with an attention file, its maps are of a text already.");
    expectUse({"export", dataPath("models/tiny-bert").string(), "--text", "a", "--axes", "q,k", "--head",
               "0.0", "--out", target},
              "--axes: given without an attention file, it says how the arrays of one are read.");
    expectUse(
        {"inspect", form("forms/fortran.npy"), "--axes", "layers,rows,q,k"},
        "--axes: \"rows\" is no axis, expected layers, batch, heads, q and k in the order of the array.");
    expectUse({"inspect", form("forms/fortran.npy"), "--sample", "-1"}, "--sample");
}

TEST_F(AttentionFileCommand, IsNoModel) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"tokens", form("maps.npz"), "abc"},
          {"bench", form("maps.npz"), "--tokens", "4"},
          {"run", form("maps.npz"), "--out", out("y.npz")}}) {
        const ProcessResult result = headscope(arguments);
        EXPECT_EQ(result.code, 1) << arguments[0];
        EXPECT_THAT(result.err,
                    HasSubstr("maps.npz: it holds maps that were computed already, and no model that "
                              "could be run"));
    }
}

TEST_F(AttentionFileCommand, IsNeverReplaced) {
    std::filesystem::copy(form("maps.npz"), place / "maps.npz");
    const std::vector<std::string> begin{"export", out("maps.npz"), "--head", "0.0", "--out"};
    auto beside = begin;
    beside.push_back(out("maps.json"));
    const ProcessResult result = headscope(beside);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err,
                HasSubstr("what is said about maps.npz is read here, nothing else is written there"));
    EXPECT_FALSE(std::filesystem::exists(place / "maps.json"));
}

TEST_F(AttentionFileCommand, ATargetIsWrittenWhereNoneIsGiven) {
    const std::string model = dataPath("families/t5/plain").string();
    const ProcessResult result =
        headscope({"run", model, "--ids", "4,5,8,13", "--target", "auto", "--out", out("maps.npz")});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("note: the target was written by the model, "));
    const ProcessResult facts = headscope({"inspect", out("maps.npz"), "--json"});
    const Json inspected = parseJson(facts.out, "inspect");
    std::int64_t queries = 0;
    for (const Json& stack : inspected.find("stacks")->items())
        if (stack.find("kind")->asString() == "cross_attentions")
            queries = stack.find("queries")->asInteger();
    EXPECT_EQ(queries, 256) << "this model writes without an end";
    const ProcessResult both = headscope(
        {"run", model, "--ids", "4", "--target", "auto", "--target-ids", "1", "--out", out("z.npz")});
    EXPECT_EQ(both.code, 2);
    const ProcessResult bert = headscope({"run", dataPath("models/tiny-bert").string(), "--text", "a",
                                          "--target", "auto", "--out", out("z.npz")});
    EXPECT_EQ(bert.code, 1);
    EXPECT_THAT(bert.err, HasSubstr("target: the model has no decoder that could write one; leave it out."));
}

} // namespace
} // namespace headscope::test
