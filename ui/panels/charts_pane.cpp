// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/charts_pane.h"

#include "ui/charts/diagnosis_charts.h"
#include "ui/charts/entropy_chart.h"
#include "ui/charts/sink_chart.h"
#include "ui/format.h"
#include "ui/models/label_words.h"
#include "ui/panels/card.h"
#include "ui/panels/segments.h"
#include "ui/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui {
namespace {

constexpr int kTextLine = 13;   ///< height of a text in its chart
constexpr int kTextsChart = 76; ///< of what stands above and below them

/// The label to show text by text: the first one, or what came nearest to one.
const HeadLabel* shownLabel(const DiagnosedHead& head) {
    if (!head.diagnosis.labels.empty()) return &head.diagnosis.labels.front();
    const HeadLabel* best = nullptr;
    for (const HeadLabel& label : head.diagnosis.unlisted)
        if (!label.onTexts.empty() && (best == nullptr || label.texts.share() > best->texts.share()))
            best = &label;
    return best;
}

} // namespace

ChartsPane::ChartsPane(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget(this)), m_choice(new QButtonGroup(this)),
      m_entropy(new EntropyChart(this)), m_sink(new SinkChart(this)), m_distance(new DistanceChart(this)),
      m_classes(new ClassChart(this)), m_offsets(new OffsetChart(this)), m_textsChart(new TextsChart(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* segments = new Segments(this);
    m_choice->addButton(segments->add(tr("All heads by layer")), 0);
    m_choice->addButton(segments->add(tr("Chosen head")), 1);
    m_choice->button(0)->setChecked(true);
    auto* top = new QHBoxLayout;
    top->addWidget(segments);
    top->addStretch(1);
    layout->addLayout(top);
    layout->addWidget(m_pages, 1);
    connect(m_choice, &QButtonGroup::idClicked, m_pages, &QStackedWidget::setCurrentIndex);

    const auto page = [this](std::initializer_list<QWidget*> columns) {
        auto* widget = new QWidget(m_pages);
        auto* row = new QHBoxLayout(widget);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(20);
        for (QWidget* one : columns) row->addWidget(one, 1);
        m_pages->addWidget(widget);
    };
    page({titled(tr("Focus"), tr("nats below uniform"), m_entropy),
          titled(tr("Sinks"), tr("weight on the top key"), m_sink),
          titled(tr("Distance"), tr("tokens to what is read"), m_distance)});
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_textsChart);
    scroll->viewport()->setAutoFillBackground(false);
    m_textsChart->setAutoFillBackground(false); // the card's shows through
    QWidget* texts = titled(tr("Text by text"), {}, scroll);
    m_textsTitle = texts->findChild<QLabel*>();
    page({titled(tr("What it reads"), tr("share of weight; line: even"), m_classes),
          titled(tr("How far away"), tr("weight by offset, on this text"), m_offsets), texts});

    for (Chart* chart : charts()) {
        chart->setCompact(true);
        connect(chart, &Chart::headActivated, this, &ChartsPane::headActivated);
        connect(chart, &Chart::textActivated, this, &ChartsPane::textActivated);
        connect(chart, &Chart::saved, this, &ChartsPane::saved);
        connect(chart, &Chart::saveFailed, this, &ChartsPane::saveFailed);
    }
    showOnText(nullptr);
}

std::array<Chart*, 6> ChartsPane::charts() const {
    return {m_entropy, m_sink, m_distance, m_classes, m_offsets, m_textsChart};
}

QWidget* ChartsPane::titled(const QString& title, const QString& unit, QWidget* chart) {
    auto* column = new QWidget(this);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(sectionLabel(title, column));
    QLabel* words = roleLabel(unit, "muted", column);
    words->setFont(Theme::font(12));
    head->addWidget(words);
    head->addStretch(1);
    layout->addLayout(head);
    layout->addWidget(chart, 1);
    return column;
}

void ChartsPane::showDiagnosis(const std::shared_ptr<const Diagnosis>& diagnosis,
                               const std::filesystem::path& modelFolder) {
    m_diagnosis = diagnosis;
    m_shownKind.reset();
    const QString name = diagnosis ? fromUtf8(diagnosis->model) : QString();
    for (Chart* chart : charts()) chart->setSubject(name, modelFolder);
    showHead(m_head);
}

void ChartsPane::showHead(const HeadRef& head) {
    m_head = head;
    m_choice->button(1)->setText(tr("Head %1").arg(QString::fromStdString(headText(head))));
    if (m_shownKind != head.kind) fillLayers();
    m_entropy->setSelected(head);
    m_sink->setSelected(head);
    m_distance->setSelected(head);
    fillHead();
}

void ChartsPane::showOnText(const HeadResult* head) {
    if (head == nullptr) {
        m_offsets->setBars({}, tr("The text of the window was not analysed"));
        return;
    }
    m_offsets->setBars(offsetBars(head->metrics, *head->map),
                       head->metrics.offsets ? tr("No row of this text can be measured")
                                             : tr("Cross-attention has no offsets: queries and keys are "
                                                  "different texts"));
}

void ChartsPane::fillLayers() {
    m_shownKind = m_head.kind;
    if (!m_diagnosis) {
        m_entropy->setPoints({});
        m_sink->setPoints({});
        m_distance->setPoints({});
        return;
    }
    m_entropy->setPoints(entropyPoints(*m_diagnosis, m_head.kind));
    m_sink->setPoints(sinkPoints(*m_diagnosis, m_head.kind));
    m_distance->setPoints(distancePoints(*m_diagnosis, m_head.kind));
}

void ChartsPane::fillHead() {
    const DiagnosedHead* head = m_diagnosis ? m_diagnosis->find(m_head) : nullptr;
    const HeadLabel* label = head != nullptr ? shownLabel(*head) : nullptr;
    if (head != nullptr) {
        m_classes->setBars(classBars(*head), tr("Not measured: the kinds of the tokens are not known"));
    } else {
        m_classes->setBars({});
    }
    // A line for each text, and no fewer pixels than it needs.
    m_textsChart->setMinimumHeight(label != nullptr && m_diagnosis
                                       ? kTextsChart + kTextLine * static_cast<int>(m_diagnosis->texts.size())
                                       : 0);
    m_textsTitle->setText(label != nullptr ? tr("%1, text by text").arg(labelText(label->label))
                                           : tr("Text by text"));
    if (label != nullptr) {
        m_textsChart->setDots(textDots(*m_diagnosis, *label));
    } else {
        m_textsChart->setDots({}, head != nullptr ? tr("No label was tested on this head") : QString());
    }
}

} // namespace headscope::ui
