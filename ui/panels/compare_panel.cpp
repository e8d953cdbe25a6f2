// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_panel.h"

#include "ui/format.h"
#include "ui/heatmap/head_badges.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/readout.h"
#include "ui/heatmap_colors.h"
#include "ui/icons.h"
#include "ui/panels/pill.h"
#include "ui/panels/shown_view.h"
#include "ui/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui {
namespace {

constexpr QSize kSmallestMap(200, 216);
constexpr int kNarrowest = 230;
constexpr int kButton = 28;
constexpr int kLongTip = 400; ///< of a text in a tooltip

/// The text of a run on one line.
QString oneLine(const Analysis& analysis) {
    QString text = QString::fromStdString(analysis.input.text);
    if (analysis.input.pair) text += QStringLiteral(" | ") + QString::fromStdString(*analysis.input.pair);
    return text.simplified();
}

/// Short, since a panel may be narrow: how many heads there are is in the tip.
QString nameOf(const ComparedSide& side) {
    switch (side.view.heads) {
    case HeadsShown::Mean:
        return ComparePanel::tr("Mean of layer %1").arg(side.head.layer.value);
    case HeadsShown::Largest:
        return ComparePanel::tr("Largest of layer %1").arg(side.head.layer.value);
    case HeadsShown::One:
    case HeadsShown::Rollout:
        break;
    }
    return headsName({&side.head, 1}, side.view.heads);
}

QString tipOf(const ComparedSide& side) {
    if (!side.analysis) return nameOf(side);
    return headsName(shownHeads(side.analysis->model->spec(), side.head, side.view), side.view.heads);
}

} // namespace

ComparePanel::ComparePanel(Role role, QWidget* parent)
    : Card(parent), m_role(role), m_letter(new QLabel(this)), m_title(new QLabel(this)),
      m_line(new QHBoxLayout), m_mark(roleLabel({}, "warning", this)), m_origin(roleLabel({}, "muted", this)),
      m_view(new HeatmapView(this)), m_run(new QPushButton(this)) {
    m_letter->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    setRole(m_letter, "muted");
    m_title->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    m_mark->setFont(Theme::font(12));
    // All of one width, whatever their headers hold.
    setMinimumWidth(kNarrowest);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    header()->setSpacing(4);
    header()->addWidget(m_letter);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // cut where there is no room
    m_title->installEventFilter(this);
    header()->addWidget(m_title, 1);
    QToolButton* view = addButton("view", "view", tr("How the map is shown"),
                                  tr("How this map is shown: one head or its whole layer, tokens or words, "
                                     "weights or what they bring (Ctrl+Alt with a key, for the framed map)"));
    view->setPopupMode(QToolButton::InstantPopup);
    if (role == Role::Pinned) {
        addPinButtons();
    } else {
        connect(addButton("pin", "pin", tr("Pin"), tr("Pin for comparison (P)")), &QToolButton::clicked, this,
                &ComparePanel::pinRequested);
    }
    m_origin->setFont(Theme::font(12));
    m_origin->setMinimumHeight(kPillHeight); // with a pill or without, the maps stand level
    m_origin->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    body()->setSpacing(4);
    m_origin->installEventFilter(this);
    m_line->setSpacing(6);
    m_line->addWidget(m_mark);
    m_line->addWidget(m_origin, 1);
    body()->addLayout(m_line);
    m_view->setMinimumSize(kSmallestMap);
    m_view->setSizePolicy(QSizePolicy::Ignored,
                          QSizePolicy::Ignored); // what the page has, not what it would like
    body()->addWidget(m_view, 1);
    m_run->hide();
    body()->addWidget(m_run, 0, Qt::AlignHCenter);
    connect(m_run, &QPushButton::clicked, this, &ComparePanel::runRequested);
    const auto applyTheme = [this] { m_view->setTheme(heatmapColors(Theme::instance().colors())); };
    connect(&Theme::instance(), &Theme::changed, this, applyTheme);
    applyTheme();
}

