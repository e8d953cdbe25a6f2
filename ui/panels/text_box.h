// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMimeData>
#include <QPlainTextEdit>

namespace headscope::ui {

/// A plain text box without an undo of its own: undo and redo belong to the view as a whole, so their keys
/// pass through. Tab leaves the box.
class TextBox final : public QPlainTextEdit {
    Q_OBJECT

  public:
    explicit TextBox(QWidget* parent = nullptr);
    /// Changes only what differs, keeping the cursor where it can be kept; emits no edited().
    void showText(const QString& text);

  Q_SIGNALS:
    void edited(const QString& text);
    void filesPasted(const QMimeData* files); ///< they open as if they were dropped
    void pasteRefused(const QString& sentence);

  protected:
    bool event(QEvent* event) override;
    /// Files dropped here open as they do anywhere in the window.
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;

  private:
    bool m_showing = false;
};

} // namespace headscope::ui
