// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/layer_panel.h"

#include "ui/format.h"
#include "ui/panels/card.h"
#include "ui/panels/inspector_parts.h"
#include "ui/theme.h"

#include <QGridLayout>
#include <QScrollBar>
#include <QVBoxLayout>

namespace headscope::ui {

LayerPanel::LayerPanel(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setProperty("role", QByteArray("reader"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("The steps of the layer"));
    showNothing({});
}

QVBoxLayout* LayerPanel::restart(const QString& title) {
    auto* content = new TallContent;
    content->setProperty("role", QByteArray("dock"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 14, 16, 16);
    layout->setSpacing(6);
    auto* name = new QLabel(title);
    name->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    layout->addWidget(name);
    setWidget(content); // deletes the former
    m_lines.clear();
    return layout;
}

void LayerPanel::showNothing(const QString& reason) {
    QVBoxLayout* layout = restart(tr("Layer"));
    layout->addWidget(paragraph(reason, "muted"));
    layout->addStretch(1);
    m_lines << reason;
}

void LayerPanel::showLayer(const LayerResult& layer, const ModelSpec& spec) {
    const std::vector<LayerStep> steps = layerSteps(layer, spec);
    if (steps.empty()) {
        showNothing(tr("The steps are not there: the file holds weights only, and no model."));
        return;
    }
    const int scroll = verticalScrollBar()->value(); // stepping through layers keeps the eye on one step
    QVBoxLayout* layout = restart(tr("Layer %1").arg(layer.layer.value));
    layout->addWidget(paragraph(tr("%1, with the sizes for this text").arg(kindText(layer.kind)), "muted"));
    layout->addSpacing(4);
    for (const LayerStep& step : steps) addStep(layout, step);
    layout->addStretch(1);
    layout->activate();
    verticalScrollBar()->setValue(scroll);
}

void LayerPanel::addStep(QVBoxLayout* layout, const LayerStep& step) {
    if (!step.how.isEmpty()) {
        const QString words =
            step.more.isEmpty() ? step.how : QStringLiteral("%1\n%2").arg(step.how, step.more);
        auto* how = new QHBoxLayout;
        how->setContentsMargins(12, 0, 0, 0);
        how->setSpacing(10);
        how->addWidget(roleLabel(QStringLiteral("↓"), "muted"), 0, Qt::AlignTop);
        QLabel* label = paragraph(words, "muted");
        label->setFont(Theme::font(12));
        how->addWidget(label, 1);
        layout->addLayout(how);
        m_lines << step.how;
        if (!step.more.isEmpty()) m_lines << step.more;
    }
    auto* box = new QFrame;
    box->setProperty("role", QByteArray("card"));
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(12, 7, 12, 7);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(0, 1);
    int line = 0;
    for (const LayerStep::Part& part : step.parts) {
        auto* shape = roleLabel(part.shape, "muted");
        shape->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(roleLabel(part.name, "strong"), line, 0);
        grid->addWidget(shape, line, 1, Qt::AlignRight);
        ++line;
        m_lines << QStringLiteral("%1: %2").arg(part.name, part.shape);
    }
    layout->addWidget(box);
}

} // namespace headscope::ui
