// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "ui/export/export_defaults.h"

#include <QDialog>
#include <QFutureWatcher>

#include <memory>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace headscope {
class CancelToken;
struct Analysis;
struct HeadComparison;
struct HeadRef;
} // namespace headscope

namespace headscope::ui {

class ExportPreview;
struct ExportJob;
struct FigureOptions;
struct FollowedToken;
struct PictureSettings;
struct ShownLines;

/// Asks what of an analysis to write, as what and where, shows the picture as it will be, and writes it on
/// another thread. Errors are said inside the dialog, which then stays open. Remembers the last folder and
/// format.
class ExportDialog final : public QDialog {
    Q_OBJECT

  public:
    /// `shown` and `view` are how the head is shown now: the first settings of the figure. `analysis` is not
    /// null.
    ExportDialog(std::shared_ptr<const Analysis> analysis, const HeadRef& current, const FigureOptions& shown,
                 const MapView& view = {}, QWidget* parent = nullptr);
    /// The same with two heads side by side as what is asked for first; the rest is of the second one.
    ExportDialog(std::shared_ptr<const HeadComparison> comparison, const FigureOptions& shown,
                 QWidget* parent = nullptr);
    ~ExportDialog() override;

    /// Offers the text too, coloured by the weights of this token; `first`: as what is asked for first.
    void offerText(const FollowedToken& followed, bool first);

    /// Sets what the user has as defaults; without it they are those of a first start.
    void beginWith(const ExportDefaults& defaults);
    /// What the controls say now, as defaults. Where a preset holds, its numbers are not taken for the
    /// user's.
    ExportDefaults choices() const;
    /// Offers lines between the tokens too, as they are on screen; `first`: as what is asked for first.
    void offerLines(const ShownLines& lines, bool first);

    /// The file, once accepted.
    QString writtenFile() const;
    /// What the controls say now.
    ExportJob job() const;

    void reject() override; ///< cancels a running export first

  Q_SIGNALS:
    void defaultsChosen(const headscope::ui::ExportDefaults& defaults);

  private:
    void build();
    void buildControls(const HeadRef& current);
    void buildFigureControls();
    void connectControls();
    QWidget* buildForm();
    QWidget* buildFooter();
    void restoreChoices();
    void followSubject(); ///< formats and width that suit it
    void followPart();    ///< lines begin with the tokens that are in sight
    void takePreset();
    void offerDefaults();  ///< where the choices are not those already
    void followSettings(); ///< the preset whose numbers these are, if any
    /// How the picture is to look, as the command line would have it.
    PictureSettings settings() const;
    QString partProblem() const; ///< a sentence where rows or columns are not written as they should
    void changed();              ///< a control was: preview, file name and rows follow
    void followFileName();       ///< the suggested name, unless another was typed
    void followEnding();
    void browse();
    void save();
    void saved();
    void say(const QString& error);

    std::unique_ptr<ExportJob> m_first; ///< analysis, head and settings as handed in
    std::unique_ptr<CancelToken> m_cancel;
    QString m_suggested;      ///< the file name last filled in
    QString m_rowsInSight;    ///< with lines: "a:b"; empty: all
    QString m_columnsInSight; ///< likewise
    QFutureWatcher<QString> m_watcher;

    ExportPreview* m_preview = nullptr;
    QFormLayout* m_form = nullptr;
    QComboBox* m_subject = nullptr;
    QComboBox* m_format = nullptr;
    QComboBox* m_range = nullptr;
    QComboBox* m_theme = nullptr;
    QComboBox* m_preset = nullptr;
    QComboBox* m_colormap = nullptr;
    QDoubleSpinBox* m_width = nullptr;  ///< mm
    QDoubleSpinBox* m_height = nullptr; ///< mm; 0: what the map needs
    double m_usualWidth = 0.0;          ///< of what is exported, mm
    bool m_filling = false;             ///< a preset fills the fields
    QSpinBox* m_dpi = nullptr;
    QSpinBox* m_fontSize = nullptr; ///< pt
    QLineEdit* m_title = nullptr;
    QLineEdit* m_xLabel = nullptr;
    QLineEdit* m_yLabel = nullptr;
    QLineEdit* m_rows = nullptr; ///< "a:b"; empty: all
    QLineEdit* m_columns = nullptr;
    QCheckBox* m_values = nullptr;
    QCheckBox* m_margins = nullptr;
    QCheckBox* m_transparent = nullptr;
    QCheckBox* m_described = nullptr;
    QCheckBox* m_hideSpecial = nullptr;
    QPushButton* m_keep = nullptr;
    ExportDefaults m_defaults;
    QLineEdit* m_file = nullptr;
    QPushButton* m_save = nullptr;
    QLabel* m_message = nullptr;
    QLabel* m_size = nullptr;
};

} // namespace headscope::ui
