// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the settings dialog.
#include "ui/settings_rows.h"

#include "ui/settings_dialog.h"
#include "ui/text_history.h"

#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

namespace headscope::ui {
namespace {

constexpr std::array kThemes{ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark};
constexpr std::array kColormaps{Colormap::Viridis, Colormap::Magma, Colormap::Cividis, Colormap::Grey};
constexpr std::array kDevices{DeviceChoice::Auto, DeviceChoice::Cpu, DeviceChoice::Cuda};
constexpr std::array<DisplayRange, 4> kRanges{
    {{}, {RangeMode::Fixed, 0.0F, 1.0F}, {RangeMode::PerRow, 0.0F, 1.0F}, {RangeMode::Log, 0.0F, 1.0F}}};

/// Shows and changes a field whose values stand in `values` in the order of the box.
template <typename Values, typename Field>
auto refresherOf(QComboBox* box, const Values& values, Field Preferences::*field) {
    return [box, &values, field](const Preferences& p) {
        const QSignalBlocker block(box);
        const auto found = std::find(values.begin(), values.end(), p.*field);
        box->setCurrentIndex(found == values.end() ? -1 : static_cast<int>(found - values.begin()));
    };
}

} // namespace

QString markedWords(const QString& text, const QStringList& words) {
    // What is marked, letter by letter: words may overlap.
    std::vector<bool> marked(static_cast<std::size_t>(text.size()), false);
    const QString small = text.toLower();
    for (const QString& word : words) {
        if (small.size() != text.size()) break; // letters that change their number are not marked
        for (qsizetype at = small.indexOf(word); at >= 0; at = small.indexOf(word, at + 1))
            std::fill_n(marked.begin() + at, word.size(), true);
    }
    const ThemeColors& colors = Theme::instance().colors();
    const QString begin = QStringLiteral("<span style=\"background-color: %1; color: %2;\">")
                              .arg(colors.selection.name(), colors.text.name());
    QString rich;
    bool open = false;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        const bool on = i < text.size() && marked[static_cast<std::size_t>(i)];
        if (on != open) rich += on ? begin : QStringLiteral("</span>");
        open = on;
        if (i < text.size()) rich += QString(text[i]).toHtmlEscaped();
    }
    return rich;
}

void SettingsDialog::buildLook() {
    addSection(tr("Look"));
    QComboBox* theme = addChoice(tr("Theme"), tr("Light or dark, or as the desktop asks."),
                                 {tr("Follow the system"), tr("Light"), tr("Dark")});
    connect(theme, &QComboBox::activated, this, [this](int i) {
        change([i](Preferences& p) { p.theme = kThemes.at(static_cast<std::size_t>(i)); });
    });
    m_refreshers.emplace_back(refresherOf(theme, kThemes, &Preferences::theme));
    QComboBox* colormap = addChoice(tr("Colour map"), tr("Of this view and of those that begin afresh."),
                                    {tr("Viridis"), tr("Magma"), tr("Cividis"), tr("Grey")});
    connect(colormap, &QComboBox::activated, this, [this](int i) {
        change([i](Preferences& p) { p.colormap = kColormaps.at(static_cast<std::size_t>(i)); });
    });
    m_refreshers.emplace_back(refresherOf(colormap, kColormaps, &Preferences::colormap));
    QComboBox* range = addChoice(tr("Colour scale"), tr("Of this view and of those that begin afresh."),
                                 {tr("Automatic"), tr("0 to 1"), tr("Per row"), tr("Logarithmic")});
    connect(range, &QComboBox::activated, this, [this](int i) {
        change([i](Preferences& p) { p.range = kRanges.at(static_cast<std::size_t>(i)); });
    });
    m_refreshers.emplace_back(refresherOf(range, kRanges, &Preferences::range));
}

void SettingsDialog::buildRunning() {
    addSection(tr("Running"));
    QComboBox* device = addChoice(
        tr("Device"), tr("Where models run. A model that is open is opened again."),
        {tr("Automatic"), tr("CPU"), m_cudaAvailable ? tr("GPU (CUDA)") : tr("GPU (no CUDA device)")});
    if (!m_cudaAvailable) qobject_cast<QStandardItemModel*>(device->model())->item(2)->setEnabled(false);
    connect(device, &QComboBox::activated, this, [this](int i) {
        change([i](Preferences& p) { p.device = kDevices.at(static_cast<std::size_t>(i)); });
    });
    m_refreshers.emplace_back(refresherOf(device, kDevices, &Preferences::device));
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    QSpinBox* threads =
        addNumber(tr("Threads"), tr("Of the CPU, from the next run on."), 0, cores, &Preferences::threads);
    threads->setSpecialValueText(tr("All %1").arg(cores));
    addSwitch(tr("Run while typing"), tr("Analyse again shortly after each edit of the text."), {},
              &Preferences::runWhileTyping);
    addSection(tr("Judging"));
    QCheckBox* judge =
        addSwitch(tr("Judge in the background"),
                  tr("Once a model is open, find out what all its heads do, if that does not take long."),
                  tr("diagnose labels"), &Preferences::judgeUnasked);
    QSpinBox* seconds =
        addNumber(tr("Time limit"), tr("What is expected to take longer begins only when you ask for it."), 1,
                  Preferences::kLongestJudging, &Preferences::judgeSeconds);
    seconds->setSuffix(tr(" s"));
    seconds->setEnabled(judge->isChecked());
    m_refreshers.emplace_back([seconds](const Preferences& p) { seconds->setEnabled(p.judgeUnasked); });
    addSection(tr("Starting"));
    addSwitch(tr("Go on where the last window ended"),
              tr("Off: windows begin afresh, but after a crash or with notes that are in no file."),
              tr("remember last session restore"), &Preferences::rememberSession);
}

void SettingsDialog::buildLists() {
    addSection(tr("Lists"));
    addNumber(tr("Recent models"), tr("How many are listed."), 0, Preferences::kMostModels,
              &Preferences::recentModels);
    auto* models = new QPushButton(tr("Clear"), m_page);
    models->setAutoDefault(false);
    addRow(tr("Clear the recent models"), tr("The models themselves stay where they are."), models);
    connect(models, &QPushButton::clicked, this, [this] {
        const QStringList before = m_settings.storedModels();
        m_settings.clearRecentModels();
        offerUndo(tr("The list of recent models is empty."),
                  [this, before] { m_settings.setRecentModels(before); });
    });
    addNumber(tr("Texts that were run"), tr("How many are listed (Ctrl+H); with 0 none is added."), 0,
              Preferences::kMostTexts, &Preferences::pastTexts);
    auto* texts = new QPushButton(tr("Clear"), m_page);
    texts->setAutoDefault(false);
    addRow(tr("Clear the texts that were run"), tr("The text in the text box stays."), texts, tr("history"));
    connect(texts, &QPushButton::clicked, this, [this] {
        const std::vector<PastText> before = m_history.texts();
        m_history.clear();
        offerUndo(tr("The list of texts is empty."), [this, before] { m_history.putBack(before); });
    });
}

} // namespace headscope::ui
