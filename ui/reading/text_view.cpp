// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/text_view.h"

#include "core/raster/raster.h"
#include "ui/heatmap/legend_painter.h"
#include "ui/heatmap/readout.h"
#include "ui/reading/quiet_line.h"
#include "ui/reading/ramp_legend.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kReadingSize = 16;
constexpr double kWordSpacing = 4.0;

} // namespace

TextView::TextView(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(this)), m_hint(new QuietLine(this)), m_reads(new QToolButton(this)),
      m_isReadBy(new QToolButton(this)), m_canvas(new TextCanvas(this)), m_sentence(new QuietLine(this)),
      m_legend(new RampLegend(this)) {
    build();
    connect(m_canvas, &TextCanvas::spotClicked, this, &TextView::onSpotClicked);
    connect(m_canvas, &TextCanvas::spotHovered, this, &TextView::onSpotHovered);
    connect(m_reads, &QToolButton::clicked, this, [this] { Q_EMIT directionChosen(false); });
    connect(m_isReadBy, &QToolButton::clicked, this, [this] { Q_EMIT directionChosen(true); });
    connect(&m_reader, &WeightReader::ready, this, [this](const WeightLine& line) {
        m_line = line;
        showLine();
    });
    showLine();
}

void TextView::build() {
    m_title->setProperty("role", QByteArray("strong"));
    m_title->setTextFormat(Qt::PlainText); // tokens may look like markup: <s>
    m_title->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_reads->setText(tr("Reads"));
    m_reads->setToolTip(tr("Colour the tokens that the chosen token reads (its row of the map)"));
    m_isReadBy->setText(tr("Is read by"));
    m_isReadBy->setToolTip(tr("Colour the tokens that read the chosen token (its column of the map)"));
    auto* group = new QButtonGroup(this);
    for (QToolButton* button : {m_reads, m_isReadBy}) {
        button->setCheckable(true);
        button->setProperty("role", QByteArray("flat"));
        button->setFocusPolicy(Qt::TabFocus);
        group->addButton(button);
    }
    m_reads->setChecked(true);
    // Larger than the window's text: it is read, not glanced at; and with room for the colours of the words.
    QFont reading = font();
    reading.setPixelSize(kReadingSize);
    reading.setWordSpacing(kWordSpacing);
    m_canvas->setFont(reading);
    m_canvas->setAccessibleName(tr("The text, coloured by the attention weights of one token"));
    auto* top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(m_title);
    top->addWidget(m_hint, 1);
    top->addWidget(m_reads);
    top->addWidget(m_isReadBy);
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(12);
    bottom->addWidget(m_sentence, 1);
    bottom->addWidget(m_legend);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(top);
    layout->addWidget(m_canvas, 1);
    layout->addLayout(bottom);
}

void TextView::setMap(std::shared_ptr<const HeadMap> map, std::shared_ptr<const Axis> queries,
                      std::shared_ptr<const Axis> keys, const RangeStatistics& statistics,
                      const ShownAs& as) {
    if (map == m_map && queries == m_queries && keys == m_keys) return;
    m_map = std::move(map);
    m_queries = std::move(queries);
    m_keys = std::move(keys);
    m_statistics = statistics;
    m_as = as;
    m_line.reset();
    m_reader.setMap(m_map);
    m_canvas->setTexts(m_queries, m_keys);
    m_canvas->setAccessibleDescription(m_canvas->plainText());
    setSelection(m_query, m_key, m_readBy);
}

void TextView::setDisplay(const DisplayRange& range, Colormap colormap) {
    if (range == m_range && colormap == m_colormap) return;
    m_range = range;
    m_colormap = colormap;
    showLine();
}

void TextView::setSelection(std::optional<std::int64_t> query, std::optional<std::int64_t> key, bool readBy) {
    m_query = query;
    m_key = key;
    m_readBy = readBy;
    m_reads->setChecked(!readBy);
    m_isReadBy->setChecked(readBy);
    const TextSide keySide = m_canvas->isCrossing() ? TextSide::Keys : TextSide::Queries;
    const auto spot = [](TextSide side, std::optional<std::int64_t> token, bool shown) {
        return token && shown ? std::optional(TextSpot{side, *token}) : std::nullopt;
    };
    // Of one text only the token that is followed is outlined.
    const bool both = m_canvas->isCrossing();
    const auto querySpot = spot(TextSide::Queries, m_query, both || !readBy);
    const auto keySpot = spot(keySide, m_key, both || readBy);
    m_canvas->setChosen(readBy ? keySpot : querySpot, readBy ? querySpot : keySpot);
    m_canvas->setCursor(readBy ? keySpot : querySpot);
    follow();
}

void TextView::setTheme(const HeatmapTheme& theme) {
    m_theme = theme;
    m_canvas->setTheme(theme);
    m_legend->setTheme(theme);
    showLine();
}

void TextView::setEmptyText(const QString& text) {
    m_canvas->setEmptyText(text);
}

QString TextView::title() const {
    return m_title->text();
}

QString TextView::sentence() const {
    return m_sentence->words();
}

