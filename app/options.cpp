// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/option_values.h"
#include "app/picture_options.h"
#include "app/shared_options.h"
#include "core/base/error.h"
#include "core/checkpoint/demos.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <system_error>

namespace headscope::app {

namespace {

/// The words of the program itself, without a command.
void addWindow(Words& words) {
    words.positional("MODEL", "opens the window with this model folder, demo:constructed, or a session "
                              "(FILE.headscope)");
    words.option("--text", "TEXT", "the text to begin with");
    words.option("--text-file", "FILE", "a file that holds it");
    words.option("--pair", "TEXT", "a second text");
    words.option("--head", "L.H", "the head to begin with");
    words.option("--query", "N", "the token to begin with, counted from 0");
    addMapView(words);
    words.option("--pin", "L.H[,L.H]", "heads to pin for comparison, up to three");
    words.option("--view", "explore|diagnose|compare",
                 "the page to begin with; a picture then waits for what it shows");
    words.option("--form", "map|text|lines", "how the head is shown");
    words.option("--theme", "light|dark|system", "how the window looks");
    words.option("--size", "WxH", "size of the window in pixels");
    words.option("--screenshot", "FILE.png",
                 "write a picture of the window once the text is analysed, and end");
    words.flag("--version", "version and build facts");
    addAdapter(words);
    addCommon(words);
}

Command parseWindow(const std::vector<std::string>& arguments) {
    Words words("", "A desktop microscope for the attention of transformers.");
    addWindow(words);
    if (!words.parse(arguments))
        return HelpCommand{words.help() + "\nCommands (headscope COMMAND --help): " + commandList() + "\n"};
    if (words.has("--version")) return VersionCommand{};
    WindowCommand command;
    if (words.has("MODEL")) command.model = modelOf(words);
    if (command.model && extensionOf(*command.model) == "headscope") {
        for (const char* name : {"--text", "--text-file", "--pair", "--head", "--query", "--pin", "--view"})
            if (words.has(name))
                failUsage(name, "given together with a session file", "the session says what is shown");
    }
    if (words.has("--text") && words.has("--text-file"))
        failUsage("--text-file", "given together with --text", "only one of them can be");
    command.input.text = words.value("--text");
    command.input.textFile = textFileOf(words);
    command.input.pair = words.value("--pair");
    if (const auto text = words.value("--head")) {
        const auto heads = parseHeads("--head", *text);
        if (heads.size() > 1) failUsage("--head", "several are given", "the window begins with one");
        command.head = HeadRef{AttentionKind::Self, heads[0].first, heads[0].second};
    }
    if (const auto text = words.value("--query"))
        command.query = parseWhole("--query", *text, 0, 1'000'000'000);
    if (const auto text = words.value("--pin")) {
        command.pins = parseHeads("--pin", *text);
        if (command.pins.size() > 3) failUsage("--pin", "more than three are given", "expected up to three");
    }
    command.view = oneOf(words, "--view", {"explore", "diagnose", "compare"});
    if (const MapView view = mapViewOf(words); !view.isPlain()) command.mapView = view;
    command.form = oneOf(words, "--form", {"map", "text", "lines"});
    command.theme = oneOf(words, "--theme", {"light", "dark", "system"});
    if (const auto text = words.value("--size")) {
        const std::size_t by = std::min(text->find('x'), text->size());
        command.size.columns = parseWhole("--size", text->substr(0, by), 200, 16'000);
        command.size.rows = parseWhole("--size", text->substr(std::min(by + 1, text->size())), 200, 16'000);
    }
    if (words.has("--screenshot")) {
        command.screenshot = words.required("--screenshot", "expected a file name that ends in .png");
        if (extensionOf(command.screenshot) != "png")
            failUsage("--screenshot", "the name does not end in .png", "expected a file name that does");
    }
    command.common = commonWithAdapter(words);
    return command;
}

Command parseInspect(const std::vector<std::string>& arguments) {
    Words words("inspect",
                "Says what a model is: family, layers, heads, sizes, files, advice on the head size.");
    addModel(words);
    words.flag("--json", "JSON instead of text");
    addAdapter(words);
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};
    return InspectCommand{modelOf(words), words.has("--json"), commonWithAdapter(words)};
}

Command parseTokens(const std::vector<std::string>& arguments) {
    Words words("tokens", "Shows the tokens of a text: ids, pieces, spans in the text.");
    addModel(words);
    words.positional("TEXT", "the text");
    words.option("--text-file", "FILE", "a file with one text a line (UTF-8)");
    addTextRules(words);
    words.flag("--json", "JSON instead of a table; one object a line with --text-file");
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};
    TokensCommand command{
        .model = modelOf(words), .input = {}, .json = words.has("--json"), .common = commonOf(words)};
    requireOne(words, {"TEXT", "--text-file"}, "input");
    readTextRules(words, command.input);
    command.input.text = words.value("TEXT");
    command.input.textFile = textFileOf(words);
    return command;
}

Command parseRun(const std::vector<std::string>& arguments) {
    Words words("run", "Writes every attention map of a text as tensors.");
    addModel(words);
    addInput(words);
    words.option("--out", "FILE", "where to: .safetensors or .npz");
    addAdapter(words);
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};
    RunCommand command{
        .model = modelOf(words), .input = inputOf(words), .out = {}, .common = commonWithAdapter(words)};
    command.out = outputOf(words, {"safetensors", "npz"});
    return command;
}

Command parseDiagnose(const std::vector<std::string>& arguments) {
    Words words("diagnose",
                "Judges every head: what it reads, whether it is even, stuck, a sink or a copy. "
                "Without an input by the texts that come with the program; the maps of an attention file "
                "are judged as one text.");
    addModel(words);
    addInput(words);
    words.option("--texts-file", "FILE", "judge by these texts, one a line (UTF-8)");
    words.flag("--json", "JSON instead of a table");
    addAdapter(words);
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};
    DiagnoseCommand command{.model = modelOf(words),
                            .input = {},
                            .textsFile = {},
                            .json = words.has("--json"),
                            .common = commonWithAdapter(words)};
    if (namesAttentionFile(words)) requireNoInput(words);
    const bool hasInput = words.has("--text") || words.has("--text-file") || words.has("--ids");
    if (words.has("--texts-file")) {
        if (hasInput)
            failUsage("--texts-file", "given together with another input", "only one of them can be");
        command.textsFile = words.required("--texts-file", "expected a file name");
    }
    for (const char* name : {"--target", "--target-ids"})
        if (!hasInput && words.has(name))
            failUsage(name, "given without an input", "expected the text that it belongs to");
    if (hasInput)
        command.input = inputOf(words);
    else
        readTextRules(words, command.input);
    return command;
}

Command parseBench(const std::vector<std::string>& arguments) {
    Words words("bench", "Times a forward pass with and without maps beside the bare matrix products.");
    addModel(words);
    words.option("--tokens", "N[,N]", "lengths of the text");
    words.flag("--json", "JSON instead of text");
    addAdapter(words);
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};
    BenchCommand command{.model = modelOf(words),
                         .tokens = {},
                         .json = words.has("--json"),
                         .common = commonWithAdapter(words)};
    command.tokens = parseWholeList("--tokens", words.required("--tokens", "expected a number of tokens"), 1);
    return command;
}

