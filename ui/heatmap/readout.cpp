// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/readout.h"

#include "ui/heatmap/axis_labels.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::ui {

namespace {

struct Readout {
    Q_DECLARE_TR_FUNCTIONS(Readout)
};

/// Isolates let a right-to-left token stand inside a left-to-right sentence without turning its neighbours
/// around.
QString isolated(const QString& text) {
    return text.isRightToLeft() ? QString(QChar(u'\u2068') + text + QChar(u'\u2069')) : text;
}

} // namespace

QString tokenInSentence(const AxisEntry& entry) {
    const QString text = isolated(axisLabelText(entry));
    return entry.special ? text : QString(QChar(u'\u201c') + text + QChar(u'\u201d'));
}

QString readsSentence(const AxisEntry& query, const AxisEntry& key) {
    return Readout::tr("%1 reads %2").arg(tokenInSentence(query), tokenInSentence(key));
}

QString maskedSentence(const AxisEntry& query, const AxisEntry& key) {
    return Readout::tr("%1 cannot see %2").arg(tokenInSentence(query), tokenInSentence(key));
}

QString weightText(float weight) {
    if (weight != 0.0F && std::abs(weight) < 0.00005F)
        return QString::number(static_cast<double>(weight), 'e', 2);
    return QString::number(static_cast<double>(weight), 'f', 4);
}

QString weightInCell(float weight) {
    if (weight != 0.0F && std::abs(weight) < 0.005F)
        return std::abs(weight) < 0.0005F ? QStringLiteral("~0")
                                          : QString::number(static_cast<double>(weight), 'f', 3);
    return QString::number(static_cast<double>(weight), 'f', 2);
}

QString tipText(const QString& plain) {
    const QString words = plain.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    return QStringLiteral("<qt>%1</qt>").arg(words);
}

} // namespace headscope::ui
