// SPDX-License-Identifier: GPL-3.0-or-later
// Heads judged by several texts: which of them must agree, and in what.
#include "tests/core/diagnosis/texts_fixture.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAreArray;

constexpr double kFull = 16.0;

ScoreFunction onKey(std::int64_t key, double score) {
    return [=](std::int64_t, std::int64_t j) { return j == key ? score : 0.0; };
}
ScoreFunction atOffset(std::int64_t offset) {
    return [=](std::int64_t i, std::int64_t j) { return j == i + offset ? kFull : 0.0; };
}
ScoreFunction noise(int tokens, unsigned seed, double spread = 1.5) {
    return noiseScores(spread, tokens, tokens, seed);
}

/// A copy: most diagnoses here are temporaries.
HeadLabel labelOf(const HeadDiagnosis& head, Label label) {
    const HeadLabel* found = head.find(label);
    EXPECT_NE(found, nullptr) << nameOf(label);
    return found == nullptr ? HeadLabel() : *found;
}

TEST(OverTexts, OneLabelOnAllTextsIsAsSureAsTheyAreMany) {
    const std::vector<std::pair<unsigned, Confidence>> levels{{1, Confidence::Observed},
                                                              {2, Confidence::Observed},
                                                              {3, Confidence::Likely},
                                                              {8, Confidence::Confirmed}};
    for (const auto& [count, level] : levels) {
        HeadOnTexts head;
        for (unsigned t = 0; t < count; ++t) head.add(words(60 + static_cast<int>(t), t), atOffset(-1));
        const HeadDiagnosis judged = head.judged();
        EXPECT_EQ(judged.primary, Label::PreviousToken);
        const HeadLabel& label = labelOf(judged, Label::PreviousToken);
        EXPECT_EQ(label.confidence, level) << count;
        EXPECT_EQ(label.texts.tested, static_cast<int>(count));
        EXPECT_NEAR(label.score, 1.0, 0.01);
        EXPECT_GT(label.kappa.value(), 0.98);
        EXPECT_EQ(label.measures.front().name, "previous_mass");
        EXPECT_FALSE(label.measures.front().source.empty());
    }
}

TEST(OverTexts, HalfOfTheTextsMakeItDependOnThem) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 6; ++t) head.add(words(64, t), t % 2 == 0 ? atOffset(-1) : noise(64, t));
    const HeadDiagnosis judged = head.judged();
    EXPECT_EQ(labelOf(judged, Label::PreviousToken).confidence, Confidence::InputDependent);
    EXPECT_EQ(judged.primary, Label::PreviousToken); // half is enough to be named
    EXPECT_EQ(labelOf(judged, Label::PreviousToken).worst.value() % 2, 1U);
}

TEST(OverTexts, AThirdIsListedAndLeavesTheHeadMixed) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 6; ++t) head.add(words(64, t), t % 3 == 0 ? atOffset(-1) : noise(64, t));
    const HeadDiagnosis judged = head.judged();
    EXPECT_EQ(labelOf(judged, Label::PreviousToken).texts.fired, 2);
    EXPECT_EQ(judged.primary, Label::Mixed);
}

TEST(OverTexts, ShortTextsTestNothing) {
    HeadOnTexts head;
    head.add(words(20, 0), atOffset(-1)).add(words(64, 1), atOffset(-1));
    const HeadDiagnosis judged = head.judged();
    EXPECT_EQ(labelOf(judged, Label::PreviousToken).texts.tested, 1);
    HeadOnTexts none;
    none.add(words(20, 0), atOffset(-1));
    const HeadDiagnosis insufficient = none.judged();
    EXPECT_EQ(insufficient.primary, Label::InsufficientEvidence);
    EXPECT_THAT(insufficient.labels, IsEmpty());
}

TEST(OverTexts, NoiseGetsNoLabel) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 8; ++t) head.add(words(64, t), noise(64, t, 2.0));
    const HeadDiagnosis judged = head.judged();
    EXPECT_THAT(labelsOf(judged), IsEmpty());
    EXPECT_EQ(judged.primary, Label::Mixed);
}

