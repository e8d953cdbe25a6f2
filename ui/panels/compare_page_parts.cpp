// SPDX-License-Identifier: GPL-3.0-or-later
// The page's half that builds and places its parts.
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/linked_views.h"
#include "ui/heatmap/readout.h"
#include "ui/panels/compare_numbers.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/difference_card.h"
#include "ui/panels/segments.h"
#include "ui/panels/similar_list.h"
#include "ui/theme.h"

#include <QApplication>
#include <QButtonGroup>
#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {
constexpr int kGap = 12;
constexpr int kMap = 216;      ///< the least height of a map
constexpr int kSmallMap = 150; ///< where there are four
constexpr int kColumns = 6;    ///< of the grid: two halves or three thirds
} // namespace

ComparePage::ComparePage(QWidget* parent) : QWidget(parent), m_links(new LinkedViews(this)) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(scroll);
    content->setProperty("role", QByteArray("page"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    m_head = buildHead();
    layout->addWidget(m_head);
    layout->addWidget(buildPanels(), 1);
    scroll->setWidget(content);
    // The window's colour shows through.
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    outer->addWidget(scroll);
    connectParts();
    showComparing({}, {});
    showSide(Side::Nearest);
}

QWidget* ComparePage::buildHead() {
    auto* head = new QWidget(this);
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(2, 0, 2, 0);
    layout->setSpacing(12);
    m_link = new QLabel(head);
    setRole(m_link, "muted");
    m_link->setFont(Theme::font(12));
    m_ownScales = new QCheckBox(tr("Own scales"), head);
    m_ownScales->setToolTip(tipText(
        tr("Each map from 0 to its own automatic end, instead of one scale for all. The other colour scales "
           "are the same for all maps anyway.")));
    layout->addWidget(m_link, 1);
    layout->addWidget(m_ownScales);
    return head;
}

QWidget* ComparePage::buildPanels() {
    auto* area = new QWidget(this);
    m_grid = new QGridLayout(area);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(kGap);
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        const bool isCurrent = i + 1 == m_panels.size();
        m_panels[i] =
            new ComparePanel(isCurrent ? ComparePanel::Role::Current : ComparePanel::Role::Pinned, area);
        m_links->add(m_panels[i]->view());
    }
    m_notice = buildNotice();
    m_difference = new DifferenceCard(area);
    m_sideCard = buildSide();
    for (int i = 0; i < kColumns; ++i) m_grid->setColumnStretch(i, 1);
    return area;
}

/// Stands beside the current head until one is pinned.
QWidget* ComparePage::buildNotice() {
    auto* card = new Card(this);
    auto* title = new QLabel(tr("Pin a head, then choose another"), card);
    title->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    title->setAlignment(Qt::AlignHCenter);
    m_noticeWords = roleLabel(
        tr("The pinned head stays here with its text and model. Then go to another head, type another text "
           "or open another model: both stand side by side, with their difference and its numbers."),
        "muted", card);
    m_noticeWords->setWordWrap(true);
    m_noticeWords->setAlignment(Qt::AlignHCenter);
    m_pin = new QPushButton(card);
    m_pin->setProperty("role", QByteArray("primary"));
    m_pin->setToolTip(tipText(tr("Pin for comparison (P). A pin stays until it is taken away.")));
    card->body()->addStretch(1);
    card->body()->addWidget(title);
    card->body()->addWidget(m_noticeWords);
    card->body()->addSpacing(4);
    card->body()->addWidget(m_pin, 0, Qt::AlignHCenter);
    card->body()->addStretch(1);
    return card;
}

QWidget* ComparePage::buildSide() {
    auto* card = new Card(this);
    auto* segments = new Segments(card);
    auto* group = new QButtonGroup(this);
    const QString names[] = {tr("Numbers"), tr("Most similar"), tr("Most different")};
    const QString tips[] = {tr("How far a and b are apart, and the rows in which they differ most"),
                            tr("The heads of this text that are most like the chosen one"),
                            tr("The heads of this text that are least like the chosen one")};
    for (std::size_t i = 0; i < m_sides.size(); ++i) {
        m_sides[i] = segments->add(names[i]);
        m_sides[i]->setToolTip(tipText(tips[i]));
        group->addButton(m_sides[i], static_cast<int>(i));
    }
    card->header()->addWidget(segments);
    card->header()->addStretch(1);
    m_side = new QStackedWidget(card);
    m_numbers = new CompareNumbers(m_side);
    m_similar = new SimilarList(m_side);
    m_side->addWidget(m_numbers);
    m_side->addWidget(m_similar);
    card->body()->addWidget(m_side, 1);
    connect(group, &QButtonGroup::idClicked, this, [this](int id) {
        m_sideChosen = true;
        showSide(static_cast<Side>(id));
    });
    m_sides[0]->setChecked(true);
    return card;
}

void ComparePage::showSide(Side side) {
    m_sides[static_cast<std::size_t>(side)]->setChecked(true);
    const bool list = side != Side::Numbers;
    if (list) m_similar->setFarthest(side == Side::Farthest);
    const bool changed = isSimilarShown() != list;
    m_side->setCurrentIndex(list ? 1 : 0);
    if (changed) Q_EMIT similarShown(list);
}

