// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/model/model_spec.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headscope {

struct Checkpoint;

/// The largest sizes that are accepted from a config.json, each far above any published model.
namespace spec_limits {
inline constexpr std::int64_t kLayers = 1024;
inline constexpr std::int64_t kHeads = 1024;
inline constexpr std::int64_t kHiddenSize = 65536;
inline constexpr std::int64_t kIntermediateSize = 1 << 20;
inline constexpr std::int64_t kVocabulary = 1 << 24;
inline constexpr std::int64_t kPositions = 1 << 24;
inline constexpr std::int64_t kTokenTypes = 1 << 16;
inline constexpr std::int64_t kHeadSize = 8192;
inline constexpr std::int64_t kExperts = 1024;
} // namespace spec_limits

/// One supported family: how its config.json becomes a spec. Everything else is the same for all.
struct Family {
    std::string_view modelType;   ///< config.json's model_type
    std::string_view classPrefix; ///< "Bert" of the architectures "BertModel", "BertForMaskedLM"
    ModelSpec (*spec)(const Checkpoint& checkpoint);
};

std::span<const Family> families();
/// By model_type, or by architectures[0] where there is none. Throws Error naming what was found, the nearest
/// known name and the supported ones.
const Family& familyOf(const Checkpoint& checkpoint);
/// hidden_act and the like. Throws Error with the list of supported names.
Activation activationOf(std::string_view name, const std::string& field);

} // namespace headscope
