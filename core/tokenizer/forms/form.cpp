// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/form.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <fmt/format.h>

namespace headscope {

std::string FormInputs::read(std::string_view name) const {
    const std::filesystem::path path = folder / name;
    if (!std::filesystem::exists(path))
        fail(escapeForMessage(folder.string()), fmt::format("there is no {}", name),
             fmt::format("expected it, since the tokenizer is a {}", rule.name),
             "give the text as token ids with --ids");
    return readWholeFile(path, kMaxTokenizerFileBytes);
}

TokensById FormInputs::slowTokens() const {
    return inputs.isRebuilt ? TokensById() : declared.byId;
}

} // namespace headscope
