// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {

/// Path from the root ("core/base/error.h") -> content.
using SourceTree = std::map<std::string, std::string>;

/// A folder and what its files may include: folders ("core/maps") or single headers
/// ("core/checkpoint/checkpoint.h"). Everything that those may include is allowed too.
struct FolderRule {
    std::string_view folder;
    std::vector<std::string_view> mayInclude;
};

/// The direction of the project. A folder that stands in no row may include nothing of ours, which makes a
/// new room add its row.
inline const std::vector<FolderRule>& folderRules() {
    static const std::vector<FolderRule> rules{
        {"core/base", {}},
        {"core/checkpoint", {"core/base"}},
        {"core/tokenizer",
         {"core/base", "core/checkpoint/config_reader.h", "core/checkpoint/checkpoint.h",
          "core/checkpoint/foreign_content.h", "core/checkpoint/gguf/gguf_source.h"}},
        {"core/maps", {"core/base"}},
        {"core/attention", {"core/maps"}},
        {"core/diagnosis", {"core/maps"}},
        {"core/raster", {"core/maps"}},
        {"core/composed", {"core/maps"}},
        {"core/imported", {"core/maps", "core/checkpoint", "core/tokenizer/visible_text.h"}},
        {"core/model", {"core/attention", "core/checkpoint"}},
        {"core/lab", {"core/model", "core/attention", "core/diagnosis"}},
        {"core/analysis",
         {"core/model", "core/tokenizer", "core/imported", "core/diagnosis", "core/raster", "core/composed"}},
        {"ui/reading", {"core/maps", "core/raster", "ui/heatmap"}},
        {"ui", {"core"}},
        {"app", {"ui", "core"}},
    };
    return rules;
}

inline bool isInside(std::string_view folder, std::string_view room) {
    return folder == room || (folder.starts_with(room) && folder[room.size()] == '/');
}

/// Where headers of others may be included.
inline bool mayIncludeTorch(std::string_view folder) {
    return isInside(folder, "core/attention") || isInside(folder, "core/model") ||
           isInside(folder, "core/lab");
}
inline bool mayIncludeCharts(std::string_view folder) {
    return isInside(folder, "ui/charts");
}

inline bool isTorchHeader(std::string_view header) {
    for (const std::string_view prefix : {"torch/", "ATen/", "c10/", "caffe2/"})
        if (header.starts_with(prefix)) return true;
    return false;
}

inline bool isQtHeader(std::string_view header) {
    return header.starts_with("Qt") ||
           (header.size() > 1 && header[0] == 'Q' && header[1] >= 'A' && header[1] <= 'Z');
}

inline bool isChartsHeader(std::string_view header) {
    header = header.substr(header.rfind('/') == std::string_view::npos ? 0 : header.rfind('/') + 1);
    if (!isQtHeader(header)) return false;
    for (const std::string_view prefix :
         {"QChart", "QtChart", "QPolarChart", "QCandlestick", "QLegend", "QBarSet", "QBoxSet", "QPieSlice"})
        if (header.starts_with(prefix)) return true;
    for (const std::string_view suffix : {"Series", "Axis", "LegendMarker", "ModelMapper"})
        if (header.ends_with(suffix)) return true;
    return false;
}

struct Include {
    std::string header;
    bool quoted = false;
    int line = 0;
};

inline std::vector<Include> includesOf(const std::string& content) {
    std::vector<Include> includes;
    std::istringstream lines(content);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::string_view rest = line;
        const auto skip = [&](std::string_view word) {
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
            if (!rest.starts_with(word)) return false;
            rest.remove_prefix(word.size());
            return true;
        };
        if (!skip("#") || !skip("include")) continue;
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        if (rest.empty() || (rest[0] != '"' && rest[0] != '<')) continue;
        const std::size_t end = rest.find(rest[0] == '"' ? '"' : '>', 1);
        if (end == std::string_view::npos) continue;
        includes.push_back({std::string(rest.substr(1, end - 1)), rest[0] == '"', number});
    }
    return includes;
}

