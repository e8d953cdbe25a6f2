// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/axes_form.h"

#include "ui/icons.h"
#include "ui/panels/card.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace headscope::ui {

namespace {

struct Kind {
    ArrayAxis axis;
    const char* name;
    const char* meaning;
};
constexpr Kind kKinds[] = {
    {ArrayAxis::Layers, QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "layers"),
     QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "One for each layer of the model")},
    {ArrayAxis::Batch, QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "samples"),
     QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "One for each text of a batch: one of them is opened")},
    {ArrayAxis::Heads, QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "heads"),
     QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "One for each head of a layer")},
    {ArrayAxis::Queries, QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "queries"),
     QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "Tokens that read: each one's weights sum to 1")},
    {ArrayAxis::Keys, QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "keys"),
     QT_TRANSLATE_NOOP("headscope::ui::AxesForm", "Tokens that are read")},
};

bool holds(const ArrayAxes& axes, ArrayAxis axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

/// What every usual reading says of a dimension; invalid where they differ or there is none.
QVariant agreed(const std::vector<ArrayAxes>& usual, std::size_t dimension) {
    if (usual.empty()) return {};
    const ArrayAxis first = usual.front()[dimension];
    const bool same = std::all_of(usual.begin(), usual.end(),
                                  [&](const ArrayAxes& axes) { return axes[dimension] == first; });
    return same ? QVariant(static_cast<int>(first)) : QVariant();
}

std::vector<ArrayAxes> readingsOf(const AxesQuestion& question) {
    if (!question.known.empty()) return {question.known};
    if (!question.suggested.empty()) return {question.suggested};
    std::vector<ArrayAxes> usual = usualAxes(question.shape.size());
    if (question.ofOneLayer)
        std::erase_if(usual, [](const ArrayAxes& axes) { return holds(axes, ArrayAxis::Layers); });
    return usual;
}

} // namespace

AxesForm::AxesForm(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_title(roleLabel({}, "", this)), m_row(new QHBoxLayout),
      m_sampleLabel(new QLabel(tr("&Sample"), this)), m_sample(new QSpinBox(this)),
      m_explanation(roleLabel({}, "muted", this)), m_open(new QPushButton(tr("&Open"), this)),
      m_close(new QToolButton(this)) {
    setObjectName(QStringLiteral("axesForm"));
    m_title->setFont(Theme::font(metrics::kText, QFont::DemiBold));
    for (QLabel* label : {m_title, m_explanation}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText); // a file's name is never markup
    }
    m_sampleLabel->setBuddy(m_sample);
    m_sample->setToolTip(tr("Which of the batch is opened, from 0"));
    m_sample->setAccessibleName(tr("Sample of the batch"));
    m_open->setProperty("role", QByteArray("primary"));
    m_open->setToolTip(tr("Read the array this way; it is not asked again for this file"));
    m_close->setProperty("role", QByteArray("flat"));
    m_close->setToolTip(tr("Do not open the file"));
    m_close->setAccessibleName(m_close->toolTip());

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 10, 8, 10);
    layout->setSpacing(12);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(8);
    words->addWidget(m_title);
    m_row->setSpacing(8);
    m_row->addWidget(m_sampleLabel);
    m_row->addWidget(m_sample);
    m_row->addWidget(m_open);
    m_row->addStretch(1);
    words->addLayout(m_row);
    words->addWidget(m_explanation);
    layout->addLayout(words, 1);
    layout->addWidget(m_close, 0, Qt::AlignTop);

    connect(m_sample, &QSpinBox::valueChanged, this, &AxesForm::refresh);
    connect(m_open, &QPushButton::clicked, this, &AxesForm::answer);
    connect(m_close, &QToolButton::clicked, this, &AxesForm::dismiss);
    connect(&Theme::instance(), &Theme::changed, this, &AxesForm::applyTheme);
    applyTheme();
    hide();
}

void AxesForm::ask(const QString& file, const AxesQuestion& question) {
    m_question = question;
    for (QWidget* part : m_parts) part->deleteLater();
    m_parts.clear();
    m_choices.clear();
    const std::vector<ArrayAxes> readings = readingsOf(question);
    QStringList shape;
    for (std::size_t i = 0; i < question.shape.size(); ++i) {
        shape << QString::number(question.shape[i]);
        addChoice(i, agreed(readings, i));
    }
    const QString words = question.suggested.empty()
                              ? tr("%1: what do the dimensions of its maps, %2, count?")
                              : tr("%1: in its maps, %2, queries and keys seem to be swapped. Read them so?");
    m_title->setText(words.arg(file, shape.join(QStringLiteral(" × "))));
    setAccessibleName(m_title->text());
    m_sample->setValue(0);
    refresh();
    setVisible(true);
    const auto open = std::find_if(m_choices.begin(), m_choices.end(),
                                   [](const QComboBox* choice) { return !choice->currentData().isValid(); });
    if (open != m_choices.end())
        (*open)->setFocus();
    else
        (m_sample->isHidden() ? static_cast<QWidget*>(m_open) : m_sample)->setFocus();
    Q_EMIT shownChanged(true);
}

