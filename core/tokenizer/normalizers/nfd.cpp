// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/unicode_tables.h"

#include <algorithm>
#include <vector>

namespace headscope {

namespace {

/// Characters from one starter to the next, in the order they will be written. The canonical order moves them
/// together with whether they replace an old character or are new, so that the origins come out as the
/// library's.
class PendingMarks {
  public:
    void add(char32_t c, bool isNew) {
        const int order = unicode::combiningClass(c);
        if (order == 0) sort();
        m_pending.push_back({c, order, isNew});
        if (order == 0) m_sorted = m_pending.size();
    }

    void writeTo(TextEdit& edit) {
        sort();
        for (const Mark& mark : m_pending) {
            if (mark.isNew)
                edit.insert(mark.c);
            else
                edit.replace(mark.c);
        }
        m_pending.clear();
        m_sorted = 0;
    }

  private:
    struct Mark {
        char32_t c;
        int order;
        bool isNew;
    };

    void sort() {
        std::stable_sort(m_pending.begin() + static_cast<std::ptrdiff_t>(m_sorted), m_pending.end(),
                         [](const Mark& a, const Mark& b) { return a.order < b.order; });
        m_sorted = m_pending.size();
    }

    std::vector<Mark> m_pending;
    std::size_t m_sorted = 0;
};

class Nfd : public Normalizer {
  public:
    void normalize(NormalizedText& text) const override { applyNfd(text); }
};

} // namespace

void applyNfd(NormalizedText& text) {
    if (findNonAscii(text.text(), 0) == text.size()) return;
    TextEdit edit(text);
    const std::string& old = edit.oldText();
    PendingMarks pending;
    std::vector<char32_t> parts;
    while (!edit.atEnd()) {
        const std::size_t ascii = findNonAscii(old, edit.cursor());
        edit.keep(ascii - edit.cursor());
        // The edit's cursor waits at the start of the run while the run is read.
        std::size_t at = edit.cursor();
        while (at < old.size() && static_cast<unsigned char>(old[at]) >= 0x80) {
            const DecodedCodePoint c = decodeCodePoint(old, at);
            parts.clear();
            unicode::appendCanonicalDecomposition(c.value, parts);
            for (std::size_t i = 0; i < parts.size(); ++i) pending.add(parts[i], i > 0);
            at += c.bytes;
        }
        pending.writeTo(edit);
    }
    edit.finish();
}

NormalizerPtr parseNfd(const Json&, const std::string&) {
    return std::make_unique<Nfd>();
}

} // namespace headscope