struct CommandEntry {
    const char* name;
    Command (*parse)(const std::vector<std::string>& arguments);
};
constexpr std::array<CommandEntry, 7> kCommands = {{{"inspect", parseInspect},
                                                    {"tokens", parseTokens},
                                                    {"run", parseRun},
                                                    {"export", parseExport},
                                                    {"compare", parseCompare},
                                                    {"diagnose", parseDiagnose},
                                                    {"bench", parseBench}}};

/// The first word that is neither an option of the program itself nor the value of one.
std::size_t firstWord(const std::vector<std::string>& arguments) {
    Words words("", "");
    addWindow(words);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with('-') || arguments[i] == "-") return i;
        if (arguments[i] == "--") return i + 1;
        if (words.takesValue(arguments[i])) ++i;
    }
    return arguments.size();
}

bool looksLikePath(const std::string& word) {
    std::error_code ignored;
    return word.find('/') != std::string::npos || word.starts_with('.') || isDemoName(word) ||
           std::filesystem::exists(word, ignored);
}

} // namespace

std::string commandList() {
    std::string list;
    for (const CommandEntry& entry : kCommands)
        list += fmt::format("{}{}", list.empty() ? "" : ", ", entry.name);
    return list;
}

bool asksForQuiet(const std::vector<std::string>& arguments) {
    return std::find(arguments.begin(), arguments.end(), "--quiet") != arguments.end();
}

Command parseCommand(const std::vector<std::string>& arguments) {
    const std::size_t at = firstWord(arguments);
    if (at >= arguments.size()) return parseWindow(arguments);
    const std::string& word = arguments[at];
    for (const CommandEntry& entry : kCommands) {
        if (word != entry.name) continue;
        std::vector<std::string> rest = arguments;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
        return entry.parse(rest);
    }
    if (!looksLikePath(word))
        failUsage(escapeForMessage(word, 60), "there is no such command and no folder of this name",
                  "the commands are " + commandList());
    return parseWindow(arguments);
}

} // namespace headscope::app
