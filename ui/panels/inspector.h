// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <QScrollArea>

class QVBoxLayout;

namespace headscope::ui {

/// What is known about the chosen head: the verdict in words, the number and threshold behind every flag that
/// holds, all other numbers, how far off the other flags are, and what could not be tested.
class Inspector final : public QScrollArea {
    Q_OBJECT

  public:
    explicit Inspector(QWidget* parent = nullptr);

    void showNothing(const QString& reason);
    void showHead(const HeadRef& ref, const HeadResult& head, const Axis& keys, const StackSpec& stack);
    QString verdict() const { return m_verdict; }
    QSize sizeHint() const override { return {288, 480}; }

  private:
    QVBoxLayout* restart();
    void addEvidence(QVBoxLayout* layout, const HeadResult& head);
    void addNumbers(QVBoxLayout* layout, const HeadResult& head, const Axis& keys);
    void addUnmet(QVBoxLayout* layout, const HeadResult& head);
    void addReading(QVBoxLayout* layout, const HeadMetrics& metrics);
    void addNotTested(QVBoxLayout* layout, const Verdict& verdict);

    QString m_verdict;
};

} // namespace headscope::ui
