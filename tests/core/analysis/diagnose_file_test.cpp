// SPDX-License-Identifier: GPL-3.0-or-later
// Maps in a file are judged as the model that they came from is.
#include "core/analysis/attention_file.h"
#include "core/analysis/diagnose_file.h"
#include "core/base/json.h"
#include "core/checkpoint/safetensors.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ostream>
#include <set>

namespace headscope {
namespace {

using test::dataPath;
using test::TemporaryFolder;

/// Numbers and labels that take scores, values or hidden states.
const std::set<std::string_view> kUnknown{"output_norm_ratio", "score_std", "score_max", "wo_share",
                                          "value_norm_ratio"};

const char* const kLong =
    "The animal did not cross the street because it was too tired. A dog sat in the sun and looked at the "
    "street, and a cat looked at the dog; then it was dark, and all of them went home to eat and to sleep.";

/// Copies a model folder with a part of its config.json replaced.
std::filesystem::path copyWith(const TemporaryFolder& place, const std::string& model,
                               const std::string& from, const std::string& to) {
    const auto copy = place / "model";
    std::filesystem::copy(dataPath(model), copy);
    std::string config = test::readBytes(copy / "config.json");
    const std::size_t at = config.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (!from.empty()) config.replace(at, from.size(), to);
    place.write("model/config.json", config);
    return copy;
}

std::vector<std::int64_t> someIds(std::int64_t count, std::int64_t first) {
    std::vector<std::int64_t> ids{first};
    // Some tokens come again, at several distances.
    for (std::int64_t i = 1; i < count; ++i) ids.push_back(4 + (i * i + i / 7) % 23);
    return ids;
}

void expectSameNumbers(const DiagnosedHead& model, const DiagnosedHead& file) {
    ASSERT_EQ(model.metrics.size(), file.metrics.size());
    for (std::size_t i = 0; i < model.metrics.size(); ++i) {
        const MetricNumber& expected = model.metrics[i];
        const MetricNumber& actual = file.metrics[i];
        SCOPED_TRACE(fmt::format("{}{}", expected.group, expected.name));
        ASSERT_EQ(expected.name, actual.name);
        if (kUnknown.contains(expected.name)) {
            EXPECT_FALSE(actual.value.has_value());
            continue;
        }
        ASSERT_EQ(expected.value.has_value(), actual.value.has_value());
        EXPECT_NEAR(expected.value.value_or(0.0), actual.value.value_or(0.0), 1e-6);
    }
}

std::vector<HeadLabel> comparable(std::vector<HeadLabel> labels) {
    std::erase_if(labels, [](const HeadLabel& one) { return one.label == Label::Inactive; });
    std::stable_sort(labels.begin(), labels.end(),
                     [](const HeadLabel& one, const HeadLabel& other) { return one.label < other.label; });
    return labels;
}

void expectSameLabels(const std::vector<HeadLabel>& model, const std::vector<HeadLabel>& file) {
    const std::vector<HeadLabel> expected = comparable(model);
    const std::vector<HeadLabel> actual = comparable(file);
    ASSERT_EQ(expected.size(), actual.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        SCOPED_TRACE(nameOf(expected[i].label));
        EXPECT_EQ(expected[i].label, actual[i].label);
        EXPECT_NEAR(expected[i].score, actual[i].score, 1e-6);
        EXPECT_EQ(expected[i].kappa.has_value(), actual[i].kappa.has_value());
        EXPECT_EQ(expected[i].confidence, actual[i].confidence);
        EXPECT_EQ(expected[i].column, actual[i].column);
        EXPECT_EQ(expected[i].detail, actual[i].detail);
        EXPECT_EQ(expected[i].measures.size(), actual[i].measures.size());
    }
}

/// Labels that were not tested, without the one that takes values.
std::set<std::pair<Label, std::string>> untested(const DiagnosedHead& head) {
    std::set<std::pair<Label, std::string>> labels;
    for (const NotTested& one : head.diagnosis.notTested)
        if (one.label != Label::Inactive) labels.emplace(one.label, one.reason);
    return labels;
}

void expectSame(const Diagnosis& model, const Diagnosis& file) {
    ASSERT_EQ(model.heads.size(), file.heads.size());
    EXPECT_EQ(model.texts[0].tokens, file.texts[0].tokens);
    for (std::size_t h = 0; h < model.heads.size(); ++h) {
        const DiagnosedHead& expected = model.heads[h];
        const DiagnosedHead& actual = file.heads[h];
        SCOPED_TRACE(fmt::format("{} {}", nameOf(expected.ref.kind), headText(expected.ref)));
        ASSERT_EQ(expected.ref, actual.ref);
        EXPECT_EQ(expected.diagnosis.primary, actual.diagnosis.primary);
        expectSameNumbers(expected, actual);
        expectSameLabels(expected.diagnosis.labels, actual.diagnosis.labels);
        expectSameLabels(expected.diagnosis.unlisted, actual.diagnosis.unlisted);
        EXPECT_EQ(untested(expected), untested(actual));
        EXPECT_TRUE(actual.causes.empty());
    }
    ASSERT_EQ(model.pairs.size(), file.pairs.size());
    for (std::size_t i = 0; i < model.pairs.size(); ++i) {
        EXPECT_EQ(model.pairs[i].first, file.pairs[i].first);
        EXPECT_EQ(model.pairs[i].second, file.pairs[i].second);
        EXPECT_NEAR(model.pairs[i].divergence, file.pairs[i].divergence, 1e-6);
    }
    ASSERT_EQ(model.layers.size(), file.layers.size());
    for (const DiagnosedLayer& layer : file.layers) EXPECT_FALSE(layer.stateCosine.has_value());
}

/// A model, what it reads, and how many of its heads must be judged for the comparison to mean something.
struct Case {
    const char* name;
    const char* model;
    TextInput input;
    std::size_t judged;
    const char* from = ""; ///< replaced in its config.json
    const char* to = "";

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

class WrittenMaps : public ::testing::TestWithParam<Case> {};

TEST_P(WrittenMaps, AreJudgedAsTheModelIs) {
    const TemporaryFolder place;
    const Case& given = GetParam();
    const auto model =
        openModel(copyWith(place, given.model, given.from, given.to), {DeviceChoice::Cpu}, {}, {});
    const auto expected = diagnose({model, {{"input", given.input}}}, {}, {});
    const auto judged =
        std::count_if(expected->heads.begin(), expected->heads.end(), [](const DiagnosedHead& one) {
            return one.diagnosis.primary != Label::InsufficientEvidence;
        });
    EXPECT_EQ(static_cast<std::size_t>(judged), given.judged);
    const auto analysis = analyse({model, given.input}, {}, {});
    for (const auto& [name, format] : {std::pair("maps.npz", AttentionFileFormat::Npz),
                                       std::pair("maps.safetensors", AttentionFileFormat::Safetensors)}) {
        SCOPED_TRACE(name);
        writeAttentionFile(*analysis, format, place / name, {});
        const auto actual = diagnoseFile(place / name, {}, {}, {});
        EXPECT_EQ(actual->model, name);
        EXPECT_TRUE(actual->texts[0].notes.empty());
        expectSame(*expected, *actual);
    }
}

TextInput text(const char* content, std::optional<std::string> pair = {}) {
    TextInput input;
    input.text = content;
    input.pair = std::move(pair);
    return input;
}

TextInput ids(std::int64_t count) {
    TextInput input;
    input.ids = someIds(count, 1);
    return input;
}

TextInput idsAndTarget(std::int64_t source, std::int64_t target) {
    TextInput input = ids(source);
    input.targetIds = someIds(target, 2);
    return input;
}

INSTANTIATE_TEST_SUITE_P(
    All, WrittenMaps,
    ::testing::Values(Case{"Bert", "models/flagged-bert", text(kLong), 12},
                      Case{"BertPair", "models/tiny-bert",
                           text("The animal did not cross the street because it was too tired.",
                                "A dog sat in the sun and looked at the street. It was dark."),
                           12},
                      Case{"BertShort", "models/tiny-bert", text("a cat"), 0},
                      Case{"Causal", "families/llama/plain", ids(60), 8},
                      Case{"EncoderDecoder", "families/bart/plain", idsAndTarget(38, 36), 30},
                      Case{"BiasedEncoderDecoder", "families/t5/plain", idsAndTarget(50, 40), 24},
                      Case{"Window", "families/mistral/layer-types", ids(60), 12, "\"sliding_window\": 4",
                           "\"sliding_window\": 12"},
                      Case{"WindowOfBothWays", "families/modernbert/plain", ids(40), 8,
                           "\"local_attention\": 8", "\"local_attention\": 20"},
                      Case{"LearnedSinks", "families/gpt_oss/plain", ids(60), 4, "\"sliding_window\": 4",
                           "\"sliding_window\": 16"}),
    [](const auto& row) { return row.param.name; });

/// A copy of `from` without metadata and without the tensor `left`.
void copyWithout(const std::filesystem::path& from, const std::filesystem::path& to, std::string_view left) {
    const auto source = openSafetensors(from);
    std::vector<SafetensorsWriter::Entry> entries;
    for (const TensorInfo& tensor : source->tensors())
        if (tensor.name != left) entries.push_back({tensor.name, tensor.dtype, tensor.shape});
    SafetensorsWriter writer(to, entries, {});
    for (const auto& entry : entries) {
        const TensorInfo& tensor = *source->find(entry.name);
        std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.elements * sizeOf(tensor.dtype)));
        source->readRaw(tensor, 0, tensor.elements, bytes);
        writer.write(bytes);
    }
    writer.commit();
}

double numberOf(const DiagnosedHead& head, std::string_view name) {
    for (const MetricNumber& one : head.metrics)
        if (one.name == name) return one.value.value_or(-1.0);
    ADD_FAILURE() << name;
    return -1.0;
}

TEST(DiagnoseFile, MapsOfNumpyMeasureWhatNumpySays) {
    const auto diagnosis = diagnoseFile(dataPath("attention/maps.npz"), {}, {}, {});
    const Json expected =
        parseJson(test::readBytes(dataPath("attention/maps_expected.json")), "maps_expected.json");
    ASSERT_EQ(diagnosis->heads.size(), expected.members().size());
    for (const DiagnosedHead& head : diagnosis->heads) {
        const Json* numbers = expected.find(headText(head.ref));
        ASSERT_NE(numbers, nullptr);
        EXPECT_EQ(numbers->members().size(), 9U);
        for (const auto& [name, value] : numbers->members())
            EXPECT_NEAR(numberOf(head, name), value.asReal(), 1e-6) << headText(head.ref) << ' ' << name;
    }
    // A previous-token head and one that rests on the first key were built in.
    EXPECT_EQ(diagnosis->find({AttentionKind::Self, LayerIndex(0), HeadIndex(1)})->diagnosis.primary,
              Label::PreviousToken);
    const HeadLabel* sink =
        diagnosis->find({AttentionKind::Self, LayerIndex(1), HeadIndex(0)})->diagnosis.find(Label::Sink);
    ASSERT_NE(sink, nullptr);
    EXPECT_EQ(sink->column, 0);
    ASSERT_EQ(diagnosis->texts[0].notes.size(), 1U) << "causality was concluded";
}

TEST(DiagnoseFile, WithoutTokensWhatTakesThemIsNotTested) {
    const TemporaryFolder place;
    const auto model = openModel(dataPath("models/flagged-bert"), {DeviceChoice::Cpu}, {}, {});
    const auto analysis = analyse({model, text(kLong)}, {}, {});
    writeAttentionFile(*analysis, AttentionFileFormat::Safetensors, place / "whole.safetensors", {});
    copyWithout(place / "whole.safetensors", place / "bare.safetensors", "input_ids");
    const auto whole = diagnoseFile(place / "whole.safetensors", {}, {}, {});
    const auto bare = diagnoseFile(place / "bare.safetensors", {}, {}, {});
    ASSERT_EQ(whole->heads.size(), bare->heads.size());
    for (std::size_t h = 0; h < bare->heads.size(); ++h) {
        SCOPED_TRACE(headText(bare->heads[h].ref));
        for (const MetricNumber& one : bare->heads[h].metrics)
            EXPECT_TRUE(one.group != "class_mass" || !one.value.has_value()) << one.name;
        EXPECT_NEAR(numberOf(whole->heads[h], "entropy"), numberOf(bare->heads[h], "entropy"), 1e-12);
        for (const Label label :
             {Label::Uniform, Label::Sink, Label::Stuck, Label::PreviousToken, Label::Self})
            EXPECT_EQ(whole->heads[h].diagnosis.find(label) != nullptr,
                      bare->heads[h].diagnosis.find(label) != nullptr)
                << nameOf(label);
        for (const Label label : {Label::Delimiter, Label::Block, Label::DuplicateToken}) {
            EXPECT_EQ(bare->heads[h].diagnosis.find(label), nullptr) << nameOf(label);
            const auto& reasons = bare->heads[h].diagnosis.notTested;
            EXPECT_TRUE(std::any_of(reasons.begin(), reasons.end(), [label](const NotTested& one) {
                return one.label == label;
            })) << nameOf(label);
        }
    }
}

TEST(DiagnoseFile, ADecoderWithoutTokensIsNotGivenThoseOfTheEncoder) {
    const TemporaryFolder place;
    const auto model = openModel(dataPath("families/t5/plain"), {DeviceChoice::Cpu}, {}, {});
    const auto analysis = analyse({model, idsAndTarget(33, 40)}, {}, {});
    writeAttentionFile(*analysis, AttentionFileFormat::Safetensors, place / "whole.safetensors", {});
    copyWithout(place / "whole.safetensors", place / "bare.safetensors", "decoder_input_ids");
    const auto bare = diagnoseFile(place / "bare.safetensors", {}, {}, {});
    for (const DiagnosedHead& head : bare->heads)
        for (const MetricNumber& one : head.metrics)
            EXPECT_TRUE(one.name != "content" ||
                        one.value.has_value() == (head.ref.kind != AttentionKind::Decoder))
                << headText(head.ref);
}

} // namespace
} // namespace headscope
