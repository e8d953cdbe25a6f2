// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog's half that builds its controls.
#include "ui/export/export_dialog.h"
#include "ui/export/export_dialog_choices.h"
#include "ui/export/export_job.h"
#include "ui/export/export_preview.h"
#include "ui/export/picture_settings.h"
#include "ui/format.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
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

/// Millimetres; "203.2 mm", "85 mm".
class LengthBox final : public QDoubleSpinBox {
  public:
    LengthBox(double low, double high, double value) {
        setDecimals(1);
        setRange(low, high);
        setValue(value);
        setSuffix(ExportDialog::tr(" mm"));
        setButtonSymbols(QAbstractSpinBox::NoButtons);
    }
    QString textFromValue(double value) const override {
        QString text = QDoubleSpinBox::textFromValue(value);
        if (const QString none = locale().decimalPoint() + locale().zeroDigit(); text.endsWith(none))
            text.chop(none.size());
        return text;
    }
};

QString colormapText(Colormap map) {
    switch (map) {
    case Colormap::Viridis:
        return ExportDialog::tr("Viridis");
    case Colormap::Magma:
        return ExportDialog::tr("Magma");
    case Colormap::Cividis:
        return ExportDialog::tr("Cividis");
    case Colormap::Grey:
        return ExportDialog::tr("Grey");
    case Colormap::Diverging:
        return ExportDialog::tr("Diverging");
    }
    return {};
}

QLineEdit* edit(const QString& text, const QString& placeholder, const QString& name) {
    auto* edit = new QLineEdit(text);
    edit->setPlaceholderText(placeholder);
    edit->setAccessibleName(name);
    return edit;
}

/// Two fields beside each other, with a sign between them or none.
QWidget* pairOf(QWidget* left, const QString& between, QWidget* right) {
    auto* pair = new QWidget;
    auto* line = new QHBoxLayout(pair);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(left, 1);
    if (!between.isEmpty()) line->addWidget(new QLabel(between));
    line->addWidget(right, 1);
    pair->setFocusProxy(left);
    return pair;
}

} // namespace

QString choiceText(RangeChoice choice) {
    switch (choice) {
    case RangeChoice::AsShown:
        return ExportDialog::tr("As on screen");
    case RangeChoice::Auto:
        return ExportDialog::tr("Automatic");
    case RangeChoice::ZeroToOne:
        return ExportDialog::tr("0 to 1");
    case RangeChoice::PerRow:
        return ExportDialog::tr("Each row");
    case RangeChoice::Log:
        return ExportDialog::tr("Logarithmic");
    }
    return {};
}

