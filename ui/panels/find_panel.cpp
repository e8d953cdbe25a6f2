// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/find_panel.h"

#include "ui/heatmap/readout.h"
#include "ui/models/found_heads_table.h"
#include "ui/panels/card.h"
#include "ui/panels/found_heads_view.h"
#include "ui/panels/inspector_parts.h"
#include "ui/panels/token_picker.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QVBoxLayout>

namespace headscope::ui {

QString hiddenText(HiddenBy reason) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("FindPanel", text); };
    switch (reason) {
    case HiddenBy::Nothing:
        break;
    case HiddenBy::Causality:
        return tr("it comes after the query, and the attention is causal");
    case HiddenBy::Window:
        return tr("it lies outside the window of the layer");
    case HiddenBy::Padding:
        return tr("it is padding");
    case HiddenBy::GivenMask:
        return tr("the mask of the layer hides it");
    }
    return {};
}

FindPanel::FindPanel(QWidget* parent)
    : QWidget(parent), m_query(new TokenPicker(this)), m_key(new TokenPicker(this)),
      m_words(paragraph({}, "muted")), m_table(new FoundHeadsTable(this)),
      m_view(new FoundHeadsView(*m_table, this)) {
    setProperty("role", QByteArray("dock"));
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 14, 0, 0);
    layout->setSpacing(8);
    auto* above = new QVBoxLayout;
    above->setContentsMargins(16, 0, 16, 0);
    above->setSpacing(8);
    layout->addLayout(above);
    above->addWidget(sectionLabel(tr("Who reads what"), this));
    auto* pickers = new QGridLayout;
    pickers->setHorizontalSpacing(12);
    pickers->setVerticalSpacing(8);
    pickers->setColumnStretch(1, 1);
    const auto add = [&](int line, const QString& name, const QString& tip, TokenPicker* picker) {
        auto* label = roleLabel(name, "muted", this);
        label->setBuddy(picker);
        label->setToolTip(tipText(tip));
        picker->setToolTip(tipText(tip));
        picker->setAccessibleName(name);
        pickers->addWidget(label, line, 0);
        pickers->addWidget(picker, line, 1);
    };
    add(0, tr("Query"), tr("The token that reads: a row of the map"), m_query);
    add(1, tr("Key"), tr("The token that is read: a column of the map"), m_key);
    above->addLayout(pickers);
    above->addSpacing(4);
    above->addWidget(m_words);
    auto* below = new QHBoxLayout; // the list has the whole width of the dock
    below->setContentsMargins(10, 0, 0, 0);
    below->addWidget(m_view);
    layout->addLayout(below, 1);
    layout->addStretch(0);
    connect(m_query, &TokenPicker::tokenChosen, this, &FindPanel::queryChosen);
    connect(m_key, &TokenPicker::tokenChosen, this, &FindPanel::keyChosen);
    connect(m_view, &FoundHeadsView::headOpened, this, &FindPanel::headOpened);
    showNothing({});
}

QString FindPanel::words() const {
    return m_words->text();
}

void FindPanel::showNothing(const QString& reason) {
    showTokens(nullptr, nullptr);
    showReason(reason);
}

void FindPanel::showTokens(const std::shared_ptr<const Axis>& queries,
                           const std::shared_ptr<const Axis>& keys) {
    m_queries = queries;
    m_keys = keys;
    m_query->setTokens(queries);
    m_key->setTokens(keys);
    m_query->setEnabled(queries != nullptr);
    m_key->setEnabled(keys != nullptr);
}

void FindPanel::showCell(std::optional<std::int64_t> query, std::optional<std::int64_t> key) {
    m_query->showToken(query);
    m_key->showToken(key);
}

void FindPanel::showReason(const QString& reason) {
    m_table->setFound(nullptr, nullptr);
    m_view->hide();
    m_words->setText(reason);
}

void FindPanel::showFinding() {
    if (m_view->isHidden()) m_words->setText(tr("Reading the maps…"));
}

/// The pickers hold the cell that was asked for.
QString FindPanel::foundWords(const FoundHeads& found) const {
    if (!m_queries || !m_keys || !m_query->token() || !m_key->token()) return {};
    const AxisEntry& query = m_queries->entries[static_cast<std::size_t>(*m_query->token())];
    const AxisEntry& key = m_keys->entries[static_cast<std::size_t>(*m_key->token())];
    if (found.heads.empty())
        return tr("%1: %2. No head has a weight there.")
            .arg(maskedSentence(query, key), hiddenText(found.hiddenBy));
    const QString counted =
        found.heads.size() == 1
            ? tr("1 head by its weight where %1.").arg(readsSentence(query, key))
            : tr("%1 heads by their weight where %2.").arg(found.heads.size()).arg(readsSentence(query, key));
    if (found.hidden == 0) return counted;
    return tr("%1 In %2 more the query cannot see this key: %3.")
        .arg(counted)
        .arg(found.hidden)
        .arg(hiddenText(found.hiddenBy));
}

void FindPanel::showFound(const std::shared_ptr<const FoundHeads>& found,
                          const std::shared_ptr<const Analysis>& analysis) {
    if (!analysis) return; // of a run that is gone
    m_table->setFound(found, analysis);
    m_view->setVisible(m_table->rowCount() > 0);
    m_words->setText(foundWords(*found));
    showHead(m_head);
    m_view->scrollToTop(); // the largest weights are what was asked for
}

void FindPanel::showHead(const HeadRef& head) {
    m_head = head;
    m_view->showHead(head);
}

} // namespace headscope::ui
