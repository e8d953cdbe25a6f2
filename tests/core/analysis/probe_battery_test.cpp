// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/probe_battery.h"
#include "core/analysis/probe_fit.h"
#include "core/analysis/probe_sources.h"
#include "core/base/utf8.h"
#include "tests/core/analysis/probe_models.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace headscope {
namespace {

using test::ProbeModel;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAreArray;
using Ids = std::vector<std::int64_t>;

std::shared_ptr<const OpenModel> openFixture(const std::string& name) {
    return openModel(test::dataPath(name), {DeviceChoice::Cpu}, {}, {});
}

std::vector<std::string> namesOf(const ProbeBattery& battery, ProbeKind kind) {
    std::vector<std::string> names;
    for (const ProbeText& text : battery.texts)
        if (text.kind == kind) names.push_back(text.name);
    return names;
}

std::string reasonFor(const ProbeBattery& battery, const std::string& name) {
    const auto found = std::ranges::find(battery.leftOut, name, &LeftOutProbe::name);
    return found == battery.leftOut.end() ? "" : found->reason;
}

Ids idsOf(const TokenizedText& text) {
    Ids ids;
    for (const Token& token : text.tokens) ids.push_back(token.id);
    return ids;
}

const std::string& sourceOf(const std::string& name) {
    return std::ranges::find(probeSources(), name, &ProbeSource::name)->text;
}

bool isWord(const std::string& piece) {
    return piece.size() >= 3 && std::ranges::all_of(piece, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Whole words from the start of a text that was written.
void expectWholeWords(const std::string& cut, const std::string& whole) {
    ASSERT_THAT(whole, StartsWith(cut));
    ASSERT_FALSE(cut.empty());
    EXPECT_EQ(std::isspace(static_cast<unsigned char>(cut.back())), 0);
    if (cut.size() < whole.size()) {
        EXPECT_NE(std::isspace(static_cast<unsigned char>(whole[cut.size()])), 0);
    }
}

void expectFits(const TokenizedText& text, std::int64_t limit) {
    EXPECT_GE(text.axis->size(), 32);
    EXPECT_LE(text.axis->size(), std::min<std::int64_t>(256, limit));
    EXPECT_TRUE(text.fits());
}

/// All that holds for any model.
void expectSound(const OpenModel& model, const ProbeBattery& battery, std::int64_t limit) {
    std::set<std::string> names;
    for (const ProbeText& probe : battery.texts) {
        SCOPED_TRACE(model.name + " " + probe.name);
        EXPECT_TRUE(names.insert(probe.name).second);
        EXPECT_THAT(probe.name, StartsWith(std::string(nameOf(probe.kind)) + "/"));
        EXPECT_EQ(probe.input.length, LengthPolicy::Refuse);
        const TokenizedText text = tokenizeText(model, probe.input);
        expectFits(text, limit);
        std::int64_t unknown = 0;
        for (const Token& token : text.tokens)
            unknown += token.text >= 0 && (token.piece == "[UNK]" || token.piece == "<unk>") ? 1 : 0;
        EXPECT_LE(unknown * 10, text.axis->size());
        if (const auto target = tokenizeTarget(model, probe.input)) {
            EXPECT_TRUE(target->fits());
        }
    }
    for (const LeftOutProbe& one : battery.leftOut) {
        EXPECT_TRUE(names.insert(one.name).second || one.name.ends_with("(target)")) << one.name;
        EXPECT_THAT(one.reason, AllOf(HasSubstr(": "), EndsWith("."))) << one.name;
    }
    EXPECT_GE(names.size(), probeSources().size() + 3) << "each is there or left out with a reason";
}

/// Blocks four times with different gaps, in the frame that the tokenizer puts around a text.
void expectRepeats(const OpenModel& model, const Ids& given, const Ids& before, const Ids& after) {
    ASSERT_GT(given.size(), before.size() + after.size());
    EXPECT_TRUE(std::equal(before.begin(), before.end(), given.begin()));
    EXPECT_TRUE(std::equal(after.rbegin(), after.rend(), given.rbegin()));
    const Ids ids(given.begin() + static_cast<std::ptrdiff_t>(before.size()),
                  given.end() - static_cast<std::ptrdiff_t>(after.size()));
    std::map<std::int64_t, Ids> places;
    for (std::size_t i = 0; i < ids.size(); ++i) places[ids[i]].push_back(static_cast<std::int64_t>(i));
    std::set<std::int64_t> distances;
    std::size_t block = 0;
    for (const auto& [id, at] : places) {
        if (model.tokenizer) {
            EXPECT_FALSE(model.tokenizer->isSpecial(id)) << id;
        }
        if (at.size() == 1) continue;
        ASSERT_THAT(at, SizeIs(4)) << id;
        ++block;
        for (std::size_t i = 1; i < 4; ++i) distances.insert(at[i] - at[i - 1]);
    }
    EXPECT_GE(block, 6U);
    EXPECT_LE(block, 25U);
    EXPECT_THAT(distances, SizeIs(3)) << "three gaps, each of its own length";
    for (const std::int64_t distance : distances) {
        EXPECT_GT(distance, static_cast<std::int64_t>(block));
        EXPECT_LE(distance, static_cast<std::int64_t>(block) + 8);
    }
}

TEST(ProbeBattery, FitsAWordPieceModel) {
    const auto model = openFixture("models/tiny-bert");
    const ProbeBattery battery = probeBattery(*model);
    expectSound(*model, battery, 128);
    EXPECT_THAT(namesOf(battery, ProbeKind::Repeats), ElementsAre("repeats/3", "repeats/4", "repeats/6"));
    std::set<Ids> different;
    for (const ProbeText& probe : battery.texts) {
        SCOPED_TRACE(probe.name);
        if (probe.kind == ProbeKind::Repeats) {
            expectRepeats(*model, *probe.input.ids, {2}, {3});
            different.insert(*probe.input.ids);
        } else {
            expectWholeWords(probe.input.text, sourceOf(probe.name));
        }
        EXPECT_NO_THROW(analyse({model, probe.input}, {}, {}));
    }
    EXPECT_THAT(different, SizeIs(3));
    EXPECT_THAT(namesOf(battery, ProbeKind::Natural), SizeIs(::testing::Ge(8U)));
    EXPECT_THAT(reasonFor(battery, "natural/chinese"),
                AllOf(StartsWith("natural/chinese: "), HasSubstr("tokens are unknown to the tokenizer"),
                      HasSubstr("expected at most one in 10")));
}

TEST(ProbeBattery, IsTheSameEachTime) {
    const auto model = openFixture("models/tiny-bert");
    const ProbeBattery first = probeBattery(*model);
    const ProbeBattery second = probeBattery(*model);
    ASSERT_EQ(first.texts.size(), second.texts.size());
    for (std::size_t i = 0; i < first.texts.size(); ++i) {
        EXPECT_EQ(first.texts[i].name, second.texts[i].name);
        EXPECT_EQ(first.texts[i].input.text, second.texts[i].input.text);
        EXPECT_EQ(first.texts[i].input.pair, second.texts[i].input.pair);
        EXPECT_EQ(first.texts[i].input.ids, second.texts[i].input.ids);
    }
}

TEST(ProbeBattery, PairsForModelsThatKeepTextsApart) {
    const auto bert = openFixture("models/tiny-bert");
    const ProbeBattery typed = probeBattery(*bert);
    ASSERT_THAT(namesOf(typed, ProbeKind::Pair), SizeIs(3));
    for (const ProbeText& probe : typed.texts) {
        EXPECT_EQ(probe.input.pair.has_value(), probe.kind == ProbeKind::Pair) << probe.name;
        if (!probe.input.pair) continue;
        const TokenizedText text = tokenizeText(*bert, probe.input);
        EXPECT_GE(std::ranges::count(text.tokens, 0, &Token::text), 16) << probe.name;
        EXPECT_GE(std::ranges::count(text.tokens, 1, &Token::text), 16) << probe.name;
        const ProbeSource& source = *std::ranges::find(probeSources(), probe.name, &ProbeSource::name);
        expectWholeWords(*probe.input.pair, *source.pair);
    }
    ProbeModel spec;
    spec.tokenizer = test::sentencePieceTokenizer();
    EXPECT_THAT(namesOf(probeBattery(*spec.open()), ProbeKind::Pair), SizeIs(3)) << "a separator is enough";
    spec.causal = true;
    const ProbeBattery causal = probeBattery(*spec.open());
    EXPECT_THAT(namesOf(causal, ProbeKind::Pair), IsEmpty());
    EXPECT_EQ(reasonFor(causal, "pair/question_answer"),
              "pair/question_answer: this model does not keep two texts apart.");
    ProbeModel joined;
    joined.tokenizer = test::byteLevelTokenizer();
    EXPECT_THAT(namesOf(probeBattery(*joined.open()), ProbeKind::Pair), IsEmpty()) << "nothing between them";
}

TEST(ProbeBattery, EveryLimitIsKept) {
    for (const std::string& tokenizer : {test::byteLevelTokenizer(), test::sentencePieceTokenizer(),
                                         test::readTokenizer("models/tiny-bert")}) {
        for (const std::int64_t limit : {33, 34, 40, 41, 64, 100, 255, 256, 257, 512}) {
            ProbeModel spec;
            spec.tokenizer = tokenizer;
            spec.maxPositions = limit;
            const auto model = spec.open();
            const ProbeBattery battery = probeBattery(*model);
            SCOPED_TRACE(limit);
            expectSound(*model, battery, limit);
            if (limit >= 40) {
                EXPECT_THAT(namesOf(battery, ProbeKind::Repeats), SizeIs(3));
            }
            if (limit >= 64) {
                EXPECT_THAT(namesOf(battery, ProbeKind::Natural), SizeIs(::testing::Ge(8U)));
            }
        }
    }
}

TEST(ProbeBattery, WhatTheModelWasMadeForIsALimitToo) {
    ProbeModel spec;
    spec.tokenizer = test::byteLevelTokenizer();
    spec.trainedPositions = 50;
    const auto model = spec.open();
    expectSound(*model, probeBattery(*model), 50);
}

TEST(ProbeBattery, TooShortATableLeavesEverythingOut) {
    ProbeModel spec;
    spec.tokenizer = test::readTokenizer("models/tiny-bert");
    for (const std::int64_t limit : {1, 2, 3, 20, 31}) {
        spec.maxPositions = limit;
        const ProbeBattery battery = probeBattery(*spec.open());
        EXPECT_THAT(battery.texts, IsEmpty()) << limit;
        EXPECT_THAT(battery.leftOut, SizeIs(probeSources().size() + 3)) << limit;
    }
    const ProbeBattery battery = probeBattery(*spec.open());
    EXPECT_THAT(reasonFor(battery, "natural/prose"),
                AllOf(StartsWith("natural/prose: it has "),
                      EndsWith(" tokens for this model, expected at least 32.")));
    EXPECT_THAT(reasonFor(battery, "repeats/3"),
                AllOf(StartsWith("random repeats: there is room for 29 tokens of "),
                      EndsWith(" that could stand in them, expected at least 30 of 12.")));
}

TEST(ProbeBattery, ByteLevelModelsReadEveryScriptAndAddNothing) {
    ProbeModel spec;
    spec.tokenizer = test::byteLevelTokenizer();
    spec.causal = true;
    const auto model = spec.open();
    const ProbeBattery battery = probeBattery(*model);
    expectSound(*model, battery, 256);
    EXPECT_EQ(reasonFor(battery, "natural/chinese"), "") << "bytes are never unknown";
    for (const ProbeText& probe : battery.texts) {
        if (probe.kind != ProbeKind::Repeats) continue;
        expectRepeats(*model, *probe.input.ids, {}, {});
        for (const std::int64_t id : *probe.input.ids) {
            const std::string spelled = model->tokenizer->bytes(id).value();
            const std::string_view read = std::string_view(spelled).substr(spelled.starts_with(' ') ? 1 : 0);
            EXPECT_FALSE(firstInvalidUtf8(read)) << id << ": a part of a character";
            EXPECT_TRUE(
                std::ranges::all_of(read, [](unsigned char c) { return c >= 0x80 || std::isalpha(c); }))
                << id << ": " << read;
            EXPECT_GT(read.size(), 1U) << id;
        }
    }
}

TEST(ProbeBattery, WithoutATokenizerThereAreRepeatsAlone) {
    OpenModel bare = *openFixture("models/tiny-bert");
    bare.tokenizer = nullptr;
    const auto model = std::make_shared<const OpenModel>(bare);
    const ProbeBattery battery = probeBattery(*model);
    expectSound(*model, battery, *model->spec().maxPositions);
    ASSERT_THAT(battery.texts, SizeIs(3));
    EXPECT_THAT(battery.leftOut, SizeIs(probeSources().size()));
    for (const LeftOutProbe& one : battery.leftOut) EXPECT_THAT(one.reason, HasSubstr("no tokenizer.json"));
    for (const ProbeText& probe : battery.texts) {
        expectRepeats(*model, *probe.input.ids, {}, {});
        EXPECT_NO_THROW(analyse({model, probe.input}, {}, {}));
    }
}

TEST(ProbeBattery, DecodersGetATargetThatFits) {
    ProbeModel spec;
    spec.tokenizer = test::sentencePieceTokenizer();
    spec.decoderPositions = 90;
    spec.decoderStart = 0;
    const auto model = spec.open();
    const ProbeBattery battery = probeBattery(*model);
    expectSound(*model, battery, 256);
    for (const ProbeText& probe : battery.texts) {
        SCOPED_TRACE(probe.name);
        const TokenizedText target = *tokenizeTarget(*model, probe.input);
        expectFits(target, 90);
        EXPECT_EQ(target.tokens.front().id, 0);
        if (probe.kind == ProbeKind::Repeats) {
            expectRepeats(*model, *probe.input.ids, {}, {1});
            expectRepeats(*model, *probe.input.targetIds, {0}, {});
            const Ids& source = *probe.input.ids;
            const Ids& read = *probe.input.targetIds;
            EXPECT_EQ(Ids(source.begin(), source.end() - 1), Ids(read.begin() + 1, read.end()));
        } else {
            const ProbeSource& source = *std::ranges::find(probeSources(), probe.name, &ProbeSource::name);
            EXPECT_THAT(source.pair.value_or(source.text), StartsWith(*probe.input.target));
        }
    }
    EXPECT_THAT(namesOf(battery, ProbeKind::Natural), SizeIs(::testing::Ge(8U)));
}

TEST(ProbeBattery, ADecoderWithWordsOfItsOwnGetsIdsOfItsOwn) {
    ProbeModel spec;
    spec.tokenizer = test::sentencePieceTokenizer();
    spec.decoderStart = 0;
    spec.decoderVocabulary = 60;
    const auto model = spec.open();
    const ProbeBattery battery = probeBattery(*model);
    ASSERT_THAT(namesOf(battery, ProbeKind::Repeats), SizeIs(3));
    for (const ProbeText& probe : battery.texts) {
        if (probe.kind != ProbeKind::Repeats) continue;
        EXPECT_THAT(*probe.input.targetIds, Each(::testing::Lt(60)));
        expectRepeats(*model, *probe.input.targetIds, {0}, {});
    }
    EXPECT_THAT(reasonFor(battery, "natural/prose (target)"), HasSubstr("expected 0 to 59"));
}

TEST(ProbeBattery, ADecoderThatCannotBeginIsSaid) {
    ProbeModel spec;
    spec.tokenizer = test::sentencePieceTokenizer();
    spec.decoderPositions = 90;
    const ProbeBattery battery = probeBattery(*spec.open());
    EXPECT_THAT(battery.texts, IsEmpty());
    for (const char* name : {"natural/prose", "pair/question_answer", "repeats/3"})
        EXPECT_THAT(reasonFor(battery, name), StartsWith("config.json: it has no decoder_start_token_id"));
}

TEST(ProbeBattery, RunsOnModelsWithADecoder) {
    for (const char* name : {"families/t5/plain", "families/bart/plain", "families/marian/own-words"}) {
        const auto model = openFixture(name);
        const ProbeBattery battery = probeBattery(*model);
        EXPECT_THAT(battery.texts, SizeIs(3)) << name;
        for (const ProbeText& probe : battery.texts) {
            const auto analysis = analyse({model, probe.input}, {}, {});
            EXPECT_GE(analysis->target->axis->size(), 32) << name;
        }
    }
}

TEST(ProbeFit, CutsAfterWordsAndWhereThereAreNoneAfterTokens) {
    // Every code point is a token, with two special ones.
    const TokensOf tokensOf = [](const std::string& text) {
        std::vector<Token> tokens(1);
        for (std::int64_t i = 0; i < countCodePoints(text); ++i)
            tokens.push_back({.id = 1, .piece = "x", .start = i, .end = i + 1, .special = false, .text = 0});
        tokens.emplace_back();
        return tokens;
    };
    const std::string words = "one two  three";
    const std::vector<std::pair<std::int64_t, std::string>> expected{
        {0, ""},        {2, ""},         {3, ""},         {5, "one"},      {8, "one"},
        {9, "one two"}, {10, "one two"}, {11, "one two"}, {15, "one two"}, {16, words}};
    for (const auto& [limit, cut] : expected) EXPECT_EQ(cutToFit(words, limit, tokensOf), cut) << limit;
    std::string chinese;
    for (int i = 0; i < 100; ++i) chinese += "鱼";
    EXPECT_EQ(countCodePoints(cutToFit(chinese, 52, tokensOf)), 50);
}

TEST(ProbeShuffle, MovesAllButTheSpecialTokens) {
    const auto model = openFixture("models/tiny-bert");
    const TokenizedText text = tokenizeText(*model, probeBattery(*model).texts.front().input);
    const TextInput once = shuffled(text, std::nullopt, 5);
    const Ids before = idsOf(text);
    EXPECT_NE(*once.ids, before);
    EXPECT_THAT(*once.ids, UnorderedElementsAreArray(before));
    EXPECT_EQ(once.ids->front(), 2);
    EXPECT_EQ(once.ids->back(), 3);
    EXPECT_EQ(shuffled(text, std::nullopt, 5).ids, once.ids);
    EXPECT_NE(shuffled(text, std::nullopt, 6).ids, once.ids);
    EXPECT_FALSE(once.targetIds);
    EXPECT_NO_THROW(analyse({model, once}, {}, {}));
}

TEST(ProbeShuffle, TheStartOfATargetStays) {
    ProbeModel spec;
    spec.tokenizer = test::sentencePieceTokenizer();
    spec.decoderStart = 5; // an ordinary token
    const auto model = spec.open();
    const TextInput input = probeBattery(*model).texts.front().input;
    const TokenizedText target = *tokenizeTarget(*model, input);
    const TextInput once = shuffled(tokenizeText(*model, input), target, 5);
    EXPECT_EQ(once.targetIds->front(), 5);
    EXPECT_NE(*once.targetIds, idsOf(target));
    EXPECT_THAT(*once.targetIds, UnorderedElementsAreArray(idsOf(target)));
    EXPECT_EQ(once.ids->back(), 1);
}

TEST(ProbeMiniLm, ReadsTwelveNaturalTextsAndAllOfTheRest) {
    if (test::minilmFolder().empty())
        GTEST_SKIP() << "skipped: no MiniLM checkpoint at " << HEADSCOPE_MINILM_DIR;
    const auto model = openModel(test::minilmFolder(), {DeviceChoice::Cpu}, {}, {});
    const ProbeBattery battery = probeBattery(*model);
    expectSound(*model, battery, 256);
    EXPECT_THAT(namesOf(battery, ProbeKind::Natural), SizeIs(12));
    EXPECT_THAT(namesOf(battery, ProbeKind::Pair), SizeIs(3));
    ASSERT_THAT(battery.leftOut, SizeIs(1));
    // Counted by the tokenizers library.
    EXPECT_EQ(battery.leftOut.front().reason,
              "natural/chinese: 90 of its 165 tokens are unknown to the tokenizer, "
              "expected at most one in 10.");
    for (const ProbeText& probe : battery.texts) {
        SCOPED_TRACE(probe.name);
        if (probe.kind != ProbeKind::Repeats) {
            EXPECT_EQ(probe.input.text, sourceOf(probe.name)) << "none of them needs to be cut";
            continue;
        }
        expectRepeats(*model, *probe.input.ids, {101}, {102});
        for (std::size_t i = 1; i + 1 < probe.input.ids->size(); ++i)
            EXPECT_TRUE(isWord(*model->tokenizer->piece((*probe.input.ids)[i]))) << (*probe.input.ids)[i];
    }
}

} // namespace
} // namespace headscope
