// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/layer_steps.h"

#include <QScrollArea>

class QVBoxLayout;

namespace headscope::ui {

/// The attention of one layer from top to bottom: every matrix on the way with its size for this text.
class LayerPanel final : public QScrollArea {
    Q_OBJECT

  public:
    explicit LayerPanel(QWidget* parent = nullptr);

    void showNothing(const QString& reason);
    void showLayer(const LayerResult& layer, const ModelSpec& spec);
    /// All that is said, line by line.
    QStringList lines() const { return m_lines; }

  private:
    QVBoxLayout* restart(const QString& title);
    void addStep(QVBoxLayout* layout, const LayerStep& step);

    QStringList m_lines;
};

} // namespace headscope::ui
