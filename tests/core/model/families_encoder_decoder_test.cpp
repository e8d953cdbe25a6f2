// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of an encoder and a decoder: how they are put together and what is refused. The numbers they
// compute are compared in family_golden_test.cpp.
#include "core/model/families.h"
#include "tests/core/model/spec_from.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace headscope {
namespace {

using test::configOf;
using test::specError;
using test::specFrom;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kEncoder = R"({"model_type": "bert", "hidden_size": 48, "num_attention_heads": 4})";
const std::string kDecoder = R"({"model_type": "roberta", "is_decoder": true, "add_cross_attention": true,
    "hidden_size": 36, "num_attention_heads": 6, "num_hidden_layers": 3, "vocab_size": 100})";

std::string config(const std::string& encoder, const std::string& decoder, const std::string& members = {}) {
    const std::string parts = fmt::format(R"("encoder": {}, "decoder": {})", encoder, decoder);
    return configOf("encoder-decoder", members.empty() ? parts : parts + ", " + members);
}

TEST(EncoderDecoder, ThreeKindsOfMaps) {
    const ModelSpec found = specFrom(config(kEncoder, kDecoder, R"("decoder_start_token_id": 7)"));
    ASSERT_EQ(found.stacks.size(), 3U);
    EXPECT_EQ(found.stacks[0].kind, AttentionKind::Encoder);
    EXPECT_EQ(found.stacks[0].layers, 12);
    EXPECT_EQ(found.stacks[0].heads, 4);
    EXPECT_EQ(found.stacks[1].kind, AttentionKind::Decoder);
    EXPECT_EQ(found.stacks[1].layers, 3);
    EXPECT_EQ(found.stacks[1].heads, 6);
    EXPECT_TRUE(found.stacks[1].causal);
    EXPECT_EQ(found.stacks[2].kind, AttentionKind::Cross);
    EXPECT_FALSE(found.stacks[2].causal);
    EXPECT_EQ(found.hiddenSize, 48);
    EXPECT_EQ(found.decoder->hiddenSize, 36);
    EXPECT_EQ(found.encoderToDecoder.weight, "enc_to_dec_proj.weight");
    EXPECT_EQ(found.decoderStart, 7);
    EXPECT_EQ(found.tokenTypes, 2); // the encoder's
    EXPECT_THAT(found.main.prefixes, ElementsAre("encoder."));
    EXPECT_THAT(found.decoder->prefixes, ElementsAre("decoder.roberta."));
    EXPECT_THAT(found.notes, IsEmpty());
}

TEST(EncoderDecoder, WidthsThatAgreeNeedNoProjection) {
    const ModelSpec found = specFrom(config(R"({"model_type": "distilbert"})",
                                            R"({"model_type": "bert", "is_decoder": true,
                                                "add_cross_attention": true, "cross_attention_hidden_size": 768})"));
    EXPECT_FALSE(found.encoderToDecoder.exists());
    EXPECT_FALSE(found.decoderStart.has_value());
    EXPECT_EQ(found.tokenTypes, 0);
    EXPECT_THAT(specError(config(R"({"model_type": "bert", "hidden_size": 24})",
                                 R"({"model_type": "bert", "is_decoder": true, "add_cross_attention": true,
                                     "cross_attention_hidden_size": 24})")),
                HasSubstr("cross_attention_hidden_size"));
}

TEST(EncoderDecoder, GptMayRead) {
    const ModelSpec found =
        specFrom(config(kEncoder, R"({"model_type": "gpt2", "add_cross_attention": true, "n_embd": 48})"));
    EXPECT_THAT(found.decoder->prefixes, ElementsAre("decoder.transformer."));
    EXPECT_FALSE(found.stacks[2].causal);
}

TEST(EncoderDecoder, BothPartsMustBeThere) {
    EXPECT_THAT(specError(configOf("encoder-decoder", "\"encoder\": " + kEncoder)),
                AllOf(HasSubstr("decoder"), HasSubstr("missing")));
    EXPECT_THAT(specError(configOf("encoder-decoder", R"("encoder": 3)")),
                AllOf(HasSubstr("encoder"), HasSubstr("no object")));
}

TEST(EncoderDecoder, ErrorsNameThePart) {
    EXPECT_THAT(specError(config(kEncoder, R"({"model_type": "bert", "hidden_act": "mish"})")),
                HasSubstr("config.json: decoder: hidden_act"));
    EXPECT_THAT(specError(config(R"({"model_type": "nonesuch"})", kDecoder)),
                HasSubstr("config.json: encoder: model_type"));
}

