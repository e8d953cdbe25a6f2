// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/process.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope::test {

/// Runs the real program.
inline ProcessResult headscope(std::vector<std::string> words, const ProcessOptions& options = {}) {
    words.insert(words.begin(), HEADSCOPE_BINARY);
    return runProcess(words, options);
}

inline std::string tinyBert() {
    return dataPath("models/tiny-bert").string();
}
inline std::string flaggedBert() {
    return dataPath("models/flagged-bert").string();
}

/// The names in a folder, sorted, hidden ones included: for "nothing is left behind".
inline std::vector<std::string> namesIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// A copy of a model folder that a test may spoil.
inline std::filesystem::path copyOf(const std::string& model, const TemporaryFolder& place) {
    const std::filesystem::path copy = place / "model";
    std::filesystem::copy(model, copy, std::filesystem::copy_options::recursive);
    return copy;
}

inline std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

inline const char* const kSentence = "The animal did not cross the street because it was too tired.";

} // namespace headscope::test
