// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overview_card.h"

#include "ui/charts/entropy_chart.h"
#include "ui/format.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/heatmap_colors.h"
#include "ui/models/label_words.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/pill.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {
constexpr int kTallestChart = 520;
constexpr double kLargestPitch = 99.0; ///< of a cell of the grid with its gap
constexpr Label kCounted[] = {Label::Sink, Label::Uniform, Label::Stuck};
} // namespace

OverviewCard::OverviewCard(QWidget* parent)
    : Card(parent), m_kinds(new QComboBox(this)), m_axes(roleLabel(tr("layer ↓ head →"), "muted", this)),
      m_grid(new OverviewGrid(this)), m_chart(new EntropyChart(this)), m_scope(roleLabel({}, "muted", this)),
      m_short(roleLabel({}, "muted", this)) {
    header()->addWidget(sectionLabel(tr("All heads"), this));
    m_scope->setFont(Theme::font(12));
    header()->addWidget(m_scope);
    m_kinds->setAccessibleName(tr("Kind of attention"));
    m_kinds->setToolTip(
        tr("The encoder's own attention, the decoder's, or what the decoder reads of the encoder"));
    m_kinds->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_kinds->setMinimumWidth(110);
    m_kinds->hide();
    header()->addWidget(m_kinds);
    header()->addStretch(1);
    m_axes->setFont(Theme::font(12));
    m_axes->setToolTip(tr("Layers go down, heads go across. Both count from 0: 5.11 is head 11 of layer 5."));
    header()->addWidget(m_axes);

    m_grid->setAccessibleName(tr("All heads, layers down, heads across, counted from 0"));
    body()->addWidget(m_grid, 3);
    auto* row = new FlowLayout(8);
    const QString tips[] = {tr("Heads with much of their weight on one key"),
                            tr("Heads that read all keys about equally"),
                            tr("Heads with almost all weight on one key, in every row")};
    for (std::size_t i = 0; i < std::size(kCounted); ++i) {
        m_pills.push_back(new Pill(kCounted[i], {}, this));
        m_pills.back()->setToolTip(tips[i]);
        row->addWidget(m_pills.back());
    }
    body()->addLayout(row);
    m_short->setWordWrap(true);
    body()->addWidget(m_short);
    body()->addSpacing(4);
    auto* chartHead = new QHBoxLayout;
    chartHead->addWidget(sectionLabel(tr("Entropy by layer"), this));
    auto* unit = roleLabel(tr("nats below uniform"), "muted", this);
    unit->setFont(Theme::font(12));
    unit->setToolTip(tr(
        "ln n − entropy, mean over the rows: 0 is a head that reads all keys alike, more is more focused"));
    chartHead->addStretch(1);
    chartHead->addWidget(unit);
    body()->addLayout(chartHead);
    m_chart->setCompact(true); // the head above says it
    m_chart->setMaximumHeight(kTallestChart);
    body()->addWidget(m_chart, 2);
    body()->addStretch(0);

    connect(m_kinds, &QComboBox::activated, this, [this](int index) {
        Q_EMIT kindChosen(static_cast<AttentionKind>(m_kinds->itemData(index).toInt()));
    });
    connect(m_grid, &OverviewGrid::headActivated, this, &OverviewCard::headActivated);
    connect(m_chart, &EntropyChart::headActivated, this, &OverviewCard::headActivated);
    const auto applyTheme = [this] { m_grid->setTheme(heatmapColors(Theme::instance().colors())); };
    connect(&Theme::instance(), &Theme::changed, this, applyTheme);
    applyTheme();
    showNothing({});
}

void OverviewCard::showKinds(const std::vector<AttentionKind>& kinds) {
    m_kinds->clear();
    for (const AttentionKind kind : kinds) m_kinds->addItem(shortKindText(kind), static_cast<int>(kind));
    m_kinds->setVisible(kinds.size() > 1);
    m_axes->setVisible(kinds.size() <= 1); // there is room for one of the two
}

void OverviewCard::showShape(const StackSpec& stack) {
    m_kinds->setCurrentIndex(m_kinds->findData(static_cast<int>(stack.kind)));
    m_grid->setGrid(stack.layers, stack.heads, stack.kind);
    fitGrid();
    clearSummary();
}

void OverviewCard::showNothing(const QString& reason) {
    m_grid->setEmptyText(reason);
    m_grid->setGrid(0, 0);
    fitGrid();
    clearSummary();
}

void OverviewCard::fitGrid() {
    if (m_grid->layers() == 0 || m_grid->heads() == 0) {
        m_grid->setMaximumHeight(QWIDGETSIZE_MAX);
        return;
    }
    const QRectF first = m_grid->cellRect(LayerIndex(0), HeadIndex(0));
    const double left = first.left() + m_grid->horizontalScrollBar()->value();
    const double top = first.top() + m_grid->verticalScrollBar()->value();
    const double width =
        contentsRect().width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    const double pitch = std::clamp((width - left - 2.0) / m_grid->heads(), 1.0, kLargestPitch);
    const int bar =
        m_grid->horizontalScrollBar()->maximum() > 0 ? m_grid->horizontalScrollBar()->sizeHint().height() : 0;
    m_grid->setMaximumHeight(
        std::max(90, static_cast<int>(std::ceil(top + m_grid->layers() * pitch + 4.0)) + bar));
}

