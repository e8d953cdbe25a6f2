// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/tokenizer/class_rules_settings.h"
#include "core/tokenizer/class_special_tokens.h"
#include "core/tokenizer/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// The largest tokenizer file that is read: its JSON may take twenty times its size in memory.
inline constexpr std::uint64_t kMaxTokenizerFileBytes = 128'000'000;

/// The whole of a tokenizer's file. Throws Error where it is larger than that, or what a broken download left
/// in its place.
std::string readTokenizerFile(const InputFile& file);

/// What a tokenizer is built from where tokenizer.json is not read.
struct FormInputs {
    const ClassRule& rule;
    const ClassInputs& inputs;
    const DeclaredTokens& declared;
    const SpecialTokens& special; ///< of the slow class
    std::filesystem::path folder;
    std::string vocabularyFile;           ///< in the folder, of the form's kind
    std::optional<std::string> content{}; ///< of vocabularyFile, where it is no file of its own

    ClassSettings settings() const { return ClassSettings(inputs); }
    /// The content of a file of the folder. Throws Error where it is missing, naming the form's files.
    std::string read(std::string_view name) const;
    /// added_tokens_decoder as the slow class sees it.
    TokensById slowTokens() const;
};

// Each form builds the document that the class's converter would write as tokenizer.json, or a slow
// tokenizer. They throw Error for what transformers or the tokenizers library refuse.
Json buildWordPiece(const FormInputs& form);
Json buildByteLevelBpe(const FormInputs& form);
Json buildSentencePiece(const FormInputs& form);
std::shared_ptr<const Tokenizer> buildMarian(const FormInputs& form);
std::shared_ptr<const Tokenizer> buildM2m100(const FormInputs& form);
std::shared_ptr<const Tokenizer> buildBytes(const FormInputs& form);

} // namespace headscope
