// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/structure/source_rules.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SourceTree readSources() {
    const std::filesystem::path root = HEADSCOPE_SOURCE_DIR;
    SourceTree tree;
    for (const char* top : {"core", "ui", "app"}) {
        if (!std::filesystem::is_directory(root / top)) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
            const auto extension = entry.path().extension();
            if (extension == ".h" || extension == ".cpp" || extension == ".md")
                tree[std::filesystem::relative(entry.path(), root).generic_string()] =
                    readBytes(entry.path());
        }
    }
    return tree;
}

TEST(Sources, KeepTheDirectionAndTheForm) {
    const SourceTree tree = readSources();
    ASSERT_GT(tree.size(), 30U) << "the sources were not found";
    ASSERT_TRUE(tree.contains("core/base/error.h"));
    for (const std::string& violation : SourceChecker(tree).violations()) ADD_FAILURE() << violation;
}

TEST(Sources, EveryRoomStandsInTheTable) {
    const std::filesystem::path root = HEADSCOPE_SOURCE_DIR;
    for (const auto& entry : std::filesystem::directory_iterator(root / "core")) {
        if (!entry.is_directory()) continue;
        const std::string folder = "core/" + entry.path().filename().string();
        EXPECT_TRUE(std::any_of(folderRules().begin(), folderRules().end(), [&](const FolderRule& rule) {
            return rule.folder == folder;
        })) << folder;
    }
}

/// A tree that breaks no rule, to which a test adds one file that does.
class SourceCheckerTest : public testing::Test {
  protected:
    static std::string source(const std::string& body) {
        return "// SPDX-License-Identifier: GPL-3.0-or-later\n#pragma once\n" + body + "\n";
    }
    SourceCheckerTest() {
        for (const char* folder :
             {"core/base", "core/checkpoint", "core/tokenizer", "core/maps", "core/attention",
              "core/diagnosis", "core/raster", "core/model", "core/analysis", "ui", "ui/charts"})
            m_tree[std::string(folder) + "/README.md"] = "x";
        add("core/base/error.h", "#include <string>");
        add("core/checkpoint/checkpoint.h", "#include \"core/base/error.h\"");
        add("core/checkpoint/safetensors.h", "");
        add("core/maps/head_map.h", "#include \"core/base/error.h\"");
        add("core/attention/attention.h", "#include <ATen/ATen.h>\n#include \"core/maps/head_map.h\"");
        add("core/model/model.h", "#include \"core/checkpoint/checkpoint.h\"");
        add("core/model/model.cpp",
            "#include \"core/attention/attention.h\"\n#include \"core/maps/head_map.h\"");
        add("core/analysis/analysis.h", "#include \"core/model/model.h\"\n#include \"core/base/error.h\"");
        add("ui/main_window.cpp",
            "#include <QMainWindow>\n#include \"core/analysis/analysis.h\"\n#include \"main.moc\"");
        add("ui/charts/chart.cpp", "#include <QLineSeries>\n#include <QtCharts/QChartView>");
        add("app/main.cpp", "#include \"ui/main_window.h\"");
        add("ui/main_window.h", "");
    }

    void add(const std::string& path, const std::string& body) { m_tree[path] = source(body); }
    std::vector<std::string> violations() const { return SourceChecker(m_tree).violations(); }
    /// Violations after one file more.
    std::vector<std::string> with(const std::string& path, const std::string& body) {
        add(path, body);
        return violations();
    }

    SourceTree m_tree;
};

