// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include "ui/export/export_dialog_choices.h"
#include "ui/export/export_job.h"
#include "ui/export/export_preview.h"
#include "ui/export/figure_settings.h"
#include "ui/export/picture_writer.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <QtConcurrent>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

const QString kFolderKey = QStringLiteral("export/folder");
const QString kFormatKey = QStringLiteral("export/format");

DisplayRange rangeOf(RangeChoice choice, const DisplayRange& shown) {
    switch (choice) {
    case RangeChoice::Auto:
        return {.mode = RangeMode::Auto};
    case RangeChoice::ZeroToOne:
        return {.mode = RangeMode::Fixed, .low = 0.0F, .high = 1.0F};
    case RangeChoice::PerRow:
        return {.mode = RangeMode::PerRow};
    case RangeChoice::Log:
        return {.mode = RangeMode::Log};
    case RangeChoice::AsShown:
        break;
    }
    return shown;
}

/// Empty: the usual words; spaces alone: none.
std::optional<std::string> wordsIn(const QLineEdit& edit) {
    if (edit.text().isEmpty()) return std::nullopt;
    return edit.text().trimmed().toStdString();
}

/// "a:b"
std::optional<Span> spanIn(const QLineEdit& edit) {
    const QStringList ends = edit.text().split(u':');
    if (ends.size() != 2) return std::nullopt;
    bool first = false;
    bool second = false;
    const Span span{ends[0].trimmed().toLongLong(&first), ends[1].trimmed().toLongLong(&second)};
    if (!first || !second || span.begin < 0 || span.begin >= span.end) return std::nullopt;
    return span;
}

} // namespace

ExportDialog::ExportDialog(std::shared_ptr<const Analysis> analysis, const HeadRef& current,
                           const FigureOptions& shown, const MapView& view, QWidget* parent)
    : QDialog(parent), m_first(std::make_unique<ExportJob>()), m_cancel(std::make_unique<CancelToken>()) {
    setWindowTitle(tr("Export"));
    m_first->analysis = std::move(analysis);
    m_first->head = current;
    m_first->figure = shown;
    m_first->view = view;
    build();
}

ExportDialog::ExportDialog(std::shared_ptr<const HeadComparison> comparison, const FigureOptions& shown,
                           QWidget* parent)
    : QDialog(parent), m_first(std::make_unique<ExportJob>()), m_cancel(std::make_unique<CancelToken>()) {
    setWindowTitle(tr("Export"));
    m_first->analysis = comparison->sides[1].analysis;
    m_first->head = comparison->sides[1].head;
    m_first->figure = shown;
    m_first->figure.widthMm = comparisonWidthMm(*comparison);
    m_first->comparison = std::move(comparison);
    build();
}

void ExportDialog::build() {
    buildControls(m_first->head);

    auto* card = new QFrame;
    card->setProperty("role", "card");
    auto* cardLayout = new QVBoxLayout(card);
    cardLayout->setContentsMargins(12, 12, 12, 12);
    cardLayout->addWidget(m_preview, 1);
    cardLayout->addWidget(m_size);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(16);
    columns->addWidget(card, 1);
    columns->addWidget(buildForm());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 16, 16, 16);
    all->setSpacing(16);
    all->addLayout(columns, 1);
    all->addWidget(buildFooter());
    resize(980, 660);

    m_hideSpecial->setChecked(m_first->view.hideSpecial);
    restoreChoices();
    connect(m_preview, &ExportPreview::painted, this, [this](const QString& error, const QSizeF& size) {
        if (!error.isEmpty()) say(error);
        if (!error.isEmpty() || size.isEmpty()) return;
        const QSize pixels =
            pixelSize({.size = size, .title = {}, .background = {}, .paint = {}}, m_dpi->value());
        const QString millimetres =
            tr("%1 × %2 mm").arg(qRound(size.width() / 72 * 25.4)).arg(qRound(size.height() / 72 * 25.4));
        m_size->setText(
            m_format->currentData() == QStringLiteral("png")
                ? tr("%1, %2 × %3 pixels").arg(millimetres).arg(pixels.width()).arg(pixels.height())
                : millimetres);
        if (m_format->currentData() != QStringLiteral("png")) return;
        try { // said before it is asked for
            requirePossible(pixels, QFileInfo(m_file->text()).fileName());
        } catch (const Error& tooLarge) {
            say(QString::fromStdString(tooLarge.sentence()));
        }
    });
    connect(&m_watcher, &QFutureWatcher<QString>::finished, this, &ExportDialog::saved);
    changed();
}

