// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/checkpoint/npz_source.h"
#include "core/checkpoint/tensor_source.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Tokens of one side, as far as they are given.
struct SideFacts {
    std::optional<std::vector<std::string>> tokens;
    std::optional<std::vector<std::int64_t>> ids;
    std::optional<std::vector<std::int64_t>> special;  ///< positions
    std::optional<std::vector<std::int64_t>> segments; ///< which text of a pair, -1: none
};

/// Which maps a file has.
struct FileStacks {
    bool single = false;
    bool encoder = false;
    bool decoder = false; ///< its own attention
    bool cross = false;

    bool hasDecoder() const { return decoder || cross; }
};

/// What stands beside the maps of an attention file. Each part is optional.
struct AttentionFacts {
    SideFacts main;   ///< of the single stack, or the decoder
    SideFacts source; ///< of the encoder
    std::optional<bool> causal;
    std::optional<bool> learnedSink;
    std::optional<std::vector<std::int64_t>> windows; ///< 0: none
    bool oneWindow = false;                           ///< a number for all layers, not a list
};

/// Values by name, wherever they were found.
using FactValues = std::map<std::string, Json>;

bool isFactName(const std::string& name); ///< "tokens", "window", ...

/// Of what the file itself holds: arrays of numbers and, from .npz, of text. Throws Error{subject, ...} for
/// an array that is no list, of the wrong type or of more than a million elements.
FactValues factsInArrays(const TensorSource& numbers, const std::map<std::string, NpzTexts>& texts,
                         const std::string& subject);
/// Of the metadata of .safetensors, each a JSON text. Throws Error for one that is malformed.
FactValues factsInMetadata(const std::map<std::string, std::string>& metadata, const std::string& subject);

/// Throws Error{subject, ...} for a value of another type than its name asks for, and for one about maps that
/// the file does not have.
AttentionFacts readFacts(const FactValues& values, const FileStacks& stacks, const std::string& subject);

/// Adds to `facts` what only `others` say. Throws Error where they differ; the subjects say who.
void mergeFacts(AttentionFacts& facts, const AttentionFacts& others, const std::string& subject,
                const std::string& otherSubject);

} // namespace headscope
