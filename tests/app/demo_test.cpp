// SPDX-License-Identifier: GPL-3.0-or-later
// demo:NAME takes the place of a folder in every command, wherever the program is started.
#include "core/base/json.h"
#include "core/checkpoint/safetensors.h"
#include "tests/app/command_line.h"
#include "tests/core/model/golden.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

constexpr const char* kDemo = "demo:constructed";
const std::string kText = "The small boat and the old man. The small boat and the old man.";

class DemoCommands : public ::testing::Test {
  protected:
    TemporaryFolder m_place;
    ProcessResult run(std::vector<std::string> words) const {
        return headscope(std::move(words), {.folder = m_place.path()});
    }
};

TEST_F(DemoCommands, Inspect) {
    const ProcessResult result = run({"inspect", kDemo});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("demo:constructed\n"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("2 layers x 4 heads of size 64, causal\n"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("256, no feed-forward\n"), std::string::npos) << result.out;
    const ProcessResult json = run({"inspect", kDemo, "--json"});
    EXPECT_EQ(parseJson(json.out, "inspect").find("intermediate_size")->asInteger(), 0);
}

TEST_F(DemoCommands, TokensAreWordsAndMarks) {
    const ProcessResult result = run({"tokens", kDemo, "Small boat, zyzzyva.", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json json = parseJson(result.out, "tokens");
    std::vector<std::string> pieces;
    for (const Json& token : json.find("tokens")->items()) pieces.push_back(token.find("piece")->asString());
    EXPECT_EQ(pieces, (std::vector<std::string>{"<s>", "small", "boat", ",", "<unk>", "."}));
}

TEST_F(DemoCommands, RunGivesWhatTheFolderGives) {
    const std::string folder = std::string(HEADSCOPE_SOURCE_DIR) + "/resources/demos/constructed";
    ASSERT_EQ(run({"run", kDemo, "--text", kText, "--out", "demo.safetensors"}).code, 0);
    ASSERT_EQ(run({"run", folder, "--text", kText, "--out", "folder.safetensors"}).code, 0);
    EXPECT_TRUE(readBytes(m_place / "demo.safetensors") == readBytes(m_place / "folder.safetensors"));
    const auto maps = openSafetensors(m_place / "demo.safetensors");
    EXPECT_EQ(maps->find("attentions.1")->shape, (std::vector<std::int64_t>{4, 17, 17}));
}

TEST_F(DemoCommands, ExportAndBench) {
    const ProcessResult exported =
        run({"export", kDemo, "--text", kText, "--head", "1.0", "--out", "map.csv"});
    EXPECT_EQ(exported.code, 0) << exported.err;
    const ProcessResult bench = run({"bench", kDemo, "--tokens", "16", "--json"});
    ASSERT_EQ(bench.code, 0) << bench.err;
    EXPECT_GT(parseJson(bench.out, "bench").find("matrix_products_s")->asReal(), 0.0);
    EXPECT_EQ(namesIn(m_place.path()), std::vector<std::string>{"map.csv"}); // and no folder for the demo
}

TEST_F(DemoCommands, OtherNamesGetTheList) {
    for (const char* command : {"inspect", "bench"}) {
        std::vector<std::string> words{command, "demo:nonesuch"};
        if (std::string(command) == "bench") words.insert(words.end(), {"--tokens", "16"});
        const ProcessResult result = run(words);
        EXPECT_EQ(result.code, 1);
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(result.err,
                  "demo:nonesuch: there is no such demo, expected one of: demo:constructed; a folder "
                  "of that name is opened as ./demo:nonesuch.\n");
    }
    const ProcessResult bare = run({"tokens", "demo:", "a"});
    EXPECT_EQ(bare.code, 1);
    EXPECT_EQ(bare.err, "demo: no name follows the colon, expected one of: demo:constructed.\n");
}

#if HEADSCOPE_WITH_QT
TEST_F(DemoCommands, TheWindow) {
    const ProcessResult shown = run({kDemo, "--text", kText, "--head", "1.0", "--screenshot", "window.png"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(namesIn(m_place.path()), std::vector<std::string>{"window.png"});
}

TEST_F(DemoCommands, TheWindowOpensASession) {
    const auto write = [this](const char* name, const char* layer) {
        m_place.write(name, std::string(R"({"headscope_session": 1, "view": {"model": "demo:constructed",)") +
                                R"( "text": "the cat sat", "layer": )" + layer + "}}");
    };
    write("a.headscope", "1");
    const ProcessResult shown = run({"./a.headscope", "--screenshot", "window.png"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    write("bad.headscope", "9"); // a layer that the model does not have
    EXPECT_EQ(run({"./bad.headscope", "--screenshot", "bad.png"}).code, 1);
    EXPECT_EQ(run({"./none.headscope", "--screenshot", "none.png"}).code, 1);
}
#endif

} // namespace
} // namespace headscope::test
