// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include "ui/export/export_job.h"
#include "ui/export/export_preview.h"
#include "ui/export/picture_writer.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <QtConcurrent>

#include <utility>

namespace headscope::ui {

namespace {

const QString kFolderKey = QStringLiteral("export/folder");
const QString kFormatKey = QStringLiteral("export/format");

enum class RangeChoice { AsShown, Auto, ZeroToOne, PerRow, Log };
enum class ThemeOfPicture { Light, Dark };

template <typename Choice>
Choice chosen(const QComboBox& box) {
    return static_cast<Choice>(box.currentData().toInt());
}

template <typename Choice>
void addChoice(QComboBox& box, const QString& text, Choice choice) {
    box.addItem(text, static_cast<int>(choice));
}

QSpinBox* spinBox(int low, int high, int value, const QString& suffix) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons); // keys and wheel step it; the arrows would be tiny
    return box;
}

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

} // namespace

ExportDialog::ExportDialog(std::shared_ptr<const Analysis> analysis, const HeadRef& current,
                           const FigureOptions& shown, QWidget* parent)
    : QDialog(parent), m_first(std::make_unique<ExportJob>()), m_cancel(std::make_unique<CancelToken>()) {
    setWindowTitle(tr("Export"));
    m_first->analysis = std::move(analysis);
    m_first->head = current;
    m_first->figure = shown;
    buildControls(current);

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
    resize(900, 600);

    restoreChoices();
    connect(m_preview, &ExportPreview::painted, this, [this](const QString& error, const QSizeF& size) {
        if (!error.isEmpty()) say(error);
        const QSize pixels =
            pixelSize({.size = size, .title = {}, .background = {}, .paint = {}}, m_dpi->value());
        const QString millimetres =
            tr("%1 × %2 mm").arg(qRound(size.width() / 72 * 25.4)).arg(qRound(size.height() / 72 * 25.4));
        m_size->setText(
            m_format->currentData() == QStringLiteral("png")
                ? tr("%1, %2 × %3 pixels").arg(millimetres).arg(pixels.width()).arg(pixels.height())
                : millimetres);
    });
    connect(&m_watcher, &QFutureWatcher<QString>::finished, this, &ExportDialog::saved);
    changed();
}

ExportDialog::~ExportDialog() {
    m_cancel->cancel();
    m_watcher.waitForFinished();
}

void ExportDialog::buildControls(const HeadRef& current) {
    m_preview = new ExportPreview;
    m_size = new QLabel;
    m_size->setProperty("role", "muted");
    m_subject = new QComboBox;
    addChoice(*m_subject, tr("This head (%1)").arg(QString::fromStdString(headText(current))),
              ExportSubject::Head);
    addChoice(*m_subject, tr("All heads of layer %1").arg(current.layer.value), ExportSubject::Layer);
    addChoice(*m_subject, tr("Overview of all heads"), ExportSubject::Grid);
    m_format = new QComboBox;
    m_format->addItem(tr("PNG picture"), QStringLiteral("png"));
    m_format->addItem(tr("SVG picture"), QStringLiteral("svg"));
    m_format->addItem(tr("PDF picture"), QStringLiteral("pdf"));
    m_format->addItem(tr("CSV table"), QStringLiteral("csv"));
    m_format->addItem(tr("NumPy array"), QStringLiteral("npy"));
    m_format->addItem(tr("JSON"), QStringLiteral("json"));
    m_range = new QComboBox;
    addChoice(*m_range, tr("As on screen"), RangeChoice::AsShown);
    addChoice(*m_range, tr("Automatic"), RangeChoice::Auto);
    addChoice(*m_range, tr("0 to 1"), RangeChoice::ZeroToOne);
    addChoice(*m_range, tr("Each row"), RangeChoice::PerRow);
    addChoice(*m_range, tr("Logarithmic"), RangeChoice::Log);
    m_theme = new QComboBox;
    addChoice(*m_theme, tr("Light"), ThemeOfPicture::Light);
    addChoice(*m_theme, tr("Dark"), ThemeOfPicture::Dark);
    m_width = spinBox(20, 2000, qRound(m_first->figure.widthMm), tr(" mm"));
    m_dpi = spinBox(36, 2400, m_first->figure.dpi, tr(" dots per inch"));
    m_fontSize = spinBox(2, 72, qRound(m_first->figure.fontSizePt), tr(" pt"));
    m_title = new QLineEdit(m_first->figure.title);
    m_title->setPlaceholderText(tr("The name of the head"));
    m_values = new QCheckBox(tr("Print the weights into the cells"));
    m_values->setToolTip(tr("Where the cells have room for them"));
    m_values->setChecked(m_first->figure.values);
    m_hideSpecial = new QCheckBox(tr("Leave out special tokens"));
    m_file = new QLineEdit;
    m_file->setAccessibleName(tr("File"));
    m_message = new QLabel;
    m_message->setProperty("role", "error");
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->hide();

    for (QComboBox* box : {m_subject, m_format, m_range, m_theme})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::changed);
    for (QSpinBox* box : {m_width, m_dpi, m_fontSize})
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::changed);
    for (QCheckBox* box : {m_values, m_hideSpecial})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::changed);
    connect(m_title, &QLineEdit::textChanged, this, &ExportDialog::changed);
    connect(m_file, &QLineEdit::textChanged, this, [this] { say({}); });
    connect(m_file, &QLineEdit::textEdited, this, &ExportDialog::followEnding);
}

