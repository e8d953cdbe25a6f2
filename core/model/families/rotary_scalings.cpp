// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/rotary_scalings.h"

#include "core/base/error.h"
#include "core/model/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

namespace headscope {

namespace {

constexpr double kLeastFactor = 1e-6;
constexpr double kMostFactor = 1e6;
constexpr const char* kOriginal = "original_max_position_embeddings";

void requireField(const ConfigReader& fields, const char* field) {
    if (!fields.has(field))
        fail(fields.subject(), fmt::format("\"{}\" is missing", field), "this rope_type needs it");
}

double requiredFactor(const ConfigReader& fields, const char* field) {
    requireField(fields, field);
    return fields.real(field, 1.0, kLeastFactor, kMostFactor);
}

/// In the newer spelling the root of config.json comes first and max_position_embeddings last.
std::optional<std::int64_t> originalPositions(const ScalingSource& source) {
    if (source.newSpelling && source.rootOriginal) return source.rootOriginal;
    const auto inside = source.fields.optionalInteger(kOriginal, 1, spec_limits::kPositions);
    if (!inside && source.newSpelling) return *source.maxPositions;
    return inside;
}

void readLinear(const ScalingSource& source, RotarySpec& spec) {
    spec.scaling = RotaryScaling::Linear;
    spec.factor = requiredFactor(source.fields, "factor");
}

void readDynamic(const ScalingSource& source, RotarySpec& spec) {
    spec.scaling = RotaryScaling::Dynamic;
    spec.factor = requiredFactor(source.fields, "factor");
    spec.originalPositions = *source.maxPositions;
    if (spec.dims == 2 && !spec.roundedUp) // the exponent is dims / (dims - 2)
        fail(source.fields.subject(), fmt::format("dynamic scaling of {} dimensions", spec.dims),
             "expected at least 4");
}

void readLlama3(const ScalingSource& source, RotarySpec& spec) {
    spec.scaling = RotaryScaling::Llama3;
    spec.factor = requiredFactor(source.fields, "factor");
    spec.lowFrequencyFactor = requiredFactor(source.fields, "low_freq_factor");
    spec.highFrequencyFactor = requiredFactor(source.fields, "high_freq_factor");
    const std::optional<std::int64_t> original = originalPositions(source);
    if (!original) requireField(source.fields, kOriginal);
    spec.originalPositions = *original;
}

/// 0.1 m ln f + 1.
double yarnScale(double factor, double multiplier) {
    return factor <= 1.0 ? 1.0 : 0.1 * multiplier * std::log(factor) + 1.0;
}

/// Upstream the ramp has a number for each pair of the dimensions that are counted, which are too few.
void refuseRoundedUp(const ConfigReader& fields, const RotarySpec& spec) {
    if (spec.roundedUp)
        fail(fields.subject(), fmt::format("yarn for {} dimensions", spec.dims - 1),
             "expected an even number of them");
}

void readYarn(const ScalingSource& source, RotarySpec& spec) {
    const ConfigReader& fields = source.fields;
    refuseRoundedUp(fields, spec);
    spec.scaling = RotaryScaling::Yarn;
    spec.factor = requiredFactor(fields, "factor");
    spec.originalPositions = originalPositions(source).value_or(*source.maxPositions);
    spec.betaFast = fields.real("beta_fast", 32.0, kLeastFactor, kMostFactor);
    spec.betaSlow = fields.real("beta_slow", 1.0, kLeastFactor, kMostFactor);
    spec.truncate = !fields.isNull("truncate") && fields.boolean("truncate", true);
    const double multiplier = fields.real("mscale", 0.0, -kMostFactor, kMostFactor);
    const double multiplierAll = fields.real("mscale_all_dim", 0.0, -kMostFactor, kMostFactor);
    double usual = yarnScale(spec.factor, 1.0);
    if (multiplier != 0.0 && multiplierAll != 0.0)
        usual = yarnScale(spec.factor, multiplier) / yarnScale(spec.factor, multiplierAll);
    spec.attentionFactor = fields.real("attention_factor", usual, 0.0, kMostFactor);
    // A negative mscale_all_dim can make the divisor 0; the logarithm of theta divides too.
    if (!std::isfinite(spec.attentionFactor))
        fail(fields.subject(), "mscale and mscale_all_dim give no finite attention factor");
    if (spec.theta == 1.0)
        fail(fields.subject(), "yarn with a rope_theta of 1", "expected another rope_theta");
}

/// rope_scaling: a length at the root replaces the factor by the ratio of lengths, one inside is not read.
/// rope_parameters: a factor goes before the ratio.
void readLongRope(const ScalingSource& source, RotarySpec& spec) {
    const ConfigReader& fields = source.fields;
    spec.scaling = RotaryScaling::LongRope;
    const std::optional<std::int64_t> original =
        source.newSpelling ? originalPositions(source) : source.rootOriginal;
    spec.originalPositions = original.value_or(*source.maxPositions);
    std::optional<double> factor = fields.optionalReal("factor", kLeastFactor, kMostFactor);
    if (original && !(source.newSpelling && factor))
        factor = static_cast<double>(*source.maxPositions) / static_cast<double>(*original);
    if (const auto given = fields.optionalReal("attention_factor", 0.0, kMostFactor)) {
        spec.attentionFactor = *given;
    } else {
        if (!factor) requireField(fields, "factor");
        if (*factor > 1.0 && spec.originalPositions < 2)
            fail(fields.subject(),
                 fmt::format("longrope with an original length of {}", spec.originalPositions),
                 "expected at least 2");
        const double logarithm = std::log(static_cast<double>(spec.originalPositions));
        spec.attentionFactor = *factor <= 1.0 ? 1.0 : std::sqrt(1.0 + std::log(*factor) / logarithm);
    }
    const auto factors = [&](const char* name) {
        const auto list = fields.reals(name, kLeastFactor, kMostFactor);
        const auto expected = static_cast<std::size_t>(spec.dims / 2);
        if (!list || list->size() != expected)
            fail(fields.subject() + ": " + name,
                 list ? fmt::format("{} numbers", list->size()) : std::string("it is missing"),
                 fmt::format("expected {}, one for each pair of dimensions", expected));
        return *list;
    };
    spec.shortFactors = factors("short_factor");
    spec.longFactors = factors("long_factor");
}

struct NamedScaling {
    std::string_view name;
    void (*read)(const ScalingSource& source, RotarySpec& spec);
    bool readsPositions = true; ///< max_position_embeddings, if only to compare it
};
constexpr std::array kScalings{
    NamedScaling{"default", [](const ScalingSource&, RotarySpec&) {}, false},
    NamedScaling{"linear", readLinear, false},
    NamedScaling{"dynamic", readDynamic},
    NamedScaling{"llama3", readLlama3},
    NamedScaling{"yarn", readYarn},
    NamedScaling{"longrope", readLongRope},
};

} // namespace

void readScaling(const ScalingSource& source, const std::string& type, RotarySpec& spec) {
    const auto known = std::find_if(kScalings.begin(), kScalings.end(),
                                    [&](const NamedScaling& one) { return one.name == type; });
    if (known != kScalings.end()) {
        if (known->readsPositions && !source.maxPositions)
            fail(source.fields.subject(),
                 fmt::format("the rope_type \"{}\" where max_position_embeddings is null", type),
                 "expected a number there");
        return known->read(source, spec);
    }
    std::vector<std::string_view> names;
    for (const NamedScaling& one : kScalings) names.push_back(one.name);
    fail(source.fields.subject(),
         fmt::format("the rope_type \"{}\" is not known", escapeForMessage(type, 40)),
         fmt::format("expected one of: {}", fmt::join(names, ", ")));
}

} // namespace headscope
