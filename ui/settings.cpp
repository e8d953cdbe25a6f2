// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

#include "ui/export/picture_settings.h"
#include "ui/view_state.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace headscope::ui {
namespace {
const QString kRecent = QStringLiteral("models/recent");
const QString kReadings = QStringLiteral("models/readings");
const QString kSessions = QStringLiteral("sessions/recent");
const QString kTheme = QStringLiteral("look/theme");
const QString kColormap = QStringLiteral("look/colormap");
const QString kRange = QStringLiteral("look/range");
const QString kDevice = QStringLiteral("run/device");
const QString kThreads = QStringLiteral("run/threads");
const QString kTyping = QStringLiteral("run/while_typing");
const QString kRemember = QStringLiteral("start/remember_session");
const QString kRecentLength = QStringLiteral("lists/models");
const QString kSessionsLength = QStringLiteral("lists/sessions");
const QString kTextsLength = QStringLiteral("lists/texts");
const QString kJudge = QStringLiteral("judge/unasked");
const QString kJudgeSeconds = QStringLiteral("judge/seconds");
const QString kExportTheme = QStringLiteral("exports/theme");
const QString kExportPreset = QStringLiteral("exports/preset");
const QString kExportRange = QStringLiteral("exports/range");
const QString kExportDpi = QStringLiteral("exports/dpi");
const QString kExportFont = QStringLiteral("exports/font_size");
const QString kExportTransparent = QStringLiteral("exports/transparent");
const QString kExportDescribed = QStringLiteral("exports/described");
const QString kLayoutVersionKey = QStringLiteral("window/layout_version");
const QString kGeometry = QStringLiteral("window/geometry");
const QString kLayout = QStringLiteral("window/layout");
const QString kSplitters = QStringLiteral("window/splitter_");

constexpr std::array<std::pair<DeviceChoice, const char*>, 3> kDevices{
    {{DeviceChoice::Auto, "auto"}, {DeviceChoice::Cpu, "cpu"}, {DeviceChoice::Cuda, "cuda"}}};

constexpr std::array<std::pair<RangeChoice, const char*>, 5> kRanges{{{RangeChoice::AsShown, "shown"},
                                                                      {RangeChoice::Auto, "auto"},
                                                                      {RangeChoice::ZeroToOne, "full"},
                                                                      {RangeChoice::PerRow, "row"},
                                                                      {RangeChoice::Log, "log"}}};

template <typename Words, typename Choice>
QString wordOf(const Words& words, Choice wanted) {
    for (const auto& [choice, word] : words)
        if (choice == wanted) return QString::fromLatin1(word);
    return {};
}

/// The first one where `text` is no word.
template <typename Words>
auto choiceOf(const Words& words, const QString& text) {
    for (const auto& [choice, word] : words)
        if (text == QLatin1String(word)) return choice;
    return words.front().first;
}

/// A stored number within its limits; what is no number is as by default.
int within(const QVariant& stored, int low, int high, int otherwise) {
    bool isNumber = false;
    const int number = stored.toInt(&isNumber);
    return isNumber ? std::clamp(number, low, high) : otherwise;
}
} // namespace

Settings::Settings(QObject* parent) : QObject(parent) {}

Preferences Settings::preferences() const {
    const auto text = [this](const QString& key) { return m_store.value(key).toString().toStdString(); };
    Preferences p;
    p.theme = themeChoiceOf(m_store.value(kTheme).toString());
    p.colormap = colormapOf(text(kColormap)).value_or(p.colormap);
    p.range = parseRange(text(kRange)).value_or(p.range);
    p.device = choiceOf(kDevices, m_store.value(kDevice).toString());
    p.threads = within(m_store.value(kThreads), 0, 1024, p.threads);
    p.rememberSession = m_store.value(kRemember, p.rememberSession).toBool();
    p.runWhileTyping = m_store.value(kTyping, p.runWhileTyping).toBool();
    p.recentModels = within(m_store.value(kRecentLength), 0, Preferences::kMostRecent, p.recentModels);
    p.recentSessions = within(m_store.value(kSessionsLength), 0, Preferences::kMostRecent, p.recentSessions);
    p.pastTexts = within(m_store.value(kTextsLength), 0, Preferences::kMostTexts, p.pastTexts);
    p.judgeUnasked = m_store.value(kJudge, p.judgeUnasked).toBool();
    p.judgeSeconds = within(m_store.value(kJudgeSeconds), 1, Preferences::kLongestJudging, p.judgeSeconds);
    p.exports = exports();
    return p;
}

