// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/attention_kind.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

TEST(AttentionKind, NamesAreThoseOfTheOutputsAndComeBack) {
    EXPECT_EQ(nameOf(AttentionKind::Self), "attentions");
    EXPECT_EQ(nameOf(AttentionKind::Encoder), "encoder_attentions");
    EXPECT_EQ(nameOf(AttentionKind::Decoder), "decoder_attentions");
    EXPECT_EQ(nameOf(AttentionKind::Cross), "cross_attentions");
    for (const AttentionKind kind :
         {AttentionKind::Self, AttentionKind::Encoder, AttentionKind::Decoder, AttentionKind::Cross})
        EXPECT_EQ(attentionKindOf(nameOf(kind)), kind);
    EXPECT_FALSE(attentionKindOf("attention"));
    EXPECT_FALSE(attentionKindOf(""));
    EXPECT_FALSE(attentionKindOf("Attentions"));
}

TEST(HeadText, IsLayerDotHead) {
    EXPECT_EQ(headText(LayerIndex(5), HeadIndex(11)), "5.11");
    EXPECT_EQ(headText(HeadRef{AttentionKind::Cross, LayerIndex(0), HeadIndex(0)}), "0.0");
}

TEST(ParseHead, ReadsWhatHeadTextWrites) {
    for (const auto& [layer, head] : {std::pair{0, 0}, {5, 11}, {10, 0}, {999999, 999999}}) {
        const auto parsed = parseHead(headText(LayerIndex(layer), HeadIndex(head)));
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->first, LayerIndex(layer));
        EXPECT_EQ(parsed->second, HeadIndex(head));
    }
}

TEST(ParseHead, RefusesEverythingElse) {
    for (const char* text : {"",     ".",    "5",     "5.",        ".5",        "5.11.2",
                             "+5.1", "-5.1", "5.-1",  " 5.1",      "5.1 ",      "5 .1",
                             "05.1", "5.01", "00.0",  "1000000.0", "0.1000000", "99999999999999999999.0",
                             "a.b",  "5,1",  "0x5.1", "5.1e0",     "\xd9\xa5.1"})
        EXPECT_FALSE(parseHead(text)) << '"' << text << '"';
    EXPECT_FALSE(parseHead(std::string_view("5.1\0", 4)));
}

} // namespace
} // namespace headscope
