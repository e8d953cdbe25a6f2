// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headscope::ui {

struct Sample {
    QString title;
    QString text;
    QString pair; ///< empty: a single text
};

/// The texts of resources/texts/samples.txt.
const std::vector<Sample>& samples();
/// The one a first start shows: a paragraph of more than 64 tokens.
const Sample& firstSample();
/// The one that the demo is opened with, in words that its vocabulary has.
const Sample& demoSample();
/// Parses "## title" blocks; a line "--" separates the texts of a pair.
std::vector<Sample> parseSamples(const QString& source);

} // namespace headscope::ui