inline std::string folderOf(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

/// Checks a tree against the rules; one line for each violation.
class SourceChecker {
  public:
    explicit SourceChecker(const SourceTree& tree) : m_tree(tree) {}

    std::vector<std::string> violations() {
        for (const auto& [path, content] : m_tree) {
            if (!isSource(path)) continue;
            checkForm(path, content);
            for (const Include& include : includesOf(content)) checkInclude(path, include);
            if (path.starts_with("ui/") || path.starts_with("app/")) checkTorchFree(path);
        }
        return m_violations;
    }

  private:
    static bool isSource(const std::string& path) { return path.ends_with(".h") || path.ends_with(".cpp"); }

    void report(const std::string& path, int line, const std::string& what) {
        m_violations.push_back(path + (line > 0 ? ":" + std::to_string(line) : "") + ": " + what);
    }

    void checkForm(const std::string& path, const std::string& content) {
        if (!content.starts_with("// SPDX-License-Identifier: GPL-3.0-or-later\n"))
            report(path, 1, "the first line is not the SPDX licence line");
        const auto lines = std::count(content.begin(), content.end(), '\n');
        if (lines > 600) report(path, 0, std::to_string(lines) + " lines, at most 600: split it");
        if (path.ends_with(".h") && content.find("#pragma once") == std::string::npos)
            report(path, 0, "no #pragma once");
        const std::string folder = folderOf(path);
        const bool needsReadme = folder.starts_with("core/") || folder == "ui" || folder.starts_with("ui/");
        if (needsReadme && !m_tree.contains(folder + "/README.md") && m_withoutReadme.insert(folder).second)
            report(folder, 0, "the folder holds sources but no README.md");
    }

    /// The folder or header `allowed` and everything below it in the table.
    static bool allows(std::string_view allowed, const std::string& header) {
        if (isInside(header, allowed)) return true;
        for (const FolderRule& rule : folderRules())
            if (rule.folder == allowed)
                for (const std::string_view next : rule.mayInclude)
                    if (allows(next, header)) return true;
        return false;
    }

    static bool mayInclude(const std::string& folder, const std::string& header) {
        for (const FolderRule& rule : folderRules()) {
            if (isInside(folder, rule.folder)) return allows(rule.folder, header);
        }
        return false;
    }

    void checkInclude(const std::string& path, const Include& include) {
        const std::string& header = include.header;
        const std::string folder = folderOf(path);
        const bool ours =
            header.starts_with("core/") || header.starts_with("ui/") || header.starts_with("app/");
        const bool generated =
            header.ends_with(".moc") || header.starts_with("moc_") || header.starts_with("ui_");
        if (ours && !m_tree.contains(header)) report(path, include.line, "there is no " + header);
        if (ours && !mayInclude(folder, header))
            report(path, include.line, folder + " must not include " + header);
        if (include.quoted && !ours && !generated)
            report(path, include.line, "\"" + header + "\" is not written from the root");
        if (isQtHeader(header) && path.starts_with("core/"))
            report(path, include.line, "Qt under core: " + header);
        if (isTorchHeader(header) && !mayIncludeTorch(folder))
            report(path, include.line, "LibTorch outside its rooms: " + header);
        if (header == "torch/torch.h" && !isInside(folder, "core/lab"))
            report(path, include.line, "torch/torch.h takes 20 s to compile: include ATen/ATen.h");
        if (isChartsHeader(header) && !mayIncludeCharts(folder))
            report(path, include.line, "Qt Charts outside ui/charts: " + header);
    }

    /// Walks the includes of a file of ui/ or app/: no chain of them may reach LibTorch.
    void checkTorchFree(const std::string& start) {
        std::map<std::string, std::string> reachedFrom{{start, ""}};
        std::deque<std::string> queue{start};
        while (!queue.empty()) {
            const std::string path = queue.front();
            queue.pop_front();
            for (const Include& include : includesOf(m_tree.at(path))) {
                if (isTorchHeader(include.header)) {
                    std::string chain = include.header;
                    for (std::string at = path; !at.empty(); at = reachedFrom[at])
                        chain = at + " -> " + chain;
                    report(start, 0, "reaches LibTorch: " + chain);
                    return;
                }
                if (!m_tree.contains(include.header)) continue;
                if (reachedFrom.emplace(include.header, path).second) queue.push_back(include.header);
            }
        }
    }

    const SourceTree& m_tree;
    std::vector<std::string> m_violations;
    std::set<std::string> m_withoutReadme;
};

} // namespace headscope::test
