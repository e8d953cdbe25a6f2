// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/map_card.h"

#include "ui/format.h"
#include "ui/heatmap/head_badges.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/readout.h"
#include "ui/heatmap_colors.h"
#include "ui/icons.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/pill.h"
#include "ui/panels/token_bar.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QIcon>
#include <QImage>
#include <QPixmap>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>
#include <cmath>

namespace headscope::ui {
namespace {

struct RangeChoice {
    const char* text;
    DisplayRange range;
};

const std::array<RangeChoice, 4>& rangeChoices() {
    static const std::array<RangeChoice, 4> choices{{
        {QT_TRANSLATE_NOOP("headscope::ui::MapCard", "Scale: auto"), {RangeMode::Auto, 0.0F, 1.0F}},
        {QT_TRANSLATE_NOOP("headscope::ui::MapCard", "Scale: 0 to 1"), {RangeMode::Fixed, 0.0F, 1.0F}},
        {QT_TRANSLATE_NOOP("headscope::ui::MapCard", "Scale: per row"), {RangeMode::PerRow, 0.0F, 1.0F}},
        {QT_TRANSLATE_NOOP("headscope::ui::MapCard", "Scale: log"), {RangeMode::Log, 0.0F, 1.0F}},
    }};
    return choices;
}

/// The colour map as a small ramp.
QIcon rampOf(Colormap map) {
    constexpr int kWidth = 32;
    constexpr int kHeight = 10;
    const auto& colors = colorsOf(map);
    QImage image(kWidth, kHeight, QImage::Format_RGB32);
    for (int x = 0; x < kWidth; ++x) {
        const Rgb color = colors[static_cast<std::size_t>(x * 255 / (kWidth - 1))];
        for (int y = 0; y < kHeight; ++y) {
            image.setPixel(x, y, color);
        }
    }
    return QIcon(QPixmap::fromImage(image));
}

} // namespace

MapCard::MapCard(QWidget* parent)
    : Card(parent), m_title(new QLabel(this)), m_kind(roleLabel({}, "muted", this)),
      m_stale(roleLabel({}, "warning", this)), m_pillRow(new FlowLayout(8)), m_range(new QComboBox(this)),
      m_colormap(new QComboBox(this)), m_pin(new QToolButton(this)), m_bar(new TokenBar(this)),
      m_view(new HeatmapView(this)) {
    m_title->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    header()->addWidget(m_title);
    header()->addStretch(1);

    for (const RangeChoice& choice : rangeChoices()) {
        m_range->addItem(tr(choice.text));
    }
    m_range->setAccessibleName(tr("Colour scale"));
    m_range->setToolTip(
        tr("How weights become colours; the legend beside the map says which weights its ends are"));
    m_colormap->setIconSize({32, 10});
    for (const Colormap map : allColormaps()) {
        // Diverging is for differences, which have two signs; a map of weights has one.
        if (map == Colormap::Diverging) continue;
        m_colormap->addItem(rampOf(map), fromUtf8(nameOf(map)), static_cast<int>(map));
    }
    m_colormap->setAccessibleName(tr("Colour map"));
    m_colormap->setToolTip(tr("Colours from low to high weight"));
    m_pin->setProperty("role", QByteArray("flat"));
    m_pin->setIconSize({16, 16});
    m_pin->setAccessibleName(tr("Pin for comparison"));
    m_pin->setToolTip(tipText(tr("Pin for comparison (P): the head stays on the page Compare, with its text "
                                 "and model, until the program ends")));
    m_pin->setFocusPolicy(Qt::TabFocus);
    header()->addWidget(m_pin);
    header()->addWidget(m_range);
    header()->addWidget(m_colormap);
    m_kind->setMinimumHeight(22); // that of a pill
    m_stale->setMinimumHeight(22);
    m_pillRow->addWidget(m_kind);
    m_pillRow->addWidget(m_stale);
    body()->addLayout(m_pillRow);
    body()->addWidget(m_bar);

    m_view->setAccessibleName(
        tr("Attention weights of the head: rows are the tokens that read, columns the tokens "
           "that are read"));
    body()->addWidget(m_view, 1);

    connect(m_range, &QComboBox::activated, this, [this](int index) {
        if (index < static_cast<int>(rangeChoices().size())) {
            Q_EMIT rangeChosen(rangeChoices()[static_cast<std::size_t>(index)].range);
        }
    });
    connect(m_colormap, &QComboBox::activated, this, [this](int index) {
        Q_EMIT colormapChosen(static_cast<Colormap>(m_colormap->itemData(index).toInt()));
    });
    connect(m_pin, &QToolButton::clicked, this, &MapCard::pinRequested);
    const auto applyTheme = [this] {
        m_view->setTheme(heatmapColors(Theme::instance().colors()));
        m_pin->setIcon(icon(QStringLiteral("pin")));
    };
    connect(&Theme::instance(), &Theme::changed, this, applyTheme);
    applyTheme();
    showNothing({});
}

void MapCard::clearPills() {
    for (Pill* pill : m_pills) {
        pill->hide();
        pill->deleteLater();
    }
    m_pills.clear();
}

void MapCard::setTitle(const HeadRef& ref) {
    m_title->setText(tr("Head %1").arg(QString::fromStdString(headText(ref))));
    m_title->setToolTip(
        tr("Layer %1, head %2, both counted from 0").arg(ref.layer.value).arg(ref.head.value));
    m_kind->setText(kindText(ref.kind));
}

void MapCard::showNothing(const QString& reason) {
    m_shown = nullptr;
    clearPills();
    m_title->setText(tr("Map"));
    m_kind->clear();
    setStale({});
    m_bar->setTokens(nullptr, nullptr);
    m_view->setEmptyText(reason);
    m_view->setMap(nullptr, nullptr, nullptr, {});
}

void MapCard::showLoading(const QString& text) {
    m_shown = nullptr;
    clearPills();
    setStale({});
    m_bar->setTokens(nullptr, nullptr);
    m_view->setLoading(text);
}

void MapCard::showHead(const HeadRef& ref, const HeadResult& head, std::shared_ptr<const Axis> queries,
                       std::shared_ptr<const Axis> keys) {
    setTitle(ref);
    m_bar->setTokens(queries, keys);
    if (m_shown == head.map.get()) return;
    m_shown = head.map.get();
    clearPills();
    for (const HeadBadge& badge : badgesOf(head.verdict, *keys)) {
        QString words = badge.text;
        if (!words.isEmpty()) words[0] = words[0].toUpper();
        auto* pill = new Pill(badge.label, words, this);
        pill->setLook(PillLook::Outlined);
        pill->setToolTip(tr("On this text: %1").arg(badge.text));
        m_pills.push_back(pill);
        m_pillRow->addWidget(pill);
    }
    m_view->setMap(head.map, std::move(queries), std::move(keys), head.range);
    m_view->setPreview(head.thumbnail);
}

void MapCard::showState(const ViewState& state) {
    int index = -1;
    for (std::size_t i = 0; i < rangeChoices().size(); ++i) {
        if (rangeChoices()[i].range == state.range) index = static_cast<int>(i);
    }
    // A range that came from elsewhere (a saved view, an option) shows as an entry of its own.
    const int own = static_cast<int>(rangeChoices().size());
    if (m_range->count() > own) m_range->removeItem(own);
    if (index < 0) {
        m_range->addItem(tr("Scale: %1 to %2").arg(double(state.range.low)).arg(double(state.range.high)));
        index = own;
    }
    m_range->setCurrentIndex(index);
    m_colormap->setCurrentIndex(m_colormap->findData(static_cast<int>(state.colormap)));
    m_view->setDisplay(state.range, state.colormap, state.pooling);
    m_view->setSelection(state.query, state.key);
    if (!(m_view->mapViewport() == state.viewport)) m_view->setMapViewport(state.viewport);
}

void MapCard::setStale(const QString& reason) {
    m_stale->setText(reason);
    m_stale->setVisible(!reason.isEmpty());
}

QString MapCard::title() const {
    return m_title->text();
}

} // namespace headscope::ui
