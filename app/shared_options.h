// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"
#include "app/words.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Options that several commands share: one function adds them, one reads them.
namespace headscope::app {

/// "a, b or c"
std::string listText(const std::vector<std::string>& words);
/// The value of an option that has a few words to choose from. Throws Error{Usage} naming them.
std::optional<std::string> oneOf(const Words& words, const std::string& name,
                                 const std::vector<std::string>& choices);
/// Throws Error{Usage} with `what` as its subject unless exactly one of the options was given.
void requireOne(const Words& words, const std::vector<std::string>& names, const std::string& what);

void addModel(Words& words);
std::filesystem::path modelOf(const Words& words);

/// Whether MODEL, or the second model of a comparison, is an attention file.
bool namesAttentionFile(const Words& words);
/// Throws Error{Usage} when a text or a rule for texts was given: the maps of an attention file have theirs.
void requireNoInput(const Words& words);

/// --device, --threads, --axes, --sample, --quiet
void addCommon(Words& words);
CommonOptions commonOf(const Words& words);
/// --adapter, for commands that run a model.
void addAdapter(Words& words);
/// The common options and --adapter.
CommonOptions commonWithAdapter(const Words& words);

/// --pair, --truncate, --piece, --no-special
void addTextRules(Words& words);
void readTextRules(const Words& words, InputOptions& input);
/// --target, --target-ids
void readTarget(const Words& words, InputOptions& input);
std::optional<std::filesystem::path> textFileOf(const Words& words);

/// --text, --text-file, --ids and the rules above
void addInput(Words& words);
InputOptions inputOf(const Words& words);

/// "png" of "a.b.png"; empty where there is none.
std::string extensionOf(const std::filesystem::path& path);
/// --out, which must end in one of the extensions.
std::filesystem::path outputOf(const Words& words, const std::vector<std::string>& extensions);

/// The options of `headscope export`.
Command parseExport(const std::vector<std::string>& arguments);
/// The options of `headscope compare`.
Command parseCompare(const std::vector<std::string>& arguments);

} // namespace headscope::app
