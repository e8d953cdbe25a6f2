// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "tests/core/model/tiny_checkpoint.h"

#include <string>

namespace headscope::test {

/// The spec of a config.json. The weights beside it are TinyCheckpoint's.
inline ModelSpec specFrom(const std::string& config) {
    TinyCheckpoint tiny;
    tiny.config = config;
    return specOf(tiny.checkpoint());
}

/// The sentence with which a config.json is refused; empty: it is not.
inline std::string specError(const std::string& config) {
    return sentenceOf([&] { specFrom(config); });
}

/// {"model_type": "TYPE", MEMBERS}
inline std::string configOf(const std::string& modelType, const std::string& members = {}) {
    return "{\"model_type\": \"" + modelType + "\"" + (members.empty() ? "" : ", " + members) + "}";
}

} // namespace headscope::test
