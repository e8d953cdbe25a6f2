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
#include "ui/panels/segments.h"
#include "ui/panels/shown_view.h"
#include "ui/panels/token_bar.h"
#include "ui/reading/line_canvas.h"
#include "ui/reading/line_view.h"
#include "ui/reading/text_view.h"
#include "ui/theme.h"

#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QIcon>
#include <QImage>
#include <QMenu>
#include <QPixmap>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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
      m_colormap(new QComboBox(this)), m_viewButton(new QToolButton(this)), m_pin(new QToolButton(this)),
      m_stack(new QStackedWidget(this)), m_formBox(new Segments(this)), m_view(new HeatmapView(m_stack)),
      m_text(new TextView(m_stack)), m_lines(new LineView(m_stack)), m_bar(new TokenBar(this)) {
    m_title->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    header()->addWidget(m_title);
    header()->addSpacing(4);
    header()->addWidget(m_formBox);
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
    m_pin->setToolTip(tipText(tr("Pin for comparison (P): what the map shows stays on the page Compare with "
                                 "its text and model until it is taken away")));
    m_pin->setFocusPolicy(Qt::TabFocus);
    m_viewButton->setProperty("role", QByteArray("flat"));
    m_viewButton->setText(tr("View ▾"));
    m_viewButton->setAccessibleName(tr("How the map is shown"));
    m_viewButton->setFocusPolicy(Qt::TabFocus);
    m_viewButton->setPopupMode(QToolButton::InstantPopup);
    m_viewButton->setToolTip(
        tipText(tr("One head or its whole layer, tokens or words, weights or what they bring")));
    header()->addWidget(m_pin);
    header()->addWidget(m_viewButton);
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
    buildForms();
    body()->addWidget(m_stack, 1);

    connect(m_range, &QComboBox::activated, this, [this](int index) {
        if (index < static_cast<int>(rangeChoices().size())) {
            Q_EMIT rangeChosen(rangeChoices()[static_cast<std::size_t>(index)].range);
        }
    });
    connect(m_colormap, &QComboBox::activated, this, [this](int index) {
        Q_EMIT colormapChosen(static_cast<Colormap>(m_colormap->itemData(index).toInt()));
    });
    connect(m_pin, &QToolButton::clicked, this, &MapCard::pinRequested);
    connect(m_view, &HeatmapView::cellClicked, this, &MapCard::chooseCell);
    connect(m_view, &HeatmapView::selectionMoved, this, &MapCard::chooseCell);
    const auto applyTheme = [this] {
        const HeatmapTheme colors = heatmapColors(Theme::instance().colors());
        m_view->setTheme(colors);
        m_text->setTheme(colors);
        m_lines->setTheme(colors);
        m_pin->setIcon(icon(QStringLiteral("pin")));
    };
    connect(&Theme::instance(), &Theme::changed, this, applyTheme);
    applyTheme();
    showNothing({});
}

void MapCard::buildForms() {
    struct Choice {
        HeadForm form;
        QString name;
        QString tip;
    };
    const std::array<Choice, 3> choices{
        {{HeadForm::Map, tr("Map"), tr("The weights as a map: rows read, columns are read (Ctrl+4)")},
         {HeadForm::Text, tr("Text"), tr("The text, coloured by what one token reads (Ctrl+5)")},
         {HeadForm::Lines, tr("Lines"), tr("Lines from the tokens that read to those they read (Ctrl+6)")}}};
    auto* group = new QButtonGroup(this);
    for (const Choice& choice : choices) {
        QToolButton* button = m_formBox->add(choice.name);
        button->setToolTip(choice.tip);
        button->setAccessibleName(tr("Show the head as %1").arg(choice.name));
        group->addButton(button, static_cast<int>(choice.form));
        connect(button, &QToolButton::clicked, this, [this, form = choice.form] { Q_EMIT formChosen(form); });
    }
    group->button(static_cast<int>(HeadForm::Map))->setChecked(true);
    for (QWidget* form : std::initializer_list<QWidget*>{m_view, m_text, m_lines}) m_stack->addWidget(form);
    connect(m_text, &TextView::queryClicked, this, &MapCard::clickQuery);
    connect(m_text, &TextView::keyClicked, this, &MapCard::clickKey);
    connect(m_text, &TextView::directionChosen, this, &MapCard::directionChosen);
    connect(m_lines, &LineView::queryClicked, this, &MapCard::clickQuery);
    connect(m_lines, &LineView::keyClicked, this, &MapCard::clickKey);
    connect(m_lines, &LineView::shownChosen, this, &MapCard::linesChosen);
}

void MapCard::clearPills() {
    for (Pill* pill : m_pills) {
        pill->hide();
        pill->deleteLater();
    }
    m_pills.clear();
}

