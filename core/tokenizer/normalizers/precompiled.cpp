// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tokenizer/base64.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/grapheme_clusters.h"
#include "core/tokenizer/normalizers/charsmap.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/stage_fields.h"

#include <optional>

namespace headscope {

namespace {

/// Writes what clusters and characters become, with the library's changes (TextEdit::apply). They are off
/// where something becomes nothing: the character written before it takes over what it stood for, whatever
/// that is, and at the start of the text it is forgotten, so that all later origins are one character too
/// early.
class CharsmapEdit {
  public:
    /// Everything before byte `at` is as it was.
    CharsmapEdit(NormalizedText& text, std::size_t at) : m_edit(text) {
        if (at == 0) return;
        const DecodedCodePoint last = decodeCodePointBefore(text.text(), at);
        m_edit.keep(at - last.bytes);
        write(last.value, 0);
    }

    void keep(char32_t c) { write(c, 0); }

    void replace(std::string_view old, std::string_view replacement) {
        const std::ptrdiff_t surplus = count(replacement) - count(old);
        std::ptrdiff_t left = count(replacement);
        for (std::size_t at = 0; at < replacement.size(); --left) {
            const DecodedCodePoint c = decodeCodePoint(replacement, at);
            write(c.value, left <= surplus ? 1 : 0);
            at += c.bytes;
        }
        if (surplus < 0 && m_last) m_last->change += surplus;
    }

    void finish() {
        flush();
        m_edit.finish();
    }

  private:
    struct Written {
        char32_t c;
        std::ptrdiff_t change;
    };

    static std::ptrdiff_t count(std::string_view text) {
        std::ptrdiff_t result = 0;
        for (std::size_t at = 0; at < text.size(); at += utf8Length(text[at])) ++result;
        return result;
    }

    void write(char32_t c, std::ptrdiff_t change) {
        flush();
        m_last = Written{c, change};
    }

    void flush() {
        if (m_last) m_edit.apply(m_last->c, m_last->change);
    }

    TextEdit m_edit;
    std::optional<Written> m_last; ///< its change is not settled before the next character is there
};

/// The normalisation of SentencePiece models.
class Precompiled : public Normalizer {
  public:
    explicit Precompiled(const StageFields& fields) : m_map(readMap(fields)) {}

    void normalize(NormalizedText& text) const override {
        const std::string& old = text.text();
        std::optional<CharsmapEdit> edit;
        const auto replaced = [&](std::size_t begin, std::size_t end) {
            const std::string_view chunk = std::string_view(old).substr(begin, end - begin);
            const std::optional<std::string_view> replacement = m_map.replacement(chunk);
            if (!replacement) return false;
            if (!edit) edit.emplace(text, begin);
            edit->replace(chunk, *replacement);
            return true;
        };
        for (std::size_t at = 0; at < old.size();) {
            const std::size_t end = graphemeClusterEnd(old, at);
            if (end - at < kShortCluster && replaced(at, end)) {
                at = end;
                continue;
            }
            for (; at < end; at += utf8Length(old[at])) {
                const DecodedCodePoint c = decodeCodePoint(old, at);
                if (!replaced(at, at + c.bytes) && edit) edit->keep(c.value);
            }
        }
        if (edit) edit->finish();
    }

  private:
    /// Clusters of fewer bytes are looked up whole before their characters are.
    static constexpr std::size_t kShortCluster = 6;

    static Charsmap readMap(const StageFields& fields) {
        const std::string subject = fields.subjectOf("precompiled_charsmap");
        const std::optional<std::string> bytes = decodeBase64(fields.string("precompiled_charsmap"));
        if (!bytes) fail(subject, "text that is no base64");
        return Charsmap(*bytes, subject);
    }

    Charsmap m_map;
};

} // namespace

NormalizerPtr parsePrecompiled(const Json& json, const std::string& subject) {
    return std::make_unique<Precompiled>(StageFields(json, subject));
}

} // namespace headscope
