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
constexpr int kMap = 150; ///< the least height of a map: two rows of them fit a small window
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
    auto* rows = new QVBoxLayout(area);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kGap);
    for (QHBoxLayout*& row : m_rows) {
        row = new QHBoxLayout;
        row->setSpacing(kGap);
        rows->addLayout(row, 1);
    }
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        const bool isCurrent = i + 1 == m_panels.size();
        m_panels[i] =
            new ComparePanel(isCurrent ? ComparePanel::Role::Current : ComparePanel::Role::Pinned, area);
        m_links->add(m_panels[i]->view());
    }
    m_notice = buildNotice();
    m_difference = new DifferenceCard(area);
    m_sideCard = buildSide();
    // Columns are alike whatever the cards would like.
    for (QWidget* card : {m_notice, static_cast<QWidget*>(m_difference), m_sideCard})
        card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return area;
}

/// Stands beside the current head until one is pinned.
QWidget* ComparePage::buildNotice() {
    auto* card = new Card(this);
    auto* title = new QLabel(tr("Pin a head, then choose another"), card);
    title->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    title->setAlignment(Qt::AlignHCenter);
    m_noticeWords = roleLabel(
        tr("What is pinned stays here with its text and model. Then go to another head, type another text "
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
    // In a small window it scrolls by itself, so that the maps need not.
    m_sideScroll = new QScrollArea(card);
    m_sideScroll->setWidgetResizable(true);
    m_sideScroll->setFrameShape(QFrame::NoFrame);
    m_sideScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_sideScroll->setFocusPolicy(Qt::NoFocus);
    m_sideScroll->setWidget(m_side);
    m_sideScroll->viewport()->setAutoFillBackground(false);
    m_side->setAutoFillBackground(false);
    card->body()->addWidget(m_sideScroll, 1);
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
    const bool four = pins == Comparing::kMostPins;
    std::vector<QWidget*> upper;
    for (std::size_t i = 0; i < pins; ++i) upper.push_back(m_panels[i]);
    upper.push_back(currentPanel());
    if (pins == 0) upper.push_back(m_notice);
    std::vector<QWidget*> lower = {m_difference, m_sideCard};
    if (four) {
        lower = {upper[2], upper[3], m_sideCard};
        upper = {upper[0], upper[1], m_difference};
    }
    for (QHBoxLayout* row : m_rows)
        while (row->count() > 0) delete row->takeAt(0);
    for (QWidget* one : upper) m_rows[0]->addWidget(one, 1);
    for (QWidget* one : lower) m_rows[1]->addWidget(one, 1);
    for (std::size_t i = 0; i < Comparing::kMostPins; ++i) m_panels[i]->setVisible(i < pins);
    m_notice->setVisible(pins == 0);
    m_difference->setVisible(pins > 0);
    for (ComparePanel* panel : m_panels) panel->view()->setMinimumHeight(kMap);
    m_difference->view()->setMinimumHeight(kMap);
    setNarrowSide(four);
}

void ComparePage::setNarrowSide(bool narrow) {
    const QString names[] = {tr("Numbers"), tr("Most similar"), tr("Most different")};
    const QString shortNames[] = {tr("Numbers"), tr("Similar"), tr("Different")};
    for (std::size_t i = 0; i < m_sides.size(); ++i) {
        m_sides[i]->setText(narrow ? shortNames[i] : names[i]);
        m_sides[i]->setAccessibleName(names[i]);
    }
    m_numbers->setNarrow(narrow);
}

void ComparePage::setViewActions(const QList<QAction*>& actions) {
    for (ComparePanel* panel : m_panels) panel->setViewActions(actions);
}

void ComparePage::activate(quint64 pin) {
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
            activate(m_comparing.pins[i].id);
            return;
        }
    if (currentPanel()->isAncestorOf(now)) activate(0);
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
        connect(panel, &ComparePanel::activated, this, [this, i] { activate(m_comparing.pins[i].id); });
    }
    connect(currentPanel(), &ComparePanel::runRequested, this, &ComparePage::viewsAgainRequested);
    connect(currentPanel(), &ComparePanel::activated, this, [this] { activate(0); });
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
