// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temporary_folder.h"

#include <QString>

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace headscope::ui::test {

/// An encoder-decoder of 48 words.
inline QString encoderDecoder(const std::filesystem::path& folder) {
    const auto source = headscope::test::dataPath("families/t5/plain");
    for (const char* name : {"config.json", "model.safetensors"})
        std::filesystem::copy_file(source / name, folder / name);
    std::string vocabulary;
    for (int word = 0; word < 48; ++word)
        vocabulary += fmt::format("{}\"w{}\":{}", word == 0 ? "" : ",", word, word);
    std::ofstream(folder / "tokenizer.json")
        << fmt::format(R"({{"version":"1.0","pre_tokenizer":{{"type":"Whitespace"}},)"
                       R"("model":{{"type":"WordLevel","unk_token":"w2","vocab":{{{}}}}}}})",
                       vocabulary);
    return QString::fromStdString(folder.string());
}

} // namespace headscope::ui::test
