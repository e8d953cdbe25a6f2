// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_panel.h"

#include "ui/format.h"
#include "ui/heatmap/head_badges.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/readout.h"
#include "ui/heatmap_colors.h"
#include "ui/icons.h"
#include "ui/panels/pill.h"
#include "ui/theme.h"

#include <QEvent>
#include <QHBoxLayout>
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
    header()->setSpacing(6);
    header()->addWidget(m_letter);
    header()->addWidget(m_title);
    header()->addStretch(1);
    if (role == Role::Pinned) {
        connect(addButton("choose", "check", tr("Subtract"),
                          tr("Compare the current head with this one: it becomes a of the difference")),
                &QToolButton::clicked, this, &ComparePanel::chosen);
        connect(addButton("swap", "swap", tr("Swap"),
                          tr("Swap: this becomes the current head, with its text and model, and the current "
                             "one is pinned in its place")),
                &QToolButton::clicked, this, &ComparePanel::swapRequested);
        connect(addButton("replace", "replace", tr("Replace"),
                          tr("Replace: pin the current head in the place of this one")),
                &QToolButton::clicked, this, &ComparePanel::replaceRequested);
        connect(addButton("remove", "close", tr("Remove"), tr("Remove this pin")), &QToolButton::clicked,
                this, &ComparePanel::removeRequested);
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
    button->setFixedSize(kButton, kButton); // four of them beside the name, three panels in a row
    connect(&Theme::instance(), &Theme::changed, button,
            [button, iconName] { button->setIcon(ui::icon(iconName)); });
    header()->addWidget(button);
    return button;
}

QToolButton* ComparePanel::button(const char* name) const {
    return findChild<QToolButton*>(QString::fromLatin1(name));
}

void ComparePanel::showContent(const Content& content) {
    const bool known = content.side.analysis != nullptr;
    m_letter->setText(content.letter);
    m_letter->setVisible(!content.letter.isEmpty());
    m_title->setText(known || m_role == Role::Pinned
                         ? tr("Head %1").arg(QString::fromStdString(headText(content.side.head)))
                         : tr("Current head"));
    m_run->setText(content.runWords);
    m_run->setVisible(!content.runWords.isEmpty());
    QStringList marks;
    if (content.byWords) marks << tr("by words");
    if (content.ownScale) marks << tr("own scale");
    if (!content.stale.isEmpty()) marks << content.stale;
    m_mark->setText(marks.join(QStringLiteral(" · ")));
    m_mark->setVisible(!marks.isEmpty());
    if (QToolButton* choose = button("choose")) {
        choose->setCheckable(true);
        choose->setChecked(!content.letter.isEmpty());
        choose->setVisible(content.choosable);
    }
    showPills(content);
    if (!known) {
        showUnread(content);
        return;
    }
    const Analysis& analysis = *content.side.analysis;
    const QString role = m_role == Role::Pinned ? tr("pinned") : tr("current");
    m_originText = QStringLiteral("%1 · %2 · %3 · “%4”")
                       .arg(role, QString::fromStdString(analysis.model->name),
                            kindText(content.side.head.kind), oneLine(analysis));
    elideOrigin();
    m_view->setAccessibleName(tr("%1, %2").arg(m_title->text(), m_originText.left(kLongTip)));
    m_view->setMap(content.map.map, content.map.queries, content.map.keys, content.statistics);
    if (!content.byWords) m_view->setPreview(analysis.find(content.side.head)->thumbnail);
}

/// There is no map: of what, and why.
void ComparePanel::showUnread(const Content& content) {
    m_originText = content.origin;
    setToolTip({});
    elideOrigin();
    m_view->setAccessibleName(content.origin.isEmpty()
                                  ? m_title->text()
                                  : tr("%1, %2").arg(m_title->text(), m_originText.left(kLongTip)));
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

void ComparePanel::elideOrigin() {
    m_origin->setText(m_origin->fontMetrics().elidedText(m_originText, Qt::ElideRight, m_origin->width()));
    m_origin->setToolTip(m_originText.isEmpty() ? QString() : tipText(m_originText.left(kLongTip)));
}

/// What is left of the line beside pills and marks.
bool ComparePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_origin && event->type() == QEvent::Resize) elideOrigin();
    return Card::eventFilter(watched, event);
}

} // namespace headscope::ui
