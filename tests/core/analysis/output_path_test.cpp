// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/output_path.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

namespace fs = std::filesystem;

TEST(OutputPath, PlainFilesInExistingFoldersPass) {
    const TemporaryFolder place;
    const fs::path old = place.write("old.csv", "x");
    EXPECT_NO_THROW(checkOutputFile(place / "new.csv", {}));
    EXPECT_NO_THROW(checkOutputFile(old, {}));
    EXPECT_NO_THROW(checkOutputFolder(place / "new", {}));
    EXPECT_NO_THROW(checkOutputFolder(place / "new/", {}));
    EXPECT_NO_THROW(checkOutputFolder(place.path(), {}));
    // A folder beside the model's whose name begins alike is not inside it.
    fs::create_directory(place / "model");
    fs::create_directory(place / "model-2");
    EXPECT_NO_THROW(
        checkOutputFile(place / "model-2" / "a.csv", {.modelFolder = place / "model", .inputs = {}}));
}

TEST(OutputPath, EveryOtherPlaceIsRefused) {
    const TemporaryFolder place;
    const std::string root = place.path().string();
    fs::create_directory(place / "model");
    fs::create_directory(place / "model" / "deep");
    fs::create_directory_symlink(place / "model", place / "link");
    const fs::path input = place.write("text.csv", "x");
    fs::create_hard_link(input, place / "other.csv");
    const OutputRules rules = {.modelFolder = place / "model", .inputs = {input}};
    const auto sentence = [&](const fs::path& target) {
        return sentenceOf([&] { checkOutputFile(target, rules); });
    };
    EXPECT_EQ(sentence(place / "no" / "a.csv"),
              root + "/no/a.csv: the folder " + root + "/no does not exist; make it first.");
    EXPECT_EQ(sentence(input / "a.csv"), root + "/text.csv/a.csv: " + root + "/text.csv is not a folder.");
    EXPECT_EQ(sentence(place / "model"), root + "/model: this is a folder, expected a file name.");
    EXPECT_EQ(sentence("/dev/null"), "/dev/null: this is no regular file, only such a file is replaced.");
    EXPECT_NE(sentence(input).find("this file is the input"), std::string::npos);
    EXPECT_NE(sentence(place / "other.csv").find("this file is the input"), std::string::npos);
    for (const char* inside : {"model/a.csv", "model/deep/a.csv", "link/a.csv", "model/deep/../a.csv"})
        EXPECT_NE(sentence(place / inside).find("inside the model folder"), std::string::npos) << inside;
    EXPECT_NE(sentenceOf([&] {
                  checkOutputFolder(place / "model" / "all", rules);
              }).find("inside the model folder"),
              std::string::npos);
    EXPECT_NE(sentenceOf([&] { checkOutputFolder(place / "no" / "all", rules); }).find("does not exist"),
              std::string::npos);
    EXPECT_NE(sentenceOf([&] { checkOutputFolder(input, rules); }).find("is not a folder"),
              std::string::npos);
}

TEST(OutputPath, AnotherModelsFolderIsRefusedToo) {
    const TemporaryFolder place;
    const std::string root = fs::canonical(place.path()).string();
    place.write("model.safetensors", "x");
    EXPECT_NO_THROW(checkOutputFile(place / "a.csv", {})); // weights alone are a result of `run`
    place.write("config.json", "{}");
    const std::string expected = ": this is inside the model folder " + root +
                                 ", nothing is ever written there; choose another folder.";
    for (const char* name : {"a.csv", "model.safetensors"})
        EXPECT_EQ(sentenceOf([&] { checkOutputFile(fs::path(root) / name, {}); }),
                  root + "/" + name + expected);
    EXPECT_EQ(sentenceOf([&] { checkOutputFolder(root, {}); }), root + expected);
    EXPECT_EQ(sentenceOf([&] { checkOutputFolder(fs::path(root) / "all", {}); }), root + "/all" + expected);
}

TEST(OutputPath, MoreThanTheDiskHoldsIsRefusedWithBothNumbers) {
    const TemporaryFolder place;
    EXPECT_NO_THROW(requireDiskSpace(place / "a.npz", 1));
    const std::string sentence =
        sentenceOf([&] { requireDiskSpace(place / "a.npz", 10'000'000'000'000'000'000U); });
    EXPECT_NE(sentence.find("the file would take 10.0 EB, the disk has "), std::string::npos) << sentence;
}

} // namespace
} // namespace headscope::test
