// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "core/maps/head_map.h"
#include "core/raster/display_range.h"

#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace headscope::ui {

inline std::shared_ptr<const Axis> axisOf(const std::vector<std::string>& labels) {
    auto axis = std::make_shared<Axis>();
    for (const std::string& label : labels) {
        AxisEntry entry;
        entry.label = label;
        entry.special = label.size() > 2 && label.front() == '[' && label.back() == ']';
        axis->entries.push_back(entry);
    }
    return axis;
}

/// Tokens of mixed lengths and scripts.
inline std::shared_ptr<const Axis> mixedAxis(std::int64_t size) {
    const std::vector<std::string> words = {
        "[CLS]", "the", "unpredictability", "東京都庁舎", "مرحبا", "👩‍👩‍👧",
        "a",     ".",   "##schaft",         "안녕하세요", "שלום",  "Straße"};
    std::vector<std::string> labels;
    for (std::int64_t i = 0; i < size; ++i)
        labels.push_back(words[static_cast<std::size_t>(i) % words.size()]);
    return axisOf(labels);
}

inline std::shared_ptr<const HeadMap> storedMap(std::int64_t rows, std::int64_t columns, unsigned seed = 3) {
    std::mt19937 generator(seed);
    std::vector<float> weights(static_cast<std::size_t>(rows * columns));
    for (float& weight : weights) weight = static_cast<float>(generator() % 1000) / 1000.0F;
    return std::make_shared<StoredMap>(Extent{rows, columns}, weights);
}

/// Causal, 0.5 on the diagonal; counts calls and can be slow.
class CausalMap final : public HeadMap {
  public:
    explicit CausalMap(std::int64_t tokens, std::chrono::milliseconds delay = {})
        : m_tokens(tokens), m_delay(delay) {}
    Extent extent() const override { return {m_tokens, m_tokens}; }
    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        ++m_calls;
        std::this_thread::sleep_for(m_delay);
        for (std::int64_t i = rows.begin; i < rows.end; ++i)
            for (std::int64_t j = columns.begin; j < columns.end; ++j)
                out.at(i - rows.begin, j - columns.begin) = i == j ? 0.5F : 0.0F;
    }
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override { out = {{0, row + 1}}; }
    int calls() const { return m_calls; }

  private:
    std::int64_t m_tokens;
    std::chrono::milliseconds m_delay;
    mutable std::atomic<int> m_calls{0};
};

inline void moveMouse(QWidget& widget, const QPointF& position, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, position, widget.mapToGlobal(position), Qt::NoButton, buttons,
                      Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

inline void pressMouse(QWidget& widget, const QPointF& position) {
    QMouseEvent event(QEvent::MouseButtonPress, position, widget.mapToGlobal(position), Qt::LeftButton,
                      Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

inline void releaseMouse(QWidget& widget, const QPointF& position) {
    QMouseEvent event(QEvent::MouseButtonRelease, position, widget.mapToGlobal(position), Qt::LeftButton,
                      Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

inline void turnWheel(QWidget& widget, const QPointF& position, int notches) {
    QWheelEvent event(position, widget.mapToGlobal(position), QPoint(), QPoint(0, 120 * notches),
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// Colour of a grabbed widget at a point in the widget's coordinates, whatever the device pixel ratio.
inline QRgb pixelAt(const QImage& image, const QPointF& point) {
    return image.pixel((point * image.devicePixelRatio()).toPoint());
}

/// Largest difference of a colour channel between two images of one size; 255 when sizes differ.
inline int imageDistance(const QImage& a, const QImage& b) {
    if (a.size() != b.size()) return 255;
    int worst = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y);
            const QRgb q = b.pixel(x, y);
            for (const int d : {qRed(p) - qRed(q), qGreen(p) - qGreen(q), qBlue(p) - qBlue(q)})
                worst = std::max(worst, std::abs(d));
        }
    return worst;
}

} // namespace headscope::ui
