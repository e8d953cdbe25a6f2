// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temporary_folder.h"

#include <QString>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace headscope::ui::test {

/// A model of tests/data/families with a tokenizer of the words w0, w1 and so on.
inline QString modelOfWords(const std::filesystem::path& folder, const std::string& family, int words) {
    const auto source = headscope::test::dataPath("families/" + family);
    for (const char* name : {"config.json", "model.safetensors"})
        std::filesystem::copy_file(source / name, folder / name);
    std::string vocabulary;
    for (int word = 0; word < words; ++word)
        vocabulary += fmt::format("{}\"w{}\":{}", word == 0 ? "" : ",", word, word);
    std::ofstream(folder / "tokenizer.json")
        << fmt::format(R"({{"version":"1.0","pre_tokenizer":{{"type":"Whitespace"}},)"
                       R"("model":{{"type":"WordLevel","unk_token":"w2","vocab":{{{}}}}}}})",
                       vocabulary);
    return QString::fromStdString(folder.string());
}

/// An encoder-decoder of 48 words.
inline QString encoderDecoder(const std::filesystem::path& folder) {
    return modelOfWords(folder, "t5/plain", 48);
}

} // namespace headscope::ui::test