ExportDialog::~ExportDialog() {
    m_cancel->cancel();
    m_watcher.waitForFinished();
}

void ExportDialog::restoreChoices() {
    const QSettings settings;
    const int format = m_format->findData(settings.value(kFormatKey).toString());
    if (format >= 0) m_format->setCurrentIndex(format);
    m_usualWidth = m_width->value();
    followSubject();
}

void ExportDialog::offerText(const FollowedToken& followed, bool first) {
    m_first->followed = followed;
    addChoice(*m_subject, tr("Text as head %1 reads it").arg(QString::fromStdString(headText(m_first->head))),
              ExportSubject::Text);
    if (first) m_subject->setCurrentIndex(m_subject->count() - 1);
}

void ExportDialog::beginWith(const ExportDefaults& defaults) {
    m_defaults = defaults;
    // What a preset gives way to, when it is left.
    m_first->figure.dpi = defaults.dpi;
    m_first->figure.fontSizePt = defaults.fontSizePt;
    const auto theme = defaults.dark ? ThemeOfPicture::Dark : ThemeOfPicture::Light;
    m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(theme)));
    m_range->setCurrentIndex(m_range->findData(static_cast<int>(defaults.range)));
    m_dpi->setValue(defaults.dpi);
    m_fontSize->setValue(defaults.fontSizePt);
    m_transparent->setChecked(defaults.transparent);
    m_described->setChecked(defaults.described);
    m_preset->setCurrentIndex(std::max(0, m_preset->findData(QString::fromStdString(defaults.preset))));
    offerDefaults();
}

ExportDefaults ExportDialog::choices() const {
    ExportDefaults now;
    now.dark = chosen<ThemeOfPicture>(*m_theme) == ThemeOfPicture::Dark;
    now.preset = m_preset->currentData().toString().toStdString();
    now.range = chosen<RangeChoice>(*m_range);
    now.dpi = now.preset.empty() ? m_dpi->value() : m_defaults.dpi;
    now.fontSizePt = now.preset.empty() ? m_fontSize->value() : m_defaults.fontSizePt;
    now.transparent = m_transparent->isChecked();
    now.described = m_described->isChecked();
    return now;
}

void ExportDialog::offerDefaults() {
    const bool another = choices() != m_defaults;
    m_keep->setEnabled(another);
    m_keep->setText(another ? tr("Make these my defaults") : tr("These are your defaults"));
}

void ExportDialog::offerLines(const ShownLines& lines, bool first) {
    const auto words = [](const std::optional<Span>& span) {
        return span ? QStringLiteral("%1:%2").arg(span->begin).arg(span->end) : QString();
    };
    m_first->lines = lines;
    m_rowsInSight = words(lines.part.rows);
    m_columnsInSight = words(lines.part.columns);
    addChoice(*m_subject, tr("Lines between the tokens"), ExportSubject::Lines);
    if (first) m_subject->setCurrentIndex(m_subject->count() - 1);
}

void ExportDialog::followPart() {
    const bool lines = chosen<ExportSubject>(*m_subject) == ExportSubject::Lines;
    for (const auto& [edit, inSight] : {std::pair(m_rows, m_rowsInSight), {m_columns, m_columnsInSight}}) {
        if (lines && edit->text().isEmpty()) edit->setText(inSight);
        if (!lines && edit->text() == inSight) edit->clear(); // it was of the lines
    }
}

void ExportDialog::followSubject() {
    followPart();
    const auto subject = chosen<ExportSubject>(*m_subject);
    auto* formats = qobject_cast<QStandardItemModel*>(m_format->model());
    for (int i = 0; i < m_format->count(); ++i)
        formats->item(i)->setEnabled(isWritable(subject, m_format->itemData(i).toString()));
    if (!isWritable(subject, m_format->currentData().toString())) m_format->setCurrentIndex(0);
    const double usual = usualWidthMm(job());
    const bool untouched = m_width->value() == m_usualWidth;
    m_usualWidth = usual;
    if (untouched) m_width->setValue(usual);
}