void ComparePanel::addPinButtons() {
    struct Choice {
        const char* name;
        const char* icon;
        QString words;
        QString tip;
        void (ComparePanel::*signal)();
    };
    const Choice choices[] = {
        {"choose", "check", tr("Subtract"),
         tr("Compare the current head with this one: it becomes a of the difference"), &ComparePanel::chosen},
        {"swap", "swap", tr("Swap"),
         tr("Swap: this becomes the current head, with its text and model, and the current one is pinned in "
            "its place"),
         &ComparePanel::swapRequested},
        {"replace", "replace", tr("Replace"), tr("Replace: pin the current head in the place of this one"),
         &ComparePanel::replaceRequested}};
    auto* menu = new QMenu(this);
    for (const Choice& choice : choices) {
        QToolButton* button = addButton(choice.name, choice.icon, choice.words, choice.tip);
        connect(button, &QToolButton::clicked, this, choice.signal);
        QAction* action = menu->addAction(choice.words, button, &QToolButton::click);
        action->setObjectName(QString::fromLatin1(choice.name));
        action->setToolTip(choice.tip);
    }
    m_more = addButton("more", "more", tr("More"), tr("Subtract, swap or replace this pin"));
    m_more->setMenu(menu);
    m_more->setPopupMode(QToolButton::InstantPopup);
    connect(addButton("remove", "close", tr("Remove"), tr("Remove this pin")), &QToolButton::clicked, this,
            &ComparePanel::removeRequested);
}

/// The name comes first: what a narrow panel has no room for goes into a menu.
void ComparePanel::fitButtons() {
    constexpr int kRoomForAll = 330;
    if (m_more == nullptr) return;
    const bool narrow = width() < kRoomForAll;
    m_more->setVisible(narrow);
    button("choose")->setVisible(!narrow && m_choosable);
    button("swap")->setVisible(!narrow);
    button("replace")->setVisible(!narrow);
    m_more->menu()->actions().front()->setVisible(m_choosable);
}

void ComparePanel::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    fitButtons();
}

QToolButton* ComparePanel::addButton(const char* name, const char* icon, const QString& words,
                                     const QString& tip) {
    auto* button = new QToolButton(this);
    const QString iconName = QString::fromLatin1(icon);
    button->setObjectName(QString::fromLatin1(name));
    button->setProperty("role", QByteArray("flat"));
    button->setIcon(ui::icon(iconName));
    button->setIconSize({16, 16});
    button->setAccessibleName(words);
    button->setToolTip(tipText(tip));
    button->setFocusPolicy(Qt::TabFocus);
    button->setFixedSize(kButton, kButton); // beside the name, three panels in a row
    connect(&Theme::instance(), &Theme::changed, button,
            [button, iconName] { button->setIcon(ui::icon(iconName)); });
    header()->addWidget(button);
    return button;
}

QToolButton* ComparePanel::button(const char* name) const {
    return findChild<QToolButton*>(QString::fromLatin1(name));
}

void ComparePanel::setViewActions(const QList<QAction*>& actions) {
    auto* menu = new QMenu(this);
    menu->addActions(actions);
    connect(menu, &QMenu::aboutToShow, this, &ComparePanel::activated);
    button("view")->setMenu(menu);
}

