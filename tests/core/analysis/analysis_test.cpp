// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/analysis/pass_estimate.h"
#include "core/base/file.h"
#include "core/base/resident_memory.h"
#include "core/checkpoint/checkpoint.h"
#include "tests/core/model/golden.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kProse =
    "The animal did not cross the street because it was too tired, and the dog looked at the small "
    "house by the water; then it wrote: \"no way!\"";

std::shared_ptr<const OpenModel> openTiny(const std::string& name) {
    return openModel(test::dataPath("models") / name, {DeviceChoice::Cpu}, {}, {});
}

TextInput textInput(std::string text) {
    TextInput input;
    input.text = std::move(text);
    return input;
}

TextInput idInput(std::vector<std::int64_t> ids) {
    TextInput input;
    input.ids = std::move(ids);
    return input;
}

std::shared_ptr<const Analysis> run(const std::shared_ptr<const OpenModel>& model, const TextInput& input) {
    return analyse({model, input}, {}, {});
}

const HeadResult& headOf(const Analysis& analysis, int layer, int head) {
    return *analysis.find({AttentionKind::Self, LayerIndex(layer), HeadIndex(head)});
}

std::vector<Label> flagsOf(const Analysis& analysis, int layer, int head) {
    return headOf(analysis, layer, head).verdict.flags();
}

