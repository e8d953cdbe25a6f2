// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

#include "ui/view_state.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace headscope::ui {
namespace {
const QString kRecent = QStringLiteral("models/recent");
const QString kTheme = QStringLiteral("look/theme");
const QString kColormap = QStringLiteral("look/colormap");
const QString kRange = QStringLiteral("look/range");
const QString kDevice = QStringLiteral("run/device");
const QString kThreads = QStringLiteral("run/threads");
const QString kTyping = QStringLiteral("run/while_typing");
const QString kRemember = QStringLiteral("start/remember_session");
const QString kRecentLength = QStringLiteral("lists/models");
const QString kTextsLength = QStringLiteral("lists/texts");
const QString kJudge = QStringLiteral("judge/unasked");
const QString kJudgeSeconds = QStringLiteral("judge/seconds");
const QString kLayoutVersionKey = QStringLiteral("window/layout_version");
const QString kGeometry = QStringLiteral("window/geometry");
const QString kLayout = QStringLiteral("window/layout");
const QString kSplitters = QStringLiteral("window/splitter_");

constexpr std::array<std::pair<DeviceChoice, const char*>, 3> kDevices{
    {{DeviceChoice::Auto, "auto"}, {DeviceChoice::Cpu, "cpu"}, {DeviceChoice::Cuda, "cuda"}}};

QString wordOf(DeviceChoice device) {
    for (const auto& [choice, word] : kDevices)
        if (choice == device) return QString::fromLatin1(word);
    return {};
}

DeviceChoice deviceOf(const QString& text) {
    for (const auto& [choice, word] : kDevices)
        if (text == QLatin1String(word)) return choice;
    return DeviceChoice::Auto;
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
    p.device = deviceOf(m_store.value(kDevice).toString());
    p.threads = within(m_store.value(kThreads), 0, 1024, p.threads);
    p.rememberSession = m_store.value(kRemember, p.rememberSession).toBool();
    p.runWhileTyping = m_store.value(kTyping, p.runWhileTyping).toBool();
    p.recentModels = within(m_store.value(kRecentLength), 0, Preferences::kMostModels, p.recentModels);
    p.pastTexts = within(m_store.value(kTextsLength), 0, Preferences::kMostTexts, p.pastTexts);
    p.judgeUnasked = m_store.value(kJudge, p.judgeUnasked).toBool();
    p.judgeSeconds = within(m_store.value(kJudgeSeconds), 1, Preferences::kLongestJudging, p.judgeSeconds);
    return p;
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
    set(p.device != before.device, kDevice, wordOf(p.device));
    set(p.threads != before.threads, kThreads, p.threads);
    set(p.rememberSession != before.rememberSession, kRemember, p.rememberSession);
    set(p.runWhileTyping != before.runWhileTyping, kTyping, p.runWhileTyping);
    set(p.recentModels != before.recentModels, kRecentLength, p.recentModels);
    set(p.pastTexts != before.pastTexts, kTextsLength, p.pastTexts);
    set(p.judgeUnasked != before.judgeUnasked, kJudge, p.judgeUnasked);
    set(p.judgeSeconds != before.judgeSeconds, kJudgeSeconds, p.judgeSeconds);
    if (p.theme != before.theme) Q_EMIT themeChanged(p.theme);
    if (p.runWhileTyping != before.runWhileTyping) Q_EMIT runWhileTypingChanged(p.runWhileTyping);
    if (p.recentModels != before.recentModels) Q_EMIT recentModelsChanged();
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

QStringList Settings::storedModels() const {
    return m_store.value(kRecent).toStringList();
}

QStringList Settings::recentModels() const {
    return storedModels().mid(0, preferences().recentModels);
}

void Settings::addRecentModel(const QString& folder) {
    m_store.sync(); // what other windows opened meanwhile
    QStringList list = storedModels();
    const QStringList before = list;
    list.removeAll(folder);
    list.prepend(folder);
    if (list.size() > Preferences::kMostModels) list.resize(Preferences::kMostModels);
    if (list == before) return;
    m_store.setValue(kRecent, list);
    m_store.sync();
    Q_EMIT recentModelsChanged();
}

void Settings::clearRecentModels() {
    setRecentModels({});
}

void Settings::setRecentModels(const QStringList& folders) {
    if (folders == storedModels()) return;
    m_store.setValue(kRecent, folders);
    m_store.sync();
    Q_EMIT recentModelsChanged();
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