ExportDefaults Settings::exports() const {
    ExportDefaults e;
    e.dark = m_store.value(kExportTheme).toString() == QLatin1String("dark");
    const std::string preset = m_store.value(kExportPreset).toString().toStdString();
    if (figurePresetOf(preset) != nullptr) e.preset = preset;
    e.range = choiceOf(kRanges, m_store.value(kExportRange).toString());
    e.dpi = within(m_store.value(kExportDpi), ExportDefaults::kLeastDpi, ExportDefaults::kMostDpi, e.dpi);
    e.fontSizePt = within(m_store.value(kExportFont), ExportDefaults::kLeastFont, ExportDefaults::kMostFont,
                          e.fontSizePt);
    e.transparent = m_store.value(kExportTransparent, e.transparent).toBool();
    e.described = m_store.value(kExportDescribed, e.described).toBool();
    return e;
}

void Settings::setPreferences(const Preferences& p) {
    const Preferences before = preferences();
    if (p == before) return;
    // Only what changes: another window may have changed the others.
    const auto set = [this](bool changed, const QString& key, const QVariant& value) {
        if (changed) m_store.setValue(key, value);
    };
    const std::string_view colormap = nameOf(p.colormap);
    set(p.theme != before.theme, kTheme, nameOf(p.theme));
    set(p.colormap != before.colormap, kColormap,
        QString::fromUtf8(colormap.data(), static_cast<qsizetype>(colormap.size())));
    set(!(p.range == before.range), kRange, rangeText(p.range));
    set(p.device != before.device, kDevice, wordOf(kDevices, p.device));
    set(p.threads != before.threads, kThreads, p.threads);
    set(p.rememberSession != before.rememberSession, kRemember, p.rememberSession);
    set(p.runWhileTyping != before.runWhileTyping, kTyping, p.runWhileTyping);
    set(p.recentModels != before.recentModels, kRecentLength, p.recentModels);
    set(p.recentSessions != before.recentSessions, kSessionsLength, p.recentSessions);
    set(p.pastTexts != before.pastTexts, kTextsLength, p.pastTexts);
    set(p.judgeUnasked != before.judgeUnasked, kJudge, p.judgeUnasked);
    set(p.judgeSeconds != before.judgeSeconds, kJudgeSeconds, p.judgeSeconds);
    const ExportDefaults& e = p.exports;
    const ExportDefaults& was = before.exports;
    set(e.dark != was.dark, kExportTheme, e.dark ? QStringLiteral("dark") : QStringLiteral("light"));
    set(e.preset != was.preset, kExportPreset, QString::fromStdString(e.preset));
    set(e.range != was.range, kExportRange, wordOf(kRanges, e.range));
    set(e.dpi != was.dpi, kExportDpi, e.dpi);
    set(e.fontSizePt != was.fontSizePt, kExportFont, e.fontSizePt);
    set(e.transparent != was.transparent, kExportTransparent, e.transparent);
    set(e.described != was.described, kExportDescribed, e.described);
    if (p.theme != before.theme) Q_EMIT themeChanged(p.theme);
    if (p.runWhileTyping != before.runWhileTyping) Q_EMIT runWhileTypingChanged(p.runWhileTyping);
    if (p.recentModels != before.recentModels) Q_EMIT recentModelsChanged();
    if (p.recentSessions != before.recentSessions) Q_EMIT recentSessionsChanged();
    Q_EMIT preferencesChanged(before, p);
}

void Settings::setTheme(ThemeChoice choice) {
    Preferences p = preferences();
    p.theme = choice;
    setPreferences(p);
}

void Settings::setRunWhileTyping(bool on) {
    Preferences p = preferences();
    p.runWhileTyping = on;
    setPreferences(p);
}

