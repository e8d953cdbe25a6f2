// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/judging.h"

#include <QWidget>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace headscope {
struct HeadResult;
}

namespace headscope::ui {

class ChartsPane;
class HeadFilter;
class HeadTable;
class HeadTableView;
class JudgingNotice;
class LabelChips;

/// The centre page that judges the model: a table of all heads to sort and filter, charts under it, and in
/// their place what brings them.
class DiagnosePage final : public QWidget {
    Q_OBJECT

  public:
    explicit DiagnosePage(QWidget* parent = nullptr);

    /// Whose diagnosis comes next.
    void setModelFolder(const std::filesystem::path& folder) { m_modelFolder = folder; }
    /// Stage, diagnosis and progress, as they are now.
    void showJudging(const Judging& judging);
    void showProgress(const Judging& judging);
    /// `onText`: the same head on the text of the window; nullptr: that was not analysed.
    void showHead(const HeadRef& head, const HeadResult* onText);
    /// The user's notes on heads of the model.
    void showNotes(const std::vector<std::pair<HeadRef, QString>>& notes);
    void focusFilter();
    void focusTable(); ///< or what stands in its place

    HeadTableView* table() const { return m_table; }
    HeadFilter* filter() const { return m_filter; }
    LabelChips* chips() const { return m_chips; }
    JudgingNotice* notice() const { return m_notice; }
    ChartsPane* charts() const { return m_charts; }
    QLineEdit* search() const { return m_search; }
    bool isTableShown() const;
    QString summary() const;

  Q_SIGNALS:
    void headChosen(const headscope::HeadRef& head);
    void headOpened(const headscope::HeadRef& head);
    void textOpened(std::size_t text);
    void judgeRequested();
    void ownTextsRequested();
    void cancelRequested();
    void chartSaved(const QString& file);
    void chartNotSaved(const QString& sentence);

  private:
    QWidget* buildTable();
    void refreshCount();
    void clearFilter();

    std::shared_ptr<const Diagnosis> m_diagnosis;
    std::filesystem::path m_modelFolder;
    HeadRef m_head;
    HeadTable* m_model;
    HeadFilter* m_filter;
    QStackedWidget* m_pages;
    JudgingNotice* m_notice;
    QSplitter* m_splitter;
    QLabel* m_summary = nullptr;
    QPushButton* m_again = nullptr;
    QLineEdit* m_search = nullptr;
    QAction* m_clear = nullptr;
    QLabel* m_count = nullptr;
    LabelChips* m_chips = nullptr;
    HeadTableView* m_table = nullptr;
    QStackedWidget* m_body = nullptr; ///< the table, or that nothing passes the filter
    QLabel* m_untested = nullptr;
    ChartsPane* m_charts = nullptr;
};

} // namespace headscope::ui
