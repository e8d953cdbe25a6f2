// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <QWidget>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>

class QButtonGroup;
class QLabel;
class QStackedWidget;

namespace headscope::ui {

class Chart;
class ClassChart;
class DistanceChart;
class EntropyChart;
class OffsetChart;
class SinkChart;
class TextsChart;

/// The pictures of a diagnosis: all heads of a kind by layer, or the chosen head over the texts and on the
/// text of the window.
class ChartsPane final : public QWidget {
    Q_OBJECT

  public:
    explicit ChartsPane(QWidget* parent = nullptr);

    /// `modelFolder`: below it no picture may be written.
    void showDiagnosis(const std::shared_ptr<const Diagnosis>& diagnosis,
                       const std::filesystem::path& modelFolder);
    void showHead(const HeadRef& head);
    /// The chosen head on the text of the window; nullptr: that was not analysed.
    void showOnText(const HeadResult* head);

    EntropyChart* entropy() const { return m_entropy; }
    SinkChart* sink() const { return m_sink; }
    DistanceChart* distance() const { return m_distance; }
    ClassChart* classes() const { return m_classes; }
    OffsetChart* offsets() const { return m_offsets; }
    TextsChart* texts() const { return m_textsChart; }

  Q_SIGNALS:
    void headActivated(const headscope::HeadRef& head);
    void textActivated(std::size_t text);
    void saved(const QString& file); ///< a chart's picture
    void saveFailed(const QString& sentence);

  private:
    std::array<Chart*, 6> charts() const;
    QWidget* titled(const QString& title, const QString& unit, QWidget* chart);
    void fillLayers();
    void fillHead();

    std::shared_ptr<const Diagnosis> m_diagnosis;
    HeadRef m_head;
    std::optional<AttentionKind> m_shownKind;
    QStackedWidget* m_pages;
    QButtonGroup* m_choice;
    QLabel* m_textsTitle = nullptr;
    EntropyChart* m_entropy;
    SinkChart* m_sink;
    DistanceChart* m_distance;
    ClassChart* m_classes;
    OffsetChart* m_offsets;
    TextsChart* m_textsChart;
};

} // namespace headscope::ui
