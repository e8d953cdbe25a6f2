// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <QStringList>
#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;

namespace headscope::ui {

/// Which model is open, its shape, and on what device it runs.
class ModelPanel final : public QWidget {
    Q_OBJECT

  public:
    explicit ModelPanel(bool cudaAvailable, QWidget* parent = nullptr);

    void showModel(const std::shared_ptr<const OpenModel>& model); ///< null: none
    void showOpening(const QString& folder);
    void setRecent(const QStringList& folders);
    void setDevice(DeviceChoice device);    ///< as chosen; emits nothing
    void setAdapter(const QString& folder); ///< that is added to the weights; empty: none
    QString summary() const;
    QMenu* recentMenu() const { return m_recentMenu; }

  Q_SIGNALS:
    void openRequested();
    void recentChosen(const QString& folder);
    void recentCleared(); ///< the list is to be emptied
    void deviceChosen(headscope::DeviceChoice device);
    void notesRequested(); ///< they stand in the log
    void adapterRemoved();

  private:
    QLabel* m_name;
    QLabel* m_family;
    QWidget* m_adapterRow;
    QLabel* m_adapter;
    QPushButton* m_notes;
    QPushButton* m_open;
    QPushButton* m_recent;
    QMenu* m_recentMenu;
    QStringList m_recentFolders;
    QComboBox* m_device;
};

} // namespace headscope::ui
