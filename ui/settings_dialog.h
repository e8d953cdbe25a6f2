// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings.h"

#include <QDialog>

#include <functional>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QVBoxLayout;

namespace headscope::ui {

class TextHistory;

/// All settings on one page in sections, with a search. Each change holds at once; what is reset or cleared
/// can be taken back as long as the dialog is open.
class SettingsDialog final : public QDialog {
    Q_OBJECT

  public:
    SettingsDialog(Settings& settings, TextHistory& history, bool cudaAvailable, QWidget* parent = nullptr);

    QLineEdit* search() const { return m_search; }
    QPushButton* resetButton() const { return m_reset; }
    QPushButton* undoButton() const { return m_undo; }
    QString message() const;
    /// The names of the rows that the search leaves, in order.
    QStringList shownRows() const;
    /// The control of a row, by the row's name.
    QWidget* control(const QString& row) const;

  private:
    struct Row {
        QWidget* box;
        QLabel* name;
        QLabel* hint;
        QString nameText;
        QString hintText;
        QString words; ///< what the search looks at
        QWidget* control;
        std::size_t section;
    };
    struct Section {
        QLabel* title;
        QString name;
    };

    void buildLook();
    void buildRunning();
    void buildExports();
    void buildLists();
    void addClearing(const QString& name, const QString& hint, const QString& moreWords,
                     const std::function<void()>& clear);
    void buildFoot(QVBoxLayout* layout);
    void addSection(const QString& name);
    void addRow(const QString& name, const QString& hint, QWidget* control, const QString& moreWords = {});
    /// Where a value stands in the preferences.
    template <typename Value>
    using Field = Value& (*)(Preferences&);
    QCheckBox* addSwitch(const QString& name, const QString& hint, const QString& words, Field<bool> field);
    QSpinBox* addNumber(const QString& name, const QString& hint, const std::pair<int, int>& limits,
                        Field<int> field);
    /// Shows and changes a field whose values stand in `values`, which stays, in the order of the box.
    template <typename Values, typename Value>
    QComboBox* bind(QComboBox* box, const Values& values, Value& (*field)(Preferences&));
    QComboBox* addChoice(const QString& name, const QString& hint, const QStringList& choices);
    void change(const std::function<void(Preferences&)>& edit);
    void show(const Preferences& preferences);
    void filter();
    void offerUndo(const QString& done, std::function<void()> undo);

    Settings& m_settings;
    TextHistory& m_history;
    bool m_cudaAvailable;
    QLineEdit* m_search;
    QWidget* m_page;
    QVBoxLayout* m_layout;
    QLabel* m_nothing;
    QLabel* m_message;
    QPushButton* m_reset;
    QPushButton* m_undo;
    std::vector<Row> m_rows;
    std::vector<Section> m_sections;
    /// Bring the controls in line with what is stored.
    std::vector<std::function<void(const Preferences&)>> m_refreshers;
    std::function<void()> m_undoLast;
};

} // namespace headscope::ui
