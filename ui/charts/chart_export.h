// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.h"

#include <QString>

#include <filesystem>

namespace headscope::ui {

/// Writes the chart as PNG, SVG or PDF, by the ending of `target`; the file appears only when complete.
/// Throws Error: another ending, below the model's folder, unwritable, too large.
void writeChart(const Chart& chart, const std::filesystem::path& target,
                const ChartPictureSettings& settings = {});

/// The same; false with one sentence in `error` (may be null) when it could not be written.
bool exportChart(const Chart& chart, const std::filesystem::path& target,
                 const ChartPictureSettings& settings = {}, QString* error = nullptr);

/// Asks for a file, starting in the folder of the last one. Empty: none was chosen.
QString askForChartFile(QWidget* parent, const QString& suggestedName);

} // namespace headscope::ui
