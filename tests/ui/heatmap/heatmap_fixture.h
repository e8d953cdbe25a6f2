// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "heat_support.h"
#include "ui/heatmap/heatmap_view.h"

#include <QImage>
#include <QTest>

#include <gtest/gtest.h>
#include <memory>

namespace headscope::ui {

/// A heatmap of the size of a card, with a map of 32 x 32 tokens.
class HeatmapFixture : public testing::Test {
  protected:
    HeatmapFixture() {
        view.resize(640, 600);
        view.show();
        show(32, 32);
    }

    void show(std::int64_t rows, std::int64_t columns) { show(storedMap(rows, columns)); }
    void show(const std::shared_ptr<const HeadMap>& shown) {
        map = shown;
        const Extent extent = map->extent();
        view.setMap(map, mixedAxis(extent.rows), mixedAxis(extent.columns), statisticsOf(*map));
    }

    /// Paints until every visible tile is there.
    QImage finished() {
        QImage image;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                image = view.grab().toImage();
                return view.isComplete();
            },
            20000));
        return image.convertToFormat(QImage::Format_RGB32);
    }

    QPointF middleOf(std::int64_t query, std::int64_t key) const {
        return view.cellRect(query, key).center();
    }

    HeatmapView view;
    std::shared_ptr<const HeadMap> map;
};

} // namespace headscope::ui
