// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/line_view.h"

#include "ui/heatmap/readout.h"
#include "ui/reading/head_swatches.h"
#include "ui/reading/line_colors.h"
#include "ui/reading/quiet_line.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

struct RuleChoice {
    const char* text;
    LineRule rule;
};

const std::array<RuleChoice, 7>& ruleChoices() {
    static const std::array<RuleChoice, 7> choices{{
        {QT_TRANSLATE_NOOP("headscope::ui::LineView", "30 strongest"), {30, 0.0F}},
        {QT_TRANSLATE_NOOP("headscope::ui::LineView", "100 strongest"), {100, 0.0F}},
        {QT_TRANSLATE_NOOP("headscope::ui::LineView", "500 strongest"), {500, 0.0F}},
        {QT_TRANSLATE_NOOP("headscope::ui::LineView", "From 0.01 up"), {0, 0.01F}},
        {QT_TRANSLATE_NOOP("headscope::ui::LineView", "From 0.05 up"), {0, 0.05F}},
        {QT_TRANSLATE_NOOP("headscope::ui::LineView", "From 0.1 up"), {0, 0.1F}},
        {QT_TRANSLATE_NOOP("headscope::ui::LineView", "From 0.3 up"), {0, 0.3F}},
    }};
    return choices;
}

} // namespace

LineView::LineView(QWidget* parent)
    : QWidget(parent), m_swatches(new HeadSwatches(this)), m_rule(new QComboBox(this)),
      m_canvas(new LineCanvas(this)), m_sentence(new QuietLine(this)) {
    static_assert(std::tuple_size_v<decltype(m_slots)> == kLineColors);
    m_slots.fill(-1);
    build();
    connect(m_swatches, &HeadSwatches::toggled, this, &LineView::toggle);
    connect(m_rule, &QComboBox::activated, this, [this](int index) {
        const auto choice = static_cast<std::size_t>(index);
        if (choice >= ruleChoices().size()) return; // the one that is on already
        m_canvas->setRule(ruleChoices()[choice].rule);
        showRule();
        Q_EMIT shownChosen(shown());
    });
    connect(m_canvas, &LineCanvas::picked, this, &LineView::showWords);
    connect(m_canvas, &LineCanvas::tokenClicked, this, [this](const LineFocus& token) {
        if (token.key)
            Q_EMIT keyClicked(token.token);
        else
            Q_EMIT queryClicked(token.token);
    });
    connect(m_canvas, &LineCanvas::tokenHovered, this, [this](const std::optional<LineFocus>& token) {
        if (token)
            Q_EMIT tokenHovered(*token);
        else
            Q_EMIT hoverLeft();
    });
    showHeads();
}

void LineView::build() {
    for (const RuleChoice& choice : ruleChoices()) m_rule->addItem(tr(choice.text));
    m_rule->setAccessibleName(tr("Which weights are drawn"));
    m_rule->setToolTip(tr("Which weights between the tokens in sight are drawn; the line below says how "
                          "many are left out"));
    showRule();
    m_canvas->setAccessibleName(
        tr("Lines from the tokens that read, at the left, to the tokens that are read, at the right"));
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(m_swatches, 1);
    top->addWidget(m_rule, 0, Qt::AlignTop | Qt::AlignRight);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(top);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_sentence);
}

void LineView::setMap(std::shared_ptr<const HeadMap> map, std::shared_ptr<const Axis> queries,
                      std::shared_ptr<const Axis> keys, const RangeStatistics& statistics,
                      const ShownAs& as) {
    if (map == m_map && queries == m_queries && keys == m_keys) return;
    m_map = std::move(map);
    m_queries = queries;
    m_keys = keys;
    m_statistics = statistics;
    m_as = as;
    m_layer.clear();
    m_slots.fill(-1);
    m_refusal.clear();
    m_canvas->setAxes(std::move(queries), std::move(keys));
    showHeads();
}

/// The choice that is on. A rule that came from elsewhere (a saved view) is an entry of its own.
void LineView::showRule() {
    const auto& choices = ruleChoices();
    const LineRule& rule = m_canvas->rule();
    const auto found = std::find_if(choices.begin(), choices.end(),
                                    [&rule](const RuleChoice& one) { return one.rule == rule; });
    const int own = static_cast<int>(choices.size());
    if (m_rule->count() > own) m_rule->removeItem(own);
    if (found == choices.end())
        m_rule->addItem(rule.strongest > 0 ? tr("%1 strongest").arg(rule.strongest)
                                           : tr("From %1 up").arg(QString::number(rule.from, 'g', 6)));
    m_rule->setCurrentIndex(static_cast<int>(found - choices.begin()));
}