TEST(EncoderDecoder, WhatCannotBePutTogether) {
    EXPECT_THAT(specError(config(kEncoder, R"({"model_type": "bert", "is_decoder": true})")),
                AllOf(HasSubstr("decoder"), HasSubstr("no cross-attention")));
    EXPECT_THAT(specError(config(kEncoder, R"({"model_type": "albert", "add_cross_attention": true})")),
                HasSubstr("no cross-attention"));
    EXPECT_THAT(specError(config(R"({"model_type": "bert", "is_decoder": true})", kDecoder)),
                AllOf(HasSubstr("encoder"), HasSubstr("earlier tokens")));
    EXPECT_THAT(specError(config(kEncoder, kDecoder, R"("tie_encoder_decoder": true)")),
                HasSubstr("tie_encoder_decoder"));
    EXPECT_THAT(specError(config(kEncoder, kDecoder, R"("decoder_start_token_id": 100)")),
                HasSubstr("decoder_start_token_id"));
    // One inside another, however deep.
    std::string nested = config(kEncoder, kDecoder);
    for (int depth = 0; depth < 100; ++depth) nested = config(nested, kDecoder);
    EXPECT_THAT(specError(nested), HasSubstr("an encoder and a decoder itself"));
}

/// num_hidden_layers stands in such files too, and nobody reads it.
TEST(BartLike, LayersAreCountedByEachStack) {
    const ModelSpec found =
        specFrom(configOf("bart", R"("encoder_layers": 2, "decoder_layers": 3, "num_hidden_layers": 5)"));
    EXPECT_EQ(found.main.blocks.size(), 2U);
    EXPECT_EQ(found.decoder->blocks.size(), 3U);
}

/// Where nothing is tied, the table that the stacks could share is not looked at.
TEST(BartLike, StacksShareNoLayersAndKeepAllHeads) {
    for (const char* family : {"bart", "mbart", "marian", "pegasus", "m2m_100"}) {
        SCOPED_TRACE(family);
        // Marian's encoder would get the decoder's weights; the others cannot be read then.
        EXPECT_THAT(specError(configOf(family, R"("tie_encoder_decoder": true)")),
                    HasSubstr("tie_encoder_decoder: found true"));
        EXPECT_THAT(specError(configOf(family, R"("pruned_heads": {"0": [1]})")), HasSubstr("pruned_heads"));
    }
}

TEST(BartLike, UntiedStacksReadTheirOwnWords) {
    for (const char* family : {"bart", "mbart", "m2m_100"}) {
        const ModelSpec found = specFrom(configOf(family, R"("tie_word_embeddings": false)"));
        EXPECT_EQ(found.main.embedding.words, "encoder.embed_tokens.weight") << family;
        EXPECT_EQ(found.decoder->embedding.words, "decoder.embed_tokens.weight") << family;
        EXPECT_EQ(specFrom(configOf(family)).main.embedding.words, "shared.weight") << family;
    }
    EXPECT_EQ(specFrom(configOf("pegasus", R"("tie_word_embeddings": false)")).main.embedding.words,
              "shared.weight"); // one table all the same
}

/// Which tables the stacks read when a file has only these, as transformers 4.57.6 does: "s" the shared one,
/// "e" the encoder's, "d" the decoder's. Where it cannot read them, the table that is asked for is not in the
/// file.
struct WordsCase {
    const char* family;
    const char* members;
    std::string inFile;
    std::string read; ///< of the encoder, of the decoder
};

std::string tableOf(char letter) {
    return letter == 's'   ? "shared.weight"
           : letter == 'e' ? "encoder.embed_tokens.weight"
                           : "decoder.embed_tokens.weight";
}

TEST(EncoderDecoderWords, StandWhereTransformersReadsThem) {
    const char* nothing = R"("vocab_size": 50, "pad_token_id": 1)";
    const char* untied = R"("vocab_size": 50, "pad_token_id": 1, "tie_word_embeddings": false)";
    const char* separate =
        R"("vocab_size": 50, "pad_token_id": 1, "share_encoder_decoder_embeddings": false)";
    std::vector<WordsCase> cases;
    for (const char* family : {"bart", "mbart", "marian", "pegasus", "m2m_100", "t5", "mt5", "umt5"})
        for (const char* inFile : {"s", "sed", "se", "sd"}) cases.push_back({family, nothing, inFile, "ss"});
    for (const char* family : {"marian", "pegasus", "t5", "mt5", "umt5"})
        for (const char* members : {nothing, untied})
            for (const char* inFile : {"ed", "e", "d"})
                cases.push_back({family, members, inFile, std::string(2, inFile[0])});
    for (const char* inFile : {"ed", "d"}) cases.push_back({"bart", nothing, inFile, "dd"});
    cases.push_back({"bart", nothing, "e", "ss"});
    for (const char* family : {"mbart", "m2m_100"})
        for (const char* inFile : {"ed", "e", "d"}) cases.push_back({family, nothing, inFile, "ss"});
    for (const char* inFile : {"s", "sed", "ed", "e", "d"}) {
        for (const char* family : {"bart", "mbart", "m2m_100"})
            cases.push_back({family, untied, inFile, "ed"});
        cases.push_back({"marian", separate, inFile, "ed"});
    }
    for (const WordsCase& one : cases) {
        test::TinyCheckpoint tiny;
        tiny.config = configOf(one.family, one.members);
        for (const char letter : one.inFile) {
            tiny.put(tableOf(letter), {50, 8});
            tiny.fill(tableOf(letter), 0.25F);
        }
        const ModelSpec found = specOf(tiny.checkpoint());
        EXPECT_EQ(found.main.embedding.words, tableOf(one.read[0]))
            << one.family << one.members << one.inFile;
        EXPECT_EQ(found.decoder->embedding.words, tableOf(one.read[1]))
            << one.family << one.members << one.inFile;
    }
}

