// SPDX-License-Identifier: GPL-3.0-or-later
// The same attention, as the program computes it and in every form of file: one picture, the same labels and
// the same numbers.
#include "core/analysis/attention_file.h"
#include "core/analysis/open_attention.h"
#include "core/base/json.h"
#include "core/checkpoint/numpy.h"
#include "core/checkpoint/safetensors.h"
#include "tests/app/command_line.h"
#include "tests/core/checkpoint/zip_bytes.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>

namespace headscope::test {
namespace {

namespace fs = std::filesystem;

/// Maps of one kind, [layers, heads, queries, keys] in this order.
struct Stack {
    std::int64_t layers = 0, heads = 0, queries = 0, keys = 0;
    std::vector<float> weights;

    std::int64_t layerSize() const { return heads * queries * keys; }
};

std::map<AttentionKind, Stack> stacksOf(const Analysis& analysis) {
    std::map<AttentionKind, Stack> stacks;
    for (const auto& layer : analysis.layers) {
        Stack& stack = stacks[layer->kind];
        ++stack.layers;
        stack.heads = static_cast<std::int64_t>(layer->heads.size());
        stack.queries = layer->mask.queries;
        stack.keys = layer->mask.keys;
        for (const HeadResult& head : layer->heads)
            for (std::int64_t row = 0; row < stack.queries; ++row)
                for (const float weight : head.map->row(row)) stack.weights.push_back(weight);
    }
    return stacks;
}

/// A layer as torch.save describes it: a view of the storage of its kind.
std::string tensorOf(const Stack& stack, const std::string& key, std::int64_t layer) {
    return pickle::tensor(pickle::storage(key, stack.layers * stack.layerSize()), layer * stack.layerSize(),
                          pickle::counts({1, stack.heads, stack.queries, stack.keys}),
                          pickle::counts({stack.layerSize(), stack.queries * stack.keys, stack.keys, 1}));
}

std::string tupleOf(const Stack& stack, const std::string& key) {
    std::string layers = "(";
    for (std::int64_t layer = 0; layer < stack.layers; ++layer) layers += tensorOf(stack, key, layer);
    return layers + "t";
}

std::string saved(const std::string& value, const std::map<AttentionKind, Stack>& stacks) {
    std::vector<std::string> storages;
    for (const auto& [kind, stack] : stacks)
        storages.emplace_back(reinterpret_cast<const char*>(stack.weights.data()),
                              stack.weights.size() * sizeof(float));
    return torchZip(pickle::program(value), storages).bytes;
}

/// {"attentions": (...)}, or one such tuple for each kind, as a model's outputs have them.
std::string outputsOf(const std::map<AttentionKind, Stack>& stacks) {
    std::string entries = "}(";
    std::size_t key = 0;
    for (const auto& [kind, stack] : stacks)
        entries += pickle::text(nameOf(kind)) + tupleOf(stack, fmt::format("{}", key++));
    return entries + "u";
}

struct Model {
    const char* folder;
    bool hasDecoder; ///< beside an encoder: three stacks, which one array cannot hold

    friend void PrintTo(const Model& one, std::ostream* out) { *out << one.folder; }
};

class AttentionForms : public ::testing::TestWithParam<Model> {
  protected:
    AttentionForms() {
        AnalysisRequest request;
        request.model = openModel(dataPath(GetParam().folder), {DeviceChoice::Cpu}, {}, {});
        request.input.ids = m_ids;
        if (GetParam().hasDecoder) request.input.targetIds = m_targetIds;
        m_analysis = analyse(request, {}, {});
        write("npz", "maps.npz", [&](const fs::path& path) {
            writeAttentionFile(*m_analysis, AttentionFileFormat::Npz, path, {});
        });
        const fs::path safetensors = write("safetensors", "maps.safetensors", [&](const fs::path& path) {
            writeAttentionFile(*m_analysis, AttentionFileFormat::Safetensors, path, {});
        });
        m_facts = factsOf(safetensors);
        const auto stacks = stacksOf(*m_analysis);
        writePt("dictionary", outputsOf(stacks), "", stacks);
        if (GetParam().hasDecoder) return;
        const Stack& stack = stacks.begin()->second;
        const fs::path array = write("npy", "maps.npy", [&](const fs::path& path) {
            writeNpy(path, std::vector<std::int64_t>{stack.layers, stack.heads, stack.queries, stack.keys},
                     [&](const auto& emit) { emit(stack.weights); });
        });
        writeFacts(array, "layers,heads,q,k");
        writePt("tuple", tupleOf(stack, "0"), "batch,heads,q,k", stacks);
        writePt("nested", pickle::dict({{"outputs", pickle::tuple({tupleOf(stack, "0")})}}),
                "batch,heads,q,k", stacks);
    }

