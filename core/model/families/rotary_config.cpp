// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/rotary_config.h"

#include "core/base/error.h"
#include "core/model/families/family_tools.h"
#include "core/model/families/rotary_scalings.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kOriginal = "original_max_position_embeddings";

/// A number that stands at the root of config.json or, in the newer spelling, in rope_parameters.
struct RealField {
    const char* inside;
    const char* atRoot;
    double least;
    double most;
    double fallback;
};

RealField thetaOf(const RotaryDefaults& defaults) {
    return {"rope_theta", defaults.thetaField, 1e-6, 1e15, defaults.theta};
}

RealField partialOf(const RotaryDefaults& defaults) {
    return {"partial_rotary_factor", defaults.partialField, 0.0, 1.0, defaults.partialFactor};
}

double readAtRoot(const ConfigReader& config, const RealField& field) {
    refuseNull(config, field.atRoot);
    return config.real(field.atRoot, field.fallback, field.least, field.most);
}

/// Where both places have it, they must agree.
double readInside(const ConfigReader& config, const ConfigReader& parameters, const RealField& field) {
    refuseNull(config, field.atRoot);
    refuseNull(parameters, field.inside);
    const std::optional<double> outer = config.optionalReal(field.atRoot, field.least, field.most);
    const std::optional<double> inner = parameters.optionalReal(field.inside, field.least, field.most);
    if (outer && inner && *outer != *inner)
        fail(config.subject(),
             fmt::format("{} is {} but rope_parameters says {}", field.atRoot, *outer, *inner),
             "expected one of them, or both the same");
    return inner.value_or(outer.value_or(field.fallback));
}

/// The base and the first dimensions of a head that are turned.
RotarySpec unscaled(const RotaryDefaults& defaults, const std::string& subject, double theta,
                    double partial) {
    RotarySpec spec;
    spec.interleaved = defaults.interleaved;
    spec.theta = theta;
    spec.dims = static_cast<std::int64_t>(static_cast<double>(defaults.headSize) * partial);
    spec.roundedUp = defaults.roundsUp && spec.dims % 2 != 0 && spec.dims < defaults.headSize;
    if (spec.roundedUp) ++spec.dims;
    if (spec.dims < 2 || spec.dims % 2 != 0)
        fail(subject,
             fmt::format("the rotary embedding would turn {} of {} dimensions", spec.dims, defaults.headSize),
             "expected an even number, at least 2");
    if (defaults.wholeHead && spec.dims != defaults.headSize)
        fail(subject, fmt::format("a {} of {}", defaults.partialField, partial),
             "expected 1: this family turns whole heads");
    return spec;
}

ScalingSource sourceOf(const ConfigReader& config, const RotaryDefaults& defaults,
                       const ConfigReader& fields) {
    std::optional<std::int64_t> original = config.optionalInteger(kOriginal, 1, spec_limits::kPositions);
    if (!original) original = defaults.originalPositions;
    return {fields, false, original, defaults.maxPositions};
}

/// A field that is there and null is no name, and the other one is not looked at.
std::string olderType(const ConfigReader& scaling, bool oldTypeWins) {
    const char* first = oldTypeWins ? "type" : "rope_type";
    const char* second = oldTypeWins ? "rope_type" : "type";
    for (const char* field : {first, second}) {
        refuseNull(scaling, field);
        if (const auto type = scaling.optionalString(field)) return *type;
    }
    fail(scaling.subject(), "it has neither rope_type nor type", "expected one of them");
}

std::string newerType(const ConfigReader& parameters) {
    refuseNull(parameters, {"rope_type", "type"});
    return parameters.string({"rope_type", "type"}, "default");
}

/// What two families demand of rope_scaling beyond what all do.
std::string typeInForm(const ConfigReader& config, const RotaryDefaults& defaults,
                       const ConfigReader& scaling) {
    if (defaults.forms == ScalingForms::NewNameOnly && !scaling.has("rope_type"))
        fail(scaling.subject(), "\"rope_type\" is missing", "this family needs it",
             scaling.has("type") ? "rename \"type\" to \"rope_type\"" : "");
    if (defaults.forms == ScalingForms::All || defaults.forms == ScalingForms::NewNameOnly)
        return olderType(scaling, defaults.oldTypeWins);
    const bool longRope = defaults.forms == ScalingForms::LongRopeOnly;
    const std::size_t expected = longRope ? 3 : 2;
    if (const std::size_t found = config.value("rope_scaling")->members().size(); found != expected)
        fail(scaling.subject(), fmt::format("it has {} fields", found),
             longRope ? "expected three: type, short_factor and long_factor"
                      : "expected two: type and factor");
    if (longRope) {
        const std::string type = scaling.oneOf("type", "", {"longrope", "su", "yarn"});
        if (type.empty()) fail(scaling.subject(), "\"type\" is missing", "expected longrope");
        return "longrope";
    }
    const std::string type = scaling.oneOf("type", "", {"linear", "dynamic"});
    if (type.empty()) fail(scaling.subject(), "\"type\" is missing", "expected linear or dynamic");
    const Json* factor = scaling.value("factor");
    const bool fits =
        factor != nullptr && factor->isNumber() && !factor->isInteger() && factor->asReal() > 1.0;
    if (factor != nullptr && !fits) scaling.refuse("factor", "a number above 1 with a decimal point");
    return type;
}

