// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/class_rules.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A special token as a configuration gives it: a bare string, or an object whose "normalized" may be left
/// open.
struct NamedToken {
    AddedToken token;
    bool isObject = false;
    bool normalizedIsOpen = true; ///< then it becomes the opposite of `special`

    AddedToken settled() const;
};

/// The special tokens of a class that a configuration need not write, e.g. {"cls_token", "[CLS]"}.
struct DefaultToken {
    std::string_view key;
    std::string_view content;
};

/// The tokens that the class adds to those of tokenizer.json on loading, in order; the library ignores those
/// it has already.
std::vector<AddedToken> classTokens(const ClassInputs& inputs, const Json& file,
                                    const std::vector<DefaultToken>& defaults, const AddedTokens& present);

} // namespace headscope