    fs::path write(const char* form, const char* name, const std::function<void(const fs::path&)>& writer) {
        fs::create_directory(m_place / form);
        m_files[form] = m_place / form / name;
        writer(m_files[form]);
        return m_files[form];
    }
    void writePt(const char* form, const std::string& value, const char* axes,
                 const std::map<AttentionKind, Stack>& stacks) {
        const fs::path path = write(form, "maps.pt", [&](const fs::path& target) {
            m_place.write(target.lexically_relative(m_place.path()).string(), saved(value, stacks));
        });
        writeFacts(path, axes);
    }
    /// What the program's own files hold beside the maps, as the JSON beside another.
    static std::map<std::string, std::string> factsOf(const fs::path& safetensors) {
        std::map<std::string, std::string> facts = readSafetensorsMetadata(safetensors);
        facts.erase("format");
        const auto source = openSafetensors(safetensors);
        for (const char* name : {"input_ids", "decoder_input_ids"})
            if (const TensorInfo* tensor = source->find(name)) {
                std::vector<std::int64_t> ids(static_cast<std::size_t>(tensor->elements));
                source->readRaw(*tensor, 0, tensor->elements, std::as_writable_bytes(std::span(ids)));
                facts[name] = fmt::format("[{}]", fmt::join(ids, ", "));
            }
        return facts;
    }
    void writeFacts(const fs::path& file, const std::string& axes) const {
        std::vector<std::string> members;
        for (const auto& [name, text] : m_facts) members.push_back(fmt::format("\"{}\": {}", name, text));
        if (!axes.empty()) members.push_back(fmt::format("\"axes\": \"{}\"", axes));
        fs::path json = file;
        json.replace_extension(".json");
        m_place.write(json.lexically_relative(m_place.path()).string(),
                      fmt::format("{{{}}}", fmt::join(members, ", ")));
    }

    /// The words that make the program compute what the files hold.
    std::vector<std::string> computed() const {
        std::vector<std::string> words{dataPath(GetParam().folder).string(), "--ids",
                                       fmt::format("{}", fmt::join(m_ids, ","))};
        if (GetParam().hasDecoder)
            words.insert(words.end(), {"--target-ids", fmt::format("{}", fmt::join(m_targetIds, ","))});
        return words;
    }

    const std::vector<std::int64_t> m_ids{4, 9, 14, 5, 23, 11, 9, 8, 17, 20, 6, 4};
    const std::vector<std::int64_t> m_targetIds{5, 7, 12, 9, 21, 10, 4};
    TemporaryFolder m_place;
    std::shared_ptr<const Analysis> m_analysis;
    std::map<std::string, fs::path> m_files; ///< by their form
    std::map<std::string, std::string> m_facts;
};

std::string command(const char* name, std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.begin(), name);
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult result = headscope(std::move(words));
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
}

/// An SVG without the sentences and the metadata, which name the model and its text.
std::string drawingOfSvg(std::string svg) {
    for (const char* name : {"desc", "metadata"}) {
        const std::size_t begin = svg.find(fmt::format("<{}>", name));
        const std::size_t end = svg.find(fmt::format("</{}>", name));
        if (begin == std::string::npos || end == std::string::npos) return {};
        svg.erase(begin, end - begin);
    }
    return svg;
}

/// The chunks of a PNG without those of text, each as length, name, data and checksum.
std::string drawingOfPng(const std::string& png) {
    std::string kept = png.substr(0, 8);
    for (std::size_t at = 8; at + 12 <= png.size();) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8U | static_cast<unsigned char>(png[at + i]);
        const std::string name = png.substr(at + 4, 4);
        if (name != "tEXt" && name != "iTXt" && name != "zTXt") kept += png.substr(at, length + 12);
        at += length + 12;
    }
    return kept;
}

