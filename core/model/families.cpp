// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families.h"

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/families/albert.h"
#include "core/model/families/bart_like.h"
#include "core/model/families/bert_like.h"
#include "core/model/families/deberta.h"
#include "core/model/families/distilbert.h"
#include "core/model/families/encoder_decoder.h"
#include "core/model/families/gpt.h"
#include "core/model/families/llama_cousins.h"
#include "core/model/families/modernbert.h"
#include "core/model/families/mpnet.h"
#include "core/model/families/t5.h"
#include "core/model/families/unsupported.h"
#include "core/model/families/xlnet.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

namespace {

constexpr std::array kFamilies{
    Family{"albert", "Albert", albertSpec},
    Family{"bart", "Bart", bartSpec},
    Family{"bert", "Bert", bertSpec},
    Family{"bloom", "Bloom", bloomSpec},
    Family{"camembert", "Camembert", camembertSpec},
    Family{"cohere", "Cohere", cohereSpec},
    Family{"cohere2", "Cohere2", cohere2Spec},
    Family{"deberta", "Deberta", debertaSpec},
    Family{"deberta-v2", "DebertaV2", debertaV2Spec},
    Family{"distilbert", "DistilBert", distilbertSpec},
    Family{"electra", "Electra", electraSpec},
    Family{"encoder-decoder", "EncoderDecoder", encoderDecoderSpec},
    Family{"falcon", "Falcon", falconSpec},
    Family{"gemma", "Gemma", gemmaSpec},
    Family{"gemma2", "Gemma2", gemma2Spec},
    Family{"gemma3", "Gemma3", gemma3Spec},
    Family{"gemma3_text", "Gemma3Text", gemma3TextSpec},
    Family{"gpt2", "GPT2", gpt2Spec},
    Family{"gpt_bigcode", "GPTBigCode", gptBigCodeSpec},
    Family{"gpt_neo", "GPTNeo", gptNeoSpec},
    Family{"gpt_neox", "GPTNeoX", gptNeoXSpec},
    Family{"gpt_oss", "GptOss", gptOssSpec},
    Family{"gptj", "GPTJ", gptJSpec},
    Family{"granite", "Granite", graniteSpec},
    Family{"headscope_constructed", "HeadscopeConstructed", constructedSpec},
    Family{"llama", "Llama", llamaSpec},
    Family{"m2m_100", "M2M100", m2m100Spec},
    Family{"marian", "Marian", marianSpec},
    Family{"mbart", "MBart", mbartSpec},
    Family{"ministral", "Ministral", ministralSpec},
    Family{"mistral", "Mistral", mistralSpec},
    Family{"mixtral", "Mixtral", mixtralSpec},
    Family{"modernbert", "ModernBert", modernbertSpec},
    Family{"mpnet", "MPNet", mpnetSpec},
    Family{"mt5", "MT5", mt5Spec},
    Family{"olmo2", "Olmo2", olmo2Spec},
    Family{"opt", "OPT", optSpec},
    Family{"pegasus", "Pegasus", pegasusSpec},
    Family{"phi", "Phi", phiSpec},
    Family{"phi3", "Phi3", phi3Spec},
    Family{"qwen2", "Qwen2", qwen2Spec},
    Family{"qwen2_moe", "Qwen2Moe", qwen2MoeSpec},
    Family{"qwen3", "Qwen3", qwen3Spec},
    Family{"qwen3_moe", "Qwen3Moe", qwen3MoeSpec},
    Family{"roberta", "Roberta", robertaSpec},
    Family{"smollm3", "SmolLM3", smollm3Spec},
    Family{"stablelm", "StableLm", stablelmSpec},
    Family{"starcoder2", "Starcoder2", starcoder2Spec},
    Family{"t5", "T5", t5Spec},
    Family{"umt5", "UMT5", umt5Spec},
    Family{"xlm-roberta", "XLMRoberta", xlmRobertaSpec},
    Family{"xlnet", "XLNet", xlnetSpec},
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
    NamedActivation{"tanh", Activation::Tanh},
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

[[noreturn]] void refuseType(const std::string& modelType) {
    const std::string_view kind = unsupportedKind(modelType);
    std::vector<std::string_view> known;
    for (const Family& family : kFamilies) known.push_back(family.modelType);
    const std::string_view nearest = kind.empty() ? nearestName(modelType, known) : std::string_view();
    fail("config.json: model_type",
         fmt::format("\"{}\" is not supported{}", escapeForMessage(modelType, 60),
                     kind.empty() ? std::string() : fmt::format(" ({})", kind)),
         "expected one of: " + supportedText(),
         nearest.empty() ? std::string() : fmt::format("did you mean \"{}\"?", nearest));
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
        refuseType(type->asString());
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

} // namespace headscope
