// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/npz_source.h"
#include "core/checkpoint/tensor_source.h"
#include "core/imported/attention_facts.h"
#include "core/imported/attention_layers.h"
#include "core/imported/attention_reader.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// An attention file and the NAME.json beside it, in whichever form it is, before anything is read of it.
struct AttentionContent {
    std::string name; ///< of the file
    std::shared_ptr<const TensorSource> tensors;
    std::map<std::string, NpzTexts> texts;       ///< of .npz
    std::map<std::string, std::string> metadata; ///< of .safetensors
    std::string jsonName;
    FactValues json;                ///< of NAME.json; empty where there is none
    std::vector<std::string> notes; ///< one sentence each
};

/// Throws Error for what the sources refuse, and for a NAME.json that is malformed.
AttentionContent openAttentionContent(const std::filesystem::path& path);

/// What `rules`, else NAME.json, else the metadata say of the axes. Throws Error naming who says what cannot
/// be.
ArrayReading arrayReading(const AttentionContent& content, const ReadingRules& rules);

/// All that stands in the file and beside it. Throws as readFacts() and mergeFacts().
AttentionFacts factsOf(const AttentionContent& content, const FileStacks& stacks);

} // namespace headscope