void ExportDialog::takePreset() {
    const FigurePreset* preset = figurePresetOf(m_preset->currentData().toString().toStdString());
    PictureSettings to = settings();
    if (preset != nullptr) {
        to = withPreset(to, *preset);
    } else { // as without one
        to.widthMm = m_usualWidth;
        to.heightMm.reset();
        to.dpi = m_first->figure.dpi;
        to.fontSizePt = m_first->figure.fontSizePt;
    }
    m_filling = true;
    m_width->setValue(to.widthMm.value_or(m_usualWidth));
    m_height->setValue(to.heightMm.value_or(0.0));
    m_dpi->setValue(to.dpi.value_or(m_first->figure.dpi));
    m_fontSize->setValue(qRound(to.fontSizePt.value_or(m_first->figure.fontSizePt)));
    m_colormap->setCurrentIndex(m_colormap->findData(static_cast<int>(to.colormap)));
    m_xLabel->setText(wordsOf(to.xLabel));
    m_yLabel->setText(wordsOf(to.yLabel));
    m_filling = false;
    changed();
}

void ExportDialog::followSettings() {
    if (m_filling) return;
    const FigurePreset* preset = figurePresetOf(m_preset->currentData().toString().toStdString());
    if (preset == nullptr) return;
    const bool holds = m_width->value() == preset->widthMm &&
                       m_height->value() == preset->heightMm.value_or(0.0) && m_dpi->value() == preset->dpi &&
                       m_fontSize->value() == preset->fontSizePt;
    if (holds) return;
    const QSignalBlocker quiet(m_preset); // the other numbers stay
    m_preset->setCurrentIndex(0);
}

PictureSettings ExportDialog::settings() const {
    PictureSettings settings;
    settings.range = rangeOf(chosen<RangeChoice>(*m_range), m_first->figure.range);
    settings.colormap = chosen<Colormap>(*m_colormap);
    settings.pooling = m_first->figure.pooling;
    settings.dark = chosen<ThemeOfPicture>(*m_theme) == ThemeOfPicture::Dark;
    settings.transparent = m_transparent->isChecked();
    settings.widthMm = m_width->value();
    if (m_height->value() > 0.0) settings.heightMm = m_height->value();
    settings.dpi = m_dpi->value();
    settings.fontSizePt = m_fontSize->value();
    settings.title = wordsIn(*m_title);
    settings.xLabel = wordsIn(*m_xLabel);
    settings.yLabel = wordsIn(*m_yLabel);
    settings.values = m_values->isChecked();
    settings.margins = m_margins->isEnabled() && m_margins->isChecked();
    return settings;
}

QString ExportDialog::partProblem() const {
    for (const QLineEdit* edit : {m_rows, m_columns})
        if (!edit->text().trimmed().isEmpty() && !spanIn(*edit))
            return tr("%1: write first:end with first below end, such as 0:16 for the first sixteen.")
                .arg(edit->accessibleName());
    return {};
}

ExportJob ExportDialog::job() const {
    ExportJob job = *m_first;
    job.subject = chosen<ExportSubject>(*m_subject);
    job.extension = m_format->currentData().toString();
    job.view.hideSpecial = m_hideSpecial->isChecked();
    job.described = m_described->isChecked();
    job.figure = figureOptionsOf(settings());
    job.figure.rows = spanIn(*m_rows);
    job.figure.columns = spanIn(*m_columns);
    job.target = m_file->text().trimmed().toStdString();
    return job;
}

void ExportDialog::changed() {
    const ExportJob now = job();
    const bool picture = isPicture(now.extension);
    const bool grid = now.subject == ExportSubject::Grid;
    const bool text = now.subject == ExportSubject::Text;
    const bool lines = now.subject == ExportSubject::Lines;
    const bool cut = !text && now.subject != ExportSubject::Comparison && (!picture || !grid);
    for (QWidget* row : std::initializer_list<QWidget*>{m_preset, m_range, m_theme, m_width, m_fontSize,
                                                        m_title, m_transparent})
        row->setEnabled(picture);
    m_colormap->setEnabled(picture && !lines); // they have the colours of their heads
    m_dpi->setEnabled(now.extension == QStringLiteral("png"));
    m_height->setEnabled(picture && now.subject == ExportSubject::Head);
    for (QWidget* row : std::initializer_list<QWidget*>{m_xLabel, m_yLabel})
        row->setEnabled(picture && !grid && !text);
    m_values->setEnabled(picture && !grid && !text && !lines);
    m_margins->setEnabled(m_values->isEnabled() && now.subject != ExportSubject::Comparison);
    for (QWidget* row : std::initializer_list<QWidget*>{m_hideSpecial, m_rows, m_columns})
        row->setEnabled(cut);
    for (QWidget* row : std::initializer_list<QWidget*>{m_described, m_keep}) row->setEnabled(picture);
    followSettings();
    if (picture) offerDefaults();
    followFileName();
    const QString problem = partProblem();
    say(problem);
    if (problem.isEmpty()) m_preview->show(now);
}

