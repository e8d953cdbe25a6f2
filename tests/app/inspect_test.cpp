// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/app/command_line.h"
#include "tests/app/json_schema.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

const std::string kPage = std::string(HEADSCOPE_SOURCE_DIR) + "/resources/help/inspect-json.md";

TEST(Inspect, JsonIsWhatTheHelpPageSays) {
    const ProcessResult result = headscope({"inspect", tinyBert(), "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    JsonSchema schema(readBytes(kPage));
    ASSERT_GT(schema.size(), 20U);
    const Json json = parseJson(result.out, "inspect");
    EXPECT_EQ(schema.problems(json), "");
    EXPECT_EQ(json.find("family")->asString(), "bert");
    const Json& stack = json.find("stacks")->items().at(0);
    EXPECT_EQ(stack.find("kind")->asString(), "attentions");
    EXPECT_EQ(stack.find("layers")->asInteger(), 3);
    EXPECT_EQ(stack.find("heads")->asInteger(), 4);
    EXPECT_EQ(stack.find("head_size")->asInteger(), 8);
    EXPECT_EQ(json.find("max_positions")->asInteger(), 128);
    EXPECT_EQ(json.find("parameters")->asInteger(), 37408);
}

TEST(Inspect, SchemaCheckNoticesWhatIsWrong) {
    JsonSchema schema("| `a` | integer | x |\n| `b` | array | y |\n| `b[].c` | string or null | z |\n");
    EXPECT_EQ(schema.problems(parseJson(R"({"a": 1, "b": [{"c": null}]})", "t")), "");
    EXPECT_EQ(schema.problems(parseJson(R"({"a": "1", "b": [{}], "d": 0})", "t")),
              "a is a string\nb[].c is missing\nd is not documented\n");
}

TEST(Inspect, TextSaysTheSame) {
    const ProcessResult result = headscope({"inspect", tinyBert()});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_NE(result.out.find("attentions: 3 layers x 4 heads of size 8\n"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("128 tokens at most\n"), std::string::npos) << result.out;
}

TEST(Inspect, ReadsNoWeights) {
    // The data behind the header may be anything: only names, types and shapes are looked at.
    const TemporaryFolder place;
    const std::filesystem::path model = copyOf(tinyBert(), place);
    std::string bytes = readBytes(model / "model.safetensors");
    std::fill(bytes.end() - 60'000, bytes.end(), '\xff'); // NaN
    place.write("model/model.safetensors", bytes);
    EXPECT_EQ(headscope({"inspect", model.string()}).code, 0);
    EXPECT_EQ(headscope({"tokens", model.string(), "the cat"}).code, 0);
    EXPECT_EQ(headscope({"run", model.string(), "--text", "a", "--out", (place / "a.npz").string()}).code, 1);
}

} // namespace
} // namespace headscope::test
