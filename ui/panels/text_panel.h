// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "ui/view_state.h"

#include <QMimeData>
#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace headscope::ui {

class TextBox;

/// The text, its optional second, how many tokens that makes against the model's limit, and the one main
/// button.
class TextPanel final : public QWidget {
    Q_OBJECT

  public:
    explicit TextPanel(QWidget* parent = nullptr);

    void showState(const ViewState& state);
    /// Nothing: unknown (no model, or being counted).
    void showCount(const std::optional<TokenizedText>& text);
    void showCountProblem(const QString& sentence);
    void setCanRun(bool canRun);
    void setBusy(bool busy);               ///< the main button cancels
    void setEnabledForText(bool possible); ///< false: the model has no tokenizer
    void setHoldsMaps(bool holds);         ///< true: a file of maps is open, whose text is what it is
    void setHasDecoder(bool has);          ///< true: there is a target text
    void focusText();
    QMenu* samplesMenu() const { return m_samplesMenu; }
    QPushButton* historyButton() const { return m_history; }
    QString countText() const;

  Q_SIGNALS:
    void textEdited(const QString& text);
    void pairEdited(const QString& pair);
    void targetEdited(const QString& target);
    void targetWritten(bool byModel);
    void pairShown(bool shown);
    void lengthChosen(headscope::LengthPolicy policy, qint64 piece);
    void sampleChosen(int index);
    void runRequested();
    void cancelRequested();
    void historyRequested();
    void filesPasted(const QMimeData* files);
    void pasteRefused(const QString& sentence);

  private:
    QWidget* makeLengthRow();
    void chooseLength();

    TextBox* m_text;
    TextBox* m_pair;
    QCheckBox* m_pairCheck;
    QLabel* m_targetTitle;
    QCheckBox* m_writeTarget;
    TextBox* m_target;
    QLabel* m_count;
    QProgressBar* m_countBar;
    QLabel* m_problem;
    QWidget* m_lengthRow;
    QComboBox* m_length;
    QSpinBox* m_piece;
    QLabel* m_pieces;
    QWidget* m_pieceRow;
    QPushButton* m_history;
    QPushButton* m_samples;
    QMenu* m_samplesMenu;
    QPushButton* m_run;
    bool m_busy = false;
    bool m_canRun = false;
    bool m_canRead = true; ///< texts, with the tokenizer there is
};

} // namespace headscope::ui
