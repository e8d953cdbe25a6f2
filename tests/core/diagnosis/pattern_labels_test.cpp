// SPDX-License-Identifier: GPL-3.0-or-later
// Heads made to read one thing, and the labels that they must and must not get on one text.
#include "core/diagnosis/labels.h"
#include "core/diagnosis/map_metrics.h"
#include "core/maps/head_map.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace headscope::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kMatch = 16.0;
constexpr double kNoise = 2.0;

/// Token numbers; 0 is a full stop.
using Tokens = std::vector<int>;

TokenFacts factsOf(const Tokens& tokens) {
    Axis axis;
    for (const int token : tokens) {
        AxisEntry entry;
        entry.piece = token == 0 ? std::string(".") : fmt::format("w{}", token);
        entry.text = 0;
        axis.entries.push_back(entry);
    }
    return tokenFacts(axis);
}

/// Words of which about half come again, a full stop every 12.
Tokens prose(int count, unsigned seed = 3) {
    std::mt19937 engine(seed);
    Tokens tokens;
    int next = 1;
    for (int i = 0; i < count; ++i) {
        if (i % 12 == 11)
            tokens.push_back(0);
        else if (next > 8 && engine() % 2 == 0)
            tokens.push_back(1 + static_cast<int>(engine() % static_cast<unsigned>(next - 1)));
        else
            tokens.push_back(next++);
    }
    return tokens;
}

/// A block of ten words again and again, with more and fewer words of filler between.
Tokens variableGaps(int count) {
    const int gaps[] = {1, 5, 2, 7, 3, 6, 4, 8};
    Tokens tokens;
    int filler = 100;
    for (std::size_t round = 0; tokens.size() < static_cast<std::size_t>(count); ++round) {
        for (int word = 1; word <= 10; ++word) tokens.push_back(word);
        for (int i = 0; i < gaps[round % 8]; ++i) tokens.push_back(filler++);
    }
    tokens.resize(static_cast<std::size_t>(count));
    return tokens;
}

struct Head {
    MaskRule mask;
    Tokens tokens;
    ScoreFunction score;
};

/// `score` beside noise, which never decides.
Verdict verdictOf(const Head& head, double noise = kNoise) {
    const auto background = noiseScores(noise, head.mask.keys, head.mask.queries);
    const SyntheticHead made(
        head.mask, [&](std::int64_t i, std::int64_t j) { return head.score(i, j) + background(i, j); });
    const TokenFacts facts = factsOf(head.tokens);
    HeadMetrics metrics = made.metrics(true, 16, &facts);
    const StoredMap map({head.mask.queries, head.mask.keys}, made.weights);
    measureOnMap(metrics, {.map = map, .mask = head.mask, .facts = &facts});
    return judge(metrics);
}

std::vector<Label> patternsOf(const Head& head, double noise = kNoise) {
    return verdictOf(head, noise).patterns();
}

ScoreFunction at(std::int64_t offset) {
    return [offset](std::int64_t i, std::int64_t j) { return j == i + offset ? kMatch : 0.0; };
}

MaskRule maskOf(bool causal, std::int64_t tokens) {
    return causal ? causalMask(tokens) : fullMask(tokens, tokens);
}

TEST(PatternLabels, Neighbours) {
    for (const std::int64_t tokens : {40, 97, 200})
        for (const bool causal : {true, false}) {
            const Tokens text = prose(static_cast<int>(tokens));
            EXPECT_THAT(patternsOf({maskOf(causal, tokens), text, at(-1)}),
                        ElementsAre(Label::PreviousToken));
            EXPECT_THAT(patternsOf({maskOf(causal, tokens), text, at(0)}), ElementsAre(Label::Self));
            if (!causal) {
                EXPECT_THAT(patternsOf({maskOf(causal, tokens), text, at(1)}), ElementsAre(Label::NextToken));
            }
        }
}

TEST(PatternLabels, FixedOffset) {
    for (const std::int64_t offset : {-2, -9, -47, -70}) {
        const Verdict verdict = verdictOf({causalMask(200), prose(200), at(offset)});
        EXPECT_THAT(verdict.patterns(), ElementsAre(Label::FixedOffset)) << offset;
        for (const Finding& one : verdict.findings)
            if (one.label == Label::FixedOffset) {
                EXPECT_EQ(one.detail, fmt::format("offset {}", offset));
                EXPECT_GT(one.score, 0.95);
            }
    }
    EXPECT_THAT(patternsOf({fullMask(97, 97), prose(97), at(5)}), ElementsAre(Label::FixedOffset));
}

TEST(PatternLabels, AFixedPeriodTestsNeitherOffsetNorInduction) {
    Tokens period;
    for (int i = 0; i < 192; ++i) period.push_back(1 + i % 48);
    const Verdict verdict = verdictOf({causalMask(192), period, at(-47)});
    EXPECT_THAT(verdict.patterns(), IsEmpty());
    std::string reasons;
    for (const NotTested& one : verdict.notTested)
        reasons += fmt::format("{}: {}\n", nameOf(one.label), one.reason);
    EXPECT_THAT(reasons, HasSubstr("fixed_offset: at offset -47 the text repeats itself"));
    EXPECT_THAT(reasons, HasSubstr("induction: the repeats lie at one and the same offset"));
}

