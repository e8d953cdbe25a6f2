// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <QScrollArea>

#include <functional>
#include <memory>

class QVBoxLayout;

namespace headscope::ui {

class NoteBox;

/// What is known about the chosen head: what the model's texts say of it, the verdict on this text in words,
/// the number and threshold behind every label that holds, all other numbers, how far off the other flags
/// are, and what could not be tested.
class Inspector final : public QScrollArea {
    Q_OBJECT

  public:
    explicit Inspector(QWidget* parent = nullptr);

    /// Whether a text of the diagnosis can be opened in the text box.
    using TextCheck = std::function<bool(std::size_t text)>;
    /// Of the model; null: none. The next head that is shown has its labels.
    void setDiagnosis(const std::shared_ptr<const Diagnosis>& diagnosis, TextCheck canOpen);

    void showNothing(const QString& reason);
    void showUnread(const HeadRef& ref, const QString& reason); ///< there is no result on this text
    void showHead(const HeadRef& ref, const HeadResult& head, const Axis& keys, const StackSpec& stack);
    /// The user's own text on the head that is shown; stands at the end of all that is said of it.
    void showNote(const HeadRef& ref, const QString& text);
    void focusNote(); ///< where there is a head
    NoteBox* note() const { return m_note; }
    QString verdict() const { return m_verdict; }
    QSize sizeHint() const override { return {288, 480}; }

  Q_SIGNALS:
    void textOpened(std::size_t text);
    void noteEdited(const QString& text);

  private:
    QVBoxLayout* restart();
    void finish(QVBoxLayout* layout);
    const DiagnosedHead* modelHead(const HeadRef& ref) const;
    void addTitle(QVBoxLayout* layout, const HeadRef& ref, const QString& beside);
    void addModelEvidence(QVBoxLayout* layout, const DiagnosedHead& model);
    void addTextVerdict(QVBoxLayout* layout, const HeadResult& head);
    void addEvidence(QVBoxLayout* layout, const HeadResult& head);
    void addNumbers(QVBoxLayout* layout, const HeadResult& head, const Axis& keys);
    void addUnmet(QVBoxLayout* layout, const HeadResult& head);
    void addReading(QVBoxLayout* layout, const HeadMetrics& metrics);

    NoteBox* m_note; ///< outlives the contents, which are made anew for every head
    QString m_verdict;
    std::shared_ptr<const Diagnosis> m_diagnosis;
    TextCheck m_canOpen;
};

} // namespace headscope::ui