/// Where the stacks have one table in common the last of a file counts for transformers, so they must be
/// equal.
TEST(EncoderDecoderWords, AreOneTable) {
    const auto errorOf = [](const char* family, const std::string& inFile, std::size_t changed) {
        test::TinyCheckpoint tiny;
        tiny.config = configOf(family, R"("vocab_size": 5000, "pad_token_id": 1)");
        for (const char letter : inFile) {
            tiny.put(tableOf(letter), {5000, 8});
            tiny.fill(tableOf(letter), 0.25F);
        }
        tiny.values(tableOf(inFile.back()))[changed] = 0.5F;
        return test::sentenceOf([&] { specOf(tiny.checkpoint()); });
    };
    for (const char* family : {"marian", "pegasus", "t5", "mt5", "umt5"}) {
        for (const char* inFile : {"sed", "se", "sd", "ed"})
            for (const std::size_t changed : {0UL, 39999UL})
                EXPECT_THAT(errorOf(family, inFile, changed),
                            AllOf(HasSubstr("embed_tokens"), HasSubstr("differ")))
                    << family << inFile;
        EXPECT_THAT(errorOf(family, "d", 7), IsEmpty()) << family;
    }
    for (const char* family :
         {"bart", "mbart", "m2m_100"}) // copied from the shared one, or from the decoder's
        EXPECT_THAT(errorOf(family, "sed", 0), IsEmpty()) << family;
}

/// Nobody reads a decoder's table for an encoder that was saved alone.
TEST(EncoderDecoderWords, AnEncoderAloneReadsItsOwn) {
    for (const char* inFile : {"d", "e"}) {
        test::TinyCheckpoint tiny;
        tiny.config = configOf("t5", R"("architectures": ["T5EncoderModel"])");
        tiny.put(tableOf(inFile[0]), {50, 8});
        EXPECT_EQ(specOf(tiny.checkpoint()).main.embedding.words, tableOf(inFile[0] == 'e' ? 'e' : 's'));
    }
}

/// transformers builds no word table whose padding row is outside it; null means no such row.
TEST(BartLike, ThePaddingIdIsAWord) {
    for (const char* family : {"bart", "mbart", "marian", "pegasus"}) {
        const auto error = [&](const std::string& padding) {
            return specError(configOf(family, R"("vocab_size": 50, "decoder_start_token_id": 2)" + padding));
        };
        for (const char* good : {"49", "-50", "null"})
            EXPECT_THAT(error(std::string(R"(, "pad_token_id": )") + good), IsEmpty()) << family << good;
        for (const char* bad : {"50", "-51"})
            EXPECT_THAT(error(std::string(R"(, "pad_token_id": )") + bad), HasSubstr("pad_token_id"))
                << family << bad;
        if (std::string(family) == "marian")
            EXPECT_THAT(error(""), AllOf(HasSubstr("pad_token_id"), HasSubstr("58100")));
        else
            EXPECT_THAT(error(""), IsEmpty()) << family;
    }
}

/// Its sinusoids leave the padding's row empty, so the table must have it.
TEST(BartLike, ThePaddingIdOfM2mIsAPosition) {
    const auto error = [](const char* padding) {
        return specError(configOf("m2m_100", std::string(R"("vocab_size": 50, "max_position_embeddings": 20,
            "pad_token_id": )") + padding));
    };
    EXPECT_THAT(error("21"), IsEmpty());
    EXPECT_THAT(error("22"), AllOf(HasSubstr("pad_token_id"), HasSubstr("to 21")));
    EXPECT_THAT(error("null"), HasSubstr("pad_token_id"));
}

} // namespace
} // namespace headscope
