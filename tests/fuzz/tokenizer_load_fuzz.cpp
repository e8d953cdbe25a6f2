// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/class_rules_table.h"
#include "tests/fuzz/input_folder.h"
#include "tests/fuzz/token_checks.h"

#include <map>

using namespace headscope;
using namespace headscope::test;

namespace {

/// Cuts what stands before the next byte 1f off; all of it where there is none.
std::string_view cutPart(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('\x1f'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

/// The files of an input by name. The last part, in which any byte may stand, is the vocabulary file, or the
/// merges where the vocabulary has merges.
std::map<std::string, std::string_view> filesOf(const ClassRule& rule, std::string_view input) {
    std::map<std::string, std::string_view> files;
    for (const char* name : {"tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                             "tokenizer.json", "vocab.json"})
        files[name] = cutPart(input);
    switch (rule.form) {
    case OlderForm::ByteLevelBpe:
        files["merges.txt"] = input;
        break;
    case OlderForm::Marian:
        files["source.spm"] = files["target.spm"] = input;
        break;
    case OlderForm::M2m100:
        files["sentencepiece.bpe.model"] = input;
        break;
    default:
        if (!rule.vocabularyFile.empty()) files[std::string(rule.vocabularyFile)] = input;
    }
    std::erase_if(files, [](const auto& file) { return file.second.empty(); });
    return files;
}

std::shared_ptr<const Tokenizer> load(const ClassRule& rule, std::string_view input) {
    static const InputFolder folder;
    folder.clear();
    const std::map<std::string, std::string_view> files = filesOf(rule, input);
    for (const auto& [name, content] : files) folder.write(name, content);

    Checkpoint checkpoint;
    checkpoint.folder = folder.path();
    checkpoint.config = Json::object();
    checkpoint.config.members().emplace_back("tokenizer_class", Json(std::string(rule.name)));
    if (const auto config = files.find("tokenizer_config.json"); config != files.end()) {
        checkpoint.tokenizerConfig = parseJson(config->second, config->first);
        if (!checkpoint.tokenizerConfig->isObject()) return nullptr; // refused when a folder is opened
    }
    const bool hasJson = files.contains("tokenizer.json");
    if (hasJson || !rule.vocabularyFile.empty())
        checkpoint.tokenizerFile =
            folder.path() / (hasJson ? std::string_view("tokenizer.json") : rule.vocabularyFile);
    return loadTokenizer(checkpoint, [](const std::string& note) { HS_CHECK(!firstInvalidUtf8(note)); });
}

} // namespace

/// A tokenizer folder, and what it makes of two texts. The first byte is 0 for a tokenizer.json alone, else
/// it chooses the class, and the rest is what filesOf() says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view rest = textOf(data + 1, size - 1);
    std::shared_ptr<const Tokenizer> tokenizer;
    readOrRefuse([&] {
        const auto rules = classRules();
        tokenizer = data[0] == 0 ? parseTokenizer(rest, "tokenizer.json", {})
                                 : load(rules[(data[0] - 1U) % rules.size()], rest);
    });
    if (tokenizer == nullptr) return 0;
    const std::int64_t limit = tokenizer->idLimit();
    for (const std::int64_t id : {std::int64_t{-1}, std::int64_t{0}, limit - 1, limit}) {
        const bool isOutside = id < 0 || id >= limit;
        HS_CHECK(!isOutside || !(tokenizer->piece(id) || tokenizer->isSpecial(id)));
    }
    checkEncoding(*tokenizer, "a <s>b  Caf\u00e9 \u4e2d\n1\u00bd \U0001f600", "[MASK] x\u0301", {},
                  Spans::Anywhere);
    for (const bool target : {false, true})
        checkEncoding(*tokenizer, "a b", std::nullopt, {.addSpecial = false, .target = target},
                      Spans::Anywhere);
    return 0;
}
