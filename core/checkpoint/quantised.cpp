// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/quantised.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

namespace {

constexpr const char* kExpected = "expected plain F16, BF16, F32 or F64";
constexpr const char* kHint = "take a version of the model that is not quantised";

/// "gptq": what quantization_config calls the method. Old bitsandbytes files have only a switch.
std::optional<std::string> methodOf(const Json& quantised) {
    const Json* method = quantised.find("quant_method");
    if (method != nullptr && method->isString()) return quotedName(method->asString());
    for (const char* key : {"load_in_4bit", "load_in_8bit"}) {
        const Json* on = quantised.find(key);
        if (on != nullptr && on->isBool() && on->asBool()) return fmt::format("\"bitsandbytes\", {}", key);
    }
    return std::nullopt;
}

void refuseIn(const Json& config, const std::string& subject) {
    for (const char* key : {"quantization_config", "compression_config"}) {
        const Json* quantised = config.find(key);
        if (quantised == nullptr || quantised->isNull()) continue;
        const auto method = methodOf(*quantised);
        fail(fmt::format("{}: {}", subject, key),
             fmt::format("the weights are quantised{}", method ? " (" + *method + ")" : ""), kExpected,
             kHint);
    }
}

/// A tensor whose name ends with `marker` stands beside one that ends with `packed` instead, which holds
/// integers.
struct Mark {
    std::string_view marker;
    std::string_view packed;
    std::string_view method;
};
constexpr std::array kMarks{
    Mark{".qweight", ".qweight", "GPTQ or AWQ"},
    Mark{".SCB", ".weight", "bitsandbytes, 8 bit"},
    Mark{".weight.absmax", ".weight", "bitsandbytes, 4 bit"},
    Mark{".weight_packed", ".weight_packed", "compressed-tensors"},
    Mark{".weight_scale_inv", ".weight", "fp8"},
    Mark{".weight_scale", ".weight", "fp8 or int8"},
    Mark{"_scales", "_blocks", "mxfp4"},
};

bool isInteger(DType type) {
    return !isFloating(type) && type != DType::Bool;
}

} // namespace

void refuseQuantisedConfig(const Json& config) {
    refuseIn(config, "config.json");
    for (const auto& [key, inner] : config.members())
        if (inner.isObject()) refuseIn(inner, "config.json: " + escapeForMessage(key));
}

void refuseQuantisedTensors(const TensorSource& source) {
    for (const TensorInfo& tensor : source.tensors())
        for (const Mark& mark : kMarks) {
            if (!tensor.name.ends_with(mark.marker)) continue;
            const std::string name =
                tensor.name.substr(0, tensor.name.size() - mark.marker.size()) + std::string(mark.packed);
            const TensorInfo* packed = source.find(name);
            if (packed == nullptr || !isInteger(packed->dtype)) continue;
            fail(messageName(source.fileName(*packed)) + ": tensor " + quotedName(packed->name),
                 fmt::format("the weights are quantised ({}) and stored as {}", mark.method,
                             nameOf(packed->dtype)),
                 kExpected, kHint);
        }
}

} // namespace headscope