void ExportDialog::followFileName() {
    if (m_file->text() != m_suggested) {
        // A name of the user's own keeps its stem and gets the format's ending.
        const QFileInfo typed(m_file->text());
        if (!typed.completeBaseName().isEmpty() && !typed.suffix().isEmpty())
            m_file->setText(
                typed.dir().filePath(typed.completeBaseName() + u'.' + m_format->currentData().toString()));
        return;
    }
    const QSettings settings;
    QString folder = settings.value(kFolderKey).toString();
    if (folder.isEmpty() || !QFileInfo(folder).isDir())
        folder = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    if (!QFileInfo(folder).isDir()) folder = QDir::homePath();
    m_suggested = QDir(folder).filePath(suggestedFileName(job()));
    m_file->setText(m_suggested);
}

/// A name that ends as another format does means that format.
void ExportDialog::followEnding() {
    const QString ending = QFileInfo(m_file->text().trimmed()).suffix().toLower();
    const int format = m_format->findData(ending);
    if (format >= 0 && isWritable(chosen<ExportSubject>(*m_subject), ending))
        m_format->setCurrentIndex(format);
}

void ExportDialog::browse() {
    const QString filter =
        QStringLiteral("%1 (*.%2)").arg(m_format->currentText(), m_format->currentData().toString());
    const QString file = QFileDialog::getSaveFileName(this, tr("Export"), m_file->text(), filter, nullptr,
                                                      QFileDialog::DontConfirmOverwrite);
    if (file.isEmpty()) return;
    m_file->setText(file);
    followEnding();
}

void ExportDialog::save() {
    if (m_watcher.isRunning()) return;
    if (const QString problem = partProblem(); !problem.isEmpty()) {
        say(problem);
        return;
    }
    ExportJob now = job();
    if (now.target.empty()) {
        say(tr("Choose a file first."));
        return;
    }
    if (QFileInfo(m_file->text()).suffix() != now.extension) {
        m_file->setText(m_file->text().trimmed() + u'.' + now.extension);
        now = job();
    }
    const bool exists = QFileInfo::exists(m_file->text());
    if (exists && m_save->property("replaces") != m_file->text()) {
        say(tr("%1 exists already. Press Replace to write over it.")
                .arg(QFileInfo(m_file->text()).fileName()));
        m_save->setText(tr("&Replace"));
        m_save->setProperty("replaces", m_file->text());
        return;
    }
    m_save->setEnabled(false);
    *m_cancel = CancelToken();
    m_watcher.setFuture(QtConcurrent::run([now, cancel = *m_cancel]() -> QString {
        QString sentence;
        try {
            translatingErrors([&] { runExportJob(now, cancel); });
        } catch (const Error& error) {
            sentence = QString::fromStdString(error.sentence());
        }
        return sentence;
    }));
}

void ExportDialog::saved() {
    m_save->setEnabled(true);
    const QString error = m_watcher.result();
    if (!error.isEmpty()) {
        say(error);
        return;
    }
    QSettings settings;
    settings.setValue(kFolderKey, QFileInfo(m_file->text()).absolutePath());
    settings.setValue(kFormatKey, m_format->currentData());
    accept();
}

void ExportDialog::reject() {
    m_cancel->cancel();
    m_watcher.waitForFinished();
    QDialog::reject();
}

void ExportDialog::say(const QString& error) {
    m_message->setText(error);
    m_message->setVisible(!error.isEmpty());
    m_save->setText(tr("&Save"));
    m_save->setProperty("replaces", QVariant());
}

QString ExportDialog::writtenFile() const {
    return result() == Accepted ? m_file->text() : QString();
}

} // namespace headscope::ui
