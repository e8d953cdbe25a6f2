// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"

#include <QAbstractButton>

#include <set>
#include <utility>
#include <vector>

namespace headscope::ui {

class FlowLayout;

/// A label with how many heads have it, to switch on and off.
class LabelChip final : public QAbstractButton {
    Q_OBJECT

  public:
    LabelChip(Label label, int count, QWidget* parent = nullptr);
    Label label() const { return m_label; }
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Label m_label;
};

/// The chips of all labels that heads have.
class LabelChips final : public QWidget {
    Q_OBJECT

  public:
    explicit LabelChips(QWidget* parent = nullptr);
    /// Those that were on stay on where they still exist.
    void setCounts(const std::vector<std::pair<Label, int>>& counts);
    void clearChosen();
    std::set<Label> chosen() const;
    const std::vector<LabelChip*>& chips() const { return m_chips; }

  Q_SIGNALS:
    void chosenChanged(const std::set<headscope::Label>& labels);

  private:
    FlowLayout* m_flow;
    std::vector<LabelChip*> m_chips;
};

} // namespace headscope::ui
