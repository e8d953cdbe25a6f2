// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace headscope::ui {

class TextBox;

/// A short text of one's own on the head that is shown.
class NoteBox final : public QWidget {
    Q_OBJECT

  public:
    explicit NoteBox(QWidget* parent = nullptr);
    /// Emits nothing.
    void showNote(const QString& head, const QString& text);
    void focusText();
    bool hasTextFocus() const;
    TextBox* box() const { return m_box; }

  Q_SIGNALS:
    void edited(const QString& text);

  private:
    void fit();

    QLabel* m_title;
    TextBox* m_box;
    QLabel* m_full; ///< said once the text is as long as it may be
};

} // namespace headscope::ui