void MapCard::setViewActions(const QList<QAction*>& actions) {
    auto* menu = new QMenu(m_viewButton);
    for (QAction* action : actions) menu->addAction(action);
    m_viewButton->setMenu(menu);
}

void MapCard::chooseCell(qint64 row, qint64 column) {
    if (m_viewed == nullptr) {
        Q_EMIT cellChosen(row, column);
        return;
    }
    Q_EMIT cellChosen(clickedToken(m_viewed->axes.queries, row, std::nullopt),
                      clickedToken(m_viewed->axes.keys, column, std::nullopt));
}

void MapCard::clickQuery(qint64 row) {
    Q_EMIT queryClicked(m_viewed ? clickedToken(m_viewed->axes.queries, row, m_state.query) : row);
}

void MapCard::clickKey(qint64 column) {
    Q_EMIT keyClicked(m_viewed ? clickedToken(m_viewed->axes.keys, column, m_state.key) : column);
}

std::optional<std::int64_t> MapCard::rowOf(const std::optional<std::int64_t>& query) const {
    return query && m_viewed ? m_viewed->axes.queries.indexOf(*query) : query;
}

std::optional<std::int64_t> MapCard::columnOf(const std::optional<std::int64_t>& key) const {
    return key && m_viewed ? m_viewed->axes.keys.indexOf(*key) : key;
}

void MapCard::reveal(std::optional<std::int64_t> query, std::optional<std::int64_t> key) {
    const auto firstWhole = [](double begin) { return static_cast<std::int64_t>(std::ceil(begin)); };
    const MapViewport shown = m_view->mapViewport();
    m_view->reveal(
        {rowOf(query).value_or(firstWhole(shown.top)), columnOf(key).value_or(firstWhole(shown.left))});
}

void MapCard::setTitle(const HeadRef& ref, const QString& words, const QString& details) {
    m_title->setText(words);
    m_title->setToolTip(
        tr("Layer %1, head %2, both counted from 0").arg(ref.layer.value).arg(ref.head.value));
    QStringList kind{kindText(ref.kind)};
    if (!details.isEmpty()) kind << details;
    if (m_quantised) kind << tr("from quantised weights");
    m_kind->setText(kind.join(QStringLiteral(" · ")));
    m_kind->setToolTip(m_kind->text()); // a narrow card may cut it
    fitHeader();
}

void MapCard::showNothing(const QString& reason) {
    m_shown = nullptr;
    m_viewed.reset();
    clearPills();
    m_title->setText(tr("Map"));
    m_kind->clear();
    fitHeader();
    setStale({});
    m_bar->setTokens(nullptr, nullptr);
    m_view->setEmptyText(reason);
    m_view->setMap(nullptr, nullptr, nullptr, {});
    clearForms(reason);
}

void MapCard::showLoading(const QString& text, const QString& title) {
    m_shown = nullptr;
    m_viewed.reset();
    clearPills();
    m_title->setText(title);
    m_title->setToolTip({});
    m_kind->setText(text);
    m_kind->setToolTip(text);
    fitHeader();
    setStale({});
    m_bar->setTokens(nullptr, nullptr);
    m_view->setLoading(text);
    clearForms(text);
}

void MapCard::showHead(const HeadRef& ref, const HeadResult& head, std::shared_ptr<const Axis> queries,
                       std::shared_ptr<const Axis> keys) {
    setTitle(ref, headsName({&ref, 1}, HeadsShown::One), {});
    m_bar->setTokens(queries, keys);
    if (m_shown == head.map.get()) return;
    m_viewed.reset();
    m_as = {};
    m_view->setReadout(nullptr);
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
    m_view->setMap(head.map, queries, keys, head.range);
    showForms(head.map, std::move(queries), std::move(keys), head.range);
    m_view->setPreview(head.thumbnail);
}

void MapCard::showView(const ViewRequest& request, std::shared_ptr<const ViewedMap> made,
                       std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys) {
    const std::vector<HeadRef> heads =
        shownHeads(request.analysis->model->spec(), request.head, request.view);
    setTitle(request.head, headsName(heads, request.view.heads), viewDetails(request.view));
    m_bar->setTokens(queries, keys);
    if (m_shown == made->map.get()) return;
    m_shown = made->map.get();
    m_viewed = std::move(made);
    clearPills();
    m_view->setReadout(viewReadout(
        m_viewed->map, std::shared_ptr<const ViewedAxes>(m_viewed, &m_viewed->axes), request.view));
    m_view->setMap(m_viewed->map, m_viewed->axes.queries.axis, m_viewed->axes.keys.axis,
                   m_viewed->statistics);
    m_layer.clear(); // no head of it is what is shown
    m_as = shownAs(*m_viewed, request.view);
    const auto& axes = m_viewed->axes;
    showForms(m_viewed->map, axes.queries.axis, queries == keys ? axes.queries.axis : axes.keys.axis,
              m_viewed->statistics);
}

