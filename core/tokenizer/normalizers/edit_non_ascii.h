// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalized_text.h"

#include <cstddef>
#include <string>

namespace headscope {

/// Keeps every character except those beyond ASCII that `picks(code point)` is true for: of these
/// `change(edit, character)` says what becomes. ASCII is kept without asking, a text of nothing else
/// untouched.
template <typename Picks, typename Change>
void editNonAscii(NormalizedText& text, const Picks& picks, const Change& change) {
    text.requireRewritable();
    if (findNonAscii(text.text(), 0) == text.size()) return;
    TextEdit edit(text);
    const std::string& old = edit.oldText();
    std::size_t at = 0;
    while (at < old.size()) {
        at = findNonAscii(old, at);
        if (at == old.size()) break;
        const DecodedCodePoint c = decodeCodePoint(old, at);
        if (picks(c.value)) {
            edit.keep(at - edit.cursor());
            change(edit, c);
        }
        at += c.bytes;
    }
    edit.keep(old.size() - edit.cursor());
    edit.finish();
}

} // namespace headscope
