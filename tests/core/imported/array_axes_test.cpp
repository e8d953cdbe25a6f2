// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/array_axes.h"
#include "tests/support/sentence_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::ElementsAre;

std::string refusal(const char* text) {
    return sentenceOf([&] { parseArrayAxes(text, "--axes"); });
}

TEST(ArrayAxes, AreReadInTheOrderOfTheArray) {
    EXPECT_THAT(parseArrayAxes("layers,heads,q,k", "--axes"),
                ElementsAre(ArrayAxis::Layers, ArrayAxis::Heads, ArrayAxis::Queries, ArrayAxis::Keys));
    EXPECT_EQ(textOf(parseArrayAxes(" key , query,batch", "--axes")), "k,q,batch");
}

TEST(ArrayAxes, RefuseWhatIsNoOrder) {
    const std::string expected = ", expected layers, batch, heads, q and k in the order of the array.";
    EXPECT_EQ(refusal("heads,q,v"), "--axes: \"v\" is no axis" + expected);
    EXPECT_EQ(refusal(""), "--axes: \"\" is no axis" + expected);
    EXPECT_EQ(refusal("heads,q,k,"), "--axes: \"\" is no axis" + expected);
    EXPECT_EQ(refusal("q,k,query"), "--axes: q stands twice" + expected);
    EXPECT_EQ(refusal("heads,q"), "--axes: k is missing" + expected);
    EXPECT_EQ(refusal("layers,heads"), "--axes: q is missing" + expected);
    EXPECT_EQ(refusal("heads\n,q,k"), "--axes: \"heads\\x0a\" is no axis" + expected);
}

TEST(ArrayAxes, EveryUsualOrderHasQueriesBeforeKeysAndFits) {
    for (std::size_t dimensions = 0; dimensions < 8; ++dimensions) {
        const std::vector<ArrayAxes> usual = usualAxes(dimensions);
        EXPECT_EQ(usual.empty(), dimensions < 2 || dimensions > 5);
        for (const ArrayAxes& axes : usual) {
            EXPECT_EQ(axes.size(), dimensions);
            EXPECT_EQ(parseArrayAxes(textOf(axes), "x"), axes);
            EXPECT_EQ(axes.back(), ArrayAxis::Keys);
        }
    }
}

} // namespace
} // namespace headscope
