// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/bare_products.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

ModelSpec smallSpec(bool causal) {
    ModelSpec spec;
    spec.hiddenSize = spec.main.hiddenSize = 96;
    BlockSpec block;
    block.feedForward.intermediateSize = 192;
    block.feedForward.down = linearSpec("down");
    // Six query heads read two key/value heads.
    block.attention.heads = 6;
    block.attention.keyValueHeads = 2;
    block.attention.headSize = 16;
    block.attention.causal = causal;
    spec.main.blocks = {block, block};
    return spec;
}

TEST(BareProducts, TimesShapesWithSharedKeys) {
    for (const bool causal : {false, true}) {
        const BareProducts times =
            timeBareProducts(smallSpec(causal), {.tokens = 300, .repeats = 1, .cancel = {}});
        EXPECT_GT(times.matrixProducts, 0.0);
        EXPECT_GT(times.fusedAttention, 0.0);
        EXPECT_LT(times.matrixProducts, 10.0);
    }
}

TEST(BareProducts, StopsWhenCancelled) {
    BareProductsRequest request;
    request.tokens = 8;
    request.cancel.cancel();
    EXPECT_EQ(sentenceOf([&] { timeBareProducts(smallSpec(false), request); }), "cancelled.");
}

} // namespace
} // namespace headscope::test