QString choiceText(const FigurePreset& preset) {
    if (preset.name == "single") return ExportDialog::tr("Single column, 85 mm");
    if (preset.name == "double") return ExportDialog::tr("Double column, 178 mm");
    if (preset.name == "slide") return ExportDialog::tr("Slide");
    if (preset.name == "article") return ExportDialog::tr("As in the articles, 10 × 8 in");
    return QString::fromUtf8(preset.name.data(), static_cast<qsizetype>(preset.name.size()));
}

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
    addChoice(*m_subject,
              m_first->view.heads == HeadsShown::One
                  ? tr("This head (%1)").arg(QString::fromStdString(headText(current)))
                  : headsName(shownHeads(m_first->analysis->model->spec(), current, m_first->view),
                              m_first->view.heads),
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
    for (const RangeChoice choice : kRangeChoices) addChoice(*m_range, choiceText(choice), choice);
    m_theme = new QComboBox;
    addChoice(*m_theme, tr("Light"), ThemeOfPicture::Light);
    addChoice(*m_theme, tr("Dark"), ThemeOfPicture::Dark);
    buildFigureControls();
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

void ExportDialog::buildFigureControls() {
    m_preset = new QComboBox;
    m_preset->addItem(tr("As set below"), QString());
    for (const FigurePreset& preset : kFigurePresets)
        m_preset->addItem(choiceText(preset), QString::fromLatin1(preset.name.data()));
    m_preset->setToolTip(tr("Size and letters for where the picture will stand"));
    m_colormap = new QComboBox;
    for (const Colormap map : allColormaps()) addChoice(*m_colormap, colormapText(map), map);
    m_colormap->setCurrentIndex(m_colormap->findData(static_cast<int>(m_first->figure.colormap)));
    m_width = new LengthBox(20.0, 5000.0, m_first->figure.widthMm);
    m_width->setAccessibleName(tr("Width"));
    m_height = new LengthBox(0.0, 5000.0, 0.0);
    m_height->setSpecialValueText(tr("as needed"));
    m_height->setAccessibleName(tr("Height"));
    m_height->setToolTip(tr("Of the picture of one head; 0: as high as the map needs"));
    m_dpi = spinBox(ExportDefaults::kLeastDpi, ExportDefaults::kMostDpi, m_first->figure.dpi,
                    tr(" dots per inch"));
    m_dpi->setAccessibleName(tr("Density"));
    m_fontSize = spinBox(ExportDefaults::kLeastFont, ExportDefaults::kMostFont,
                         qRound(m_first->figure.fontSizePt), tr(" pt"));
    m_fontSize->setAccessibleName(tr("Labels"));
    const QString noneTip = tr("Empty: the usual words. A space alone: none.");
    m_title = edit(m_first->figure.title, tr("The name of the head"), tr("Title"));
    m_yLabel = edit({}, tr("query (reads)"), tr("Words of the rows"));
    m_xLabel = edit({}, tr("key (is read)"), tr("Words of the columns"));
    for (QLineEdit* words : {m_title, m_yLabel, m_xLabel}) words->setToolTip(noneTip);
    m_rows = edit({}, tr("all rows"), tr("Rows"));
    m_columns = edit({}, tr("all columns"), tr("Columns"));
    for (QLineEdit* part : {m_rows, m_columns})
        part->setToolTip(tr("first:end, counted from 0: 0:16 is the first sixteen tokens"));
    m_values = new QCheckBox(tr("Print the weights into the cells"));
    m_values->setToolTip(tr("Where the cells have room for them"));
    m_values->setChecked(m_first->figure.values);
    m_margins = new QCheckBox(tr("Bars beside the map"));
    m_margins->setToolTip(tr("At the right how widely each row reads, below how much each column gets"));
    m_margins->setChecked(m_first->figure.margins);
    m_transparent = new QCheckBox(tr("No background"));
    m_transparent->setToolTip(tr("What is behind the picture shows through"));
    m_described = new QCheckBox(tr("Caption inside the file"));
    m_described->setToolTip(tr("Not to be seen: what the picture shows, of what model and text, for readers "
                               "and programs. Off: the file says nothing of it."));
    m_described->setChecked(true);
    m_keep = new QPushButton;
    m_keep->setProperty("role", QByteArray("link"));
    m_keep->setAutoDefault(false);
    m_keep->setToolTip(
        tr("Preset, range, theme, density, labels, background and caption are what exports "
           "begin with from now on. They stand in the settings too; commands do not read them."));
}

void ExportDialog::connectControls() {
    connect(m_subject, &QComboBox::currentIndexChanged, this, &ExportDialog::followSubject);
    connect(m_preset, &QComboBox::currentIndexChanged, this, &ExportDialog::takePreset);
    for (QComboBox* box : {m_subject, m_format, m_range, m_theme, m_colormap})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::changed);
    for (QDoubleSpinBox* box : {m_width, m_height})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::changed);
    for (QSpinBox* box : {m_dpi, m_fontSize})
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::changed);
    for (QCheckBox* box : {m_values, m_margins, m_hideSpecial, m_transparent, m_described})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::changed);
    for (QLineEdit* edit : {m_title, m_xLabel, m_yLabel, m_rows, m_columns})
        connect(edit, &QLineEdit::textChanged, this, &ExportDialog::changed);
    connect(m_keep, &QPushButton::clicked, this, [this] {
        m_defaults = choices();
        offerDefaults();
        Q_EMIT defaultsChosen(m_defaults);
    });
    connect(m_file, &QLineEdit::textChanged, this, [this] { say({}); });
    connect(m_file, &QLineEdit::textEdited, this, &ExportDialog::followEnding);
}

QWidget* ExportDialog::buildForm() {
    auto* panel = new QWidget;
    panel->setFixedWidth(330);
    m_form = new QFormLayout(panel);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setVerticalSpacing(8);
    m_form->setHorizontalSpacing(12);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->addRow(tr("&What"), m_subject);
    m_form->addRow(tr("&Format"), m_format);
    m_form->addRow(tr("&Preset"), m_preset);
    m_form->addRow(tr("&Range"), m_range);
    m_form->addRow(tr("&Colours"), m_colormap);
    m_form->addRow(tr("&Theme"), m_theme);
    m_form->addRow(tr("S&ize"), pairOf(m_width, tr("×"), m_height));
    m_form->addRow(tr("&Density"), m_dpi);
    m_form->addRow(tr("L&abels"), m_fontSize);
    m_form->addRow(tr("Tit&le"), m_title);
    m_form->addRow(tr("A&xes"), pairOf(m_yLabel, {}, m_xLabel));
    m_form->addRow(tr("To&kens"), pairOf(m_rows, {}, m_columns));
    m_form->addRow(m_values);
    m_form->addRow(m_margins);
    m_form->addRow(m_hideSpecial);
    m_form->addRow(m_transparent);
    m_form->addRow(m_described);
    m_form->addRow(m_keep);
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