const AxisEntry* TextView::entry(bool column, std::int64_t index) const {
    const auto& axis = column ? m_keys : m_queries;
    if (!axis || index < 0 || index >= axis->size()) return nullptr;
    return &axis->entries[static_cast<std::size_t>(index)];
}

std::optional<TextView::Focus> TextView::chosen() const {
    const auto token = m_readBy ? m_key : m_query;
    if (!token || entry(m_readBy, *token) == nullptr) return std::nullopt;
    return Focus{m_readBy, *token};
}

std::optional<TextView::Focus> TextView::focus() const {
    const auto hovered = m_canvas->hovered();
    if (!hovered) return chosen();
    const bool column = m_canvas->isCrossing() ? hovered->side == TextSide::Keys : m_readBy;
    return Focus{column, hovered->token};
}

void TextView::onSpotClicked(const TextSpot& spot) {
    const bool column = m_canvas->isCrossing() ? spot.side == TextSide::Keys : m_readBy;
    if (column)
        Q_EMIT keyClicked(spot.token);
    else
        Q_EMIT queryClicked(spot.token);
}

void TextView::onSpotHovered(const std::optional<TextSpot>& spot) {
    follow();
    if (spot)
        Q_EMIT tokenHovered(spot->token);
    else
        Q_EMIT hoverLeft();
}

void TextView::follow() {
    const auto wanted = m_map ? focus() : std::nullopt;
    if (!wanted) {
        m_reader.cancel();
        m_line.reset();
    } else if (!m_line || Focus{m_line->column, m_line->index} != *wanted) {
        m_reader.request(wanted->column, wanted->index); // showLine() follows
        if (m_reader.isIdle()) return;
    } else {
        m_reader.cancel();
    }
    showLine();
}

float TextView::rowMaximum() const {
    return m_line ? largestOf(*m_line) : 0.0F;
}

/// Everything that depends on the line that is shown.
void TextView::showLine() {
    TextShades queries;
    TextShades keys;
    if (m_line) {
        const bool onQueries = !m_canvas->isCrossing() || m_line->column;
        (onQueries ? queries : keys) = shadesOf(*m_line, resolve(m_range, m_statistics), m_colormap);
    }
    m_canvas->setShades(TextSide::Queries, std::move(queries));
    m_canvas->setShades(TextSide::Keys, std::move(keys));
    showScale();
    showWords();
}

void TextView::showScale() {
    LegendModel scale;
    scale.chosen = m_range;
    scale.statistics = m_statistics;
    scale.colormap = m_colormap;
    m_legend->setScale(scale, rowMaximum());
    m_legend->setVisible(m_map != nullptr && m_line.has_value());
}

/// With a token chosen and another one under the cursor: the weight between them.
QString TextView::pairSentence() const {
    const auto held = chosen();
    const auto hovered = m_canvas->hovered();
    if (!m_map || !held || !hovered) return {};
    const bool otherSide = !m_canvas->isCrossing() || (hovered->side == TextSide::Keys) == !held->column;
    if (!otherSide) return {};
    const std::int64_t query = held->column ? hovered->token : held->index;
    const std::int64_t key = held->column ? held->index : hovered->token;
    const AxisEntry* reader = entry(false, query);
    const AxisEntry* read = entry(true, key);
    if (reader == nullptr || read == nullptr) return {};
    return tr("%1: %2").arg(readsSentence(*reader, *read), weightText(m_map->cell(query, key)));
}

void TextView::showWords() {
    const AxisEntry* followed = m_line ? entry(m_line->column, m_line->index) : nullptr;
    m_reads->setEnabled(m_map != nullptr);
    m_isReadBy->setEnabled(m_map != nullptr);
    if (!m_map || followed == nullptr) {
        m_title->setText(m_map ? tr("The text") : QString());
        m_hint->setWords(!m_map                   ? QString()
                         : m_canvas->isCrossing() ? tr("point at a token, or click it to keep it")
                         : m_readBy ? tr("point at a token to see who reads it, click it to keep it")
                                    : tr("point at a token to see what it reads, click it to keep it"));
        m_sentence->setWords({});
        return;
    }
    const QString name = tokenInSentence(*followed);
    m_title->setText(m_line->column ? tr("Who reads %1").arg(name) : tr("What %1 reads").arg(name));
    m_hint->setWords(m_as.placeText(m_line->column, m_line->index));
    QStringList parts;
    if (const QString pair = pairSentence(); !pair.isEmpty()) parts << pair;
    const auto most = std::max_element(m_line->weights.begin(), m_line->weights.end());
    if (most != m_line->weights.end() && *most > 0.0F) {
        const AxisEntry* other = entry(!m_line->column, most - m_line->weights.begin());
        if (other != nullptr)
            parts << (m_line->column ? tr("most by %1: %2") : tr("most: %1 %2"))
                         .arg(tokenInSentence(*other), weightText(*most));
    }
    const float even = m_line->column ? m_statistics.evenWeight : m_line->evenWeight;
    if (!m_as.number.isEmpty()) parts << m_as.number;
    if (even > 0.0F && m_as.hasEvenWeight) parts << tr("even weight %1").arg(weightText(even));
    m_sentence->setWords(parts.join(QStringLiteral(" · ")));
}

} // namespace headscope::ui