bool Settings::addRecent(const QString& key, const QString& path) {
    m_store.sync(); // what other windows opened meanwhile
    QStringList list = m_store.value(key).toStringList();
    list.removeAll(path);
    list.prepend(path);
    if (list.size() > Preferences::kMostRecent) list.resize(Preferences::kMostRecent);
    return setRecent(key, list);
}

bool Settings::setRecent(const QString& key, const QStringList& paths) {
    if (paths == m_store.value(key).toStringList()) return false;
    m_store.setValue(key, paths);
    m_store.sync();
    return true;
}

QStringList Settings::storedModels() const {
    return m_store.value(kRecent).toStringList();
}

QStringList Settings::recentModels() const {
    return storedModels().mid(0, preferences().recentModels);
}

void Settings::addRecentModel(const QString& folder) {
    if (addRecent(kRecent, folder)) Q_EMIT recentModelsChanged();
}

void Settings::clearRecentModels() {
    setRecentModels({});
}

/// Entries are "axes\nsample\npath": only the path may hold anything.
ReadingRules Settings::readingOf(const QString& file) const {
    const QStringList entries = m_store.value(kReadings).toStringList();
    for (const QString& entry : entries) {
        const QString axes = entry.section(QLatin1Char('\n'), 0, 0);
        const QString sample = entry.section(QLatin1Char('\n'), 1, 1);
        if (entry.section(QLatin1Char('\n'), 2) != file) continue;
        ReadingRules reading;
        try {
            reading.axes = parseArrayAxes(axes.toStdString(), "settings");
        } catch (const Error&) {
            return {}; // somebody wrote it by hand: it is asked again
        }
        bool isNumber = false;
        if (const qint64 number = sample.toLongLong(&isNumber); isNumber) reading.sample = number;
        return reading;
    }
    return {};
}

void Settings::setReading(const QString& file, const ReadingRules& reading) {
    m_store.sync();
    QStringList entries = m_store.value(kReadings).toStringList();
    entries.removeIf([&file](const QString& entry) { return entry.section(QLatin1Char('\n'), 2) == file; });
    if (reading.axes)
        entries.prepend(QStringLiteral("%1\n%2\n%3")
                            .arg(QString::fromStdString(textOf(*reading.axes)),
                                 reading.sample ? QString::number(*reading.sample) : QString(), file));
    if (entries.size() > Preferences::kMostRecent) entries.resize(Preferences::kMostRecent);
    setRecent(kReadings, entries);
}

void Settings::setRecentModels(const QStringList& folders) {
    if (folders.isEmpty()) m_store.remove(kReadings); // with the names of the files
    if (setRecent(kRecent, folders)) Q_EMIT recentModelsChanged();
}

QStringList Settings::storedSessions() const {
    return m_store.value(kSessions).toStringList();
}

QStringList Settings::recentSessions() const {
    return storedSessions().mid(0, preferences().recentSessions);
}

void Settings::addRecentSession(const QString& file) {
    if (addRecent(kSessions, file)) Q_EMIT recentSessionsChanged();
}

void Settings::clearRecentSessions() {
    setRecentSessions({});
}

void Settings::setRecentSessions(const QStringList& files) {
    if (setRecent(kSessions, files)) Q_EMIT recentSessionsChanged();
}

bool Settings::layoutFits() const {
    return m_store.value(kLayoutVersionKey).toInt() == kLayoutVersion;
}

QByteArray Settings::geometry() const {
    return layoutFits() ? m_store.value(kGeometry).toByteArray() : QByteArray();
}

QByteArray Settings::layout() const {
    return layoutFits() ? m_store.value(kLayout).toByteArray() : QByteArray();
}

QByteArray Settings::splitter(const QString& name) const {
    return layoutFits() ? m_store.value(kSplitters + name).toByteArray() : QByteArray();
}

void Settings::saveLayout(const QByteArray& geometry, const QByteArray& layout) {
    m_store.setValue(kLayoutVersionKey, kLayoutVersion);
    m_store.setValue(kGeometry, geometry);
    m_store.setValue(kLayout, layout);
}

void Settings::saveSplitter(const QString& name, const QByteArray& state) {
    m_store.setValue(kSplitters + name, state);
}

} // namespace headscope::ui
