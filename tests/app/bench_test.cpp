// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "tests/app/command_line.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

void expectBench(const Json& json, std::int64_t tokens) {
    EXPECT_TRUE(json.find("headscope")->isString());
    EXPECT_EQ(json.find("tokens")->asInteger(), tokens);
    EXPECT_EQ(json.find("device")->asString(), "cpu");
    EXPECT_EQ(json.find("threads")->asInteger(), 1);
    for (const char* name : {"forward_with_maps_s", "forward_s", "matrix_products_s", "fused_attention_s"})
        EXPECT_GT(json.find(name)->asReal(), 0.0) << name;
    EXPECT_EQ(json.find("dense_maps_bytes")->asInteger(), 3 * 4 * tokens * tokens * 4);
    EXPECT_GT(json.find("peak_rss_bytes")->asInteger(), 1'000'000);
    EXPECT_EQ(json.members().size(), 10U);
}

TEST(Bench, JsonIsTheContract) {
    const std::vector<std::string> words = {"bench",     tinyBert(), "--device", "cpu",
                                            "--threads", "1",        "--json",   "--tokens"};
    std::vector<std::string> one = words;
    one.emplace_back("16");
    const ProcessResult result = headscope(one);
    ASSERT_EQ(result.code, 0) << result.err;
    expectBench(parseJson(result.out, "bench"), 16);

    std::vector<std::string> two = words;
    two.emplace_back("128,32");
    const Json list = parseJson(headscope(two).out, "bench");
    ASSERT_EQ(list.items().size(), 2U);
    expectBench(list.items()[0], 128);
    expectBench(list.items()[1], 32);
}

TEST(Bench, MoreTokensThanPositionsAreRefused) {
    for (const char* tokens : {"129", "8,129,16"}) {
        const ProcessResult result = headscope({"bench", tinyBert(), "--tokens", tokens, "--quiet"});
        EXPECT_EQ(result.code, 1);
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err, "--tokens: 129 tokens were asked for, expected at most 128, where the model's "
                              "position table ends.\n");
    }
}

} // namespace
} // namespace headscope::test