QWidget* ExportDialog::buildForm() {
    auto* panel = new QWidget;
    panel->setFixedWidth(300);
    m_form = new QFormLayout(panel);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setVerticalSpacing(8);
    m_form->setHorizontalSpacing(12);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->addRow(tr("&What"), m_subject);
    m_form->addRow(tr("&Format"), m_format);
    m_form->addRow(tr("&Range"), m_range);
    m_form->addRow(tr("&Theme"), m_theme);
    m_form->addRow(tr("W&idth"), m_width);
    m_form->addRow(tr("&Density"), m_dpi);
    m_form->addRow(tr("L&abels"), m_fontSize);
    m_form->addRow(tr("Tit&le"), m_title);
    m_form->addRow(m_values);
    m_form->addRow(m_hideSpecial);
    return panel;
}

QWidget* ExportDialog::buildFooter() {
    auto* footer = new QWidget;
    auto* all = new QVBoxLayout(footer);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(8);
    all->addWidget(m_message);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    auto* label = new QLabel(tr("Fil&e"));
    label->setBuddy(m_file);
    auto* browse = new QPushButton(tr("&Browse…"));
    auto* cancel = new QPushButton(tr("Cancel"));
    m_save = new QPushButton(tr("&Save"));
    m_save->setProperty("role", "primary");
    m_save->setDefault(true);
    browse->setAutoDefault(false);
    cancel->setAutoDefault(false);
    line->addWidget(label);
    line->addWidget(m_file, 1);
    line->addWidget(browse);
    line->addSpacing(16);
    line->addWidget(cancel);
    line->addWidget(m_save);
    all->addLayout(line);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(cancel, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &ExportDialog::save);
    return footer;
}

void ExportDialog::restoreChoices() {
    const QSettings settings;
    const int format = m_format->findData(settings.value(kFormatKey).toString());
    if (format >= 0) m_format->setCurrentIndex(format);
    if (m_first->figure.theme.dark)
        m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(ThemeOfPicture::Dark)));
}

ExportJob ExportDialog::job() const {
    ExportJob job = *m_first;
    job.subject = chosen<ExportSubject>(*m_subject);
    job.extension = m_format->currentData().toString();
    job.hideSpecial = m_hideSpecial->isChecked();
    FigureOptions& figure = job.figure;
    figure.range = rangeOf(chosen<RangeChoice>(*m_range), m_first->figure.range);
    const bool dark = chosen<ThemeOfPicture>(*m_theme) == ThemeOfPicture::Dark;
    if (dark != figure.theme.dark)
        figure.theme = dark ? HeatmapTheme::darkTheme() : HeatmapTheme::lightTheme();
    figure.widthMm = m_width->value();
    figure.dpi = m_dpi->value();
    figure.fontSizePt = m_fontSize->value();
    figure.title = m_title->text().isEmpty() ? QString() : m_title->text();
    figure.values = m_values->isChecked();
    job.target = m_file->text().trimmed().toStdString();
    return job;
}

void ExportDialog::changed() {
    const ExportJob now = job();
    const bool picture = isPicture(now.extension);
    const bool grid = now.subject == ExportSubject::Grid;
    for (QWidget* row : std::initializer_list<QWidget*>{m_range, m_theme, m_width, m_fontSize, m_title})
        row->setEnabled(picture);
    m_dpi->setEnabled(now.extension == QStringLiteral("png"));
    m_values->setEnabled(picture && !grid);
    m_hideSpecial->setEnabled(!picture || !grid);
    followFileName();
    say({});
    m_preview->show(now);
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
    const int format = m_format->findData(QFileInfo(m_file->text().trimmed()).suffix().toLower());
    if (format >= 0) m_format->setCurrentIndex(format);
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
