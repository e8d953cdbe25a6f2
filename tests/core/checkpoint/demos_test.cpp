// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/demos.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

namespace fs = std::filesystem;
using test::sentenceOf;

const fs::path kFolder = fs::path(HEADSCOPE_SOURCE_DIR) / "resources" / "demos";

std::vector<std::string> namesIn(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

TEST(Demos, HoldTheFilesOfTheirFolders) {
    std::vector<std::string> names;
    for (const Demo& demo : demos()) {
        const std::string name = demo.name().substr(5);
        names.push_back(name);
        const FolderContents contents = demo.contents();
        EXPECT_EQ(std::vector<std::string>(contents.files.begin(), contents.files.end()),
                  namesIn(kFolder / name));
        for (const std::string& file : contents.files) {
            const InputFile opened = demo.open(file);
            EXPECT_TRUE(readWholeFile(opened, opened.size()) == test::readBytes(kFolder / name / file))
                << file;
            EXPECT_EQ(opened.path(), fs::path(demo.name()) / file);
        }
    }
    EXPECT_EQ(names, namesIn(kFolder));
}

TEST(Demos, OpenLikeTheirFolders) {
    for (const Demo& demo : demos()) {
        const Checkpoint inside = openCheckpoint(demo.name());
        const Checkpoint outside = openCheckpoint(kFolder / demo.name().substr(5));
        EXPECT_EQ(inside.name, demo.name());
        EXPECT_EQ(inside.folder, demo.name());
        EXPECT_TRUE(inside.notes.empty());
        EXPECT_EQ(inside.tokenizerFile->filename(), "tokenizer.json");
        ASSERT_EQ(inside.files.size(), outside.files.size());
        for (std::size_t i = 0; i < inside.files.size(); ++i) {
            EXPECT_EQ(inside.files[i].name, outside.files[i].name);
            EXPECT_EQ(inside.files[i].bytes, outside.files[i].bytes);
        }
        ASSERT_EQ(inside.weights->tensors().size(), outside.weights->tensors().size());
        for (const TensorInfo& tensor : inside.weights->tensors()) {
            const TensorInfo* other = outside.weights->find(tensor.name);
            ASSERT_NE(other, nullptr) << tensor.name;
            ASSERT_EQ(tensor.shape, other->shape) << tensor.name;
            std::vector<float> ours(static_cast<std::size_t>(tensor.elements));
            std::vector<float> theirs(ours.size());
            inside.weights->readFloats(tensor, 0, ours);
            outside.weights->readFloats(*other, 0, theirs);
            EXPECT_EQ(ours, theirs) << tensor.name;
            inside.weights->dropPages(tensor);
        }
        EXPECT_TRUE(inside.has("config.json"));
        EXPECT_FALSE(inside.has("added_tokens.json"));
        EXPECT_TRUE(outside.has("config.json"));
        EXPECT_FALSE(outside.has("added_tokens.json"));
    }
}

TEST(Demos, OthersGetTheList) {
    EXPECT_EQ(sentenceOf([] { openCheckpoint("demo:"); }),
              "demo: no name follows the colon, expected one of: demo:constructed.");
    for (const char* name : {"demo:nonesuch", "demo:constructed/", "demo:Constructed", "demo:/etc"})
        EXPECT_EQ(
            sentenceOf([name] { openCheckpoint(name); }),
            fmt::format("{}: there is no such demo, expected one of: demo:constructed; a folder of that "
                        "name is opened as ./{}.",
                        name, name));
    EXPECT_EQ(
        sentenceOf([] { openCheckpoint("demo:a\nb"); }),
        "demo:a\\x0ab: there is no such demo, expected one of: demo:constructed; a folder of that name is "
        "opened as ./demo:a\\x0ab.");
}

TEST(Demos, AFolderOfSuchANameIsAPath) {
    EXPECT_TRUE(isDemoName("demo:"));
    EXPECT_TRUE(isDemoName("demo:x"));
    for (const char* path : {"demo", "./demo:x", "/demo:x", "", "Demo:x", "x/demo:y"})
        EXPECT_FALSE(isDemoName(path)) << path;
    const test::TemporaryFolder place;
    fs::copy(kFolder / "constructed", place / "demo:mine");
    const Checkpoint checkpoint = openCheckpoint(place / "demo:mine");
    EXPECT_EQ(checkpoint.demo, nullptr);
    EXPECT_EQ(checkpoint.name, "demo:mine");
}

} // namespace
} // namespace headscope
