// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"
#include "core/maps/attention_kind.h"

#include <QPointF>
#include <QWidget>

#include <memory>
#include <vector>

namespace headscope::ui {

struct EntropyPoint {
    HeadRef head;
    double below = 0.0;                        ///< nats below uniform
    Label label = Label::InsufficientEvidence; ///< colours the point; InsufficientEvidence: no flag
};

/// One point a head: its layer across, how far its entropy is below uniform up. A click chooses the head.
class EntropyChart final : public QWidget {
    Q_OBJECT

  public:
    explicit EntropyChart(QWidget* parent = nullptr);
    ~EntropyChart() override;

    void setPoints(const std::vector<EntropyPoint>& points); ///< empty: only the axes' place is kept
    void setSelected(const HeadRef& head);
    /// Where the point of a head is drawn, in coordinates of this widget.
    QPointF positionOf(const HeadRef& head) const;
    std::size_t size() const;

    QSize sizeHint() const override { return {280, 190}; }
    QSize minimumSizeHint() const override { return {180, 110}; }

  Q_SIGNALS:
    void headActivated(const headscope::HeadRef& head);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Private;
    std::unique_ptr<Private> m_d;
};

} // namespace headscope::ui
