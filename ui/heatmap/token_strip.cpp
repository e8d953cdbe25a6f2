// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/token_strip.h"

#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/contrast.h"
#include "ui/heatmap/readout.h"
#include "ui/heatmap/token_flow.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kReadable = 4.5; ///< contrast of text

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto part = [share](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
    return {part(from.red(), to.red()), part(from.green(), to.green()), part(from.blue(), to.blue())};
}

} // namespace

struct TokenStrip::Private {
    explicit Private(TokenStrip& strip) : q(strip) {}

    TokenStrip& q;
    std::shared_ptr<const Axis> axis;
    std::vector<FlowToken> tokens;
    TokenStripWeights weights;
    ShownAs as;
    float full = 0.0F;
    std::optional<std::int64_t> hovered;
    HeatmapTheme theme = HeatmapTheme::lightTheme();
    QString emptyText = TokenStrip::tr("The tokens of the text appear here.");

    void measure();
    void layOut();
    void hover(std::optional<std::int64_t> token);
    void reveal(std::int64_t token);
    std::optional<float> weightOf(std::int64_t token) const;
    void paintToken(QPainter& painter, std::int64_t token, const QRectF& rect) const;
};

void TokenStrip::Private::measure() {
    tokens.clear();
    if (axis) tokens = makeFlowTokens(*axis, QFontMetricsF(q.font()));
    layOut();
}

void TokenStrip::Private::layOut() {
    const QSize room = q.maximumViewportSize();
    const QFontMetricsF metrics(q.font());
    double height = flow(tokens, room.width(), metrics);
    if (height > room.height()) // the scroll bar takes some of the width
        height = flow(tokens, room.width() - q.verticalScrollBar()->sizeHint().width(), metrics);
    q.verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(height)) - room.height()));
    q.verticalScrollBar()->setPageStep(room.height());
    q.verticalScrollBar()->setSingleStep(static_cast<int>(metrics.height()));
    q.viewport()->update();
}

std::optional<float> TokenStrip::Private::weightOf(std::int64_t token) const {
    const auto place = static_cast<std::size_t>(token);
    if (weights.mode == TokenStripWeights::Mode::None || place >= weights.weights.size()) return std::nullopt;
    return weights.weights[place];
}

void TokenStrip::Private::hover(std::optional<std::int64_t> token) {
    if (token == hovered) return;
    hovered = token;
    q.viewport()->update();
    if (token)
        Q_EMIT q.tokenHovered(*token, weightOf(*token).value_or(0.0F));
    else
        Q_EMIT q.hoverLeft();
}

void TokenStrip::Private::reveal(std::int64_t token) {
    const QRectF rect = q.tokenRect(token);
    QScrollBar* bar = q.verticalScrollBar();
    if (rect.top() < 0.0) bar->setValue(bar->value() + static_cast<int>(std::floor(rect.top() - 3.0)));
    if (rect.bottom() > q.viewport()->height())
        bar->setValue(bar->value() +
                      static_cast<int>(std::ceil(rect.bottom() + 3.0 - q.viewport()->height())));
}

void TokenStrip::Private::paintToken(QPainter& painter, std::int64_t token, const QRectF& rect) const {
    const auto place = static_cast<std::size_t>(token);
    const QFontMetricsF metrics(q.font());
    QColor back = theme.panel;
    if (const auto weight = weightOf(token); weight && full > 0.0F && *weight > 0.0F) {
        back = mixed(theme.panel, theme.accent, std::min(1.0, static_cast<double>(*weight / full)));
        painter.setPen(Qt::NoPen);
        painter.setBrush(back);
        painter.drawRoundedRect(rect, 4.0, 4.0);
    }
    const bool chosen = weights.token == token;
    if (chosen || hovered == token) {
        painter.setPen(QPen(chosen ? theme.accent : theme.muted, chosen ? 2.0 : 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5), 4.5, 4.5);
    }
    painter.setPen(contrastRatio(theme.text, back) >= kReadable ? theme.text : readableOn(back));
    const FlowToken& flowing = tokens[place];
    const double room = rect.width() - 2.0 * flowing.inset;
    const QString text =
        flowing.width > rect.width() ? metrics.elidedText(flowing.text, Qt::ElideRight, room) : flowing.text;
    painter.drawText(QPointF(rect.left() + flowing.inset,
                             rect.center().y() + 0.5 * (metrics.ascent() - metrics.descent())),
                     text);
}

TokenStrip::TokenStrip(QWidget* parent) : QAbstractScrollArea(parent), m_d(std::make_unique<Private>(*this)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Tokens of the text, coloured by attention weight"));
}

TokenStrip::~TokenStrip() = default;

void TokenStrip::setTokens(std::shared_ptr<const Axis> axis) {
    if (axis == m_d->axis) return;
    m_d->axis = std::move(axis);
    m_d->weights = {};
    m_d->full = 0.0F;
    m_d->hovered.reset();
    verticalScrollBar()->setValue(0);
    m_d->measure();
}

