// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalized_text.h"

#include <string>

namespace headscope {

/// Drops characters, or else writes a space for them.
template <typename IsDropped, typename BecomesSpace>
void cleanText(NormalizedText& text, const IsDropped& isDropped, const BecomesSpace& becomesSpace) {
    TextEdit edit(text);
    const std::string& old = edit.oldText();
    for (std::size_t at = 0; at < old.size();) {
        const DecodedCodePoint c = decodeCodePoint(old, at);
        const bool dropped = isDropped(c.value);
        if (dropped || becomesSpace(c.value)) {
            edit.keep(at - edit.cursor());
            if (dropped)
                edit.drop(c.bytes);
            else
                edit.replace(' ');
        }
        at += c.bytes;
    }
    edit.keep(old.size() - edit.cursor());
    edit.finish();
}

} // namespace headscope
