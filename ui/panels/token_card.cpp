// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/token_card.h"

#include "ui/format.h"
#include "ui/heatmap/readout.h"
#include "ui/heatmap/token_strip.h"
#include "ui/heatmap_colors.h"
#include "ui/panels/shown_view.h"
#include "ui/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui {

TokenCard::TokenCard(QWidget* parent)
    : Card(parent), m_title(sectionLabel({}, this)), m_hint(roleLabel({}, "muted", this)),
      m_reads(new QToolButton(this)), m_readBy(new QToolButton(this)), m_strip(new TokenStrip(this)) {
    m_title->setTextFormat(Qt::PlainText);
    m_hint->setFont(Theme::font(12));
    m_reads->setText(tr("Reads"));
    m_reads->setToolTip(tr("Colour the tokens that the chosen token reads (its row of the map)"));
    m_readBy->setText(tr("Is read by"));
    m_readBy->setToolTip(tr("Colour the tokens that read the chosen token (its column of the map)"));
    auto* group = new QButtonGroup(this);
    for (QToolButton* button : {m_reads, m_readBy}) {
        button->setCheckable(true);
        button->setProperty("role", QByteArray("flat"));
        group->addButton(button);
    }
    m_reads->setChecked(true);
    header()->addWidget(m_title);
    header()->addWidget(m_hint);
    header()->addStretch(1);
    header()->addWidget(m_reads);
    header()->addWidget(m_readBy);
    m_strip->setAccessibleName(tr("Tokens of the text"));
    body()->addWidget(m_strip, 1);

    connect(m_strip, &TokenStrip::tokenClicked, this, &TokenCard::click);
    connect(m_reads, &QToolButton::clicked, this, [this] { Q_EMIT directionChosen(false); });
    connect(m_readBy, &QToolButton::clicked, this, [this] { Q_EMIT directionChosen(true); });
    const auto applyTheme = [this] { m_strip->setTheme(heatmapColors(Theme::instance().colors())); };
    connect(&Theme::instance(), &Theme::changed, this, applyTheme);
    applyTheme();
    showNothing({});
}

void TokenCard::showNothing(const QString& reason) {
    m_viewed.reset();
    m_queries.reset();
    m_keys.reset();
    m_strip->setEmptyText(reason);
    m_strip->setTokens(nullptr);
    m_title->setText(tr("Tokens"));
    m_hint->clear();
}

void TokenCard::showTokens(std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys) {
    m_viewed.reset();
    m_queries = std::move(queries);
    m_keys = std::move(keys);
    m_strip->setTokens(m_readBy->isChecked() ? m_queries : m_keys);
}

void TokenCard::showHead(const HeadMap* map, const ViewState& state) {
    m_viewed.reset();
    m_strip->setShownAs({});
    showWeights(map, state);
}

void TokenCard::showView(std::shared_ptr<const ViewedMap> viewed, const ViewState& state) {
    m_viewed = std::move(viewed);
    m_strip->setShownAs(shownAs(*m_viewed, state.view));
    showWeights(m_viewed->map.get(), state);
}

void TokenCard::showWeights(const HeadMap* map, const ViewState& state) {
    m_state = state;
    m_reads->setChecked(!state.readBy);
    m_readBy->setChecked(state.readBy);
    if (!m_queries || !m_keys) return;
    const bool crossing = m_queries != m_keys;
    const auto& queries = m_viewed ? m_viewed->axes.queries.axis : m_queries;
    const auto& keys = m_viewed ? m_viewed->axes.keys.axis : m_keys;
    m_strip->setTokens(crossing && state.readBy ? queries : keys);
    const Axis& chosenFrom = state.readBy ? *keys : *queries;
    auto token = state.readBy ? state.key : state.query;
    if (token && m_viewed) // hidden ones have no row and no column
        token = (state.readBy ? m_viewed->axes.keys : m_viewed->axes.queries).indexOf(*token);
    TokenStripWeights weights;
    if (token && *token < chosenFrom.size()) {
        const AxisEntry& entry = chosenFrom.entries[static_cast<std::size_t>(*token)];
        if (!crossing) weights.token = token;
        weights.tokenLabel = tokenInSentence(entry);
        weights.mode = state.readBy ? TokenStripWeights::Mode::Column : TokenStripWeights::Mode::Row;
        if (map != nullptr) weights.weights = state.readBy ? map->column(*token) : map->row(*token);
        m_title->setText(state.readBy ? tr("Who reads %1").arg(tokenText(entry))
                                      : tr("What %1 reads").arg(tokenText(entry)));
        m_hint->setText(crossing ? tr("click a token to turn round") : tr("click a token to follow it"));
    } else {
        m_title->setText(crossing ? (state.readBy ? tr("Target tokens") : tr("Source tokens"))
                                  : tr("Tokens"));
        m_hint->setText(crossing       ? (state.readBy ? tr("click a token to see what it reads")
                                                       : tr("click a token to see who reads it"))
                        : state.readBy ? tr("click a token to see who reads it")
                                       : tr("click a token to see what it reads"));
    }
    m_strip->setWeights(weights);
}

void TokenCard::click(qint64 index) {
    if (!m_viewed) {
        Q_EMIT tokenClicked(index);
        return;
    }
    const bool crossing = m_queries != m_keys;
    const bool ofQueries = crossing ? m_state.readBy : !m_state.readBy;
    const ViewedAxis& axis = ofQueries ? m_viewed->axes.queries : m_viewed->axes.keys;
    Q_EMIT tokenClicked(clickedToken(axis, index, ofQueries ? m_state.query : m_state.key));
}

QString TokenCard::title() const {
    return m_title->text();
}

} // namespace headscope::ui