void TokenStrip::setShownAs(const ShownAs& as) {
    m_d->as = as;
}

void TokenStrip::setWeights(const TokenStripWeights& weights) {
    Private& d = *m_d;
    d.weights = weights;
    d.full = weights.full;
    if (!(d.full > 0.0F))
        for (const float weight : weights.weights) d.full = weight > d.full ? weight : d.full;
    setAccessibleDescription(
        weights.token && d.axis && *weights.token < d.axis->size() ? describe(*weights.token) : QString());
    viewport()->update();
}

void TokenStrip::setTheme(const HeatmapTheme& theme) {
    m_d->theme = theme;
    viewport()->update();
}

void TokenStrip::setEmptyText(const QString& text) {
    m_d->emptyText = text;
    viewport()->update();
}

QRectF TokenStrip::tokenRect(std::int64_t token) const {
    if (token < 0 || static_cast<std::size_t>(token) >= m_d->tokens.size()) return {};
    return m_d->tokens[static_cast<std::size_t>(token)].rect.translated(0.0, -verticalScrollBar()->value());
}

std::optional<std::int64_t> TokenStrip::tokenAt(const QPointF& position) const {
    const QPointF point = position + QPointF(0.0, verticalScrollBar()->value());
    const auto found = std::find_if(m_d->tokens.begin(), m_d->tokens.end(), [&](const FlowToken& token) {
        return token.rect.adjusted(-0.5, -3.0, 0.5, 3.0).contains(point);
    });
    if (found == m_d->tokens.end()) return std::nullopt;
    return found - m_d->tokens.begin();
}

QString TokenStrip::describe(std::int64_t token) const {
    const Private& d = *m_d;
    if (!d.axis || token < 0 || token >= d.axis->size()) return {};
    const AxisEntry& own = d.axis->entries[static_cast<std::size_t>(token)];
    const auto weight = d.weightOf(token);
    if (!weight) return tr("%1, %2").arg(tokenInSentence(own), d.as.placeText(false, token));
    QString other = d.weights.tokenLabel;
    if (other.isEmpty() && d.weights.token && *d.weights.token >= 0 && *d.weights.token < d.axis->size())
        other = tokenInSentence(d.axis->entries[static_cast<std::size_t>(*d.weights.token)]);
    const bool row = d.weights.mode == TokenStripWeights::Mode::Row;
    const QString reader = row ? other : tokenInSentence(own);
    const QString read = row ? tokenInSentence(own) : other;
    const QString sentence = tr("%1 reads %2 %3").arg(reader, read, weightText(*weight));
    return d.as.number.isEmpty() ? sentence : tr("%1 (%2)").arg(sentence, d.as.number);
}

QSize TokenStrip::sizeHint() const {
    return {480, 96};
}
QSize TokenStrip::minimumSizeHint() const {
    return {160, 48};
}

void TokenStrip::paintEvent(QPaintEvent* /*event*/) {
    const Private& d = *m_d;
    QPainter painter(viewport());
    const QRectF view = viewport()->rect();
    painter.fillRect(view, d.theme.panel);
    painter.setFont(font());
    if (d.tokens.empty()) {
        painter.setPen(d.theme.muted);
        painter.drawText(view.adjusted(12.0, 4.0, -12.0, -4.0), Qt::AlignCenter | Qt::TextWordWrap,
                         d.emptyText);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < d.tokens.size(); ++i) {
        const QRectF rect = tokenRect(static_cast<std::int64_t>(i));
        if (rect.intersects(view)) d.paintToken(painter, static_cast<std::int64_t>(i), rect);
    }
    if (hasFocus()) {
        painter.setPen(QPen(d.theme.accent, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(view.adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0);
    }
}

void TokenStrip::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    m_d->layOut();
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto token = tokenAt(event->position())) Q_EMIT tokenClicked(*token);
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event) {
    m_d->hover(tokenAt(event->position()));
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
    const auto count = static_cast<std::int64_t>(m_d->tokens.size());
    std::int64_t step = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        step = -1;
        break;
    case Qt::Key_Right:
        step = 1;
        break;
    case Qt::Key_Home:
        step = -count;
        break;
    case Qt::Key_End:
        step = count;
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    if (count == 0) return;
    const auto chosen = m_d->weights.token;
    const std::int64_t next = chosen ? std::clamp<std::int64_t>(*chosen + step, 0, count - 1) : 0;
    if (chosen == next) return;
    m_d->weights.token = next;
    m_d->reveal(next);
    viewport()->update();
    Q_EMIT tokenClicked(next);
}

void TokenStrip::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TokenStrip::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void TokenStrip::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) m_d->measure();
}

bool TokenStrip::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) m_d->hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto token = tokenAt(help->pos()))
            QToolTip::showText(help->globalPos(), describe(*token), viewport(), tokenRect(*token).toRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace headscope::ui
