// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/point_metric.h"

#include <cmath>

namespace headscope::ui {

int pointMetric(QPaintDevice::PaintDeviceMetric metric, const QSizeF& sizePoints) {
    constexpr double kMmPerPoint = 25.4 / 72.0;
    switch (metric) {
    case QPaintDevice::PdmWidth:
        return static_cast<int>(std::ceil(sizePoints.width()));
    case QPaintDevice::PdmHeight:
        return static_cast<int>(std::ceil(sizePoints.height()));
    case QPaintDevice::PdmWidthMM:
        return static_cast<int>(std::lround(sizePoints.width() * kMmPerPoint));
    case QPaintDevice::PdmHeightMM:
        return static_cast<int>(std::lround(sizePoints.height() * kMmPerPoint));
    case QPaintDevice::PdmDpiX:
    case QPaintDevice::PdmDpiY:
    case QPaintDevice::PdmPhysicalDpiX:
    case QPaintDevice::PdmPhysicalDpiY:
        return 72;
    case QPaintDevice::PdmNumColors:
        return 0x1000000;
    case QPaintDevice::PdmDepth:
        return 32;
    case QPaintDevice::PdmDevicePixelRatio:
        return 1;
    case QPaintDevice::PdmDevicePixelRatioScaled:
        return static_cast<int>(QPaintDevice::devicePixelRatioFScale());
    default:
        return 0;
    }
}

} // namespace headscope::ui
