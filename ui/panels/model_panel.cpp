// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/model_panel.h"

#include "ui/format.h"
#include "ui/panels/card.h"
#include "ui/panels/recent.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace headscope::ui {
namespace {

constexpr int kAdapterWidth = 150; ///< pixels of its name

/// As high as its lines need at its width: in a dock a layout gives it two.
void fitHeight(QLabel& label) {
    label.setMinimumHeight(label.heightForWidth(label.width()));
}

class TallLabel final : public QLabel {
  public:
    using QLabel::QLabel;

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        fitHeight(*this);
    }
};

} // namespace

ModelPanel::ModelPanel(bool cudaAvailable, QWidget* parent)
    : QWidget(parent), m_name(new QLabel(this)), m_family(new TallLabel(this)),
      m_adapterRow(new QWidget(this)), m_adapter(new QLabel(m_adapterRow)), m_notes(new QPushButton(this)),
      m_open(new QPushButton(tr("Open folder…"), this)), m_recent(new QPushButton(tr("Recent ▾"), this)),
      m_recentMenu(new QMenu(m_recent)), m_device(new QComboBox(this)) {
    m_name->setFont(Theme::font(metrics::kTitle, QFont::DemiBold));
    for (QLabel* label : {m_name, m_family}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_family->setProperty("role", QByteArray("muted"));
    m_adapter->setTextFormat(Qt::PlainText);
    auto* removing = new QPushButton(tr("Remove"), m_adapterRow);
    removing->setProperty("role", QByteArray("link"));
    removing->setToolTip(tr("Open the model without the adapter"));
    removing->setAccessibleName(tr("Remove the adapter"));
    auto* adapterLayout = new QHBoxLayout(m_adapterRow);
    adapterLayout->setContentsMargins(0, 0, 0, 0);
    adapterLayout->setSpacing(8);
    adapterLayout->addWidget(m_adapter, 1);
    adapterLayout->addWidget(removing);
    connect(removing, &QPushButton::clicked, this, &ModelPanel::adapterRemoved);
    m_notes->setProperty("role", QByteArray("link"));
    m_open->setToolTip(tr("Open a checkpoint folder (config.json, model.safetensors, tokenizer.json)"));
    m_recent->setMenu(m_recentMenu);
    // Folders come and go while the window is open.
    connect(m_recentMenu, &QMenu::aboutToShow, this, [this] { setRecent(QStringList(m_recentFolders)); });
    m_recent->setToolTip(tr("Models opened before"));

    m_device->addItem(tr("Automatic"), static_cast<int>(DeviceChoice::Auto));
    m_device->addItem(tr("CPU"), static_cast<int>(DeviceChoice::Cpu));
    m_device->addItem(cudaAvailable ? tr("GPU (CUDA)") : tr("GPU (no CUDA device)"),
                      static_cast<int>(DeviceChoice::Cuda));
    m_device->setAccessibleName(tr("Device"));
    m_device->setToolTip(tr("Where the model runs"));
    if (!cudaAvailable) {
        auto* items = qobject_cast<QStandardItemModel*>(m_device->model());
        items->item(2)->setEnabled(false);
        items->item(2)->setToolTip(tr("LibTorch finds no CUDA device on this machine"));
    }

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(sectionLabel(tr("Model"), this));
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_name);
    words->addWidget(m_family);
    layout->addLayout(words);
    layout->addWidget(m_adapterRow);
    layout->addWidget(m_notes, 0, Qt::AlignLeft);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_open, 1);
    buttons->addWidget(m_recent);
    layout->addLayout(buttons);
    auto* device = new QHBoxLayout;
    auto* deviceLabel = new QLabel(tr("&Device"), this);
    deviceLabel->setBuddy(m_device);
    device->addWidget(deviceLabel);
    device->addWidget(m_device, 1);
    layout->addLayout(device);

    connect(m_notes, &QPushButton::clicked, this, &ModelPanel::notesRequested);
    connect(m_open, &QPushButton::clicked, this, &ModelPanel::openRequested);
    connect(m_device, &QComboBox::activated, this, [this](int index) {
        Q_EMIT deviceChosen(static_cast<DeviceChoice>(m_device->itemData(index).toInt()));
    });
    showModel(nullptr);
    setAdapter({});
    setRecent({});
}

void ModelPanel::showModel(const std::shared_ptr<const OpenModel>& model) {
    if (!model) {
        m_name->setText(tr("No model open"));
        m_family->setText(tr("Open the folder of a checkpoint, or drop it on the window."));
        fitHeight(*m_family);
        m_notes->hide();
        return;
    }
    m_name->setText(QString::fromStdString(model->name));
    m_name->setToolTip(QString::fromStdString(model->folder.string()));
    if (model->model) {
        QString family = familyText(model->spec());
        if (!model->imported) family += tr(" · %1 weights").arg(countText(model->model->parameters()));
        // Lines break at the dots only.
        family.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
        m_family->setText(family.replace(QStringLiteral("\u00a0·\u00a0"), QStringLiteral("\u00a0· ")));
        fitHeight(*m_family);
    }
    QStringList notes;
    for (const std::string& note : model->notes) {
        notes << QString::fromStdString(note);
    }
    if (model->model && !model->imported) {
        for (const std::string& advice : headSizeAdvice(model->spec())) {
            notes << QString::fromStdString(advice);
        }
    }
    m_notes->setText(notes.size() == 1
                         ? (model->imported ? tr("1 note on these maps") : tr("1 note on this model"))
                         : (model->imported ? tr("%1 notes on these maps") : tr("%1 notes on this model"))
                               .arg(notes.size()));
    m_notes->setToolTip(QStringLiteral("• ") + notes.join(QStringLiteral("\n• ")));
    m_notes->setVisible(!notes.isEmpty());
}

void ModelPanel::showOpening(const QString& folder) {
    m_name->setText(QFileInfo(folder).fileName());
    m_family->setText(tr("Opening…"));
    fitHeight(*m_family);
    m_notes->hide();
}

void ModelPanel::setRecent(const QStringList& folders) {
    m_recentFolders = folders;
    fillRecentMenu(
        *m_recentMenu, folders,
        {[this](const QString& folder) { Q_EMIT recentChosen(folder); }, [this] { Q_EMIT recentCleared(); }});
    m_recent->setEnabled(!folders.isEmpty());
}

void ModelPanel::setDevice(DeviceChoice device) {
    m_device->setCurrentIndex(m_device->findData(static_cast<int>(device)));
}

void ModelPanel::setAdapter(const QString& folder) {
    m_adapterRow->setVisible(!folder.isEmpty());
    // A long name is cut in the middle; the tip has it whole.
    m_adapter->setText(tr("+ %1").arg(
        m_adapter->fontMetrics().elidedText(QFileInfo(folder).fileName(), Qt::ElideMiddle, kAdapterWidth)));
    m_adapter->setToolTip(tr("The LoRA adapter in %1 is added to the weights").arg(folder));
}

QString ModelPanel::summary() const {
    return m_name->text() + QLatin1Char('\n') +
           m_family->text().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
}

} // namespace headscope::ui