void OverviewCard::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    fitGrid();
}

void OverviewCard::clearCells() {
    m_grid->clearCells();
    clearSummary();
}

void OverviewCard::setDiagnosis(const std::shared_ptr<const Diagnosis>& diagnosis) {
    m_diagnosis = diagnosis;
}

std::vector<HeadBadge> OverviewCard::badgesFor(const HeadRef& head, const Verdict& verdict,
                                               const Axis& keys) const {
    std::vector<HeadBadge> badges;
    const DiagnosedHead* model = m_diagnosis ? m_diagnosis->find(head) : nullptr;
    for (const Label flag : {Label::Stuck, Label::Uniform, Label::Sink}) {
        if (model == nullptr || !holdsForModel(model->diagnosis, flag)) continue;
        // A stuck head is a sink too and shows stuck alone.
        if (flag == Label::Sink && holdsForModel(model->diagnosis, Label::Stuck)) continue;
        badges.push_back(
            {flag, tr("in the model: %1").arg(labelLine(*m_diagnosis, head, *model->diagnosis.find(flag))),
             true});
    }
    for (HeadBadge badge : badgesOf(verdict, keys)) {
        if (m_diagnosis) badge.text = tr("on this text: %1").arg(badge.text);
        badges.push_back(std::move(badge));
    }
    return badges;
}

void OverviewCard::showLayer(const LayerResult& layer, const Axis& keys) {
    for (std::size_t h = 0; h < layer.heads.size(); ++h) {
        const HeadResult& head = layer.heads[h];
        const HeadRef ref{layer.kind, layer.layer, HeadIndex(static_cast<std::int64_t>(h))};
        m_grid->setCell(ref.layer, ref.head, head.thumbnail, head.range, badgesFor(ref, head.verdict, keys));
    }
}

/// How many heads of a kind have each flag over the texts.
void OverviewCard::countModel(AttentionKind kind, std::span<int> counts) const {
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] = static_cast<int>(std::count_if(
            m_diagnosis->heads.begin(), m_diagnosis->heads.end(), [&](const DiagnosedHead& head) {
                return head.ref.kind == kind && holdsForModel(head.diagnosis, kCounted[i]);
            }));
}

void OverviewCard::showSummary(const std::vector<std::shared_ptr<const LayerResult>>& layers,
                               AttentionKind kind) {
    int counts[std::size(kCounted)] = {};
    std::vector<EntropyPoint> points;
    QString tooShort;
    for (const auto& layer : layers) {
        if (layer->kind != kind) continue;
        for (std::size_t h = 0; h < layer->heads.size(); ++h) {
            const HeadResult& head = layer->heads[h];
            const auto labels = head.verdict.flags();
            const HeadRef ref{kind, layer->layer, HeadIndex(static_cast<std::int64_t>(h))};
            for (std::size_t i = 0; i < std::size(kCounted); ++i) {
                if (std::find(labels.begin(), labels.end(), kCounted[i]) != labels.end()) ++counts[i];
            }
            if (head.verdict.isTooShort() && !head.verdict.notTested.empty()) {
                tooShort = QString::fromStdString(head.verdict.notTested.front().reason);
            }
            if (head.metrics.rows > 0) {
                EntropyPoint point;
                point.head = ref;
                point.value = head.metrics.klToUniform;
                if (!labels.empty()) point.label = labels.back();
                points.push_back(point);
            }
        }
    }
    if (m_diagnosis) countModel(kind, counts);
    const bool counted = m_diagnosis || tooShort.isEmpty();
    for (std::size_t i = 0; i < std::size(kCounted); ++i) {
        m_pills[i]->setText(QStringLiteral("%1 %2").arg(labelText(kCounted[i])).arg(counts[i]));
        m_pills[i]->setLook(counts[i] == 0 ? PillLook::Muted
                            : m_diagnosis  ? PillLook::Filled
                                           : PillLook::Outlined);
        m_pills[i]->setVisible(counted);
    }
    m_scope->setText(m_diagnosis ? tr("flags of the model") : tr("flags on this text"));
    m_scope->setToolTip(
        m_diagnosis ? tr("Over %1 texts: the first thing to say of a head, or what holds on four fifths of "
                         "them. In the "
                         "grid a solid corner is a flag of the model, a pale one a flag on this text alone.")
                          .arg(m_diagnosis->texts.size())
                    : tr("One text; the model has not been judged"));
    m_scope->setVisible(counted);
    m_short->setText(tooShort.isEmpty() ? QString() : tr("No flags: %1.").arg(tooShort));
    m_short->setVisible(!tooShort.isEmpty());
    m_chart->setPoints(points);
}

void OverviewCard::clearSummary() {
    for (std::size_t i = 0; i < std::size(kCounted); ++i) {
        m_pills[i]->setText(QStringLiteral("%1 –").arg(labelText(kCounted[i])));
        m_pills[i]->setMuted(true);
        m_pills[i]->show();
    }
    m_scope->hide();
    m_short->hide();
    m_chart->setPoints({});
}

void OverviewCard::showState(const ViewState& state) {
    m_grid->setDisplay(state.range, state.colormap);
    if (m_grid->layers() > 0) m_grid->setSelected(state.headRef());
    m_chart->setSelected(state.headRef());
}

} // namespace headscope::ui