void AxesForm::dismiss() {
    if (isHidden()) return;
    hide();
    Q_EMIT shownChanged(false);
}

void AxesForm::addChoice(std::size_t dimension, const QVariant& chosen) {
    auto* label = new QLabel(QString::number(m_question.shape[dimension]), this);
    auto* choice = new QComboBox(this);
    choice->addItem(tr("choose…"));
    for (const Kind& kind : kKinds)
        if (kind.axis != ArrayAxis::Layers || !m_question.ofOneLayer) {
            choice->addItem(tr(kind.name), static_cast<int>(kind.axis));
            choice->setItemData(choice->count() - 1, tr(kind.meaning), Qt::ToolTipRole);
        }
    choice->setCurrentIndex(chosen.isValid() ? choice->findData(chosen) : 0);
    choice->setAccessibleName(
        tr("What dimension %1, of %2, counts").arg(dimension).arg(m_question.shape[dimension]));
    choice->setToolTip(choice->accessibleName());
    // Known axes wait for the sample alone.
    choice->setEnabled(m_question.known.empty());
    label->setBuddy(choice);
    const int place = static_cast<int>(2 * dimension);
    m_row->insertWidget(place, label);
    m_row->insertWidget(place + 1, choice);
    QWidget* const before = m_choices.empty() ? static_cast<QWidget*>(m_close) : m_choices.back();
    setTabOrder(before, choice);
    setTabOrder(choice, m_sample);
    setTabOrder(m_sample, m_open);
    m_parts.insert(m_parts.end(), {label, choice});
    m_choices.push_back(choice);
    connect(choice, &QComboBox::currentIndexChanged, this, &AxesForm::refresh);
}

ArrayAxes AxesForm::chosenAxes() const {
    ArrayAxes axes;
    for (const QComboBox* choice : m_choices)
        if (const QVariant chosen = choice->currentData(); chosen.isValid())
            axes.push_back(static_cast<ArrayAxis>(chosen.toInt()));
    return axes;
}

QString AxesForm::problem(const ArrayAxes& axes) const {
    for (const Kind& kind : kKinds)
        if (std::count(axes.begin(), axes.end(), kind.axis) > 1)
            return tr("Two dimensions cannot both count %1.").arg(tr(kind.name));
    if (axes.size() < m_choices.size()) return tr("Choose what each dimension counts.");
    if (!holds(axes, ArrayAxis::Queries) || !holds(axes, ArrayAxis::Keys))
        return tr("One dimension has to count queries and one keys.");
    return {};
}

std::int64_t AxesForm::extentOf(ArrayAxis axis) const {
    for (std::size_t i = 0; i < m_choices.size(); ++i)
        if (m_choices[i]->currentData().isValid() &&
            m_choices[i]->currentData().toInt() == static_cast<int>(axis))
            return m_question.shape[i];
    return 0;
}

QString AxesForm::reading(const ArrayAxes& axes) const {
    QStringList parts;
    if (holds(axes, ArrayAxis::Layers)) parts << tr("%1 layers").arg(extentOf(ArrayAxis::Layers));
    parts << (holds(axes, ArrayAxis::Heads) ? tr("%1 heads").arg(extentOf(ArrayAxis::Heads))
                                            : tr("no heads: each map a mean over them, or a single head"));
    parts << tr("%1 queries, each reading %2 keys")
                 .arg(extentOf(ArrayAxis::Queries))
                 .arg(extentOf(ArrayAxis::Keys));
    if (const std::int64_t samples = extentOf(ArrayAxis::Batch); samples > 0)
        parts << tr("sample %1 of %2").arg(m_sample->value()).arg(samples);
    return parts.join(QStringLiteral(" · "));
}

QString AxesForm::explanation() const {
    return m_explanation->text();
}

void AxesForm::refresh() {
    const ArrayAxes axes = chosenAxes();
    const std::int64_t samples = extentOf(ArrayAxis::Batch);
    m_sample->setMaximum(
        static_cast<int>(std::clamp<std::int64_t>(samples - 1, 0, std::numeric_limits<int>::max())));
    m_sample->setVisible(samples > 1);
    m_sampleLabel->setVisible(samples > 1);
    const QString missing = problem(axes);
    m_open->setEnabled(missing.isEmpty());
    m_explanation->setText(missing.isEmpty() ? reading(axes) : missing);
}

void AxesForm::answer() {
    const ArrayAxes axes = chosenAxes();
    if (isHidden() || !problem(axes).isEmpty()) return;
    ReadingRules rules;
    rules.axes = axes;
    if (holds(axes, ArrayAxis::Batch)) rules.sample = m_sample->value();
    dismiss();
    Q_EMIT answered(rules);
}

void AxesForm::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        answer();
    else if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

void AxesForm::applyTheme() {
    const ThemeColors& c = Theme::instance().colors();
    setStyleSheet(QStringLiteral("#axesForm { background: %1; border: 1px solid %2; border-radius: 8px; }")
                      .arg(c.panel.name(), c.accent.name()));
    m_icon->setPixmap(iconPixmap(QStringLiteral("info"), c.accent, 18, devicePixelRatioF()));
    m_close->setIcon(icon(QStringLiteral("close"), c.text));
}

} // namespace headscope::ui
