// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPaintDevice>
#include <QSizeF>

namespace headscope::ui {

/// What a paint device of this size says of itself where one unit is one point.
int pointMetric(QPaintDevice::PaintDeviceMetric metric, const QSizeF& sizePoints);

} // namespace headscope::ui