TEST(OverTexts, StuckIsOnePlaceFromTheStartOrTheEnd) {
    HeadOnTexts fromStart;
    HeadOnTexts fromEnd(false);
    HeadOnTexts everywhere;
    for (unsigned t = 0; t < 6; ++t) {
        const int tokens = 60 + 3 * static_cast<int>(t);
        fromStart.add(words(tokens, t), onKey(5, 12.0));
        fromEnd.add(words(tokens, t), onKey(tokens - 1, 12.0));
        everywhere.add(words(tokens, t), onKey(3 + 2 * t, 12.0));
    }
    EXPECT_THAT(labelsOf(fromStart.judged()), ElementsAre(Label::Stuck, Label::Sink));
    EXPECT_EQ(labelOf(fromStart.judged(), Label::Stuck).detail, "key 5 from the start");
    EXPECT_EQ(labelOf(fromEnd.judged(), Label::Stuck).detail, "key 0 from the end");
    // Every text has another key: neither stuck nor, from three texts on, a sink.
    EXPECT_THAT(labelsOf(everywhere.judged()), Not(Contains(Label::Stuck)));
    EXPECT_THAT(labelsOf(everywhere.judged()), Not(Contains(Label::Sink)));
}

TEST(OverTexts, StuckMustHoldSomewhatOnEveryText) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 9; ++t) head.add(words(64, t), onKey(0, 12.0));
    EXPECT_THAT(labelsOf(head.judged()), Contains(Label::Stuck));
    head.add(words(64, 9), noise(64, 9)); // 9 of 10, but on this one nothing is left of it
    EXPECT_THAT(labelsOf(head.judged()), Not(Contains(Label::Stuck)));
    EXPECT_THAT(labelsOf(head.judged()), Contains(Label::Sink));
}

TEST(OverTexts, ASinkMaySitOnOneClassOfTokens) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 4; ++t) {
        std::vector<std::string> pieces = words(64, t, 0);
        const auto mark = static_cast<std::int64_t>(3 + 4 * t); // another place in each text
        pieces[static_cast<std::size_t>(mark)].assign(1, ',');
        head.add(pieces, onKey(mark, 6.0));
    }
    EXPECT_EQ(labelOf(head.judged(), Label::Sink).texts.fired, 4);
}

TEST(OverTexts, FixedOffsetCountsTheCommonestOffset) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 5; ++t) head.add(words(100, t), atOffset(t < 4 ? -7 : -9));
    const HeadLabel& label = labelOf(head.judged(), Label::FixedOffset);
    EXPECT_EQ(label.detail, "offset -7");
    EXPECT_EQ(label.texts.fired, 4);
    EXPECT_EQ(label.texts.tested, 5);
}

TEST(OverTexts, ActiveOnSomeTextsAndDormantOnOthers) {
    HeadOnTexts pair;
    pair.add(words(64, 0), onKey(0, 8.0)).add(words(64, 1), noise(64, 1));
    const HeadDiagnosis judged = pair.judged();
    EXPECT_EQ(judged.primary, Label::ActiveDormant);
    EXPECT_EQ(labelOf(judged, Label::ActiveDormant).confidence, Confidence::Observed);
    EXPECT_GT(labelOf(judged, Label::ActiveDormant).score, 0.8);
    EXPECT_THAT(labelsOf(judged), Not(Contains(Label::Stuck)));
    HeadOnTexts many;
    for (unsigned t = 0; t < 10; ++t) many.add(words(64, t), t < 2 ? onKey(0, 8.0) : noise(64, t));
    EXPECT_EQ(labelOf(many.judged(), Label::ActiveDormant).confidence, Confidence::Confirmed);
    HeadOnTexts single;
    single.add(words(64, 0), onKey(0, 8.0));
    std::string reason;
    for (const NotTested& one : single.judged().notTested)
        if (one.label == Label::ActiveDormant) reason = one.reason;
    EXPECT_THAT(reason, HasSubstr("two texts"));
}

TEST(OverTexts, BroadcastNeedsThreeTextsWithOtherKeys) {
    const auto onFour = [](std::int64_t first) {
        return [=](std::int64_t, std::int64_t j) {
            return j >= first && j < first + 12 && j % 3 == 0 ? 7.0 : 0.0;
        };
    };
    HeadOnTexts moving(false);
    HeadOnTexts staying(false);
    for (unsigned t = 0; t < 5; ++t) {
        moving.add(words(80, t, 0), onFour(9 * t + 3));
        staying.add(words(80, t, 0), onFour(9));
    }
    EXPECT_EQ(moving.judged().primary, Label::Broadcast);
    EXPECT_THAT(labelsOf(staying.judged()), Not(Contains(Label::Broadcast)));
    HeadOnTexts two(false);
    two.add(words(80, 0, 0), onFour(3)).add(words(80, 1, 0), onFour(12));
    EXPECT_THAT(labelsOf(two.judged()), Not(Contains(Label::Broadcast)));
}