/// Two beside each other or three in a row, over their difference and its numbers; four two by two, with
/// these beside them, so that all fit a small window.
void ComparePage::placePanels(std::size_t pins) {
    if (m_placed == pins) return;
    m_placed = pins;
    std::vector<QWidget*> upper;
    for (std::size_t i = 0; i < Comparing::kMostPins; ++i)
        if (i < pins) upper.push_back(m_panels[i]);
    upper.push_back(currentPanel());
    if (pins == 0) upper.push_back(m_notice);
    const bool four = pins == Comparing::kMostPins;
    if (four) upper.insert(upper.begin() + 2, m_difference);
    for (QWidget* one : {static_cast<QWidget*>(m_panels[0]), static_cast<QWidget*>(m_panels[1]),
                         static_cast<QWidget*>(m_panels[2]), m_notice, static_cast<QWidget*>(m_difference),
                         m_sideCard, static_cast<QWidget*>(currentPanel())})
        m_grid->removeWidget(one);
    const int inRow = pins < 2 ? 2 : 3;
    const int span = kColumns / inRow;
    for (std::size_t i = 0; i < upper.size(); ++i) {
        const int place = static_cast<int>(i);
        m_grid->addWidget(upper[i], place / inRow, place % inRow * span, 1, span);
    }
    const int half = pins == 0 ? 0 : kColumns / 2;
    if (four) {
        m_grid->addWidget(m_sideCard, 1, 2 * span, 1, span);
    } else {
        if (pins > 0) m_grid->addWidget(m_difference, 1, 0, 1, half);
        m_grid->addWidget(m_sideCard, 1, half, 1, kColumns - half);
    }
    for (std::size_t i = 0; i < Comparing::kMostPins; ++i) m_panels[i]->setVisible(i < pins);
    m_notice->setVisible(pins == 0);
    m_difference->setVisible(pins > 0);
    for (int row = 0; row < 2; ++row) m_grid->setRowStretch(row, 1);
    for (ComparePanel* panel : m_panels) panel->view()->setMinimumHeight(four ? kSmallMap : kMap);
    m_difference->view()->setMinimumHeight(four ? kSmallMap : kMap);
    setNarrowSide(four);
}

void ComparePage::setNarrowSide(bool narrow) {
    const QString names[] = {tr("Numbers"), tr("Most similar"), tr("Most different")};
    const QString shortNames[] = {tr("Numbers"), tr("Similar"), tr("Different")};
    for (std::size_t i = 0; i < m_sides.size(); ++i) {
        m_sides[i]->setText(narrow ? shortNames[i] : names[i]);
        m_sides[i]->setAccessibleName(names[i]);
    }
}

void ComparePage::setViewActions(const QList<QAction*>& actions) {
    for (ComparePanel* panel : m_panels) panel->setViewActions(actions);
}

void ComparePage::activate(std::optional<std::size_t> pin) {
    if (pin == m_active) return;
    m_active = pin;
    refreshPanels();
    Q_EMIT activeChanged();
}

/// The panel in which the keyboard was last.
void ComparePage::followFocus(QWidget* now) {
    if (now == nullptr || !isVisible()) return;
    for (std::size_t i = 0; i < m_comparing.pins.size(); ++i)
        if (m_panels[i]->isAncestorOf(now)) {
            activate(i);
            return;
        }
    if (currentPanel()->isAncestorOf(now)) activate(std::nullopt);
}

void ComparePage::connectParts() {
    m_links->add(m_difference->view());
    for (std::size_t i = 0; i < Comparing::kMostPins; ++i) {
        ComparePanel* panel = m_panels[i];
        connect(panel, &ComparePanel::chosen, this, [this, i] { Q_EMIT pinChosen(i); });
        connect(panel, &ComparePanel::swapRequested, this, [this, i] { Q_EMIT pinSwapped(i); });
        connect(panel, &ComparePanel::replaceRequested, this, [this, i] { Q_EMIT pinReplaced(i); });
        connect(panel, &ComparePanel::removeRequested, this, [this, i] { Q_EMIT pinRemoved(i); });
        connect(panel, &ComparePanel::runRequested, this, [this, i] {
            if (m_comparing.pins[i].side.analysis)
                Q_EMIT viewsAgainRequested();
            else
                Q_EMIT pinRunRequested(i);
        });
        connect(panel, &ComparePanel::activated, this, [this, i] { activate(i); });
    }
    connect(currentPanel(), &ComparePanel::runRequested, this, &ComparePage::viewsAgainRequested);
    connect(currentPanel(), &ComparePanel::activated, this, [this] { activate(std::nullopt); });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { followFocus(now); });
    connect(currentPanel(), &ComparePanel::pinRequested, this, &ComparePage::pinRequested);
    connect(m_pin, &QPushButton::clicked, this, &ComparePage::pinRequested);
    connect(m_ownScales, &QCheckBox::clicked, this, &ComparePage::ownScalesChosen);
    connect(m_numbers, &CompareNumbers::rowChosen, this, &ComparePage::goTo);
    connect(m_similar, &SimilarList::headChosen, this, &ComparePage::headChosen);
    connect(m_similar, &SimilarList::headPinned, this, &ComparePage::headPinned);
    connect(m_similar, &SimilarList::cancelRequested, this, &ComparePage::cancelRequested);
    connect(m_similar, &SimilarList::againRequested, this, &ComparePage::findAgainRequested);
    connect(m_difference, &DifferenceCard::cancelRequested, this, &ComparePage::cancelRequested);
    connect(m_difference, &DifferenceCard::againRequested, this, &ComparePage::compareAgainRequested);
    connect(m_links, &LinkedViews::cellChosen, this, &ComparePage::chooseIn);
    connect(m_links, &LinkedViews::cellPointed, this, &ComparePage::pointFrom);
    connect(m_links, &LinkedViews::viewportMoved, this, [this](int group, const MapViewport& viewport) {
        if (group == m_lead && m_lead != LinkedViews::kAlone) Q_EMIT viewportMoved(viewport);
    });
}

} // namespace headscope::ui
