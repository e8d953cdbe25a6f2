// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace headscope::ui {

/// One muted line that ends in "…" where there is no room; its tooltip then has all of it.
class QuietLine final : public QLabel {
    Q_OBJECT
  public:
    explicit QuietLine(QWidget* parent = nullptr);
    void setWords(const QString& words);
    QString words() const { return m_words; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fit();
    QString m_words;
};

} // namespace headscope::ui
