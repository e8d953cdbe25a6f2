// SPDX-License-Identifier: GPL-3.0-or-later
// The window's half that copies what is on screen: as a picture, as a table, as a caption.
#include "core/base/error.h"
#include "ui/actions.h"
#include "ui/export/export_job.h"
#include "ui/export/map_table.h"
#include "ui/export/picture_writer.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/main_window.h"
#include "ui/panels/map_card.h"
#include "ui/reading/line_canvas.h"
#include "ui/reading/line_view.h"
#include "ui/reading/text_view.h"
#include "ui/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QtConcurrent>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kMmPerPixel = 25.4 / 96.0;
constexpr int kTwofoldDpi = 192; ///< twice the dots of a screen

/// What another thread made, or the sentence why not.
template <typename Made>
struct Copied {
    Made made;
    QString error;
};

template <typename Made>
Copied<Made> tryMaking(const std::function<Made()>& make) {
    Copied<Made> copied;
    try {
        translatingErrors([&] { copied.made = make(); });
    } catch (const Error& error) {
        copied.error = QString::fromStdString(error.sentence());
    }
    return copied;
}

/// The cells of an axis that are in sight, whole ones.
std::optional<Span> inSight(double begin, double length, std::int64_t size) {
    const Span span{std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(begin + 1e-6))),
                    std::min(size, static_cast<std::int64_t>(std::ceil(begin + length - 1e-6)))};
    if (span.begin >= span.end || span.size() == size) return std::nullopt;
    return span;
}

/// Of a picture as wide as it is on screen, as far as that is sensible, millimetres.
double widthOf(const QWidget& widget) {
    return std::clamp(widget.width() * kMmPerPixel, 80.0, 400.0);
}

QImage twofold(QWidget& widget) {
    QImage image(widget.size() * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2.0);
    image.fill(Theme::instance().colors().panel); // the card that it stands on
    widget.render(&image, {}, {}, QWidget::DrawChildren);
    return image;
}

} // namespace

void MainWindow::connectCopying() {
    m_actions.on(QStringLiteral("edit.copy_picture"), [this] { copyPicture(); });
    m_actions.on(QStringLiteral("edit.copy_table"), [this] { copyTable(); });
    m_actions.on(QStringLiteral("edit.copy_caption"), [this] { copyCaption(); });
}

/// What is exported when nothing is changed in the dialog.
ExportJob MainWindow::shownJob() const {
    ExportJob job;
    const Comparing now = m_controller->comparing().now();
    job.figure = shownFigure();
    if (m_store.state().page == CentrePage::Compare && now.comparison) {
        job.comparison = now.comparison;
        job.subject = ExportSubject::Comparison;
        job.analysis = now.comparison->sides[1].analysis;
        job.head = now.comparison->sides[1].head;
        job.view = now.comparison->sides[1].view;
    } else {
        job.analysis = m_controller->shown().analysis;
        job.head = m_store.state().headRef();
        job.view = m_store.state().view;
        job.followed = followedToken();
        const bool asText = m_store.state().page == CentrePage::Explore && m_map->form() == HeadForm::Text;
        if (asText && job.followed) job.subject = ExportSubject::Text;
        job.lines = shownLines();
        if (job.lines) {
            job.subject = ExportSubject::Lines;
            job.figure.rows = job.lines->part.rows;
            job.figure.columns = job.lines->part.columns;
        }
    }
    job.figure.theme = HeatmapTheme::lightTheme();
    job.figure.widthMm = usualWidthMm(job);
    return job;
}

/// The token whose row or column the forms of the text follow.
std::optional<FollowedToken> MainWindow::followedToken() const {
    const ViewState& state = m_store.state();
    const auto& token = state.readBy ? state.key : state.query;
    if (!token) return std::nullopt;
    return FollowedToken{state.readBy, *token};
}

