// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/shard_index.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

TEST(ShardIndex, NamesFilesAndTheirTensors) {
    const ShardIndex index = parseShardIndex(
        R"({"metadata":{"total_size":NaN},"weight_map":{"b":"m-2.safetensors","a":"m-1.safetensors","c":"m-2.safetensors"}})",
        "index", ".safetensors");
    EXPECT_EQ(index.files, (std::vector<std::string>{"m-1.safetensors", "m-2.safetensors"}));
    EXPECT_EQ(index.fileOf, (std::map<std::string, std::size_t, std::less<>>{{"a", 0}, {"b", 1}, {"c", 1}}));
}

struct Case {
    const char* name;
    std::string text;
    const char* sentence; ///< without "index: "
};

class MalformedIndex : public testing::TestWithParam<Case> {};

TEST_P(MalformedIndex, IsRefusedInOneSentence) {
    EXPECT_EQ(sentenceOf([&] { parseShardIndex(GetParam().text, "index", ".safetensors"); }),
              std::string("index: ") + GetParam().sentence);
}

Case withFile(const char* name, const std::string& file, const char* sentence) {
    return {name, R"({"weight_map":{"w":)" + file + "}}", sentence};
}

INSTANTIATE_TEST_SUITE_P(
    EveryFault, MalformedIndex,
    testing::Values(
        Case{"NotJson", "oops", "the JSON is malformed (at byte 0)."},
        Case{"Cut", R"({"weight_map":{"w":)", "the JSON is malformed (at byte 19)."},
        Case{"Array", "[]", "this is an array, expected a JSON object."},
        Case{"NoMap", R"({"metadata":{}})", "weight_map is missing."},
        Case{"MapIsArray", R"({"weight_map":[]})", "weight_map is an array, expected an object."},
        Case{"EmptyMap", R"({"weight_map":{}})", "weight_map is empty, expected tensors and their files."},
        Case{"TensorTwice", R"({"weight_map":{"w":"a.safetensors","w":"b.safetensors"}})",
             "weight_map: the name \"w\" stands twice."},
        withFile("FileIsNumber", "1", "weight_map: \"w\": its file is an integer, expected a file name."),
        withFile("Parent", R"("../a.safetensors")",
                 "weight_map: \"w\": its file is \"../a.safetensors\", expected the plain name of a "
                 ".safetensors file in "
                 "this folder."),
        withFile("Absolute", R"("/etc/passwd")",
                 "weight_map: \"w\": its file is \"/etc/passwd\", expected the plain name of a .safetensors "
                 "file in this "
                 "folder."),
        withFile("Folder", R"("a/b.safetensors")",
                 "weight_map: \"w\": its file is \"a/b.safetensors\", expected the plain name of a "
                 ".safetensors file in "
                 "this folder."),
        withFile("Backslash", R"("..\\a.safetensors")",
                 "weight_map: \"w\": its file is \"..\\a.safetensors\", expected the plain name of a "
                 ".safetensors file in "
                 "this folder."),
        withFile("ZeroByte", R"("a\u0000.safetensors")",
                 "weight_map: \"w\": its file is \"a\\x00.safetensors\", expected the plain name of a "
                 ".safetensors file in "
                 "this folder."),
        withFile("EmptyName", R"("")",
                 "weight_map: \"w\": its file is \"\", expected the plain name of a .safetensors file in "
                 "this folder."),
        withFile("OtherForm", R"("pytorch_model-00001-of-00002.bin")",
                 "weight_map: \"w\": its file is \"pytorch_model-00001-of-00002.bin\", expected the plain "
                 "name of a "
                 ".safetensors file in this folder.")),
    [](const auto& tested) { return std::string(tested.param.name); });

std::vector<std::string> shardsOf(const std::vector<std::string>& names) {
    return numberedShards(names, "model", ".safetensors", "folder");
}

TEST(NumberedShards, AreFoundAmongOtherFiles) {
    EXPECT_EQ(
        shardsOf({"config.json", "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
                  "model-00001-of-00002.bin", "model-1-of-2.safetensors", "xmodel-00001-of-00001.safetensors",
                  "model.fp16-00001-of-00001.safetensors", "model-0000x-of-00003.safetensors"}),
        (std::vector<std::string>{"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}));
    EXPECT_TRUE(shardsOf({"config.json", "model.safetensors"}).empty());
}

TEST(NumberedShards, MustBeAllOfOneModel) {
    EXPECT_EQ(
        sentenceOf([] {
            shardsOf({"model-00001-of-00003.safetensors", "model-00003-of-00003.safetensors"});
        }),
        "folder: model-00002-of-00003.safetensors is missing, 2 of 3 parts are there; finish the download.");
    EXPECT_EQ(sentenceOf([] {
                  shardsOf({"model-00001-of-00002.safetensors", "model-00001-of-00003.safetensors"});
              }),
              "folder: model-00001-of-00002.safetensors and model-00001-of-00003.safetensors are parts of "
              "two models, "
              "expected the files of one; remove those of the other.");
    EXPECT_EQ(sentenceOf([] { shardsOf({"model-00000-of-00001.safetensors"}); }),
              "folder: model-00000-of-00001.safetensors has a number outside 1 to 1.");
    EXPECT_EQ(sentenceOf([] { shardsOf({"model-00002-of-00001.safetensors"}); }),
              "folder: model-00002-of-00001.safetensors has a number outside 1 to 1.");
    EXPECT_EQ(sentenceOf([] { shardsOf({"model-00001-of-99999.safetensors"}); }),
              "folder: model-00002-of-99999.safetensors is missing, 1 of 99999 parts are there; finish the "
              "download.");
}

TEST(NumberedShards, NamesInMessagesAreEscaped) {
    EXPECT_EQ(sentenceOf([] {
                  numberedShards({"model.a\nb-00001-of-00002.safetensors"}, "model.a\nb", ".safetensors",
                                 "folder");
              }),
              "folder: model.a\\x0ab-00002-of-00002.safetensors is missing, 1 of 2 parts are there; finish "
              "the download.");
    EXPECT_EQ(sentenceOf([] {
                  numberedShards({"\x1b-00000-of-00002.safetensors"}, "\x1b", ".safetensors", "folder");
              }),
              "folder: \\x1b-00000-of-00002.safetensors has a number outside 1 to 2.");
    EXPECT_EQ(
        sentenceOf([] {
            numberedShards({"\x1b-00001-of-00002.bin", "\x1b-00001-of-00003.bin"}, "\x1b", ".bin", "folder");
        }),
        "folder: \\x1b-00001-of-00002.bin and \\x1b-00001-of-00003.bin are parts of two models, expected the "
        "files of "
        "one; remove those of the other.");
}

} // namespace
} // namespace headscope::test