/// The map's among the heads of the layer; kNoHead: it is none of them.
int LineView::ownHead() const {
    for (const LineHead& head : m_layer)
        if (head.map == m_map) return head.head;
    return LinesShown::kNoHead;
}

LinesShown LineView::shown() const {
    const LineRule& rule = m_canvas->rule();
    if (m_layer.empty()) return {rule, m_asked};
    std::vector<int> heads(m_slots.begin(), m_slots.end());
    while (!heads.empty() && heads.back() == LinesShown::kNoHead) heads.pop_back();
    if (heads == std::vector<int>{ownHead()}) return {rule, std::nullopt};
    return {rule, std::move(heads)};
}

void LineView::setShown(const LinesShown& shown) {
    if (shown.rule != m_canvas->rule()) {
        m_canvas->setRule(shown.rule);
        showRule();
    }
    m_asked = shown.heads;
    if (m_layer.empty()) return;
    auto slots = m_slots;
    slots.fill(LinesShown::kNoHead);
    bool found = shown.heads && shown.heads->empty();
    for (std::size_t slot = 0; shown.heads && slot < std::min(slots.size(), shown.heads->size()); ++slot)
        for (const LineHead& head : m_layer)
            if (head.head == (*shown.heads)[slot]) {
                slots[slot] = head.head;
                found = true;
            }
    if (!found) slots[0] = ownHead();
    if (slots == m_slots) return;
    m_slots = slots;
    m_refusal.clear();
    showHeads();
}

void LineView::setLayer(std::vector<LineHead> heads) {
    const auto own =
        std::find_if(heads.begin(), heads.end(), [this](const LineHead& head) { return head.map == m_map; });
    if (!m_map || own == heads.end()) heads.clear();
    const bool same = std::equal(heads.begin(), heads.end(), m_layer.begin(), m_layer.end(),
                                 [](const LineHead& a, const LineHead& b) { return a.map == b.map; });
    if (same) return;
    m_slots.fill(-1);
    if (!heads.empty()) m_slots[0] = own->head;
    m_layer = std::move(heads);
    showHeads();
}

void LineView::setRange(const DisplayRange& range) {
    m_canvas->setRange(range);
}

void LineView::setSelection(std::optional<std::int64_t> query, std::optional<std::int64_t> key, bool readBy) {
    m_canvas->setSelection(query, key, readBy);
}

void LineView::setTheme(const HeatmapTheme& theme) {
    m_theme = theme;
    m_canvas->setTheme(theme);
    showHeads();
}

void LineView::setEmptyText(const QString& text) {
    m_canvas->setEmptyText(text);
}

QString LineView::sentence() const {
    return m_sentence->words();
}

std::vector<int> LineView::headsOn() const {
    std::vector<int> heads;
    for (const int head : m_slots)
        if (head >= 0) heads.push_back(head);
    return heads;
}

std::vector<std::size_t> LineView::colorsOn() const {
    std::vector<std::size_t> colors;
    for (std::size_t slot = 0; slot < m_slots.size(); ++slot)
        if (m_slots[slot] >= 0) colors.push_back(slot);
    return colors;
}

void LineView::toggle(int head) {
    m_refusal.clear();
    const auto slot = std::find(m_slots.begin(), m_slots.end(), head);
    if (slot != m_slots.end()) {
        *slot = -1;
    } else if (const auto free = std::find(m_slots.begin(), m_slots.end(), -1); free != m_slots.end()) {
        *free = head;
    } else {
        m_refusal = tr("No more than %n heads at once: their colours could not be told apart.", nullptr,
                       static_cast<int>(kLineColors));
    }
    showHeads();
    if (m_refusal.isEmpty()) Q_EMIT shownChosen(shown());
}

void LineView::showHeads() {
    const auto& colors = lineColors(m_theme);
    std::vector<int> numbers;
    for (const LineHead& head : m_layer) numbers.push_back(head.head);
    m_swatches->setHeads(numbers);
    for (HeadSwatch* swatch : m_swatches->swatches()) {
        const auto slot = std::find(m_slots.begin(), m_slots.end(), swatch->head());
        const bool on = slot != m_slots.end();
        swatch->setChecked(on);
        swatch->setLook(on ? colors[static_cast<std::size_t>(slot - m_slots.begin())] : QColor(), m_theme);
        swatch->setToolTip(on ? tr("Head %1 is drawn: click to take it away").arg(swatch->head())
                              : tr("Draw head %1 too").arg(swatch->head()));
    }
    std::vector<LineHead> drawn;
    std::vector<QColor> drawnColors;
    if (m_map && m_layer.empty()) {
        drawn.push_back({0, m_map, m_statistics});
        drawnColors.push_back(colors.front());
    }
    for (std::size_t slot = 0; slot < m_slots.size(); ++slot)
        for (const LineHead& head : m_layer)
            if (head.head == m_slots[slot]) {
                drawn.push_back(head);
                drawnColors.push_back(colors[slot]);
            }
    m_rule->setEnabled(m_map != nullptr);
    m_canvas->setHeads(std::move(drawn), std::move(drawnColors)); // showWords() follows
}

