// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/map_view.h"
#include "core/base/index.h"
#include "core/maps/attention_kind.h"
#include "ui/export/picture_settings.h" // plain types, no Qt

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// What was typed, checked as far as that goes without a model. Wrong use is an Error of kind Usage.
namespace headscope::app {

struct CommonOptions {
    OpenRules opening;
    int threads = 0; ///< 0 = all cores
    bool quiet = false;
};

/// Exactly one of text, textFile and ids, where a command takes an input.
struct InputOptions {
    std::optional<std::string> text;
    std::optional<std::filesystem::path> textFile;
    std::optional<std::vector<std::int64_t>> ids;
    std::optional<std::string> pair;
    std::optional<std::string> target; ///< at most one of target, targetIds and writeTarget
    bool writeTarget = false;          ///< --target auto
    std::optional<std::vector<std::int64_t>> targetIds;
    bool truncate = false;
    std::optional<std::int64_t> piece;
    bool noSpecial = false;
};

struct HelpCommand {
    std::string text; ///< ready to print
};
struct VersionCommand {};
struct WindowCommand {
    std::optional<std::filesystem::path> model;
    InputOptions input; ///< nothing given: the last session's text
    std::optional<HeadRef> head;
    std::optional<std::int64_t> query;                  ///< the row to choose
    std::vector<std::pair<LayerIndex, HeadIndex>> pins; ///< heads to pin for comparison
    std::optional<MapView> mapView;                     ///< nothing given: the last session's
    std::optional<std::string> view;                    ///< "explore", "diagnose" or "compare"
    std::optional<std::string> form;                    ///< "map", "text" or "lines"
    std::optional<std::string> theme;                   ///< "light", "dark" or "system"
    std::filesystem::path screenshot; ///< not empty: write a picture of the window there and end
    Extent size;                      ///< of the window in pixels; 0: as saved
    CommonOptions common;
};
struct InspectCommand {
    std::filesystem::path model;
    bool json = false;
    CommonOptions common;
};
struct TokensCommand {
    std::filesystem::path model;
    InputOptions input; ///< text or textFile; a file has one text a line
    bool json = false;
    CommonOptions common;
};
struct RunCommand {
    std::filesystem::path model;
    InputOptions input;
    std::filesystem::path out;
    CommonOptions common;
};
struct ExportCommand {
    struct Heads {
        std::vector<std::pair<LayerIndex, HeadIndex>> list;
    };
    struct Layer {
        LayerIndex index;
    };
    struct Grid {};
    struct All {
        std::filesystem::path folder;
    };

    std::filesystem::path model;
    InputOptions input;
    std::variant<Heads, Layer, Grid, All> what;
    std::optional<AttentionKind> kind;
    std::filesystem::path out; ///< empty for All
    std::optional<Span> rows;
    std::optional<Span> columns;
    MapView view;
    ui::PictureSettings picture;
    std::optional<ui::FollowedToken> text;         ///< given: the text in the colours of its weights
    std::optional<ui::DrawnLines> lines;           ///< given: lines between the tokens
    bool caption = false;                          ///< print it
    std::optional<std::filesystem::path> viewFile; ///< that was read
    CommonOptions common;
};
struct CompareCommand {
    std::filesystem::path model;
    InputOptions input;
    std::pair<LayerIndex, HeadIndex> first;
    std::pair<LayerIndex, HeadIndex> second;
    std::optional<std::filesystem::path> secondModel; ///< nullopt: the same
    OpenRules secondOpening;                          ///< of secondModel
    std::optional<std::string> secondText;            ///< nullopt: the same
    std::optional<InputOptions> secondInput;          ///< of a session; nullopt: the same
    std::optional<AttentionKind> kind;
    MapView firstView; ///< of which heads, and how
    MapView secondView;
    std::filesystem::path out;
    ui::PictureSettings picture;
    bool caption = false;                          ///< print it
    std::optional<std::filesystem::path> viewFile; ///< that was read
    CommonOptions common;
};
struct BenchCommand {
    std::filesystem::path model;
    std::vector<std::int64_t> tokens;
    bool json = false;
    CommonOptions common;
};

struct DiagnoseCommand {
    std::filesystem::path model;
    /// At most one of text, textFile and ids; none and no textsFile: the texts that come with the program.
    InputOptions input;
    std::optional<std::filesystem::path> textsFile; ///< one text a line
    bool json = false;
    CommonOptions common;
};

using Command = std::variant<HelpCommand, VersionCommand, WindowCommand, InspectCommand, TokensCommand,
                             RunCommand, ExportCommand, CompareCommand, DiagnoseCommand, BenchCommand>;

/// `arguments` without the program's name. Throws Error{Usage}: one sentence of our own for everything that
/// is wrong whatever the model is.
Command parseCommand(const std::vector<std::string>& arguments);

/// True when the arguments ask for silence; for errors that come before there is a Command.
bool asksForQuiet(const std::vector<std::string>& arguments);

/// "inspect, tokens, run, export, compare, diagnose, bench"
std::string commandList();

} // namespace headscope::app
