// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/reading_text.h"

#include "ui/heatmap/axis_labels.h"

#include <QList>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace headscope::ui {

namespace {

/// Longer runs of one token, or of text between two, are cut: nobody reads them, and laying them out would
/// take seconds.
constexpr std::int64_t kLongest = 2000;
/// Tokens that overlap without being in the same place are told apart up to this many.
constexpr std::size_t kOverlapping = 64;

constexpr char16_t kIsolate = u'\u2068';
constexpr char16_t kEndIsolate = u'\u2069';

bool breaksLine(char32_t c) {
    return c == U'\n' || c == U'\r' || c == U'\v' || c == U'\f' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

/// The code points [begin, end) of UTF-8.
QList<char32_t> pointsOf(std::string_view text, std::int64_t begin, std::int64_t end) {
    const auto startsPoint = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
    std::size_t at = 0;
    const auto forward = [&](std::int64_t count) {
        while (count > 0 && at < text.size()) {
            ++at;
            while (at < text.size() && !startsPoint(text[at])) ++at;
            --count;
        }
        return at;
    };
    const std::size_t from = forward(begin);
    const std::size_t to = forward(end - begin);
    const QList<uint> points =
        QString::fromUtf8(text.data() + from, static_cast<qsizetype>(to - from)).toUcs4();
    return {points.begin(), points.end()};
}

std::int64_t lengthOf(std::string_view text) {
    return std::count_if(text.begin(), text.end(),
                         [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
}

bool isBlank(std::span<const char32_t> points) {
    return std::all_of(points.begin(), points.end(), [](char32_t c) { return QChar::isSpace(c); });
}

/// Nothing of it is seen where it stands alone: a line break, an accent or a joiner alone, a control.
bool needsMark(std::span<const char32_t> points) {
    if (points.empty()) return true;
    const auto isHidden = [](char32_t c) {
        return !QChar::isPrint(c) || QChar::category(c) == QChar::Other_Format || QChar::isMark(c);
    };
    const bool spaces =
        std::all_of(points.begin(), points.end(), [](char32_t c) { return c == U' ' || c == 0xA0; });
    if (spaces) return false;
    return std::all_of(points.begin(), points.end(),
                       [&](char32_t c) { return isHidden(c) || QChar::isSpace(c); });
}

/// Puts tokens and text one after the other.
class Writer {
  public:
    explicit Writer(const Axis& axis) : m_axis(axis) {}

    void beginBlock() {
        m_result.paragraphs.push_back({{}, m_result.blocks});
        ++m_result.blocks;
    }

    /// Text that no token covers.
    void plain(std::span<const char32_t> points) { write(points, {}); }

    /// Text of these tokens, all in the same place.
    void covered(std::span<const char32_t> points, std::span<const std::int64_t> tokens) {
        write(points, tokens);
    }

    void mark(std::int64_t token) {
        const AxisEntry& entry = m_axis.entries[static_cast<std::size_t>(token)];
        QString label = axisLabelText(entry);
        if (label.isEmpty()) label = QStringLiteral("␣");
        QString& text = paragraph().text;
        if (!text.isEmpty() && !text.back().isSpace()) text += QLatin1Char(' ');
        // The direction of the text around stays what it is without the mark.
        text += QChar(kIsolate);
        const auto from = static_cast<int>(text.size());
        text += label.left(80);
        add({token, paragraphIndex(), from, static_cast<int>(text.size()), 0, 1, true});
        text += QChar(kEndIsolate);
        text += QLatin1Char(' ');
    }

    /// A token without a text behind it, in the flow of the others.
    void label(std::int64_t token) {
        const AxisEntry& entry = m_axis.entries[static_cast<std::size_t>(token)];
        QString label = axisLabelText(entry);
        const bool joined = label.size() > 2 && label.startsWith(QLatin1String("##"));
        if (joined) label.remove(0, 2);
        if (label.isEmpty()) {
            mark(token);
            return;
        }
        QString& text = paragraph().text;
        if (!joined && !text.isEmpty() && !text.back().isSpace()) text += QLatin1Char(' ');
        const auto from = static_cast<int>(text.size());
        text += label;
        add({token, paragraphIndex(), from, static_cast<int>(text.size()), 0, 1, false});
    }

    ReadingText take() { return std::move(m_result); }

  private:
    ReadingParagraph& paragraph() { return m_result.paragraphs.back(); }
    int paragraphIndex() const { return static_cast<int>(m_result.paragraphs.size()) - 1; }
    void add(const TokenPart& part) { m_result.parts.push_back(part); }

    void write(std::span<const char32_t> points, std::span<const std::int64_t> tokens) {
        const bool cut = static_cast<std::int64_t>(points.size()) > kLongest;
        if (cut) points = points.first(kLongest / 2);
        std::size_t begin = 0;
        for (std::size_t i = 0; i <= points.size(); ++i) {
            const bool ends = i == points.size();
            if (!ends && !breaksLine(points[i])) continue;
            writeLine(points.subspan(begin, i - begin), tokens);
            if (ends) break;
            if (points[i] == U'\r' && i + 1 < points.size() && points[i + 1] == U'\n') ++i;
            m_result.paragraphs.push_back({{}, m_result.blocks - 1});
            begin = i + 1;
        }
        if (cut) writeLine(std::span<const char32_t>(U" … ", 3), {});
    }

    void writeLine(std::span<const char32_t> points, std::span<const std::int64_t> tokens) {
        if (points.empty()) return;
        QString& text = paragraph().text;
        const auto from = static_cast<int>(text.size());
        text += QString::fromUcs4(points.data(), static_cast<qsizetype>(points.size()));
        const auto count = static_cast<int>(tokens.size());
        for (int i = 0; i < count; ++i)
            add({tokens[static_cast<std::size_t>(i)], paragraphIndex(), from, static_cast<int>(text.size()),
                 i, count, false});
    }

    const Axis& m_axis;
    ReadingText m_result;
};

void writeLabels(const Axis& axis, Writer& writer, std::span<const std::int64_t> tokens) {
    for (const std::int64_t token : tokens) {
        if (axis.entries[static_cast<std::size_t>(token)].special)
            writer.mark(token);
        else
            writer.label(token);
    }
}

/// One text and the tokens in and around it.
class TextWriter {
  public:
    TextWriter(const Axis& axis, int text, Writer& writer)
        : m_axis(axis), m_writer(writer), m_text(axis.texts[static_cast<std::size_t>(text)]), m_number(text) {
    }

    void write(std::span<const std::int64_t> tokens) {
        if (!readPoints(tokens)) {
            writeLabels(m_axis, m_writer, tokens);
            return;
        }
        for (const std::int64_t token : tokens) {
            const AxisEntry& entry = entryOf(token);
            if (!isInText(entry)) {
                flush();
                if (entry.special && entry.text == m_number && entry.start >= m_at && entry.end > m_at) {
                    plainUpTo(entry.start); // a mark in the place of the words that stand for it
                    m_at = entry.end;
                }
                m_writer.mark(token);
            } else if (!m_group.empty() && entry.start < m_groupEnd && entry.start >= m_groupStart) {
                m_group.push_back(token);
                m_groupEnd = std::max(m_groupEnd, entry.end);
            } else {
                flush();
                if (entry.start < m_at) { // out of order: its place is gone
                    m_writer.mark(token);
                    continue;
                }
                m_group = {token};
                m_groupStart = entry.start;
                m_groupEnd = entry.end;
            }
        }
        flush();
        m_writer.plain(slice(m_at, m_end));
        if (m_cutAfter) m_writer.plain(std::span<const char32_t>(U" …", 2));
    }

  private:
    const AxisEntry& entryOf(std::int64_t token) const {
        return m_axis.entries[static_cast<std::size_t>(token)];
    }

    bool isInText(const AxisEntry& entry) const {
        return !entry.special && entry.text == m_number && entry.start >= m_begin &&
               entry.start < entry.end && entry.end <= m_end;
    }

    /// The part of the text that the tokens stand in; the rest of it is not converted at all. False where no
    /// token stands in it.
    bool readPoints(std::span<const std::int64_t> tokens) {
        const std::int64_t length = lengthOf(m_text);
        std::int64_t first = length;
        std::int64_t last = 0;
        for (const std::int64_t token : tokens) {
            const AxisEntry& entry = entryOf(token);
            if (entry.text != m_number || entry.start < 0 || entry.start >= entry.end || entry.end > length)
                continue;
            first = std::min(first, entry.start);
            last = std::max(last, entry.end);
        }
        if (first >= last) return false;
        const QList<char32_t> before = pointsOf(m_text, std::max<std::int64_t>(0, first - kLongest), first);
        const QList<char32_t> after = pointsOf(m_text, last, std::min(length, last + kLongest));
        const bool cutBefore = !isBlank(before) || first > kLongest;
        m_cutAfter = !isBlank(after) || length - last > kLongest;
        m_begin = cutBefore ? first : first - before.size();
        m_end = m_cutAfter ? last : last + after.size();
        m_points = pointsOf(m_text, m_begin, m_end);
        m_end = m_begin + m_points.size();
        m_at = m_begin;
        if (cutBefore) m_writer.plain(std::span<const char32_t>(U"… ", 2));
        return true;
    }

    std::span<const char32_t> slice(std::int64_t begin, std::int64_t end) const {
        begin = std::clamp<std::int64_t>(begin - m_begin, 0, m_points.size());
        end = std::clamp<std::int64_t>(end - m_begin, begin, m_points.size());
        return {m_points.constData() + begin, static_cast<std::size_t>(end - begin)};
    }

    void plainUpTo(std::int64_t place) {
        m_writer.plain(slice(m_at, place));
        m_at = std::max(m_at, place);
    }

    /// Writes the tokens that wait: one, or several that overlap.
    void flush() {
        if (m_group.empty()) return;
        plainUpTo(m_groupStart);
        const auto own = slice(m_groupStart, m_groupEnd);
        if (needsMark(own)) {
            for (const std::int64_t token : m_group) m_writer.mark(token);
            m_writer.plain(own);
        } else if (m_group.size() == 1 || m_group.size() > kOverlapping) {
            m_writer.covered(own, m_group);
        } else {
            writeSegments();
        }
        m_at = m_groupEnd;
        m_group.clear();
    }

    /// Between two borders of tokens all characters belong to the same ones.
    void writeSegments() {
        std::vector<std::int64_t> borders;
        for (const std::int64_t token : m_group) {
            borders.push_back(entryOf(token).start);
            borders.push_back(entryOf(token).end);
        }
        std::sort(borders.begin(), borders.end());
        borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
        for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
            std::vector<std::int64_t> here;
            for (const std::int64_t token : m_group)
                if (entryOf(token).start <= borders[i] && entryOf(token).end >= borders[i + 1])
                    here.push_back(token);
            m_writer.covered(slice(borders[i], borders[i + 1]), here);
        }
    }

    const Axis& m_axis;
    Writer& m_writer;
    std::string_view m_text;
    int m_number;
    QList<char32_t> m_points; ///< of [m_begin, m_end)
    std::int64_t m_begin = 0;
    std::int64_t m_end = 0;
    bool m_cutAfter = false;
    std::int64_t m_at = 0; ///< written so far
    std::vector<std::int64_t> m_group;
    std::int64_t m_groupStart = 0;
    std::int64_t m_groupEnd = 0;
};

/// The text a token belongs to; nothing for one that stands beside the texts.
std::optional<int> textOf(const Axis& axis, const AxisEntry& entry) {
    const bool known = entry.text >= 0 && static_cast<std::size_t>(entry.text) < axis.texts.size();
    return known ? std::optional<int>(entry.text) : std::nullopt;
}

} // namespace

ReadingText makeReadingText(const Axis& axis) {
    Writer writer(axis);
    // A token beside the texts goes with the text before it, at the beginning with the first.
    std::vector<std::pair<std::optional<int>, std::vector<std::int64_t>>> blocks;
    for (std::int64_t token = 0; token < axis.size(); ++token) {
        const auto text = textOf(axis, axis.entries[static_cast<std::size_t>(token)]);
        if (blocks.empty()) blocks.emplace_back();
        auto& [blockText, tokens] = blocks.back();
        if (!text || !blockText || *text == *blockText) {
            if (text) blockText = text;
            tokens.push_back(token);
        } else {
            blocks.emplace_back(text, std::vector<std::int64_t>{token});
        }
    }
    for (const auto& [text, tokens] : blocks) {
        writer.beginBlock();
        if (text) {
            TextWriter(axis, *text, writer).write(tokens);
            continue;
        }
        writeLabels(axis, writer, tokens);
    }
    return writer.take();
}

} // namespace headscope::ui
