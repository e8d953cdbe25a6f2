// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families.h"

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/families/bert.h"
#include "core/model/torch_errors.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

namespace {

constexpr std::array kFamilies{
    Family{"bert", "Bert", bertSpec, loadBert},
};

struct NamedActivation {
    std::string_view name;
    Activation activation;
};
// gelu_new and gelu_fast are the tanh form written out upstream; the fused kernel differs from them by at
// most 5e-7.
constexpr std::array kActivations{
    NamedActivation{"gelu", Activation::GeluErf},
    NamedActivation{"gelu_fast", Activation::GeluTanh},
    NamedActivation{"gelu_new", Activation::GeluTanh},
    NamedActivation{"gelu_pytorch_tanh", Activation::GeluTanh},
    NamedActivation{"quick_gelu", Activation::QuickGelu},
    NamedActivation{"relu", Activation::Relu},
    NamedActivation{"silu", Activation::Silu},
    NamedActivation{"swish", Activation::Silu},
};

/// "BertForMaskedLM" belongs to the prefix "Bert", "BertGenerationEncoder" does not.
bool isClassOf(std::string_view architecture, std::string_view prefix) {
    if (!architecture.starts_with(prefix)) return false;
    const std::string_view rest = architecture.substr(prefix.size());
    return rest == "Model" || rest == "LMHeadModel" || rest.starts_with("For");
}

const Family* findByType(std::string_view modelType) {
    const auto found = std::find_if(kFamilies.begin(), kFamilies.end(),
                                    [&](const Family& family) { return family.modelType == modelType; });
    return found == kFamilies.end() ? nullptr : &*found;
}

const Family* findByArchitecture(std::string_view architecture) {
    const auto found = std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family& family) {
        return isClassOf(architecture, family.classPrefix);
    });
    return found == kFamilies.end() ? nullptr : &*found;
}

std::string supportedText() {
    return fmt::format("{}", fmt::join(supportedFamilies(), ", "));
}

} // namespace

std::span<const Family> families() {
    return kFamilies;
}

std::vector<std::string> supportedFamilies() {
    std::vector<std::string> names;
    for (const Family& family : kFamilies) names.emplace_back(family.modelType);
    std::sort(names.begin(), names.end());
    return names;
}

const Family& familyOf(const Checkpoint& checkpoint) {
    const Json* type = checkpoint.config.find("model_type");
    if (type != nullptr && type->isString()) {
        if (const Family* family = findByType(type->asString())) return *family;
        fail("config.json: model_type",
             fmt::format("\"{}\" is not supported", escapeForMessage(type->asString(), 60)),
             "expected one of: " + supportedText());
    }
    if (type != nullptr && !type->isNull())
        fail("config.json: model_type", fmt::format("found {}", type->typeName()), "expected a string");
    const Json* architectures = checkpoint.config.find("architectures");
    const bool named = architectures != nullptr && architectures->isArray() &&
                       !architectures->items().empty() && architectures->items()[0].isString();
    if (!named)
        fail("config.json", "neither model_type nor architectures says which family this is",
             "expected a model_type, one of: " + supportedText(),
             "add the line to config.json if you know the family");
    const std::string& architecture = architectures->items()[0].asString();
    if (const Family* family = findByArchitecture(architecture)) return *family;
    fail("config.json: architectures",
         fmt::format("\"{}\" is not supported", escapeForMessage(architecture, 60)),
         "expected a model of one of: " + supportedText());
}

Activation activationOf(std::string_view name, const std::string& field) {
    const auto found = std::find_if(kActivations.begin(), kActivations.end(),
                                    [&](const NamedActivation& one) { return one.name == name; });
    if (found != kActivations.end()) return found->activation;
    std::vector<std::string_view> names;
    for (const NamedActivation& one : kActivations) names.push_back(one.name);
    fail(field, fmt::format("the activation \"{}\" is not supported", escapeForMessage(name, 60)),
         fmt::format("expected one of: {}", fmt::join(names, ", ")));
}

ModelSpec specOf(const Checkpoint& checkpoint) {
    return familyOf(checkpoint).spec(checkpoint);
}

std::shared_ptr<const Model> loadModel(const Checkpoint& checkpoint, DeviceChoice device,
                                       const CancelToken& cancel, const ProgressSink& progress) {
    const Family& family = familyOf(checkpoint);
    const LoadContext context{resolveDevice(device), cancel, progress};
    std::shared_ptr<const Model> model;
    translatingTorchErrors([&] { model = family.load(checkpoint, context); });
    return model;
}

} // namespace headscope
