// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/split_behavior.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

enum class PrependScheme { Always, First, Never };

PrependScheme readPrependScheme(const StageFields& fields) {
    PrependScheme scheme = PrependScheme::Always;
    if (fields.find("prepend_scheme") != nullptr) {
        const std::string& name = fields.string("prepend_scheme");
        if (name == "first")
            scheme = PrependScheme::First;
        else if (name == "never")
            scheme = PrependScheme::Never;
        else if (name != "always")
            fail(fields.subjectOf("prepend_scheme"), fmt::format("found \"{}\"", escapeForMessage(name, 40)),
                 "expected always, first or never");
    }
    // The field of the time before prepend_scheme.
    if (fields.optionalBoolean("add_prefix_space") == false && scheme != PrependScheme::Never)
        fail(fields.subjectOf("add_prefix_space"), "found false",
             "expected prepend_scheme \"never\" with it");
    return scheme;
}

/// Writes every space (U+0020 alone) as `replacement`, usually U+2581, puts one before the piece, and cuts in
/// front of them.
class Metaspace : public PreTokenizer {
  public:
    explicit Metaspace(const StageFields& fields)
        : m_scheme(readPrependScheme(fields)), m_cuts(fields.optionalBoolean("split").value_or(true)) {
        appendUtf8(m_replacement, fields.character("replacement"));
        // Without a meaning since the time before, and still checked by the library.
        const Json* spelling = fields.find("str_rep");
        if (spelling != nullptr && !spelling->isNull()) fields.string("str_rep");
    }

    void split(Pieces& pieces) const override {
        pieces.rewriteEach(rewrittenSize(pieces.buffer.text()), [&](const Piece& piece, NormalizedText& text,
                                                                    const auto& add) {
            const std::size_t begin = text.size();
            const std::string_view old = pieces.view(piece);
            if (!old.starts_with(' ') && !old.starts_with(m_replacement) && prepends(pieces.buffer, piece))
                text.append(m_replacement, pieces.buffer.origin(piece.begin));
            for (std::size_t at = 0; at < old.size();) {
                const std::size_t space = std::min(old.find(' ', at), old.size());
                text.append(pieces.buffer, piece.begin + at, piece.begin + space);
                if (space < old.size()) text.append(m_replacement, pieces.buffer.origin(piece.begin + space));
                at = space + 1;
            }
            if (m_cuts)
                cut(text, begin, add);
            else
                add(begin, text.size());
        });
    }

  private:
    /// But for the spaces that are put before pieces.
    std::size_t rewrittenSize(std::string_view text) const {
        const auto spaces = static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
        return text.size() + spaces * (m_replacement.size() - 1);
    }

    bool prepends(const NormalizedText& buffer, const Piece& piece) const {
        if (m_scheme != PrependScheme::First) return m_scheme == PrependScheme::Always;
        // Not when what stood before the piece was stripped or removed.
        return (buffer.origin(piece.begin) & ~NormalizedText::kInserted) == 0;
    }

    template <typename Add>
    void cut(const NormalizedText& text, std::size_t begin, const Add& add) const {
        const std::string_view view = text.view(begin, text.size());
        const auto addShifted = [&](std::size_t from, std::size_t to) { add(begin + from, begin + to); };
        Splitter splitter(SplitBehavior::MergedWithNext, false, addShifted);
        for (std::size_t at = view.find(m_replacement); at != std::string_view::npos;
             at = view.find(m_replacement, at + m_replacement.size()))
            splitter.match(at, at + m_replacement.size());
        splitter.finish(view.size());
    }

    PrependScheme m_scheme;
    bool m_cuts;
    std::string m_replacement;
};

} // namespace

PreTokenizerPtr parseMetaspace(const Json& json, const std::string& subject) {
    return std::make_unique<Metaspace>(StageFields(json, subject));
}

} // namespace headscope