void ComparePanel::showContent(const Content& content) {
    const bool known = content.side.analysis != nullptr;
    setRole(this, content.active ? "active_card" : "card");
    m_letter->setText(content.letter);
    m_letter->setVisible(!content.letter.isEmpty());
    m_titleText = known || m_role == Role::Pinned ? nameOf(content.side) : tr("Current head");
    m_run->setText(content.runWords);
    m_run->setVisible(!content.runWords.isEmpty());
    QStringList marks;
    if (content.regrouped) marks << tr("by words");
    if (content.ownScale) marks << tr("own scale");
    if (content.otherUnit) marks << tr("scale of norms");
    if (!content.stale.isEmpty()) marks << content.stale;
    m_mark->setText(marks.join(QStringLiteral(" · ")));
    m_mark->setVisible(!marks.isEmpty());
    if (QToolButton* choose = button("choose")) {
        choose->setCheckable(true);
        choose->setChecked(!content.letter.isEmpty());
        m_choosable = content.choosable;
        fitButtons();
    }
    m_titleTip = known ? tipOf(content.side) : m_titleText;
    showPills(content);
    if (!known) {
        showUnread(content);
        return;
    }
    const Analysis& analysis = *content.side.analysis;
    QStringList origin;
    if (const QString details = viewDetails(content.side.view); !details.isEmpty()) origin << details;
    origin << (m_role == Role::Pinned ? tr("pinned") : tr("current"))
           << QString::fromStdString(analysis.model->name) << kindText(content.side.head.kind)
           << (analysis.model->imported ? tokensText(analysis.text.axis->size())
                                        : QStringLiteral("“%1”").arg(oneLine(analysis)));
    m_originText = origin.join(QStringLiteral(" · "));
    elide();
    m_view->setAccessibleName(tr("%1, %2").arg(m_titleText, m_originText.left(kLongTip)));
    if (content.shown.map)
        showMap(content);
    else
        showReason(content);
}

void ComparePanel::showMap(const Content& content) {
    const ShownMap& shown = content.shown;
    m_view->setReadout(shown.view.isPlain() ? HeatmapView::Readout()
                                            : viewReadout(shown.map, shown.axes, shown.view));
    m_view->setMap(shown.map, shown.queries, shown.keys, content.statistics);
    if (shown.view.isPlain()) m_view->setPreview(content.side.analysis->find(content.side.head)->thumbnail);
}

/// There is no map: of what, and why.
void ComparePanel::showUnread(const Content& content) {
    m_originText = content.origin;
    setToolTip({});
    elide();
    m_view->setAccessibleName(
        content.origin.isEmpty() ? m_titleText : tr("%1, %2").arg(m_titleText, m_originText.left(kLongTip)));
    showReason(content);
}

void ComparePanel::showReason(const Content& content) {
    if (content.loading) {
        m_view->setLoading(content.reason);
    } else {
        m_view->setEmptyText(content.reason);
        m_view->setMap(nullptr, nullptr, nullptr, {});
    }
}

void ComparePanel::showPills(const Content& content) {
    for (Pill* pill : m_pills) {
        pill->hide();
        pill->deleteLater();
    }
    m_pills.clear();
    if (!content.side.view.isPlain()) return; // they are of a head by itself
    const HeadResult* head = content.side.analysis ? content.side.analysis->find(content.side.head) : nullptr;
    if (head == nullptr) return;
    for (const HeadBadge& badge :
         badgesOf(head->verdict, content.side.analysis->keyAxis(content.side.head.kind))) {
        auto* pill = new Pill(badge.label, labelText(badge.label), this);
        pill->setLook(PillLook::Outlined);
        pill->setToolTip(tr("On this text: %1").arg(badge.text));
        m_line->insertWidget(static_cast<int>(m_pills.size()), pill);
        m_pills.push_back(pill);
    }
}

void ComparePanel::showState(const ViewState& state) {
    m_view->setDisplay(state.range, state.colormap, state.pooling);
}

QString ComparePanel::origin() const {
    return m_originText;
}

QString ComparePanel::mark() const {
    return m_mark->text();
}

void ComparePanel::elide() {
    const auto cut = [](QLabel* label, const QString& text, const QString& tip) {
        label->setText(label->fontMetrics().elidedText(text, Qt::ElideRight, label->width()));
        label->setToolTip(tip.isEmpty() ? QString() : tipText(tip.left(kLongTip)));
    };
    cut(m_title, m_titleText, m_titleTip);
    cut(m_origin, m_originText, m_originText);
}

/// What is left of their lines beside buttons, pills and marks.
bool ComparePanel::eventFilter(QObject* watched, QEvent* event) {
    if ((watched == m_origin || watched == m_title) && event->type() == QEvent::Resize) elide();
    return Card::eventFilter(watched, event);
}

} // namespace headscope::ui
