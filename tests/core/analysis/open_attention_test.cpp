// SPDX-License-Identifier: GPL-3.0-or-later
// Maps in a file are opened as a model is: what can be asked of one analysis can be asked of the other.
#include "core/analysis/attention_file.h"
#include "core/analysis/export_part.h"
#include "core/analysis/open_attention.h"
#include "core/checkpoint/numpy.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::dataPath;
using test::sentenceOf;
using test::TemporaryFolder;
using ::testing::ElementsAre;

std::vector<std::int64_t> someIds(std::int64_t count) {
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < count; ++i) ids.push_back(4 + (i * i + i / 7) % 23);
    return ids;
}

std::shared_ptr<const Analysis> run(const char* folder) {
    AnalysisRequest request;
    request.model = openModel(dataPath(folder), {DeviceChoice::Cpu}, {}, {});
    request.input.ids = someIds(20);
    if (request.model->spec().decoder) request.input.targetIds = someIds(14);
    return analyse(request, {}, {});
}

void expectSameHead(const HeadResult& expected, const HeadResult& actual) {
    const Extent extent = expected.map->extent();
    ASSERT_EQ(extent, actual.map->extent());
    std::vector<Span> seen;
    std::vector<Span> alsoSeen;
    for (std::int64_t row = 0; row < extent.rows; ++row) {
        EXPECT_EQ(expected.map->row(row), actual.map->row(row));
        expected.map->visibleSpans(row, seen);
        actual.map->visibleSpans(row, alsoSeen);
        EXPECT_EQ(seen, alsoSeen) << "row " << row;
    }
    EXPECT_EQ(expected.thumbnail.weights, actual.thumbnail.weights);
    EXPECT_EQ(expected.thumbnail.visible, actual.thumbnail.visible);
    EXPECT_EQ(expected.range, actual.range);
    EXPECT_EQ(expected.verdict.flags(), actual.verdict.flags());
}

class OpenAttention : public ::testing::TestWithParam<const char*> {};

TEST_P(OpenAttention, GivesTheAnalysisOfItsModel) {
    const auto expected = run(GetParam());
    const TemporaryFolder folder;
    for (const char* name : {"maps.npz", "maps.safetensors"}) {
        const auto format = std::string_view(name).ends_with("npz") ? AttentionFileFormat::Npz
                                                                    : AttentionFileFormat::Safetensors;
        writeAttentionFile(*expected, format, folder / name, {});
        const auto model = openModel(folder / name, {DeviceChoice::Auto}, {}, {});
        ASSERT_NE(model->imported, nullptr);
        EXPECT_EQ(model->name, name);
        std::vector<std::shared_ptr<const LayerResult>> told;
        AnalysisEvents events;
        events.layer = [&](std::shared_ptr<const LayerResult> layer) { told.push_back(std::move(layer)); };
        const auto actual = analyse({model, {}}, events, {});
        EXPECT_EQ(told, actual->layers);
        ASSERT_EQ(actual->layers.size(), expected->layers.size());
        const ModelSpec& spec = expected->model->spec();
        ASSERT_EQ(model->spec().stacks.size(), spec.stacks.size());
        for (std::size_t i = 0; i < spec.stacks.size(); ++i) {
            EXPECT_EQ(model->spec().stacks[i].kind, spec.stacks[i].kind);
            EXPECT_EQ(model->spec().stacks[i].layers, spec.stacks[i].layers);
            EXPECT_EQ(model->spec().stacks[i].heads, spec.stacks[i].heads);
            EXPECT_EQ(model->spec().stacks[i].causal, spec.stacks[i].causal);
            for (const HeadRef& head : allHeads(spec, spec.stacks[i].kind)) {
                SCOPED_TRACE(fmt::format("{} {}", nameOf(head.kind), headText(head)));
                expectSameHead(*expected->find(head), *actual->find(head));
            }
        }
        EXPECT_EQ(actual->text.axis->size(), 20);
        EXPECT_EQ(actual->text.axis->entries[3].id, expected->text.axis->entries[3].id);
        EXPECT_EQ(actual->target.has_value(), expected->target.has_value());
    }
}

INSTANTIATE_TEST_SUITE_P(Models, OpenAttention,
                         ::testing::Values("families/bert/plain", "families/gpt2/plain",
                                           "families/t5/plain"));

TEST(OpenAttentionFile, NamesPositionsWhereThereAreNoTokens) {
    const auto model =
        openAttention(dataPath("attention/forms/fortran.npy"),
                      {.axes = parseArrayAxes("layers,heads,q,k", "--axes"), .sample = {}}, {});
    const auto analysis = analyse({model, {}}, {}, {});
    std::vector<std::string> labels;
    for (const AxisEntry& entry : analysis->text.axis->entries) labels.push_back(entry.label);
    EXPECT_THAT(labels, ElementsAre("0", "1", "2", "3", "4"));
    EXPECT_FALSE(analysis->target.has_value());
}

TEST(OpenAttentionFile, CannotBeRun) {
    const auto model = openModel(dataPath("attention/maps.npz"), {DeviceChoice::Cpu}, {}, {});
    EXPECT_EQ(
        sentenceOf([&] { model->model->forward({}, {}); }),
        "maps.npz: it holds maps that were computed already, and no model that could be run, expected a "
        "model's folder.");
    EXPECT_EQ(
        sentenceOf([&] { model->model->logits({}, {}); }),
        "maps.npz: it holds maps that were computed already, and no model that could be run, expected a "
        "model's folder.");
}

TEST(OpenAttentionFile, LayersHaveAsManyHeads) {
    const TemporaryFolder folder;
    const auto entry = [](const char* name, std::int64_t heads) {
        const std::vector<float> ones(static_cast<std::size_t>(heads), 1.0F);
        const std::vector<std::int64_t> shape{heads, 1, 1};
        return NpzEntry{.name = name,
                        .header = npyHeader(DType::F32, shape),
                        .bytes = ones.size() * sizeof(float),
                        .produce = [ones](const auto& emit) { emit(std::as_bytes(std::span(ones))); }};
    };
    writeNpz(folder / "maps.npz", {entry("attentions.0", 2), entry("attentions.1", 3)});
    EXPECT_EQ(sentenceOf([&] { openModel(folder / "maps.npz", {DeviceChoice::Cpu}, {}, {}); }),
              "maps.npz: layer 1 has 3 heads, layer 0 has 2, expected as many in every layer; \"headscope "
              "diagnose\" reads such a file.");
}

} // namespace
} // namespace headscope
