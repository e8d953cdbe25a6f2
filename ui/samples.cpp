// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/samples.h"

#include "core/base/check.h"

#include <QFile>
#include <QStringList>

#include <algorithm>

namespace headscope::ui {

std::vector<Sample> parseSamples(const QString& source) {
    std::vector<Sample> result;
    bool second = false;
    for (const QString& line : source.split(QLatin1Char('\n'))) {
        if (line.startsWith(QStringLiteral("## "))) {
            result.push_back({line.mid(3).trimmed(), {}, {}});
            second = false;
            continue;
        }
        if (result.empty()) continue;
        if (line == u"--") {
            second = true;
            continue;
        }
        QString& text = second ? result.back().pair : result.back().text;
        if (!text.isEmpty()) text += QLatin1Char('\n');
        text += line;
    }
    for (Sample& sample : result) {
        sample.text = sample.text.trimmed();
        sample.pair = sample.pair.trimmed();
    }
    return result;
}

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = [] {
        QFile file(QStringLiteral(":/texts/samples.txt"));
        HS_CHECK(file.open(QIODevice::ReadOnly));
        return parseSamples(QString::fromUtf8(file.readAll()));
    }();
    return all;
}

namespace {

template <typename Condition>
const Sample& sampleWhere(Condition holds) {
    const auto found = std::find_if(samples().begin(), samples().end(), holds);
    HS_CHECK(found != samples().end());
    return *found;
}

} // namespace

const Sample& firstSample() {
    // A text shorter than 32 tokens can raise no flag, so a first look starts with a longer one.
    constexpr qsizetype kParagraph = 300;
    return sampleWhere(
        [](const Sample& sample) { return sample.pair.isEmpty() && sample.text.size() >= kParagraph; });
}

const Sample& demoSample() {
    return sampleWhere(
        [](const Sample& sample) { return sample.title.startsWith(QStringLiteral("For the demo")); });
}

} // namespace headscope::ui