TEST(OverTexts, LearnedSinkIsASinkWithoutAKey) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 3; ++t)
        head.add(
            words(64, t), [](auto, auto) { return 0.0; }, 7.0);
    const HeadDiagnosis judged = head.judged();
    EXPECT_THAT(labelsOf(judged), Contains(Label::Sink));
    EXPECT_EQ(labelOf(judged, Label::Sink).detail, "learned sink");
    EXPECT_FALSE(labelOf(judged, Label::Sink).column.has_value());
    EXPECT_THAT(labelsOf(judged), Not(Contains(Label::Uniform)));
}

TEST(OverTexts, WhatNoTextTestedSaysWhy) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 3; ++t) head.add(words(64, t, 0), atOffset(-1));
    std::vector<Label> untested;
    for (const NotTested& one : head.judged().notTested) {
        untested.push_back(one.label);
        EXPECT_FALSE(one.reason.empty());
    }
    for (const Label label : {Label::Induction, Label::DuplicateToken, Label::Delimiter, Label::Block})
        EXPECT_THAT(untested, Contains(label));
}

TEST(OverTexts, ManyShortTextsArePooledForFlags) {
    for (const double spread : {0.3, 1.0}) {
        HeadOnTexts head(false);
        for (unsigned t = 0; t < 16; ++t) {
            const int tokens = 10 + static_cast<int>(t % 15);
            head.add(words(tokens, t), noise(tokens, 100 + t, spread));
        }
        const HeadDiagnosis judged = head.judged();
        if (spread < 0.5) {
            EXPECT_THAT(labelsOf(judged), ElementsAre(Label::Uniform));
            EXPECT_EQ(judged.labels.front().confidence, Confidence::Likely);
            EXPECT_EQ(judged.primary, Label::Uniform);
        } else {
            EXPECT_THAT(labelsOf(judged), IsEmpty());
            EXPECT_EQ(judged.primary, Label::Mixed);
        }
    }
    HeadOnTexts start;
    HeadOnTexts end(false);
    for (unsigned t = 0; t < 16; ++t) {
        const int tokens = 12 + static_cast<int>(t % 12);
        start.add(words(tokens, t), onKey(0, 10.0));
        end.add(words(tokens, t), onKey(tokens - 2, 10.0));
    }
    EXPECT_THAT(labelsOf(start.judged()), ElementsAre(Label::Stuck, Label::Sink));
    EXPECT_EQ(labelOf(start.judged(), Label::Sink).detail, "key 0 from the start");
    EXPECT_EQ(labelOf(end.judged(), Label::Sink).detail, "key 1 from the end");
}

TEST(OverTexts, FewShortTextsAreNotPooled) {
    HeadOnTexts head;
    for (unsigned t = 0; t < 7; ++t) head.add(words(30, t), onKey(0, 10.0));
    EXPECT_EQ(head.judged().primary, Label::InsufficientEvidence);
    EXPECT_THAT(head.judged().notTested, Not(IsEmpty()));
}

TEST(OverTexts, ShortTextsSayOfEachLabelThatItIsNotTested) {
    for (const unsigned texts : {1U, 16U}) { // 16 are pooled for three labels
        HeadOnTexts head;
        for (unsigned t = 0; t < texts; ++t) head.add(words(24, t), noise(24, t));
        std::vector<Label> untested;
        for (const NotTested& one : head.judged().notTested) untested.push_back(one.label);
        std::vector<Label> expected{Label::PreviousToken, Label::Self,           Label::FixedOffset,
                                    Label::Induction,     Label::DuplicateToken, Label::Block,
                                    Label::Delimiter,     Label::Local,          Label::Broadcast,
                                    Label::Broad,         Label::ActiveDormant,  Label::Collapsed};
        if (texts == 1) expected.insert(expected.end(), {Label::Uniform, Label::Sink, Label::Stuck});
        EXPECT_THAT(untested, UnorderedElementsAreArray(expected)) << texts;
    }
}