QString LineView::focusSentence(const LineFocus& focus) const {
    const Axis& own = focus.key ? *m_keys : *m_queries;
    const Axis& other = focus.key ? *m_queries : *m_keys;
    const QString name = tokenInSentence(own.entries[static_cast<std::size_t>(focus.token)]);
    const LinePicks& picks = m_canvas->picks();
    if (picks.lines.empty())
        return (focus.key ? tr("Nothing in sight reads %1").arg(name)
                          : tr("%1 reads nothing in sight").arg(name)) +
               (isPart() ? hiddenShare(focus) : QString());
    const AttentionLine& most = picks.lines.back();
    const std::int64_t end = focus.key ? most.query : most.key;
    const QString words = tokenInSentence(other.entries[static_cast<std::size_t>(end)]);
    const QString weight = weightText(most.weight);
    if (!isPart())
        return focus.key ? tr("%1 is read most by %2: %3").arg(name, words, weight)
                         : tr("%1 reads most %2: %3").arg(name, words, weight);
    const QString sentence = focus.key ? tr("in sight %1 is read most by %2: %3").arg(name, words, weight)
                                       : tr("in sight %1 reads most %2: %3").arg(name, words, weight);
    return sentence + hiddenShare(focus);
}

/// Not all tokens have room in the window.
bool LineView::isPart() const {
    const Span queries = m_canvas->shownQueries();
    const Span keys = m_canvas->shownKeys();
    return queries.end - queries.begin < m_queries->size() || keys.end - keys.begin < m_keys->size();
}

/// How much of the weight of a token goes to, or comes from, tokens out of sight. Of one head alone.
QString LineView::hiddenShare(const LineFocus& focus) const {
    const auto& heads = m_canvas->heads();
    if (heads.size() != 1) return {};
    const std::vector<float> weights =
        focus.key ? heads[0].map->column(focus.token) : heads[0].map->row(focus.token);
    const Span shown = focus.key ? m_canvas->shownQueries() : m_canvas->shownKeys();
    double all = 0.0;
    double hidden = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto place = static_cast<std::int64_t>(i);
        all += double(weights[i]);
        if (place < shown.begin || place >= shown.end) hidden += double(weights[i]);
    }
    if (!(all > 0.0)) return {};
    const double percent = 100.0 * hidden / all;
    const QString share = percent > 0.0 && percent < 1.0 ? tr("under 1") : QString::number(percent, 'f', 0);
    return focus.key ? tr(" · %1 % of what reads it is out of sight").arg(share)
                     : tr(" · %1 % of what it reads is out of sight").arg(share);
}

void LineView::showWords() {
    if (!m_map || !m_queries || !m_keys) {
        m_sentence->setWords({});
        return;
    }
    QStringList parts;
    const LinePicks& picks = m_canvas->picks();
    if (!m_refusal.isEmpty()) parts << m_refusal;
    if (const auto focus = m_canvas->focus()) parts << focusSentence(*focus);
    if (!m_as.number.isEmpty()) parts << tr("each number: %1").arg(m_as.number);
    const auto drawn = static_cast<qint64>(picks.lines.size());
    if (drawn == 0 && picks.candidates == 0)
        parts << tr("no weights between the tokens in sight");
    else if (picks.leftOut() == 0)
        parts << tr("all %1 weights in sight drawn").arg(drawn);
    else if (drawn == 0)
        parts << tr("none of %1 weights in sight is that strong").arg(picks.candidates);
    else
        parts << tr("%1 weights drawn, from %2 up; %3 weaker ones left out")
                     .arg(drawn)
                     .arg(weightText(picks.lines.front().weight))
                     .arg(picks.leftOut());
    const Span queries = m_canvas->shownQueries();
    const Span keys = m_canvas->shownKeys();
    if (isPart())
        parts << tr("queries %1–%2, keys %3–%4 in sight")
                     .arg(m_as.place(false, queries.begin))
                     .arg(m_as.place(false, queries.end - 1))
                     .arg(m_as.place(true, keys.begin))
                     .arg(m_as.place(true, keys.end - 1));
    m_sentence->setWords(parts.join(QStringLiteral(" · ")));
    m_canvas->setAccessibleDescription(m_sentence->words());
}

} // namespace headscope::ui