void MapCard::showForms(std::shared_ptr<const HeadMap> map, std::shared_ptr<const Axis> queries,
                        std::shared_ptr<const Axis> keys, const RangeStatistics& statistics) {
    m_map = std::move(map);
    m_queries = std::move(queries);
    m_keys = std::move(keys);
    m_statistics = statistics;
    feedForm();
}

void MapCard::clearForms(const QString& reason) {
    m_text->setEmptyText(reason);
    m_lines->setEmptyText(reason);
    m_map = nullptr;
    m_queries = nullptr;
    m_keys = nullptr;
    m_layer.clear();
    m_text->setMap(nullptr, nullptr, nullptr, {});
    m_lines->setMap(nullptr, nullptr, nullptr, {});
}

void MapCard::showLayer(const LayerResult& layer) {
    m_layer.clear();
    for (std::size_t i = 0; i < layer.heads.size(); ++i)
        m_layer.push_back({static_cast<int>(i), layer.heads[i].map, layer.heads[i].range});
    feedForm();
}

void MapCard::feedForm() {
    if (m_state.form == HeadForm::Text) {
        m_text->setDisplay(m_state.range, m_state.colormap);
        m_text->setMap(m_map, m_queries, m_keys, m_statistics, m_as);
        m_text->setSelection(rowOf(m_state.query), columnOf(m_state.key), m_state.readBy);
    }
    if (m_state.form == HeadForm::Lines) {
        m_lines->setRange(m_state.range);
        m_lines->setMap(m_map, m_queries, m_keys, m_statistics, m_as);
        m_lines->setLayer(m_layer);
        m_lines->setShown(m_state.lines);
        m_lines->setSelection(rowOf(m_state.query), columnOf(m_state.key), m_state.readBy);
    }
}

void MapCard::focusForm() {
    // Not by a focus proxy: Tab would go to it past the buttons over it.
    QWidget* const canvases[] = {m_view, m_text->canvas(), m_lines->canvas()};
    canvases[m_stack->currentIndex()]->setFocus(Qt::ShortcutFocusReason);
}

bool MapCard::isComplete() const {
    switch (m_state.form) {
    case HeadForm::Text:
        return m_text->isComplete();
    case HeadForm::Lines:
        return true;
    case HeadForm::Map:
        break;
    }
    return m_view->isComplete();
}

void MapCard::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    fitHeader();
}

/// A narrow card has no room for everything in one row: the pickers go first, then the buttons.
void MapCard::fitHeader() {
    constexpr int kRoomForPickers = 660;
    const int spacing = header()->spacing();
    const QMargins margins = layout()->contentsMargins();
    int wanted = margins.left() + margins.right() + m_title->sizeHint().width() + 4 + 2 * spacing;
    for (const QWidget* part : std::initializer_list<const QWidget*>{m_formBox, m_pin, m_viewButton})
        wanted += part->sizeHint().width() + spacing;
    const bool tight = width() < wanted;
    const bool narrow = tight || width() < kRoomForPickers;
    if (narrow == m_isNarrow && tight == m_isTight) return;
    m_isNarrow = narrow;
    m_isTight = tight;
    m_kind->setMinimumHeight(narrow ? m_range->sizeHint().height() : 22);
    const std::array<std::pair<QWidget*, bool>, 4> parts{
        {{m_pin, tight}, {m_viewButton, tight}, {m_range, narrow}, {m_colormap, narrow}}};
    for (const auto& [part, below] : parts) {
        header()->removeWidget(part);
        m_pillRow->removeWidget(part);
        (below ? static_cast<QLayout*>(m_pillRow) : header())->addWidget(part);
    }
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
    m_view->setMarginsShown(state.margins);
    m_view->setSelection(rowOf(state.query), columnOf(state.key));
    if (!(m_view->mapViewport() == state.viewport)) m_view->setMapViewport(state.viewport);
    const bool keyboard =
        state.form != m_state.form && m_stack->currentWidget()->isAncestorOf(QApplication::focusWidget());
    m_state = state;
    m_stack->setCurrentIndex(static_cast<int>(state.form));
    if (keyboard) focusForm(); // it goes along
    m_formBox->findChildren<QToolButton*>()[static_cast<int>(state.form)]->setChecked(true);
    m_colormap->setVisible(state.form != HeadForm::Lines); // lines have the colours of their heads
    feedForm();
}

void MapCard::setStale(const QString& reason) {
    m_stale->setText(reason);
    m_stale->setVisible(!reason.isEmpty());
}

QString MapCard::title() const {
    return m_title->text();
}

} // namespace headscope::ui