TEST_F(SourceCheckerTest, FindsNothingInACleanTree) {
    EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(SourceCheckerTest, FindsIncludesAgainstTheDirection) {
    EXPECT_THAT(with("core/base/bad.h", "#include \"core/maps/head_map.h\""),
                ElementsAre("core/base/bad.h:3: core/base must not include core/maps/head_map.h"));
    m_tree.erase("core/base/bad.h");
    EXPECT_THAT(with("core/raster/bad.h", "#include \"core/model/model.h\""),
                ElementsAre(HasSubstr("core/raster must not include")));
    m_tree.erase("core/raster/bad.h");
    EXPECT_THAT(with("core/maps/bad.h", "\n  #  include \"core/checkpoint/checkpoint.h\" // why"),
                ElementsAre("core/maps/bad.h:4: core/maps must not include core/checkpoint/checkpoint.h"));
    m_tree.erase("core/maps/bad.h");
    EXPECT_THAT(with("ui/bad.h", "#include \"app/main.cpp\""),
                ElementsAre(HasSubstr("ui must not include app/")));
    m_tree.erase("ui/bad.h");
    EXPECT_THAT(with("core/analysis/bad.h", "#include <ui/main_window.h>"),
                ElementsAre(HasSubstr("core/analysis must not include ui/")));
}

TEST_F(SourceCheckerTest, TokenizerMayReadFourHeadersOfCheckpoint) {
    EXPECT_THAT(with("core/tokenizer/good.h", "#include \"core/checkpoint/checkpoint.h\""), IsEmpty());
    EXPECT_THAT(with("core/tokenizer/bad.h", "#include \"core/checkpoint/safetensors.h\""),
                ElementsAre(HasSubstr("core/tokenizer must not include core/checkpoint/safetensors.h")));
}

TEST_F(SourceCheckerTest, FindsQtUnderCore) {
    EXPECT_THAT(with("core/raster/bad.cpp", "#include <QImage>"),
                ElementsAre(HasSubstr("Qt under core: QImage")));
    EXPECT_THAT(with("core/raster/bad.cpp", "#include <QtGui/QImage>"),
                ElementsAre(HasSubstr("Qt under core")));
    EXPECT_THAT(with("core/raster/bad.cpp", "#include <queue>"), IsEmpty());
}

TEST_F(SourceCheckerTest, FindsTorchOutsideItsRooms) {
    for (const char* header : {"ATen/ATen.h", "c10/core/Device.h", "torch/nn.h"})
        EXPECT_THAT(with("core/diagnosis/bad.cpp", std::string("#include <") + header + ">"),
                    ElementsAre(HasSubstr("LibTorch outside its rooms")));
    m_tree.erase("core/diagnosis/bad.cpp");
    m_tree["core/model/families/README.md"] = "x";
    EXPECT_THAT(with("core/model/families/good.cpp", "#include <ATen/ATen.h>"), IsEmpty());
    EXPECT_THAT(with("core/model/bad.cpp", "#include <torch/torch.h>"), ElementsAre(HasSubstr("20 s")));
}

TEST_F(SourceCheckerTest, FindsTorchBehindAChainOfHeaders) {
    add("core/model/model.h", "#include \"core/attention/attention.h\"");
    EXPECT_THAT(
        violations(),
        ElementsAre("ui/main_window.cpp: reaches LibTorch: ui/main_window.cpp -> core/analysis/analysis.h -> "
                    "core/model/model.h -> core/attention/attention.h -> ATen/ATen.h"));
}

TEST_F(SourceCheckerTest, FindsChartsOutsideTheirFolder) {
    for (const char* header : {"QChartView", "QtCharts/QValueAxis", "QBarSeries", "QtCharts", "QLegend"})
        EXPECT_THAT(with("ui/bad.cpp", std::string("#include <") + header + ">"),
                    ElementsAre(HasSubstr("Qt Charts outside ui/charts")));
    EXPECT_THAT(with("ui/bad.cpp", "#include <QWidget>\n#include <QCheckBox>"), IsEmpty());
}

TEST_F(SourceCheckerTest, FindsIncludesThatAreNotFromTheRootOrNotThere) {
    EXPECT_THAT(with("ui/bad.cpp", "#include \"main_window.h\""),
                ElementsAre(HasSubstr("not written from the root")));
    EXPECT_THAT(with("ui/bad.cpp", "#include \"core/base/none.h\""),
                ElementsAre(HasSubstr("there is no core/base/none.h")));
}

TEST_F(SourceCheckerTest, FindsMissingReadmesAndLicencesAndOverlongFiles) {
    m_tree.erase("core/maps/README.md");
    m_tree.erase("ui/charts/README.md");
    EXPECT_THAT(violations(), ElementsAre("core/maps: the folder holds sources but no README.md",
                                          "ui/charts: the folder holds sources but no README.md"));
    m_tree["core/maps/README.md"] = m_tree["ui/charts/README.md"] = "x";
    m_tree["core/base/bad.cpp"] = "#include <string>\n";
    EXPECT_THAT(violations(),
                ElementsAre("core/base/bad.cpp:1: the first line is not the SPDX licence line"));
    EXPECT_THAT(with("core/base/bad.cpp", std::string(598, '\n')),
                ElementsAre("core/base/bad.cpp: 601 lines, at most 600: split it"));
    EXPECT_THAT(with("core/base/bad.cpp", std::string(597, '\n')), IsEmpty());
}

TEST_F(SourceCheckerTest, ANewRoomNeedsItsRow) {
    m_tree["core/novel/README.md"] = "x";
    EXPECT_THAT(with("core/novel/x.h", "#include \"core/base/error.h\""),
                ElementsAre(HasSubstr("core/novel must not include core/base/error.h")));
}

} // namespace
} // namespace headscope::test