/// Of the form Lines, where that is on screen and draws some head.
std::optional<ShownLines> MainWindow::shownLines() const {
    const ViewState& state = m_store.state();
    const auto viewed = viewedMap();
    if (state.page != CentrePage::Explore || m_map->form() != HeadForm::Lines) return std::nullopt;
    if (!state.view.isPlain() && !viewed) return std::nullopt;
    const LineView& view = *m_map->lines();
    const LineCanvas& canvas = *view.canvas();
    if (canvas.heads().empty()) return std::nullopt;
    ShownLines lines;
    lines.drawn.rule = canvas.rule();
    if (canvas.chosenInSight()) lines.drawn.followed = followedToken();
    if (state.view.heads == HeadsShown::One) {
        for (const int head : view.headsOn())
            lines.heads.push_back({state.kind, LayerIndex(state.layer), HeadIndex(head)});
        lines.drawn.colors = view.colorsOn();
        if (lines.heads.empty()) lines.heads.push_back(state.headRef()); // a view of the head alone
    }
    const ShownRun& shown = m_controller->shown();
    const auto part = [](Span span, const ViewedAxis* axis, std::int64_t size) -> std::optional<Span> {
        if (span.size() == (axis != nullptr ? axis->size() : size)) return std::nullopt;
        if (axis == nullptr) return span;
        const auto place = [axis](std::int64_t at) { return axis->positions[static_cast<std::size_t>(at)]; };
        return Span{place(span.begin), place(span.end - 1) + 1};
    };
    lines.part.rows = part(canvas.shownQueries(), viewed ? &viewed->axes.queries : nullptr,
                           shown.queries(state.kind)->size());
    lines.part.columns =
        part(canvas.shownKeys(), viewed ? &viewed->axes.keys : nullptr, shown.keys(state.kind)->size());
    return lines;
}

void MainWindow::copyPicture() {
    ExportJob job = shownJob();
    if (!job.analysis) return;
    const bool ofHead = job.subject == ExportSubject::Head;
    if (ofHead && m_map->form() != HeadForm::Map) { // as it is drawn there
        QWidget& form = m_map->form() == HeadForm::Text ? static_cast<QWidget&>(*m_map->text())
                                                        : static_cast<QWidget&>(*m_map->lines());
        QApplication::clipboard()->setImage(twofold(form));
        tell(tr("Copied the picture"));
        return;
    }
    job.figure.theme = shownFigure().theme;
    job.figure.dpi = kTwofoldDpi;
    if (job.subject == ExportSubject::Lines) job.figure.widthMm = widthOf(*m_map->lines());
    if (ofHead) {
        const HeatmapView& view = *m_map->view();
        const MapViewport part = view.mapViewport();
        job.figure.rows = inSight(part.top, part.height, view.extent().rows);
        job.figure.columns = inSight(part.left, part.width, view.extent().columns);
        job.figure.widthMm = widthOf(view);
    }
    const std::function<QImage()> make = [job] {
        return renderPicture(pictureOf(job), job.figure.dpi, QStringLiteral("picture"));
    };
    QtConcurrent::run([make] { return tryMaking(make); }).then(this, [this](const Copied<QImage>& copied) {
        if (copied.error.isEmpty()) QApplication::clipboard()->setImage(copied.made);
        tell(copied.error.isEmpty() ? tr("Copied the picture") : copied.error);
    });
}

void MainWindow::copyTable() {
    ExportJob job = shownJob();
    if (!job.analysis) return;
    job.subject = ExportSubject::Head;
    job.figure.rows = job.figure.columns = std::nullopt; // of lines: the tokens in sight
    const std::function<QString()> make = [job] {
        return QString::fromStdString(mapTable(partOf(job), 0, CancelToken()));
    };
    QtConcurrent::run([make] { return tryMaking(make); }).then(this, [this](const Copied<QString>& copied) {
        if (copied.error.isEmpty()) QApplication::clipboard()->setText(copied.made);
        tell(copied.error.isEmpty() ? tr("Copied the map as a table") : copied.error);
    });
}

void MainWindow::copyCaption() {
    const ExportJob job = shownJob();
    if (!job.analysis) return;
    const std::function<QString()> make = [job] { return pictureOf(job).caption; };
    QtConcurrent::run([make] { return tryMaking(make); }).then(this, [this](const Copied<QString>& copied) {
        if (copied.error.isEmpty()) QApplication::clipboard()->setText(copied.made);
        tell(copied.error.isEmpty() ? tr("Copied the caption") : copied.error);
    });
}

} // namespace headscope::ui