TEST(PatternLabels, InductionAndDuplicate) {
    for (const Tokens& text : {variableGaps(197), prose(197)}) {
        const auto same = [&](std::int64_t i, std::int64_t j) {
            return text[static_cast<std::size_t>(i)] == text[static_cast<std::size_t>(j)];
        };
        const auto induction = [&](std::int64_t i, std::int64_t j) {
            return j >= 1 && same(i, j - 1) ? kMatch : 0.0;
        };
        const auto duplicate = [&](std::int64_t i, std::int64_t j) {
            return i == j ? -20.0 : same(i, j) ? kMatch : 0.0;
        };
        const auto copies = patternsOf({causalMask(197), text, duplicate});
        EXPECT_THAT(copies, Contains(Label::DuplicateToken));
        EXPECT_THAT(copies, Not(Contains(Label::Induction)));
        const auto followers = patternsOf({causalMask(197), text, induction});
        EXPECT_THAT(followers, Contains(Label::Induction));
        EXPECT_THAT(followers, Not(Contains(Label::DuplicateToken)));
        // Both ways there is no induction, but duplicates are found on both sides.
        EXPECT_THAT(patternsOf({fullMask(197, 197), text, duplicate}), Contains(Label::DuplicateToken));
    }
}

TEST(PatternLabels, InductionOnASink) {
    const Tokens text = variableGaps(197);
    const auto score = [&](std::int64_t i, std::int64_t j) {
        if (j == 0) return 8.0;
        return text[static_cast<std::size_t>(i)] == text[static_cast<std::size_t>(j - 1)] ? kMatch : 0.0;
    };
    const Verdict verdict = verdictOf({causalMask(197), text, score}, 0.5);
    EXPECT_THAT(verdict.patterns(), Contains(Label::Induction));
    EXPECT_THAT(verdict.labels(), Not(Contains(Label::Stuck)));
}

TEST(PatternLabels, WithoutRepeatsNothingIsSaidOfThem) {
    Tokens text;
    for (int i = 0; i < 100; ++i) text.push_back(i + 1);
    const Verdict verdict = verdictOf({causalMask(100), text, [](auto, auto) { return 0.0; }});
    for (const Finding& one : verdict.findings) {
        EXPECT_NE(one.label, Label::Induction);
        EXPECT_NE(one.label, Label::DuplicateToken);
    }
    std::string reasons;
    for (const NotTested& one : verdict.notTested) reasons += one.reason + "\n";
    EXPECT_THAT(reasons, HasSubstr("the text repeats too little: 0 rows of 0 kinds of tokens"));
    EXPECT_THAT(reasons, HasSubstr("too few separators, punctuation marks or line breaks"));
}

TEST(PatternLabels, Delimiter) {
    const Tokens text = prose(97);
    const auto stops = [&](std::int64_t, std::int64_t j) {
        return text[static_cast<std::size_t>(j)] == 0 ? 8.0 : 0.0;
    };
    const Verdict verdict = verdictOf({causalMask(97), text, stops}, 0.3);
    EXPECT_THAT(verdict.patterns(), ElementsAre(Label::Delimiter));
    for (const Finding& one : verdict.findings)
        if (one.label == Label::Delimiter) {
            EXPECT_EQ(one.detail, "punctuation");
            EXPECT_EQ(one.column, 11);
            EXPECT_GT(one.score, 0.9);
        }
    // Stuck on one of them is another thing.
    const auto oneStop = [](std::int64_t, std::int64_t j) { return j == 11 ? 9.0 : 0.0; };
    EXPECT_THAT(patternsOf({causalMask(97), text, oneStop}, 0.3), Not(Contains(Label::Delimiter)));
}

TEST(PatternLabels, BlockAndLocal) {
    // Sentences of 30 tokens: shorter ones cannot tell a block from a neighbourhood.
    Tokens text;
    for (int i = 0; i < 210; ++i) text.push_back(i % 30 == 29 ? 0 : i + 1);
    const auto sameSentence = [](std::int64_t i, std::int64_t j) { return i / 30 == j / 30 ? 12.0 : 0.0; };
    for (const bool causal : {true, false})
        EXPECT_THAT(patternsOf({maskOf(causal, 210), text, sameSentence}, 0.3), ElementsAre(Label::Block))
            << causal;
    const auto alibi = [](std::int64_t i, std::int64_t j) {
        return -0.5 * std::abs(static_cast<double>(i - j));
    };
    EXPECT_THAT(patternsOf({causalMask(210), text, alibi}, 0.0), ElementsAre(Label::Local));
    // Neither the previous token nor itself is a block, though both stay within the sentence.
    EXPECT_THAT(patternsOf({causalMask(210), text, at(-1)}), Not(Contains(Label::Block)));
    EXPECT_THAT(patternsOf({causalMask(210), text, at(0)}), Not(Contains(Label::Block)));
}

TEST(PatternLabels, NoiseGetsNone) {
    unsigned seed = 100;
    for (const std::int64_t tokens : {32, 48, 97, 200})
        for (const double spread : {0.0, 0.3, 1.0, 3.0, 6.0})
            for (const bool causal : {true, false})
                for (int repeat = 0; repeat < 6; ++repeat) {
                    const auto scores = noiseScores(spread, tokens, tokens, ++seed);
                    EXPECT_THAT(
                        patternsOf({maskOf(causal, tokens), prose(static_cast<int>(tokens), seed), scores},
                                   0.0),
                        IsEmpty())
                        << tokens << " tokens, spread " << spread << ", seed " << seed;
                }
}

TEST(PatternLabels, AShortTextIsNotJudged) {
    const Verdict verdict = verdictOf({causalMask(31), prose(31), at(-1)});
    EXPECT_THAT(verdict.patterns(), IsEmpty());
    EXPECT_THAT(verdict.labels(), ElementsAre(Label::InsufficientEvidence));
}

} // namespace
} // namespace headscope::test