TEST_P(AttentionForms, GiveOnePicture) {
    if (!HEADSCOPE_WITH_QT) GTEST_SKIP() << "pictures need Qt";
    const char* kind = GetParam().hasDecoder ? "cross_attentions" : nullptr;
    for (const char* ending : {"png", "svg"}) {
        const auto drawing = [&](std::vector<std::string> words) {
            if (kind != nullptr) words.insert(words.end(), {"--kind", kind});
            const std::string out = (m_place / (std::string("picture.") + ending)).string();
            command("export", words, {"--layer", "1", "--out", out, "--quiet"});
            const std::string bytes = readBytes(out);
            fs::remove(out);
            return std::string_view(ending) == "svg" ? drawingOfSvg(bytes) : drawingOfPng(bytes);
        };
        const std::string expected = drawing(computed());
        EXPECT_GT(expected.size(), 2000U);
        for (const auto& [form, file] : m_files)
            EXPECT_TRUE(drawing({file.string()}) == expected) << form << ' ' << ending;
    }
}

/// The heads of what diagnose says, as it was written.
std::string headsOf(const std::string& json) {
    const std::size_t begin = json.find("\"heads\"");
    return begin == std::string::npos ? std::string() : json.substr(begin);
}

/// Numbers that both sides know are equal but for the rounding of weights to float32.
void expectSameNumbers(const Json& expected, const Json& actual, const std::string& where) {
    if (expected.isNull() || actual.isNull()) return;
    if (expected.isNumber()) {
        EXPECT_NEAR(actual.asReal(), expected.asReal(), 2e-6 * (1.0 + std::abs(expected.asReal()))) << where;
    } else if (expected.isString()) {
        EXPECT_EQ(actual.asString(), expected.asString()) << where;
    } else if (expected.isArray()) {
        ASSERT_EQ(actual.items().size(), expected.items().size()) << where;
        for (std::size_t i = 0; i < expected.items().size(); ++i)
            expectSameNumbers(expected.items()[i], actual.items()[i], fmt::format("{}.{}", where, i));
    } else if (expected.isObject()) {
        for (const auto& [name, value] : expected.members()) {
            const Json* other = actual.find(name);
            ASSERT_NE(other, nullptr) << where << ' ' << name;
            expectSameNumbers(value, *other, fmt::format("{}.{}", where, name));
        }
    }
}

TEST_P(AttentionForms, GiveTheSameNumbers) {
    const std::string computedJson = command("diagnose", computed(), {"--json", "--quiet"});
    const std::string one = command("diagnose", {m_files.at("npz").string()}, {"--json", "--quiet"});
    EXPECT_GT(headsOf(one).size(), 1000U);
    for (const auto& [form, file] : m_files)
        EXPECT_TRUE(headsOf(command("diagnose", {file.string()}, {"--json", "--quiet"})) == headsOf(one))
            << form;
    const Json expected = parseJson(computedJson, "computed");
    const Json actual = parseJson(one, "file");
    expectSameNumbers(*expected.find("heads"), *actual.find("heads"), "heads");
}

TEST_P(AttentionForms, GiveTheSameLabelsAndWeights) {
    for (const auto& [form, file] : m_files) {
        const auto actual = analyse({openModel(file, {DeviceChoice::Auto}, {}, {}), {}}, {}, {});
        ASSERT_EQ(actual->layers.size(), m_analysis->layers.size()) << form;
        for (const auto& layer : m_analysis->layers) {
            const auto labels = [](const Axis& axis) {
                std::vector<std::string> all;
                for (const AxisEntry& entry : axis.entries)
                    all.push_back(
                        fmt::format("{} {} {} {}", entry.id, entry.piece, entry.label, entry.special));
                return all;
            };
            EXPECT_EQ(labels(actual->queryAxis(layer->kind)), labels(m_analysis->queryAxis(layer->kind)))
                << form;
            EXPECT_EQ(labels(actual->keyAxis(layer->kind)), labels(m_analysis->keyAxis(layer->kind))) << form;
            for (std::size_t h = 0; h < layer->heads.size(); ++h) {
                const HeadRef head{layer->kind, layer->layer, HeadIndex(static_cast<std::int64_t>(h))};
                const HeadResult* other = actual->find(head);
                ASSERT_NE(other, nullptr) << form;
                for (std::int64_t row = 0; row < layer->mask.queries; ++row)
                    ASSERT_EQ(other->map->row(row), layer->heads[h].map->row(row)) << form << " row " << row;
                EXPECT_EQ(other->verdict.flags(), layer->heads[h].verdict.flags()) << form;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, AttentionForms,
                         ::testing::Values(Model{"families/bert/plain", false},
                                           Model{"families/gpt2/plain", false},
                                           Model{"families/t5/plain", true}),
                         [](const auto& one) {
                             const std::string folder = one.param.folder;
                             return folder.substr(9, folder.find('/', 9) - 9);
                         });

} // namespace
} // namespace headscope::test
