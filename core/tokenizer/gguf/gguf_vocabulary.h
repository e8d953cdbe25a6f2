// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/gguf/gguf_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What a token of a GGUF file is: the numbers are those of sentencepiece.
enum class GgufTokenKind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

/// The keys below tokenizer.ggml of a GGUF file.
class GgufVocabulary {
  public:
    /// Throws Error, by the name of the key, where the tokens are missing, are no texts in UTF-8, or what
    /// stands beside them has another number of entries.
    explicit GgufVocabulary(const GgufSource& source);

    std::string subject;                  ///< the file's name, for messages
    std::string model;                    ///< tokenizer.ggml.model: "llama", "gpt2", "bert"
    std::string pre;                      ///< tokenizer.ggml.pre; may be empty
    std::vector<std::string_view> tokens; ///< a token's place is its id
    std::vector<GgufTokenKind> kinds;     ///< as many
    std::vector<float> scores;            ///< as many, or none
    std::vector<std::string_view> merges; ///< "a b"

    std::optional<bool> flag(std::string_view key) const;
    /// The token whose id stands under `key`; nullopt where there is no such key.
    std::optional<std::int64_t> id(std::string_view key) const;

  private:
    std::vector<std::string_view> texts(std::string_view key) const;

    const Json* m_fields; ///< of the source, which outlives this
};

} // namespace headscope
