// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/label_chips.h"

#include "ui/format.h"
#include "ui/panels/flow_layout.h"
#include "ui/panels/pill.h"
#include "ui/theme.h"

#include <QPainter>

namespace headscope::ui {

LabelChip::LabelChip(Label label, int count, QWidget* parent) : QAbstractButton(parent), m_label(label) {
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setText(QStringLiteral("%1 %2").arg(labelText(label)).arg(count));
    setAccessibleName(count == 1 ? tr("%1: 1 head").arg(labelText(label))
                                 : tr("%1: %2 heads").arg(labelText(label)).arg(count));
    setToolTip(tr("Show the heads with this label; several labels show the heads with any of them"));
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

QSize LabelChip::sizeHint() const {
    return {pillWidth(m_label, text()) + 4, kPillHeight + 4};
}

void LabelChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    paintPill(painter, QRectF(rect()).adjusted(2, 2, -2, -2), m_label, text(), PillLook::Filled);
    if (!isChecked() && !hasFocus() && !underMouse()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const bool strong = isChecked() || hasFocus();
    painter.setPen(QPen(strong ? colors.accent : colors.muted, isChecked() ? 2.0 : 1.0));
    const QRectF ring = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.drawRoundedRect(ring, ring.height() / 2.0, ring.height() / 2.0);
}

LabelChips::LabelChips(QWidget* parent) : QWidget(parent), m_flow(new FlowLayout(4, this)) {
    m_flow->setContentsMargins(0, 0, 0, 0);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LabelChips::setCounts(const std::vector<std::pair<Label, int>>& counts) {
    const std::set<Label> on = chosen();
    for (LabelChip* chip : m_chips) delete chip;
    m_chips.clear();
    for (const auto& [label, count] : counts) {
        auto* chip = new LabelChip(label, count, this);
        chip->setChecked(on.count(label) > 0);
        connect(chip, &LabelChip::toggled, this, [this] { Q_EMIT chosenChanged(chosen()); });
        m_flow->addWidget(chip);
        m_chips.push_back(chip);
        chip->show();
    }
    updateGeometry();
    if (chosen() != on) Q_EMIT chosenChanged(chosen());
}

void LabelChips::clearChosen() {
    for (LabelChip* chip : m_chips) {
        const QSignalBlocker quiet(chip);
        chip->setChecked(false);
        chip->update();
    }
    Q_EMIT chosenChanged({});
}

std::set<Label> LabelChips::chosen() const {
    std::set<Label> labels;
    for (const LabelChip* chip : m_chips)
        if (chip->isChecked()) labels.insert(chip->label());
    return labels;
}

} // namespace headscope::ui
