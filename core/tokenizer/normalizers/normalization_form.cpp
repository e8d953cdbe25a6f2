// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/unicode_tables.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace headscope {

namespace {

/// A character to be written, with the change that it makes (TextEdit::apply). Changes move together with
/// their characters, so that the origins come out as the library's.
struct Character {
    char32_t c;
    int combiningClass;
    std::ptrdiff_t change;
};

/// Writes decomposed characters in canonical order, composing them again or not.
class FormWriter {
  public:
    FormWriter(TextEdit& edit, bool composes) : m_edit(edit), m_composes(composes) {}

    void add(char32_t c, std::ptrdiff_t change) {
        const Character character = {c, unicode::combiningClass(c), change};
        if (character.combiningClass != 0) {
            m_marks.push_back(character);
            return;
        }
        orderMarks();
        pass(character);
    }

    /// Writes all that is held back: what follows has nothing to do with what came before.
    void flush() {
        orderMarks();
        writeComposed();
    }

  private:
    void orderMarks() {
        std::stable_sort(m_marks.begin(), m_marks.end(), [](const Character& a, const Character& b) {
            return a.combiningClass < b.combiningClass;
        });
        for (const Character& mark : m_marks) pass(mark);
        m_marks.clear();
    }

    void pass(const Character& character) {
        if (m_composes)
            compose(character);
        else
            m_edit.apply(character.c, character.change);
    }

    void compose(const Character& next) {
        if (!m_starter) {
            if (next.combiningClass == 0)
                m_starter = next;
            else
                m_edit.apply(next.c, next.change);
            return;
        }
        // A mark is blocked by one of its own or a higher class between it and the starter.
        if (m_behind.empty() || m_behind.back().combiningClass < next.combiningClass) {
            if (const char32_t composed = unicode::compose(m_starter->c, next.c)) {
                m_starter->c = composed;
                m_starter->change += next.change - 1;
                return;
            }
        }
        if (next.combiningClass != 0) {
            m_behind.push_back(next);
            return;
        }
        writeComposed();
        m_starter = next;
    }

    void writeComposed() {
        if (m_starter) m_edit.apply(m_starter->c, m_starter->change);
        for (const Character& mark : m_behind) m_edit.apply(mark.c, mark.change);
        m_starter.reset();
        m_behind.clear();
    }

    TextEdit& m_edit;
    bool m_composes;
    std::vector<Character> m_marks;     ///< since the last starter, not yet in order
    std::optional<Character> m_starter; ///< to which marks may still be added
    std::vector<Character> m_behind;    ///< marks that were not
};

void applyForm(NormalizedText& text, unicode::Decomposition decomposition, bool composes) {
    text.requireRewritable();
    if (findNonAscii(text.text(), 0) == text.size()) return;
    TextEdit edit(text);
    FormWriter writer(edit, composes);
    const std::string& old = edit.oldText();
    std::vector<char32_t> parts;
    for (std::size_t at = 0; at < old.size();) {
        const std::size_t ascii = findNonAscii(old, at);
        if (ascii > at) {
            // ASCII stays as it is, but for a last character that marks may be added to.
            writer.flush();
            const bool hasMarks = composes && ascii < old.size();
            edit.keep(ascii - at - (hasMarks ? 1 : 0));
            if (hasMarks) writer.add(static_cast<unsigned char>(old[ascii - 1]), 0);
            at = ascii;
            continue;
        }
        const DecodedCodePoint c = decodeCodePoint(old, at);
        parts.clear();
        unicode::appendDecomposition(c.value, decomposition, parts);
        for (std::size_t i = 0; i < parts.size(); ++i) writer.add(parts[i], i > 0 ? 1 : 0);
        at += c.bytes;
    }
    writer.flush();
    edit.finish();
}

class NormalizationForm : public Normalizer {
  public:
    NormalizationForm(unicode::Decomposition decomposition, bool composes)
        : m_decomposition(decomposition), m_composes(composes) {}

    void normalize(NormalizedText& text) const override { applyForm(text, m_decomposition, m_composes); }

  private:
    unicode::Decomposition m_decomposition;
    bool m_composes;
};

} // namespace

void applyNfd(NormalizedText& text) {
    applyForm(text, unicode::Decomposition::Canonical, false);
}

NormalizerPtr parseNfc(const Json&, const std::string&) {
    return std::make_unique<NormalizationForm>(unicode::Decomposition::Canonical, true);
}

NormalizerPtr parseNfd(const Json&, const std::string&) {
    return std::make_unique<NormalizationForm>(unicode::Decomposition::Canonical, false);
}

NormalizerPtr parseNfkc(const Json&, const std::string&) {
    return std::make_unique<NormalizationForm>(unicode::Decomposition::Compatible, true);
}

NormalizerPtr parseNfkd(const Json&, const std::string&) {
    return std::make_unique<NormalizationForm>(unicode::Decomposition::Compatible, false);
}

} // namespace headscope