bool has(const std::vector<Label>& labels, Label label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// The reference's ids, its maps within the stored bound, and nothing to say about it.
void expectGolden(const Analysis& analysis, const test::GoldenText& golden) {
    ASSERT_EQ(analysis.text.tokens.size(), golden.ids.size());
    for (std::size_t i = 0; i < golden.ids.size(); ++i)
        ASSERT_EQ(analysis.text.tokens[i].id, golden.ids[i]) << i;
    ASSERT_EQ(analysis.layers.size(), golden.weights.size());
    for (std::size_t layer = 0; layer < analysis.layers.size(); ++layer)
        for (int head = 0; head < golden.heads(layer); ++head)
            EXPECT_LE(golden.largestDifference(
                          layer, head, *analysis.layers[layer]->heads[static_cast<std::size_t>(head)].map),
                      golden.bound)
                << layer << "." << head;
    EXPECT_TRUE(analysis.notes.empty());
}

TEST(Analysis, OpenModelKnowsItsNameAndParts) {
    const auto model = openModel(test::dataPath("models/tiny-bert/"), {DeviceChoice::Cpu}, {}, {});
    EXPECT_EQ(model->name, "tiny-bert");
    EXPECT_NE(model->tokenizer, nullptr);
    EXPECT_EQ(model->spec().stacks[0].heads, 4);
    EXPECT_THAT(sentenceOf([] { openModel("no/such/folder", {DeviceChoice::Cpu}, {}, {}); }),
                HasSubstr("folder"));
}

TEST(Analysis, WeightsEqualTheReferenceFromTheTextOn) {
    for (const char* name :
         {"tiny-bert", "flagged-bert", "old-names-bert", "half-bert", "bfloat-bert", "deep-bert"}) {
        const auto model = openTiny(name);
        for (const auto& [title, golden] : test::readGolden(name)) {
            SCOPED_TRACE(std::string(name) + " " + title);
            TextInput input = textInput(golden.text);
            input.pair = golden.pair;
            const auto analysis = run(model, input);
            ASSERT_NO_FATAL_FAILURE(expectGolden(*analysis, golden));
        }
    }
}

TEST(Analysis, BothFlagsFireOnTheFlaggedModelAndOnNoOtherHead) {
    const auto model = openTiny("flagged-bert");
    for (const std::string& text :
         {std::string(kProse), std::string("zebra quick fox jumps over lazily 42 times in 1999")}) {
        const auto analysis = run(model, textInput(text));
        ASSERT_GE(analysis->text.axis->size(), 32) << text;
        for (int layer = 0; layer < 3; ++layer) {
            for (int head = 0; head < 4; ++head) {
                const std::vector<Label> labels = flagsOf(*analysis, layer, head);
                EXPECT_EQ(has(labels, Label::Uniform), layer == 1 && head == 2) << layer << "." << head;
                EXPECT_EQ(has(labels, Label::Stuck), layer == 0 && head == 1) << layer << "." << head;
            }
        }
        EXPECT_THAT(flagsOf(*analysis, 1, 2), ElementsAre(Label::Uniform));
        EXPECT_THAT(flagsOf(*analysis, 0, 1), ElementsAre(Label::Sink, Label::Stuck));
        const HeadMetrics& stuck =
            analysis->find({AttentionKind::Self, LayerIndex(0), HeadIndex(1)})->metrics;
        EXPECT_EQ(stuck.column->column, 0);
        EXPECT_GT(stuck.columnValueNormRatio, 0.0);
        EXPECT_GT(stuck.meanOutputNorm, 0.0);
    }
}

TEST(Analysis, ShortTextsGetNoFlag) {
    const auto analysis = run(openTiny("flagged-bert"), textInput("a cat and a dog"));
    for (int layer = 0; layer < 3; ++layer)
        for (int head = 0; head < 4; ++head)
            EXPECT_THAT(headOf(*analysis, layer, head).verdict.labels(),
                        ElementsAre(Label::InsufficientEvidence));
}

TEST(Analysis, OrdinaryTinyModelHasNeitherUniformNorStuckHeads) {
    const auto analysis = run(openTiny("tiny-bert"), textInput(kProse));
    for (int layer = 0; layer < 3; ++layer) {
        for (int head = 0; head < 4; ++head) {
            EXPECT_FALSE(has(flagsOf(*analysis, layer, head), Label::Uniform)) << layer << "." << head;
            EXPECT_FALSE(has(flagsOf(*analysis, layer, head), Label::Stuck)) << layer << "." << head;
        }
    }
}

TEST(Analysis, EventsComeInOrder) {
    std::vector<std::string> seen;
    AnalysisEvents events;
    events.tokens = [&](const TokenizedText& text, const std::optional<TokenizedText>&) {
        seen.push_back("tokens " + std::to_string(text.axis->size()));
    };
    events.layer = [&](std::shared_ptr<const LayerResult> layer) {
        seen.push_back("layer " + std::to_string(layer->layer.value));
        EXPECT_EQ(layer->heads.size(), 4U);
        EXPECT_FALSE(layer->heads[3].thumbnail.weights.empty());
        EXPECT_GT(layer->heads[3].range.maximum, 0.0F);
    };
    events.progress = [&](const Progress& progress) {
        seen.push_back(progress.unit + " done " + std::to_string(progress.done) + " of " +
                       std::to_string(progress.total));
    };
    const auto analysis = analyse({openTiny("tiny-bert"), textInput("a cat")}, events, {});
    EXPECT_THAT(seen, ElementsAre("tokens 4", "layer 0", "layer done 1 of 3", "layer 1", "layer done 2 of 3",
                                  "layer 2", "layer done 3 of 3"));
    EXPECT_EQ(analysis->layers.size(), 3U);
    EXPECT_GT(analysis->bytesKept, 3U * 4U * 2U * 32U * 4U - 1);
    EXPECT_GT(analysis->seconds, 0.0);
}

TEST(Analysis, FindKnowsItsHeads) {
    const auto analysis = run(openTiny("tiny-bert"), textInput("a cat"));
    EXPECT_NE(analysis->find({AttentionKind::Self, LayerIndex(2), HeadIndex(3)}), nullptr);
    EXPECT_EQ(analysis->find({AttentionKind::Self, LayerIndex(3), HeadIndex(0)}), nullptr);
    EXPECT_EQ(analysis->find({AttentionKind::Self, LayerIndex(0), HeadIndex(4)}), nullptr);
    EXPECT_EQ(analysis->find({AttentionKind::Self, LayerIndex(0), HeadIndex(-1)}), nullptr);
    EXPECT_EQ(analysis->find({AttentionKind::Cross, LayerIndex(0), HeadIndex(0)}), nullptr);
    EXPECT_EQ(&analysis->queryAxis(AttentionKind::Self), analysis->text.axis.get());
    EXPECT_EQ(&analysis->keyAxis(AttentionKind::Self), analysis->text.axis.get());
}

TEST(Analysis, CancelStopsAfterTheLayer) {
    CancelToken cancel;
    int layers = 0;
    AnalysisEvents events;
    events.layer = [&](const std::shared_ptr<const LayerResult>&) {
        ++layers;
        cancel.cancel();
    };
    try {
        analyse({openTiny("tiny-bert"), textInput("a cat")}, events, cancel);
        FAIL() << "went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.parts().kind, ErrorKind::Cancelled);
    }
    EXPECT_EQ(layers, 1);
}

TEST(Analysis, EmptyTextIsTheMapOfItsSpecialTokens) {
    const auto model = openTiny("tiny-bert");
    const auto analysis = run(model, textInput(""));
    EXPECT_EQ(analysis->layers[0]->heads[0].map->extent(), (Extent{2, 2}));
    EXPECT_EQ(analysis->text.axis->entries[0].label, "[CLS]");
    EXPECT_TRUE(analysis->text.axis->entries[1].special);
    TextInput bare = textInput("");
    bare.addSpecial = false;
    EXPECT_THAT(sentenceOf([&] { run(model, bare); }), HasSubstr("text: it has no tokens"));
}

TEST(Analysis, IdsAreFedAsGiven) {
    const auto model = openTiny("tiny-bert");
    const auto analysis = run(model, idInput({2, 30, 31, 3}));
    EXPECT_EQ(analysis->text.axis->size(), 4);
    EXPECT_EQ(analysis->text.axis->entries[0].label, "[CLS]");
    EXPECT_TRUE(analysis->text.axis->entries[0].special);
    EXPECT_FALSE(analysis->text.axis->entries[1].special);
    EXPECT_EQ(analysis->text.axis->entries[1].text, -1) << "an id stands in no text";
    EXPECT_TRUE(analysis->text.axis->texts.empty());

    EXPECT_THAT(sentenceOf([&] { run(model, idInput({})); }), HasSubstr("ids: there are none"));
    EXPECT_THAT(sentenceOf([&] { run(model, idInput({1, 5000})); }), HasSubstr("5000 at position 1"));
    EXPECT_THAT(sentenceOf([&] { run(model, idInput({-1})); }), HasSubstr("-1 at position 0"));
}

TEST(Analysis, IdsAloneAreEnoughWithoutATokenizer) {
    OpenModel bare = *openTiny("tiny-bert");
    bare.tokenizer = nullptr;
    const auto model = std::make_shared<const OpenModel>(bare);
    EXPECT_EQ(run(model, idInput({2, 30}))->text.axis->entries[1].label, "#30");
    EXPECT_THAT(sentenceOf([&] { run(model, textInput("a")); }), HasSubstr("no tokenizer.json"));
}

TEST(Analysis, TooLongIsRefusedBeforeRunning) {
    const auto model = openTiny("tiny-bert");
    std::string words;
    for (int i = 0; i < 300; ++i) words += "cat ";
    const TokenizedText text = tokenizeText(*model, textInput(words));
    EXPECT_EQ(text.axis->size(), 302);
    EXPECT_EQ(text.limit, 128);
    EXPECT_EQ(text.pieces, 3);
    EXPECT_FALSE(text.fits());
    bool tokensSeen = false;
    AnalysisEvents events;
    events.tokens = [&](const TokenizedText&, const std::optional<TokenizedText>&) { tokensSeen = true; };
    EXPECT_THAT(sentenceOf([&] {
                    analyse({model, textInput(words)}, events, {});
                }),
                AllOf(HasSubstr("302 tokens"), HasSubstr("at most 128"), HasSubstr("--truncate"),
                      HasSubstr("--piece 0 to 2")));
    EXPECT_TRUE(tokensSeen) << "the tokens are shown even so";
}

TEST(Analysis, TruncatedAndPieces) {
    const auto model = openTiny("tiny-bert");
    std::string words;
    for (int i = 0; i < 300; ++i) words += i < 126 ? "cat " : "dog ";
    TextInput input = textInput(words);
    input.length = LengthPolicy::Truncate;
    const auto truncatedRun = run(model, input);
    EXPECT_EQ(truncatedRun->text.axis->size(), 128);
    EXPECT_EQ(truncatedRun->text.fullLength, 302);
    EXPECT_EQ(truncatedRun->text.axis->entries[126].label, "cat");
    EXPECT_THAT(truncatedRun->notes, ElementsAre("the text was cut from 302 to 128 tokens"));
    EXPECT_EQ(truncatedRun->text.axis->entries[127].label, "[SEP]");

    input.length = LengthPolicy::Piece;
    input.piece = 2;
    const TokenizedText last = tokenizeText(*model, input);
    EXPECT_EQ(last.axis->size(), 48 + 2);
    EXPECT_EQ(last.axis->entries[1].label, "dog");
    EXPECT_EQ(last.axis->entries[1].start, 252 * 4) << "spans stay those of the whole text";
    EXPECT_THAT(run(model, input)->notes, ElementsAre("this is piece 2 of 0 to 2: 50 of 302 tokens"));
    input.piece = 3;
    EXPECT_THAT(sentenceOf([&] { tokenizeText(*model, input); }), HasSubstr("expected 0 to 2"));
    input.pair = "and this";
    EXPECT_THAT(sentenceOf([&] { tokenizeText(*model, input); }), HasSubstr("--pair"));

    TextInput given = idInput(std::vector<std::int64_t>(200, 30));
    given.length = LengthPolicy::Piece;
    given.piece = 1;
    EXPECT_EQ(tokenizeText(*model, given).axis->size(), 72);
}

TEST(Analysis, PairsGetTheirTypes) {
    TextInput input = textInput("a cat");
    input.pair = "dogs";
    const auto analysis = run(openTiny("tiny-bert"), input);
    std::vector<int> types;
    std::vector<int> texts;
    for (const Token& token : analysis->text.tokens) {
        types.push_back(token.typeId);
        texts.push_back(token.text);
    }
    EXPECT_THAT(types, ElementsAre(0, 0, 0, 0, 1, 1, 1));
    EXPECT_THAT(texts, ElementsAre(-1, 0, 0, -1, 1, 1, -1));
    EXPECT_EQ(analysis->text.axis->texts.size(), 2U);
}

TEST(Analysis, MemoryIsRefusedWithBothNumbers) {
    EXPECT_EQ(sentenceOf([] { requireMemory(100, 0); }), "") << "unknown";
    EXPECT_EQ(sentenceOf([] { requireMemory(100, 100); }), "");
    EXPECT_THAT(sentenceOf([] { requireMemory(12'300'000'000, 456'000'000); }),
                AllOf(HasSubstr("12.3 GB"), HasSubstr("456 MB")));
}

TEST(Analysis, EstimatesSayWhatIsReadAndTheMemoryOfTheWholeProgram) {
    const Checkpoint checkpoint = openCheckpoint(test::dataPath("models") / "bfloat-bert");
    const std::shared_ptr<const Model> model = loadModel(checkpoint, DeviceChoice::Cpu, {}, {}, 0);
    const PassEstimate estimate = estimatePass(*model, {.source = 16});
    EXPECT_EQ(estimate.streamedBytes, model->weightMemory().inFile);
    EXPECT_LT(estimate.streamedBytes, model->weightMemory().streamed);
    // The program with LibTorch in it, and no more than it has ever had.
    EXPECT_GT(estimate.heldBytes, 20'000'000U);
    EXPECT_LE(estimate.heldBytes, peakResidentBytes() + 10'000'000U);
    EXPECT_THAT(
        estimateText({.bytes = 1'500'000'000,
                      .heldBytes = 180'000'000,
                      .streamedBytes = 13'500'000'000,
                      .seconds = 66.2}),
        AllOf(HasSubstr("about 66 s"), HasSubstr("13.5 GB of weights"), HasSubstr("1.68 GB of memory")));
}

TEST(Analysis, MemoryGrowsInStepWithTheText) {
    ModelSpec spec;
    spec.hiddenSize = 768;
    spec.intermediateSize = 3072;
    StackSpec stack;
    stack.layers = stack.heads = stack.keyValueHeads = 12;
    stack.headSize = 64;
    spec.stacks = {stack};
    const auto bytes = [&](std::int64_t tokens) { return estimatedBytes(spec, {.source = tokens}); };
    const double growth =
        static_cast<double>(bytes(16384) - bytes(8192)) / static_cast<double>(bytes(8192) - bytes(4096));
    EXPECT_NEAR(growth, 2.0, 1e-6) << "linear: no map is ever stored";
    // Queries and keys alone: 12 layers x 8,192 tokens x 2 x 768 floats.
    EXPECT_GT(bytes(8192), 12ULL * 8192 * 2 * 768 * 4);
    EXPECT_LT(bytes(8192), 1'200'000'000ULL);
}

TEST(Analysis, ExceptionsOfLibrariesBecomeSentences) {
    EXPECT_THAT(sentenceOf([] { translatingErrors([] { throw std::bad_alloc(); }); }), HasSubstr("memory: "));
    const std::string other =
        sentenceOf([] { translatingErrors([] { throw std::runtime_error("secret text"); }); });
    EXPECT_FALSE(other.empty());
    EXPECT_THAT(other, ::testing::Not(HasSubstr("secret text")));
    EXPECT_EQ(sentenceOf([] { translatingErrors([] { fail("a", "b"); }); }),
              sentenceOf([] { fail("a", "b"); }));
    EXPECT_EQ(sentenceOf([] { translatingErrors([] {}); }), "");
}

TEST(HeadSizeAdvice, SaysSubjectAndReason) {
    const auto advice = [](std::int64_t hidden, int heads) {
        ModelSpec spec;
        spec.hiddenSize = hidden;
        StackSpec stack;
        stack.heads = stack.keyValueHeads = heads;
        stack.headSize = hidden / heads;
        spec.stacks = {stack};
        return headSizeAdvice(spec);
    };
    ASSERT_EQ(advice(384, 12).size(), 4U);
    EXPECT_THAT(advice(384, 12)[0], AllOf(HasSubstr("12 heads divide"), HasSubstr("384"), HasSubstr("32")));
    EXPECT_THAT(advice(384, 12)[1], AllOf(HasSubstr("head size 32 is under 64"), HasSubstr("MiniLM")));
    EXPECT_THAT(advice(384, 12)[2], HasSubstr("is a multiple of 8"));
    EXPECT_THAT(advice(768, 12)[1], HasSubstr("head size 64 lies in the usual range"));
    EXPECT_THAT(advice(1024, 4)[1], HasSubstr("head size 256 is above 128"));
    EXPECT_THAT(advice(36, 3)[2], HasSubstr("is no multiple of 8"));
    EXPECT_THAT(advice(384, 12)[3],
                HasSubstr("12 heads: one article asks for a multiple of 8, at most 128, on TPUs"));
    EXPECT_EQ(advice(1024, 16).size(), 3U);
    EXPECT_EQ(advice(1088, 136).size(), 4U); // a multiple of 8, and too many
}

class MiniLm : public ::testing::Test {
  protected:
    void SetUp() override {
        if (test::minilmFolder().empty())
            GTEST_SKIP() << "skipped: no MiniLM checkpoint at " << HEADSCOPE_MINILM_DIR;
        if (!s_model) s_model = openModel(test::minilmFolder(), {DeviceChoice::Cpu}, {}, {});
    }
    static std::shared_ptr<const OpenModel> s_model;
};
std::shared_ptr<const OpenModel> MiniLm::s_model;

TEST_F(MiniLm, ItReadsAnimal) {
    const auto analysis =
        run(s_model, textInput("The animal didn't cross the street because it was too tired."));
    const std::vector<AxisEntry>& entries = analysis->text.axis->entries;
    const auto position = [&](const std::string& label) {
        return std::find_if(entries.begin(), entries.end(),
                            [&](const AxisEntry& entry) { return entry.label == label; }) -
               entries.begin();
    };
    const auto weight = [&](int layer, int head) {
        return analysis->find({AttentionKind::Self, LayerIndex(layer), HeadIndex(head)})
            ->map->cell(position("it"), position("animal"));
    };
    EXPECT_NEAR(weight(3, 1), 0.68F, 0.005F);
    EXPECT_NEAR(weight(5, 11), 0.67F, 0.005F);
}

TEST_F(MiniLm, WeightsEqualTheReferenceFromTheTextOn) {
    for (const char* file : {"minilm", "minilm-long"}) {
        for (const auto& [title, golden] : test::readGolden(file)) {
            SCOPED_TRACE(title);
            const auto analysis = run(s_model, textInput(golden.text));
            ASSERT_NO_FATAL_FAILURE(expectGolden(*analysis, golden));
        }
    }
}

TEST_F(MiniLm, NoHeadIsUniformOrStuckOnALongText) {
    const auto analysis = run(s_model, textInput(test::readGolden("minilm-long").at("long").text));
    int sinks = 0;
    for (int layer = 0; layer < 6; ++layer) {
        for (int head = 0; head < 12; ++head) {
            const std::vector<Label> labels = flagsOf(*analysis, layer, head);
            EXPECT_FALSE(has(labels, Label::Uniform)) << layer << "." << head;
            EXPECT_FALSE(has(labels, Label::Stuck)) << layer << "." << head;
            sinks += has(labels, Label::Sink) ? 1 : 0;
        }
    }
    EXPECT_GT(sinks, 0) << "[CLS] is a sink of several heads, 1.11 among them";
    EXPECT_TRUE(has(flagsOf(*analysis, 1, 11), Label::Sink));
}

} // namespace
} // namespace headscope
