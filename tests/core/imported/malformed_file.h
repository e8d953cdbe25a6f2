// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/imported/attention_reader.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <ostream>
#include <string>

namespace headscope::test {

inline constexpr const char* kIncomplete = "; the download is incomplete: get the file again.";
inline constexpr const char* kDamaged = "; the file is damaged or was made to mislead.";

/// A row of a table of files that cannot be read as maps.
struct MalformedFile {
    const char* name;
    std::string bytes;
    std::string sentence; ///< behind the file's name
    std::string beside{}; ///< the JSON beside it

    friend void PrintTo(const MalformedFile& one, std::ostream* out) { *out << one.name; }
};

/// The sentence for a file of that ending, without its name.
inline std::string refusalOf(const std::string& ending, const MalformedFile& one) {
    const TemporaryFolder folder;
    const auto path = folder.write("maps" + ending, one.bytes);
    folder.write("maps.json", one.beside);
    const std::string sentence = sentenceOf([&] { readAttentionFile(path, {}, {}); });
    const std::string start = "maps" + ending + ": ";
    return sentence.starts_with(start) ? sentence.substr(start.size()) : sentence;
}

} // namespace headscope::test
