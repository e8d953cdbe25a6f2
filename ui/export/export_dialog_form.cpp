// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog's half that builds its controls.
#include "ui/export/export_dialog.h"
#include "ui/export/export_dialog_choices.h"
#include "ui/export/export_job.h"
#include "ui/export/export_preview.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

QSpinBox* spinBox(int low, int high, int value, const QString& suffix) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons); // keys and wheel step it; the arrows would be tiny
    return box;
}

} // namespace

void ExportDialog::buildControls(const HeadRef& current) {
    m_preview = new ExportPreview;
    m_size = new QLabel;
    m_size->setProperty("role", "muted");
    m_subject = new QComboBox;
    if (m_first->comparison)
        addChoice(*m_subject,
                  tr("Comparison of %1 and %2")
                      .arg(QString::fromStdString(headText(m_first->comparison->sides[0].head)),
                           QString::fromStdString(headText(m_first->comparison->sides[1].head))),
                  ExportSubject::Comparison);
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
    connectControls();
}

void ExportDialog::connectControls() {
    connect(m_subject, &QComboBox::currentIndexChanged, this, &ExportDialog::followSubject);
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

} // namespace headscope::ui
