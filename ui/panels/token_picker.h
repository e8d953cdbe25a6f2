// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <memory>
#include <optional>

class QCompleter;

namespace headscope {
struct Axis;
}

namespace headscope::ui {

class TokenMatches;

/// One token of the text, chosen by typing: the list below shows those that fit, with their positions. Enter
/// takes the marked one or else the first; Escape, or leaving, puts back what was chosen.
class TokenPicker final : public QLineEdit {
    Q_OBJECT

  public:
    explicit TokenPicker(QWidget* parent = nullptr);

    void setTokens(std::shared_ptr<const Axis> axis);
    void showToken(std::optional<std::int64_t> position);
    std::optional<std::int64_t> token() const { return m_token; }
    TokenMatches* matches() const { return m_matches; }
    QCompleter* list() const { return m_completer; }

  Q_SIGNALS:
    void tokenChosen(qint64 position);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    void choose(std::int64_t position);
    void openList();
    void restore();

    TokenMatches* m_matches;
    QCompleter* m_completer;
    std::optional<std::int64_t> m_token;
};

} // namespace headscope::ui
