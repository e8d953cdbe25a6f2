// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"

#include <gtest/gtest.h>
#include <ostream>

namespace headscope::test {
namespace {

struct Case {
    std::vector<std::string> words; ///< MODEL stands for the model folder
    std::string sentence;
};

void PrintTo(const Case& one, std::ostream* out) {
    for (const std::string& word : one.words) *out << word << ' ';
}

/// Everything here is wrong whatever the model is: exit code 2, one sentence, nothing on standard output.
class WrongUse : public testing::TestWithParam<Case> {};

TEST_P(WrongUse, ExitsWithTwoAndOneSentence) {
    std::vector<std::string> words = GetParam().words;
    std::replace(words.begin(), words.end(), std::string("MODEL"), tinyBert());
    const TemporaryFolder place;
    const ProcessResult result = headscope(words, {.folder = place.path()});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, GetParam().sentence + "\n" +
                              "\"headscope --help\" and \"headscope COMMAND --help\" show how it is used.\n");
    EXPECT_EQ(namesIn(place.path()), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(
    Options, WrongUse,
    testing::Values(
        Case{{"nonsense"},
             "nonsense: there is no such command and no folder of this name, the commands are inspect, "
             "tokens, run, export, compare, diagnose, bench."},
        Case{{"lab", "MODEL", "--json"},
             "lab: there is no such command and no folder of this name, the commands are inspect, "
             "tokens, run, export, compare, diagnose, bench."},
        Case{{"run", "MODEL", "--seed", "1", "--text", "a", "--out", "a.npz"},
             "--seed: \"headscope run\" has no such option."},
        Case{{"run", "MODEL", "--image=x.png"}, "--image: \"headscope run\" has no such option."},
        Case{{"--form", "song"}, "--form: found \"song\", expected map, text or lines."},
        Case{{"--view", "lab"}, "--view: found \"lab\", expected explore, diagnose or compare."},
        Case{{"--pin", "0.1,0.2,0.3,1.0"}, "--pin: more than three are given, expected up to three."},
        Case{{"./a.headscope", "--head", "0.1"},
             "--head: given together with a session file, the session says what is shown."},
        // The value of an option is no command, whatever it says.
        Case{{"--theme", "run"}, "--theme: found \"run\", expected light, dark or system."},
        Case{{"--text", "export", "--view", "lab"},
             "--view: found \"lab\", expected explore, diagnose or compare."},
        Case{{"--no\nsuch"}, "--no\\x0asuch: \"headscope\" has no such option."},
        Case{{"run"}, "headscope run: MODEL is missing, expected the folder of a model."},
        Case{{"run", "", "--text", "a", "--out", "a.npz"},
             "MODEL: it is empty, expected the folder of a model."},
        Case{{"run", "MODEL", "--out", "a.npz"},
             "input: there is none, expected --text, --text-file or --ids."},
        Case{{"run", "MODEL", "--text", "a", "--ids", "1", "--out", "a.npz"},
             "input: --text and --ids are both given, only one of --text, --text-file or --ids can be."},
        Case{{"run", "MODEL", "--text", "a", "--text", "b", "--out", "a.npz"},
             "--text: given twice, once is enough."},
        Case{{"run", "MODEL", "a", "--out", "a.npz"},
             "headscope run: one word too many, \"a\"; put quotes around a text with spaces."},
        Case{{"run", "MODEL", "--text"}, "--text: the value is missing."},
        Case{{"run", "MODEL", "--quiet=3", "--text", "a"},
             "--quiet: a value was given, this option takes none."},
        Case{{"run", "MODEL", "--text", "a"},
             "headscope run: --out is missing, expected a file name that ends in .safetensors or .npz."},
        Case{{"run", "MODEL", "--text", "a", "--out", "a.txt"},
             "--out: found \"a.txt\", expected a file name that ends in .safetensors or .npz."},
        Case{{"run", "MODEL", "--text", "a", "--out="},
             "--out: it is empty, expected a file name that ends in .safetensors or .npz."},
        Case{{"run", "MODEL", "--ids", "1,,2", "--out", "a.npz"},
             "--ids: found \"1,,2\", expected whole numbers from 0 up with commas between them, such as "
             "101,7592,102."},
        Case{{"run", "MODEL", "--ids", "-1", "--out", "a.npz"},
             "--ids: found \"-1\", expected whole numbers from 0 up with commas between them, such as "
             "101,7592,102."},
        Case{{"run", "MODEL", "--ids", "99999999999999999999", "--out", "a.npz"},
             "--ids: found \"99999999999999999999\", expected whole numbers from 0 up with commas between "
             "them, "
             "such as 101,7592,102."},
        Case{{"run", "MODEL", "--ids", "1", "--pair", "b", "--out", "a.npz"},
             "--pair: given together with --ids, ids are fed as they are."},
        Case{{"run", "MODEL", "--text", "a", "--truncate", "--piece", "0", "--out", "a.npz"},
             "--piece: given together with --truncate, only one of them can be."},
        Case{{"run", "MODEL", "--text", "a", "--piece", "x", "--out", "a.npz"},
             "--piece: found \"x\", expected a whole number from 0 up."},
        Case{{"run", "MODEL", "--text", "a", "--threads", "0", "--out", "a.npz"},
             "--threads: found \"0\", expected a whole number from 1 to 1024."},
        Case{{"run", "MODEL", "--text", "a", "--device", "tpu", "--out", "a.npz"},
             "--device: found \"tpu\", expected auto, cpu or cuda."},
        Case{{"bench", "MODEL"}, "headscope bench: --tokens is missing, expected a number of tokens."},
        Case{{"bench", "MODEL", "--tokens", "0"},
             "--tokens: found \"0\", expected whole numbers from 1 up with commas between them, such as "
             "101,7592,102."},
        Case{{"tokens", "MODEL"}, "input: there is none, expected TEXT or --text-file."}));

INSTANTIATE_TEST_SUITE_P(
    Export, WrongUse,
    testing::Values(
        Case{{"export", "MODEL", "--text", "a", "--out", "a.png"},
             "what to export: there is none, expected --head, --layer, --grid or --all."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--grid", "--out", "a.png"},
             "what to export: --head and --grid are both given, only one of --head, --layer, --grid or --all "
             "can "
             "be."},
        Case{{"export", "MODEL", "--text", "a", "--head", "1", "--out", "a.png"},
             "--head: found \"1\", expected layer.head, both counted from 0, with commas between several, "
             "such "
             "as 1.11,3.0."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0,0.0", "--out", "a.png"},
             "--head: head 0.0 is given twice."},
        Case{{"export", "MODEL", "--text", "a", "--layer", "-1", "--out", "a.png"},
             "--layer: found \"-1\", expected a whole number from 0 to 999999."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--out", "a.jpg"},
             "--out: found \"a.jpg\", expected a file name that ends in .png, .svg, .pdf, .csv, .npy or "
             ".json."},
        Case{{"export", "MODEL", "--text", "a", "--all", "--out", "a.png"},
             "--out: given together with --all, expected --out-dir with a folder."},
        Case{{"export", "MODEL", "--text", "a", "--all", "--out-dir", "--dpi"},
             "--out-dir: found \"--dpi\", expected a folder; write \"./--dpi\" if that is its name."},
        Case{{"export", "MODEL", "--text", "a", "--grid", "--out-dir", "a"},
             "--out-dir: given without --all, expected --out with a file name."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--rows", "3:3", "--out", "a.png"},
             "--rows: found \"3:3\", expected first:end with 0 <= first < end, such as 0:16 for the first "
             "sixteen "
             "tokens."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--range", "1:0", "--out", "a.png"},
             "--range: found \"1:0\", expected auto, row, log or low:high with low < high, such as 0:1."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--dpi", "nan", "--out", "a.png"},
             "--dpi: found \"nan\", expected a whole number from 36 to 2400."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--width-mm", "nan", "--out", "a.png"},
             "--width-mm: found \"nan\", expected a number from 20 to 5000."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--theme", "pink", "--out", "a.png"},
             "--theme: found \"pink\", expected light or dark."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--dpi", "100", "--out", "a.csv"},
             "--dpi: given for a .csv file, only pictures (.png, .svg, .pdf) have it."},
        Case{{"export", "MODEL", "--text", "a", "--head", "0.0", "--as", "lines", "--margins", "--out",
              "a.png"},
             "--margins: given for lines, only maps have it."},
        Case{{"compare", "MODEL", "--text", "a", "--head", "0.0,0.1", "--margins", "--out", "a.png"},
             "--margins: given for two heads side by side, only pictures of heads by themselves have it."},
        Case{
            {"export", "MODEL", "--text", "a", "--grid", "--rows", "0:2", "--out", "a.png"},
            "--rows: given for a picture of the grid, the grid shows whole maps without labels of tokens."}));

TEST(Usage, QuietLeavesOnlyTheSentence) {
    const ProcessResult result = headscope({"nonsense", "--quiet"});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, "nonsense: there is no such command and no folder of this name, the commands are "
                          "inspect, tokens, run, export, compare, diagnose, bench.\n");
}

TEST(Usage, HelpNamesTheCommandsAndGoesToStandardOutput) {
    const ProcessResult result = headscope({"--help"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("inspect, tokens, run, export, compare, diagnose, bench"), std::string::npos)
        << result.out;
    for (const char* command : {"inspect", "tokens", "run", "export", "bench"}) {
        const ProcessResult help = headscope({command, "--help"});
        EXPECT_EQ(help.code, 0);
        EXPECT_NE(help.out.find("--device"), std::string::npos) << help.out;
    }
}

TEST(Usage, VersionSaysTheBuildFacts) {
    const ProcessResult result = headscope({"--version"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out.rfind("headscope ", 0), 0U);
    EXPECT_NE(result.out.find("LibTorch "), std::string::npos);
    EXPECT_NE(result.out.find(HEADSCOPE_WITH_QT ? "\nQt 6." : "\nwithout Qt\n"), std::string::npos);
    EXPECT_NE(result.out.find("score kernel "), std::string::npos);
}

TEST(Usage, OptionsMayStandBeforeTheCommandAndTextsMayLookLikeAnything) {
    const TemporaryFolder place;
    const std::string out = (place / "a.npz").string();
    for (const char* text : {"-5 degrees", "--out", "[a,b]", "{}", "run", ""}) {
        const ProcessResult result =
            headscope({"--quiet", "--threads", "1", "run", tinyBert(), "--text", text, "--out", out});
        EXPECT_EQ(result.code, 0) << text << ": " << result.err;
        EXPECT_EQ(result.err, "") << text;
    }
    EXPECT_EQ(headscope({"tokens", tinyBert(), "run"}).code, 0);
    EXPECT_EQ(headscope({"tokens", tinyBert(), "--", "--run"}).code, 0);
}

TEST(Window, WithoutADisplayItSaysSo) {
    const ProcessOptions noDisplay = {.environment = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}};
    const ProcessResult result = headscope({tinyBert()}, noDisplay);
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err,
              HEADSCOPE_WITH_QT
                  ? "window: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); the commands "
                    "inspect, tokens, run, export, compare, diagnose, bench need none.\n"
                  : "window: this program was built without Qt; the commands inspect, tokens, run, export, "
                    "diagnose, bench "
                    "work.\n");
}

} // namespace
} // namespace headscope::test
