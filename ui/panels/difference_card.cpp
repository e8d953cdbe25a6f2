// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/difference_card.h"

#include "ui/format.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/readout.h"
#include "ui/heatmap_colors.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {
namespace {

constexpr QSize kSmallestMap(200, 216);

QString signedText(float difference) {
    const QString text = weightText(std::abs(difference));
    if (difference == 0.0F) return text;
    return (difference < 0.0F ? QStringLiteral("−") : QStringLiteral("+")) + text;
}

/// Both weights and their difference.
std::array<QString, 3> readoutOf(const HeadComparison& comparison, const HeatmapView::Cell& cell) {
    const auto [query, key] = cell;
    const AxisEntry& reader = comparison.maps[0].queries()->entries[static_cast<std::size_t>(query)];
    const AxisEntry& read = comparison.maps[0].keys()->entries[static_cast<std::size_t>(key)];
    std::vector<Span> spans;
    comparison.difference->visibleSpans(query, spans);
    const bool seen =
        std::any_of(spans.begin(), spans.end(), [k = key](Span span) { return span.contains(k); });
    const ViewedAxes& axes = comparison.maps[0].axes;
    const QString place = DifferenceCard::tr("query %1, key %2")
                              .arg(axes.queries.positions[static_cast<std::size_t>(query)])
                              .arg(axes.keys.positions[static_cast<std::size_t>(key)]);
    if (!seen) return {maskedSentence(reader, read), QString(), place};
    return {readsSentence(reader, read), signedText(comparison.difference->cell(query, key)),
            DifferenceCard::tr("a %1, b %2 · %3")
                .arg(weightText(comparison.maps[0].map->cell(query, key)),
                     weightText(comparison.maps[1].map->cell(query, key)), place)};
}

QString nameOf(const ComparedSide& side) {
    return nameInSentence(side.head, side.view.heads);
}

} // namespace

QString reasonFor(const Comparing& comparing) {
    switch (comparing.stage) {
    case ComparingStage::NoPin:
        return DifferenceCard::tr("Pin a head to see how another one differs from it.");
    case ComparingStage::NoCurrent:
        return DifferenceCard::tr("Once the text is analysed, its head is compared with the pinned one.");
    case ComparingStage::NotRun:
        return DifferenceCard::tr("The pinned head has not run yet: once it has, the two are compared.");
    case ComparingStage::Same:
        return DifferenceCard::tr(
            "This is the pinned head itself: choose another head, or change the text or "
            "the model.");
    case ComparingStage::Making:
        return DifferenceCard::tr("Making the maps…");
    case ComparingStage::NoMap:
        return DifferenceCard::tr("One of the two maps was not made: nothing can be compared.");
    case ComparingStage::Measuring:
        return DifferenceCard::tr("Comparing…");
    case ComparingStage::Cancelled:
        return DifferenceCard::tr("Cancelled: the two heads were not compared.");
    case ComparingStage::Failed:
        return comparing.reason;
    case ComparingStage::Compared:
        break;
    }
    return comparing.comparison->difference ? QString() : fromUtf8(comparing.comparison->note);
}

DifferenceCard::DifferenceCard(QWidget* parent)
    : Card(parent), m_title(new QLabel(tr("Difference"), this)), m_pair(roleLabel({}, "muted", this)),
      m_note(roleLabel({}, "warning", this)), m_button(new QPushButton(this)), m_view(new HeatmapView(this)) {
    m_title->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    m_note->setFont(Theme::font(12));
    m_note->setWordWrap(true);
    header()->addWidget(m_title);
    m_pair->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    header()->addWidget(m_pair, 1);
    header()->addWidget(m_button);
    body()->setSpacing(4);
    body()->addWidget(m_note);
    body()->addWidget(m_view, 1);
    m_view->setMinimumSize(kSmallestMap);
    m_view->setSizePolicy(QSizePolicy::Ignored,
                          QSizePolicy::Ignored); // what the page has, not what it would like
    m_view->setAccessibleName(tr("Difference of the two heads: rows are the tokens that read, columns the "
                                 "tokens that are read"));
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_measuring) {
            Q_EMIT cancelRequested();
        } else {
            Q_EMIT againRequested();
        }
    });
    const auto applyTheme = [this] { m_view->setTheme(heatmapColors(Theme::instance().colors())); };
    connect(&Theme::instance(), &Theme::changed, this, applyTheme);
    applyTheme();
    showComparing({});
}

/// Cut where the card has no room for both names.
void DifferenceCard::elidePair() {
    const QMargins margins = layout()->contentsMargins();
    const int room =
        width() - margins.left() - margins.right() - m_title->sizeHint().width() - 2 * header()->spacing();
    m_pair->setText(m_pair->fontMetrics().elidedText(m_pairText, Qt::ElideRight, std::max(0, room)));
    m_pair->setToolTip(m_pairText);
}

void DifferenceCard::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    elidePair();
}

void DifferenceCard::showReason(const Comparing& comparing) {
    m_view->setReadout({});
    if (m_measuring) {
        m_view->setLoading(m_reason);
    } else {
        m_view->setEmptyText(m_reason);
        m_view->setMap(nullptr, nullptr, nullptr, {});
    }
    m_pairText.clear();
    elidePair();
    m_note->clear();
    m_note->hide();
    const bool again =
        comparing.stage == ComparingStage::Cancelled || comparing.stage == ComparingStage::Failed;
    m_button->setText(m_measuring ? tr("Cancel") : tr("Compare again"));
    m_button->setVisible(m_measuring || again);
}

void DifferenceCard::showComparing(const Comparing& comparing) {
    m_measuring = comparing.stage == ComparingStage::Measuring || comparing.stage == ComparingStage::Making;
    m_reason = reasonFor(comparing);
    if (!m_reason.isEmpty()) {
        showReason(comparing);
        return;
    }
    const auto& comparison = comparing.comparison;
    m_button->hide();
    m_pairText = tr("a, %1, less b, %2").arg(nameOf(comparison->sides[0]), nameOf(comparison->sides[1]));
    elidePair();
    m_note->setText(fromUtf8(comparison->note));
    m_note->setVisible(!comparison->note.empty());
    const auto largest = static_cast<float>(comparison->numbers.largest);
    const float end = largest > 0.0F ? largest : 1.0F;
    const AlignedMap& map = comparison->maps[0];
    m_view->setReadout([comparison](const HeatmapView::Cell& cell) { return readoutOf(*comparison, cell); });
    m_view->setDisplay({RangeMode::Fixed, -end, end}, Colormap::Diverging, Pooling::MaxAbs);
    m_view->setMap(comparison->difference, map.queries(), map.keys(), {end, 0.0F, end});
}

} // namespace headscope::ui
