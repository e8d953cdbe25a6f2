// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_model.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/gguf/gguf_architecture.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace headscope {

namespace {

struct Architecture {
    std::string_view name; ///< general.architecture
    void (*describe)(GgufDescription& file);
};

constexpr std::array kArchitectures{
    Architecture{"bert", describeBert},
    Architecture{"bloom", describeBloom},
    Architecture{"cohere2", describeCohere2},
    Architecture{"command-r", describeCohere},
    Architecture{"falcon", describeFalcon},
    Architecture{"gemma", describeGemma},
    Architecture{"gemma2", describeGemma2},
    Architecture{"gemma3", describeGemma3},
    Architecture{"gpt2", describeGpt2},
    Architecture{"gptneox", describeGptNeoX},
    Architecture{"granite", describeGranite},
    Architecture{"llama", describeLlama},
    Architecture{"olmo2", describeOlmo2},
    Architecture{"phi2", describePhi2},
    Architecture{"phi3", describePhi3},
    Architecture{"qwen2", describeQwen2},
    Architecture{"qwen2moe", describeQwen2Moe},
    Architecture{"qwen3", describeQwen3},
    Architecture{"qwen3moe", describeQwen3Moe},
    Architecture{"smollm3", describeSmolLm3},
    Architecture{"stablelm", describeStableLm},
    Architecture{"starcoder2", describeStarcoder2},
    Architecture{"t5", describeT5},
    Architecture{"t5encoder", describeT5Encoder},
};

/// What is no whole model, whatever its architecture.
void refuseParts(const GgufSource& source, const std::string& subject) {
    const ConfigReader fields(source.header().fields, subject);
    const std::string type = fields.string("general.type", "model");
    if (type != "model")
        fail(subject, fmt::format("the file holds no model but {}", quotedName(type)),
             "expected a general.type of \"model\"",
             type == "adapter" ? "adapters are read in the form of PEFT: see --adapter" : "");
    const std::int64_t version = fields.integer("general.quantization_version", 2, 0, 1 << 20);
    if (version != 2)
        fail(subject + ": general.quantization_version", fmt::format("found {}", version), "expected 2");
    if (source.tensors().empty())
        fail(subject, "the file holds no tensors", "expected a whole model",
             "it may hold a vocabulary alone");
}

} // namespace

std::vector<std::string> ggufArchitectures() {
    std::vector<std::string> names;
    for (const Architecture& one : kArchitectures) names.emplace_back(one.name);
    return names;
}

GgufModel describeGguf(const GgufSource& source) {
    const std::string subject = messageName(source.fileName({}));
    refuseParts(source, subject);
    GgufDescription file(source);
    const auto found = std::ranges::find(kArchitectures, file.architecture(), &Architecture::name);
    if (found == kArchitectures.end())
        fail(subject + ": general.architecture",
             fmt::format("{} is not supported", quotedName(file.architecture())),
             fmt::format("expected one of: {}", fmt::join(ggufArchitectures(), ", ")));
    found->describe(file);
    return file.finish();
}

std::string quantisedTypes(const GgufSource& source, const std::vector<TensorView>& views) {
    std::map<std::string_view, std::int64_t> elements;
    for (const TensorView& view : views) {
        const TensorInfo* tensor = source.find(view.stored);
        const GgufType& type = *source.stored(*tensor).type;
        std::int64_t count = 1;
        for (const std::int64_t extent : view.shape) count *= extent;
        if (type.isQuantised()) elements[type.name] += count;
    }
    std::vector<std::pair<std::int64_t, std::string_view>> types;
    for (const auto& [name, count] : elements) types.emplace_back(count, name);
    std::ranges::sort(types, std::greater());
    std::vector<std::string_view> names;
    for (const auto& [count, name] : types) names.push_back(name);
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace headscope
