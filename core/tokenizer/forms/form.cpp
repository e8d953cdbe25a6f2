// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/form.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <fmt/format.h>

namespace headscope {

std::string readTokenizerFile(const InputFile& file) {
    std::string bytes = readWholeFile(file, kMaxTokenizerFileBytes);
    const std::string_view head = std::string_view(bytes).substr(0, 512);
    if (const auto foreign = recogniseForeign(head, bytes.size(), "a tokenizer"))
        fail(messageName(file.path()), foreign->found, {}, foreign->hint);
    return bytes;
}

std::string FormInputs::read(std::string_view name) const {
    if (content && name == vocabularyFile) return *content;
    const std::filesystem::path path = folder / name;
    if (!std::filesystem::exists(path))
        fail(escapeForMessage(folder.string()), fmt::format("there is no {}", name),
             fmt::format("expected it, since the tokenizer is a {}", rule.name),
             "give the text as token ids with --ids");
    return readTokenizerFile(InputFile(path));
}

TokensById FormInputs::slowTokens() const {
    return inputs.isRebuilt ? TokensById() : declared.byId;
}

} // namespace headscope
