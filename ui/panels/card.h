// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>

class QHBoxLayout;
class QVBoxLayout;

namespace headscope::ui {

/// A label in one of the stylesheet's roles ("muted", "section", "error", ...).
QLabel* roleLabel(const QString& text, const char* role, QWidget* parent = nullptr);
QLabel* sectionLabel(const QString& text, QWidget* parent = nullptr);
/// Sets the role and has the stylesheet look again.
void setRole(QWidget* widget, const char* role);

/// A panel with a hairline border, a header row and a body.
class Card : public QFrame {
    Q_OBJECT

  public:
    explicit Card(QWidget* parent = nullptr);
    QHBoxLayout* header() const { return m_header; }
    QVBoxLayout* body() const { return m_body; }

  private:
    QHBoxLayout* m_header;
    QVBoxLayout* m_body;
};

} // namespace headscope::ui
