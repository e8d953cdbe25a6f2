// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the real map widget, 1920 x 1080, offscreen, over 8,192 tokens: what one step of panning or
// zooming costs the GUI thread, tiles that arrive in between included. A frame may take 16.7 ms for 60 of
// them a second.
#include "tests/bench/long_map.h"
#include "ui/heatmap/heatmap_view.h"

#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace headscope;
using headscope::ui::HeatmapView;
using headscope::ui::MapViewport;

constexpr int kFrames = 300;
constexpr double kFrameMs = 1000.0 / 60.0;

std::shared_ptr<const Axis> axisOf(std::int64_t tokens) {
    auto axis = std::make_shared<Axis>();
    for (std::int64_t i = 0; i < tokens; ++i) {
        AxisEntry entry;
        entry.label = entry.piece = "token" + std::to_string(i);
        axis->entries.push_back(entry);
    }
    return axis;
}

struct Frames {
    std::vector<double> wall; ///< ms
    std::vector<double> own;  ///< ms of processor time of the GUI thread
};

double threadMs() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// As the screen would: one frame starts every 16.7 ms unless the one before took longer.
Frames framesOf(HeatmapView& view, const std::function<MapViewport(int)>& viewportAt) {
    Frames frames;
    QElapsedTimer timer;
    for (int frame = 0; frame < kFrames; ++frame) {
        timer.start();
        const double before = threadMs();
        view.setMapViewport(viewportAt(frame));
        view.repaint();
        QCoreApplication::processEvents();
        frames.wall.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        frames.own.push_back(threadMs() - before);
        while (static_cast<double>(timer.nsecsElapsed()) / 1e6 < kFrameMs) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        }
    }
    return frames;
}

void print(const char* what, Frames frames) {
    std::ranges::sort(frames.wall);
    std::ranges::sort(frames.own);
    const auto at = [](const std::vector<double>& sorted, double share) {
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    };
    const auto late = std::ranges::count_if(frames.wall, [](double one) { return one > kFrameMs; });
    std::printf("%-34s %8.2f %8.2f %8.2f %8.2f %8.2f %6d of %d\n", what, at(frames.wall, 0.5),
                at(frames.wall, 0.95), frames.wall.back(), at(frames.own, 0.5), at(frames.own, 0.95),
                static_cast<int>(late), kFrames);
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const auto axis = axisOf(bench::kTokens);
    std::printf("%-34s %8s %8s %8s %8s %8s %s\n", "ms a frame", "p50", "p95", "worst", "p50 cpu", "p95 cpu",
                "over 16.7 ms");
    for (const bool causal : {false, true}) {
        HeatmapView view;
        view.resize(1920, 1080);
        view.setMap(bench::longMap(causal), axis, axis,
                    {.upperRowMaximum = 0.01F, .evenWeight = 1e-4F, .maximum = 0.1F});
        view.show();
        while (!view.isComplete()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        const double all = static_cast<double>(bench::kTokens);
        const double part = 1600.0; // keys across: about a pixel each
        const auto square = [](double left, double top, double side) {
            return MapViewport{left, top, side, side * 0.56};
        };
        print(causal ? "pan along the diagonal, causal" : "pan along the diagonal",
              framesOf(view, [&](int frame) {
                  const double at = (all - part) * frame / kFrames;
                  return square(at, at, part);
              }));
        print(causal ? "zoom in to one token, causal" : "zoom in to one token",
              framesOf(view, [&](int frame) {
                  const double side = all * std::pow(32.0 / all, static_cast<double>(frame) / kFrames);
                  return square((all - side) * 0.3, (all - side) * 0.6, side);
              }));
        print(causal ? "pan over cells with labels, causal" : "pan over cells with labels",
              framesOf(view,
                       [&](int frame) { return square(4000.0 + 2.0 * frame, 4100.0 + 2.0 * frame, 60.0); }));
    }
    return 0;
}