/// Phi-3's class wants lists for the whole pairs alone, and then needs a number for the half one too.
void refuseHalfPair(const RotaryDefaults& defaults, const RotarySpec& spec, const ConfigReader& fields) {
    if (defaults.forms == ScalingForms::LongRopeOnly && spec.roundedUp)
        fail(fields.subject(), fmt::format("longrope for {} dimensions", spec.dims - 1),
             "expected an even number of them");
}

/// rope_theta and rope_scaling, either of which may be missing.
RotarySpec olderRotary(const ConfigReader& config, const RotaryDefaults& defaults) {
    RotarySpec spec = unscaled(defaults, config.subject(), readAtRoot(config, thetaOf(defaults)),
                               readAtRoot(config, partialOf(defaults)));
    if (defaults.forms == ScalingForms::None) return spec;
    const std::optional<ConfigReader> scaling = config.object("rope_scaling");
    if (!scaling) return spec;
    const std::string type = typeInForm(config, defaults, *scaling);
    if (type == "longrope") refuseNull(config, kOriginal);
    if (defaults.headSizeNull && (type == "dynamic" || type == "yarn" || type == "longrope"))
        fail(scaling->subject(), fmt::format("\"{}\" without a head_dim", type),
             "transformers cannot read this",
             fmt::format("add \"head_dim\": {} to config.json", defaults.headSize));
    refuseHalfPair(defaults, spec, *scaling);
    readScaling(sourceOf(config, defaults, *scaling), type, spec);
    return spec;
}

/// The set of parameters for the layers in question.
ConfigReader ownSet(const ConfigReader& all, const std::string& layerType) {
    const bool nested = all.has("full_attention") || all.has("sliding_attention");
    if (!nested && layerType.empty()) return all;
    if (!nested)
        fail(all.subject(), "one set of parameters",
             "expected one for each of full_attention and sliding_attention");
    if (layerType.empty())
        fail(all.subject(), "it holds a set for each kind of layer",
             "expected one set: this family has one kind of layer");
    std::optional<ConfigReader> own = all.object(std::string_view(layerType));
    if (!own) fail(all.subject(), fmt::format("it has no set for \"{}\"", layerType));
    return *own;
}

/// rope_parameters, which holds the base and the partial factor too.
RotarySpec newerRotary(const ConfigReader& config, const RotaryDefaults& defaults, const ConfigReader& all) {
    const ConfigReader own = ownSet(all, defaults.layerType);
    RotarySpec spec = unscaled(defaults, config.subject(), readInside(config, own, thetaOf(defaults)),
                               readInside(config, own, partialOf(defaults)));
    std::string type = newerType(own);
    if (defaults.forms == ScalingForms::LongRopeOnly) {
        if (type == "su" || type == "yarn") type = "longrope";
        if (type != "default" && type != "longrope")
            fail(own.subject(), fmt::format("the rope_type \"{}\"", escapeForMessage(type, 40)),
                 "expected default or longrope");
    }
    if (type == "longrope") refuseHalfPair(defaults, spec, own);
    ScalingSource source = sourceOf(config, defaults, own);
    source.newSpelling = true;
    // A length at the root belongs to the one set there is.
    if (!defaults.layerType.empty()) source.rootOriginal = std::nullopt;
    readScaling(source, type, spec);
    return spec;
}

} // namespace

RotarySpec rotaryOf(const ConfigReader& config, const RotaryDefaults& defaults) {
    const std::optional<ConfigReader> parameters = config.object("rope_parameters");
    if (!parameters) return olderRotary(config, defaults);
    RotarySpec newer = newerRotary(config, defaults, *parameters);
    if (defaults.forms != ScalingForms::None && config.has("rope_scaling") &&
        olderRotary(config, defaults) != newer)
        fail(config.subject(), "rope_scaling and rope_parameters do not say the same",
             "expected one of them");
    return newer;
}

} // namespace headscope
