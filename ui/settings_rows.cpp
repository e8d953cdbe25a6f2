// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the settings dialog.
#include "ui/settings_rows.h"

#include "ui/export/export_dialog_choices.h"
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

constexpr std::array kDark{false, true};

template <typename Values, typename Value>
int placeOf(const Values& values, const Value& wanted) {
    const auto found = std::find(values.begin(), values.end(), wanted);
    return found == values.end() ? -1 : static_cast<int>(found - values.begin());
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

template <typename Values, typename Value>
QComboBox* SettingsDialog::bind(QComboBox* box, const Values& values, Value& (*field)(Preferences&)) {
    connect(box, &QComboBox::activated, this, [this, &values, field](int i) {
        change([&](Preferences& p) { field(p) = values.at(static_cast<std::size_t>(i)); });
    });
    m_refreshers.emplace_back([box, &values, field](Preferences p) {
        const QSignalBlocker block(box);
        box->setCurrentIndex(placeOf(values, field(p)));
    });
    return box;
}

void SettingsDialog::buildLook() {
    addSection(tr("Look"));
    bind(
        addChoice(tr("Theme"), tr("Light or dark, or as the desktop asks."),
                  {tr("Follow the system"), tr("Light"), tr("Dark")}),
        kThemes, +[](Preferences& p) -> ThemeChoice& { return p.theme; });
    bind(
        addChoice(tr("Colour map"), tr("Of this view and of those that begin afresh."),
                  {tr("Viridis"), tr("Magma"), tr("Cividis"), tr("Grey")}),
        kColormaps, +[](Preferences& p) -> Colormap& { return p.colormap; });
    bind(
        addChoice(tr("Colour scale"), tr("Of this view and of those that begin afresh."),
                  {tr("Automatic"), tr("0 to 1"), tr("Per row"), tr("Logarithmic")}),
        kRanges, +[](Preferences& p) -> DisplayRange& { return p.range; });
}

void SettingsDialog::buildRunning() {
    addSection(tr("Running"));
    QComboBox* device = addChoice(
        tr("Device"), tr("Where models run. A model that is open is opened again."),
        {tr("Automatic"), tr("CPU"), m_cudaAvailable ? tr("GPU (CUDA)") : tr("GPU (no CUDA device)")});
    if (!m_cudaAvailable) qobject_cast<QStandardItemModel*>(device->model())->item(2)->setEnabled(false);
    bind(
        device, kDevices, +[](Preferences& p) -> DeviceChoice& { return p.device; });
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    QSpinBox* threads = addNumber(tr("Threads"), tr("Of the CPU, from the next run on."), {0, cores},
                                  [](Preferences& p) -> int& { return p.threads; });
    threads->setSpecialValueText(tr("All %1").arg(cores));
    addSwitch(tr("Run while typing"), tr("Analyse again shortly after each edit of the text."), {},
              [](Preferences& p) -> bool& { return p.runWhileTyping; });
    addSection(tr("Judging"));
    QCheckBox* judge =
        addSwitch(tr("Judge in the background"),
                  tr("Once a model is open, find out what all its heads do, if that does not take long."),
                  tr("diagnose labels"), [](Preferences& p) -> bool& { return p.judgeUnasked; });
    QSpinBox* seconds =
        addNumber(tr("Time limit"), tr("What is expected to take longer begins only when you ask for it."),
                  {1, Preferences::kLongestJudging}, [](Preferences& p) -> int& { return p.judgeSeconds; });
    seconds->setSuffix(tr(" s"));
    seconds->setEnabled(judge->isChecked());
    m_refreshers.emplace_back([seconds](const Preferences& p) { seconds->setEnabled(p.judgeUnasked); });
    addSection(tr("Starting"));
    addSwitch(tr("Go on where the last window ended"),
              tr("Off: windows begin afresh, but after a crash or with notes that are in no file."),
              tr("remember last session restore"), [](Preferences& p) -> bool& { return p.rememberSession; });
}

void SettingsDialog::buildExports() {
    addSection(tr("Exports"));
    bind(
        addChoice(tr("Theme of exports"),
                  tr("What the export dialog begins with, as all of this section; commands do not read it."),
                  {tr("Light"), tr("Dark")}),
        kDark, +[](Preferences& p) -> bool& { return p.exports.dark; });
    QStringList presets{tr("None")};
    static const std::vector<std::string> kPresets = [] {
        std::vector<std::string> names{{}};
        for (const FigurePreset& preset : kFigurePresets) names.emplace_back(preset.name);
        return names;
    }();
    for (const FigurePreset& preset : kFigurePresets) presets << choiceText(preset);
    bind(
        addChoice(tr("Preset"), tr("Size and letters for where the picture will stand."), presets), kPresets,
        +[](Preferences& p) -> std::string& { return p.exports.preset; });
    QSpinBox* dpi = addNumber(tr("Density"), tr("Of PNG pictures without a preset."),
                              {ExportDefaults::kLeastDpi, ExportDefaults::kMostDpi},
                              [](Preferences& p) -> int& { return p.exports.dpi; });
    dpi->setSuffix(tr(" dpi"));
    QSpinBox* font = addNumber(tr("Labels"), tr("Size of the letters without a preset."),
                               {ExportDefaults::kLeastFont, ExportDefaults::kMostFont},
                               [](Preferences& p) -> int& { return p.exports.fontSizePt; });
    font->setSuffix(tr(" pt"));
    m_refreshers.emplace_back([dpi, font](const Preferences& p) {
        for (QSpinBox* box : {dpi, font}) box->setEnabled(p.exports.preset.empty());
    });
    QStringList ranges;
    for (const RangeChoice choice : kRangeChoices) ranges << choiceText(choice);
    bind(
        addChoice(tr("Range of exports"), tr("From which weight to which."), ranges), kRangeChoices,
        +[](Preferences& p) -> RangeChoice& { return p.exports.range; });
    addSwitch(tr("No background"), tr("What is behind the picture shows through."), tr("transparent"),
              [](Preferences& p) -> bool& { return p.exports.transparent; });
    addSwitch(tr("Caption inside the file"),
              tr("Not to be seen: what the picture shows, of what model and text."), tr("metadata facts"),
              [](Preferences& p) -> bool& { return p.exports.described; });
}

void SettingsDialog::addClearing(const QString& name, const QString& hint, const QString& moreWords,
                                 const std::function<void()>& clear) {
    auto* button = new QPushButton(tr("Clear"), m_page);
    button->setAutoDefault(false);
    addRow(name, hint, button, moreWords);
    connect(button, &QPushButton::clicked, this, clear);
}

void SettingsDialog::buildLists() {
    addSection(tr("Lists"));
    const std::pair<int, int> lengths{0, Preferences::kMostRecent};
    addNumber(tr("Recent models"), tr("How many are listed."), lengths,
              [](Preferences& p) -> int& { return p.recentModels; });
    addClearing(tr("Clear the recent models"), tr("The models themselves stay where they are."), {}, [this] {
        const QStringList before = m_settings.storedModels();
        m_settings.clearRecentModels();
        offerUndo(tr("The list of recent models is empty."),
                  [this, before] { m_settings.setRecentModels(before); });
    });
    addNumber(tr("Recent sessions"), tr("How many are listed."), lengths,
              [](Preferences& p) -> int& { return p.recentSessions; });
    addClearing(tr("Clear the recent sessions"), tr("Their files stay where they are."), {}, [this] {
        const QStringList before = m_settings.storedSessions();
        m_settings.clearRecentSessions();
        offerUndo(tr("The list of recent sessions is empty."),
                  [this, before] { m_settings.setRecentSessions(before); });
    });
    addNumber(tr("Texts that were run"), tr("How many are listed (Ctrl+H); with 0 none is added."),
              {0, Preferences::kMostTexts}, [](Preferences& p) -> int& { return p.pastTexts; });
    addClearing(
        tr("Clear the texts that were run"), tr("The text in the text box stays."), tr("history"), [this] {
            const std::vector<PastText> before = m_history.texts();
            m_history.clear();
            offerUndo(tr("The list of texts is empty."), [this, before] { m_history.putBack(before); });
        });
}

} // namespace headscope::ui