/// Texts with too few queries are not short: pooling is for those under 32 keys.
TEST(OverTexts, LongSourcesWithFewQueriesAreNotPooled) {
    const SyntheticHead cross(fullMask(20, 64), onKey(5, 12.0));
    const HeadMetrics metrics = cross.metrics(false);
    const Verdict verdict = judge(metrics);
    const std::vector<HeadOnText> texts(10, {&metrics, &verdict, nullptr}); // 200 rows
    HeadDiagnosis judged = judgeTexts(texts);
    choosePrimary(judged);
    EXPECT_EQ(judged.primary, Label::InsufficientEvidence);
    for (const NotTested& one : judged.notTested)
        if (one.label == Label::Sink) {
            EXPECT_THAT(one.reason, HasSubstr("20 queries"));
        }
}

/// What a label is about, and the text against it, are those of the texts on which it holds and does not.
TEST(OverTexts, ATextThatHoldsElsewhereSpeaksAgainstThePlace) {
    // On text 3 late rows rest on key 40: all of those that see it, more than half of the rows leave key 5.
    const auto moving = [](std::int64_t i, std::int64_t j) { return j == (i > 40 ? 40 : 5) ? 20.0 : 0.0; };
    HeadOnTexts stuck;
    for (unsigned t = 0; t < 10; ++t) stuck.add(words(64, t), t == 3 ? ScoreFunction(moving) : onKey(5, 9.0));
    ASSERT_TRUE(stuck.onTexts()[3].verdict->fires(Label::Stuck));
    const HeadLabel found = labelOf(stuck.judged(), Label::Stuck);
    EXPECT_EQ(found.texts.fired, 9);
    EXPECT_EQ(found.column.value_or(-1), 5);
    EXPECT_EQ(found.detail, "key 5 from the start");
    EXPECT_EQ(found.worst.value_or(0), 3U);
    HeadOnTexts offsets;
    for (unsigned t = 0; t < 6; ++t) offsets.add(words(64, t), atOffset(t == 2 ? -9 : -5));
    const HeadLabel offset = labelOf(offsets.judged(), Label::FixedOffset);
    EXPECT_EQ(offset.texts.fired, 5);
    EXPECT_EQ(offset.detail, "offset -5");
    EXPECT_EQ(offset.worst.value_or(0), 2U);
}

/// The mean of a measure is over the texts that measured it: 0 is not what was not looked at.
TEST(OverTexts, MassAtAnOffsetIsOfTextsThatMeasuredIt) {
    // On text 4 one row in five has its largest weight there: too few to measure how much that is.
    const ScoreFunction rest = noise(300, 4);
    const ScoreFunction far = atOffset(-90);
    const auto rarely = [&](std::int64_t i, std::int64_t j) { return i % 5 == 0 ? far(i, j) : rest(i, j); };
    HeadOnTexts head;
    for (unsigned t = 0; t < 5; ++t) head.add(words(300, t), t == 4 ? ScoreFunction(rarely) : far);
    const HeadLabel found = labelOf(head.judged(), Label::FixedOffset);
    EXPECT_EQ(found.texts.fired, 4);
    EXPECT_EQ(found.texts.tested, 5);
    const auto mass = std::find_if(found.measures.begin(), found.measures.end(),
                                   [](const Measure& one) { return one.name == "offset_mass"; });
    ASSERT_NE(mass, found.measures.end());
    EXPECT_GT(mass->value, 0.99);
}

TEST(OverTexts, PrimaryFollowsTheOrderAndNeighboursTheirMass) {
    HeadDiagnosis head;
    const auto add = [&](Label label, double score, TextCount texts) {
        HeadLabel one;
        one.label = label;
        one.score = score;
        one.texts = texts;
        one.confidence = texts.confidence();
        head.labels.push_back(one);
    };
    add(Label::Broad, 0.9, {5, 5});
    add(Label::Redundant, 0.0, {5, 5});
    add(Label::Sink, 0.9, {5, 5});
    add(Label::Self, 0.51, {5, 5});
    add(Label::PreviousToken, 0.55, {5, 5});
    add(Label::Uniform, 0.05, {3, 5});
    choosePrimary(head);
    EXPECT_EQ(head.primary, Label::PreviousToken); // uniform holds on fewer than 0.8
    EXPECT_THAT(labelsOf(head), ElementsAre(Label::Uniform, Label::PreviousToken, Label::Self, Label::Sink,
                                            Label::Broad, Label::Redundant));
    head.labels.erase(head.labels.begin() + 1, head.labels.end());
    choosePrimary(head);
    EXPECT_EQ(head.primary, Label::Uniform);
    head.labels.front().label = Label::Broad;
    choosePrimary(head);
    EXPECT_EQ(head.primary, Label::Mixed);
}

} // namespace
} // namespace headscope::test
