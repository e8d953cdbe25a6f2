// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/class_rules_settings.h"
#include "core/tokenizer/class_special_tokens.h"

namespace headscope {

/// One tokenizer whose stages a class changes.
struct ClassChange {
    const ClassRule& rule;
    const ClassInputs& inputs;
    const SpecialTokens& special;
    const Json& file; ///< the document that `stages` was read from
    PipelineStages& stages;
    const NoteSink& notes; ///< may be empty

    ClassSettings settings() const { return ClassSettings(inputs); }
};

// What a class does with one stage; each notes what it changes.
void changeNormalizer(const ClassChange& change);
void changePreTokenizer(const ClassChange& change);
void changePostProcessor(const ClassChange& change);

/// A switch of a stage that the class sets to what tokenizer_config.json says, or to its own default.
struct StageSwitch {
    std::string_view field;       ///< in tokenizer.json
    std::string_view key;         ///< in tokenizer_config.json
    std::optional<bool> fallback; ///< nullopt: null, which may be written too
    std::optional<bool> ofNull{}; ///< what a null that is written stands for; nullopt: it is refused
};

/// `stage` with the switches set. Each that changes is noted; `isChanged` becomes true where any does.
Json withSwitches(const ClassChange& change, Json stage, std::span<const StageSwitch> switches,
                  bool& isChanged);
/// "true", "false" or "null": for notes.
std::string asText(const std::optional<bool>& value);
/// "type" of a stage; empty where it has none.
std::string typeOf(const Json& stage);
/// The object with one field set.
Json withField(Json object, std::string_view key, Json value);

} // namespace headscope
