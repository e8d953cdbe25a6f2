// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/reading/reading_text.h"

#include <QFont>
#include <QRectF>
#include <QStringList>
#include <QTextLayout>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace headscope::ui {

/// One rectangle of a token. A token that is broken over lines, or that runs through both directions of
/// writing, has several.
struct TokenRect {
    std::int64_t token = 0;
    QRectF rect;
    bool mark = false;
    bool rightToLeft = false;
};

/// One line of the text as it is shown.
struct ReadingLine {
    const QTextLayout* layout = nullptr;
    int index = 0;         ///< of the line in `layout`
    QPointF position;      ///< where `layout` is drawn so that the line stands in its place
    double top = 0.0;      ///< of the band the line takes
    double bottom = 0.0;   ///< likewise
    std::size_t first = 0; ///< its rectangles: [first, last) of rects()
    std::size_t last = 0;
};

struct ReadingHeading {
    QString text;
    QRectF rect;
};

/// The paragraphs of a text in lines of a given width, each shaped once as a whole: letters join and
/// directions mix as in any text. Tokens are rectangles upon it.
class ReadingLayout {
  public:
    /// `headings`: one over each block, or empty.
    void setText(ReadingText text, QStringList headings, const QFont& font);
    /// Breaks the lines anew; `top` is where the text begins. Returns where it ends.
    double layOut(double width, double top);

    const std::vector<ReadingLine>& lines() const { return m_lines; }
    const std::vector<TokenRect>& rects() const { return m_rects; }
    const std::vector<ReadingHeading>& headings() const { return m_headings; }
    /// The lines [first, last) that touch the band.
    std::pair<std::size_t, std::size_t> linesIn(double top, double bottom) const;
    /// All rectangles of a token.
    std::vector<TokenRect> rectsOf(std::int64_t token) const;
    std::optional<std::int64_t> tokenAt(const QPointF& point) const;
    /// The token of the next line down (`direction` 1) or up (-1) that stands nearest to `token`.
    std::optional<std::int64_t> tokenBeside(std::int64_t token, int direction) const;
    /// The text that is shown, for screen readers.
    QString plainText() const;
    /// How often lines were broken.
    int layouts() const { return m_layouts; }

  private:
    void placeHeading(int block, double& y);
    void placeLine(std::size_t paragraph, int line, double& y);
    void addRects(const TokenPart& part, int line, const QRectF& band, bool byGlyphs);

    ReadingText m_text;
    QStringList m_headingTexts;
    QFont m_font;
    std::vector<std::unique_ptr<QTextLayout>> m_layoutsOf;      ///< one a paragraph
    std::vector<std::pair<std::size_t, std::size_t>> m_partsOf; ///< [first, last) of the parts, a paragraph
    std::vector<ReadingLine> m_lines;
    std::vector<TokenRect> m_rects;
    std::vector<std::pair<std::int64_t, std::size_t>> m_byToken; ///< token, rectangle; ascending
    std::vector<ReadingHeading> m_headings;
    double m_width = 0.0;
    int m_layouts = 0;
};

} // namespace headscope::ui
