// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which the header of a GGUF file can be wrong, and the sentence that says so.
#include "core/checkpoint/gguf/gguf_header.h"
#include "tests/core/checkpoint/gguf_bytes_builder.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

constexpr std::uint64_t kHuge = std::uint64_t{1} << 63U;
constexpr const char* kDamaged = "; the file is damaged or was made to mislead.";
constexpr const char* kTypes =
    "expected F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, F64, BF16";

struct Case {
    std::string name;
    void (*spoil)(GgufBuilder& file);
    std::string sentence; ///< after "a.gguf: "
};

void PrintTo(const Case& one, std::ostream* stream) {
    *stream << one.name;
}

GgufBuilder good() {
    GgufBuilder file;
    file.text("general.architecture", "llama");
    file.number("llama.block_count", 2);
    file.tensor("a", {4, 2}, 0, std::string(32, '\0'));
    file.tensor("b", {32}, 8, std::string(34, '\0'));
    return file;
}

void replaceKeys(GgufBuilder& file, const std::string& key) {
    file.keys = {key};
}

std::vector<Case> cases() {
    return {
        {"OtherMagic", [](GgufBuilder& file) { file.magic = "GGUX"; },
         "the file starts with \"GGUX\", expected \"GGUF\"; the file is damaged or no GGUF file."},
        {"OlderFormat", [](GgufBuilder& file) { file.magic = "tjgg"; },
         "the file is in a format from before GGUF, expected a GGUF file; take a newer version of the file."},
        {"WebPage", [](GgufBuilder& file) { file.magic = "<!DOCTYPE html>"; },
         "the file is a web page (HTML), not weights; the download was answered by a login or error page: "
         "get the "
         "file again."},
        {"LfsPointer", [](GgufBuilder& file) { file.magic = "version https://git-lfs"; },
         "the file is a Git LFS pointer (290 bytes of text), not weights; run \"git lfs pull\" in the "
         "folder."},
        {"Version1", [](GgufBuilder& file) { file.version = 1; },
         "the file is of version 1 of the format, expected version 2 or 3; convert the model again: version "
         "1 was in "
         "use for a few days."},
        {"Version4", [](GgufBuilder& file) { file.version = 4; },
         "the file is of version 4 of the format, expected version 2 or 3."},
        {"OtherByteOrder", [](GgufBuilder& file) { file.version = 3U << 24U; },
         "the file is for machines with the other byte order, expected little-endian numbers."},
        {"RepeatedKey", [](GgufBuilder& file) { file.number("llama.block_count", 2); },
         std::string("llama.block_count: the key stands twice") + kDamaged},
        {"EmptyKey", [](GgufBuilder& file) { file.number("", 2); }, std::string("a key is empty") + kDamaged},
        {"KeyOf2To63Bytes", [](GgufBuilder& file) { replaceKeys(file, raw(kHuge)); },
         "a key: a text of 9223372036854775808 bytes, at most 65535 are read."},
        {"TextOf2To63Bytes", [](GgufBuilder& file) { replaceKeys(file, ggufKey("k", 8, raw(kHuge))); },
         "k: a text of 9223372036854775808 bytes, at most 16777216 are read."},
        {"TextBeyondTheFile",
         [](GgufBuilder& file) { replaceKeys(file, ggufKey("k", 8, raw(std::uint64_t{100'000}))); },
         "the file ends inside its header after 194 bytes; the download is incomplete: get the file again."},
        {"UnknownValueType", [](GgufBuilder& file) { replaceKeys(file, ggufKey("k", 13, raw(1))); },
         std::string("k: its type 13 is unknown, expected 0 to 12") + kDamaged},
        {"NoTruthValue", [](GgufBuilder& file) { replaceKeys(file, ggufKey("k", 7, "\2")); },
         "k: found 2, expected 0 or 1, a truth value."},
        {"NestedArray",
         [](GgufBuilder& file) {
             replaceKeys(file, ggufKey("k", 9, raw(std::uint32_t{9}) + raw(std::uint64_t{1})));
         },
         "k: an array inside an array, expected numbers, truth values or texts."},
        {"ArrayOf2To64Values",
         [](GgufBuilder& file) {
             replaceKeys(file, ggufKey("k", 9, raw(std::uint32_t{4}) + raw(~std::uint64_t{0})));
         },
         "k: an array of 18446744073709551615 values, all arrays of the header may have 4194304 together."},
        {"ArrayBeyondTheFile",
         [](GgufBuilder& file) {
             replaceKeys(file, ggufKey("k", 9, raw(std::uint32_t{4}) + raw(std::uint64_t{1000})));
         },
         "the file ends inside its header after 194 bytes; the download is incomplete: get the file again."},
        {"AlignmentOfThree", [](GgufBuilder& file) { file.number("general.alignment", 3); },
         "general.alignment: found 3, expected a power of two up to 2^20."},
        {"AlignmentOfZero", [](GgufBuilder& file) { file.number("general.alignment", 0); },
         "general.alignment: found 0, expected a power of two up to 2^20."},
        {"AlignmentOf2To31", [](GgufBuilder& file) { file.number("general.alignment", 1U << 31U); },
         "general.alignment: found 2147483648, expected a power of two up to 2^20."},
        {"AlignmentIsText", [](GgufBuilder& file) { file.text("general.alignment", "32"); },
         "general.alignment: found a string, expected a power of two up to 2^20."},
        {"NoDimensions", [](GgufBuilder& file) { file.tensors[0].extents = {}; },
         std::string("tensor \"a\": it has 0 dimensions, expected 1 to 4") + kDamaged},
        {"FiveDimensions",
         [](GgufBuilder& file) {
             file.tensors[0].extents = {1, 1, 1, 2, 4};
         },
         std::string("tensor \"a\": it has 5 dimensions, expected 1 to 4") + kDamaged},
        {"DimensionOfZero",
         [](GgufBuilder& file) {
             file.tensors[0].extents = {4, 0};
         },
         std::string("tensor \"a\": a dimension of 0, expected 1 to 2^63 - 1") + kDamaged},
        {"DimensionOf2To63", [](GgufBuilder& file) { file.tensors[0].extents = {kHuge}; },
         std::string("tensor \"a\": a dimension of 9223372036854775808, expected 1 to 2^63 - 1") + kDamaged},
        {"ProductOverflows",
         [](GgufBuilder& file) {
             file.tensors[0].extents = {1ULL << 40U, 1ULL << 40U};
         },
         std::string("tensor \"a\": it would hold more than 2^63 numbers") + kDamaged},
        {"BytesOverflow", [](GgufBuilder& file) { file.tensors[0].extents = {1ULL << 62U}; },
         std::string("tensor \"a\": it would hold more than 2^63 bytes") + kDamaged},
        {"UnknownType", [](GgufBuilder& file) { file.tensors[0].type = 99; },
         std::string("tensor \"a\": its type 99 is unknown, ") + kTypes + "."},
        {"UnreadType", [](GgufBuilder& file) { file.tensors[1].type = 23; },
         std::string("tensor \"b\": its type IQ4_XS is not read, ") + kTypes +
             "; take the model in another quantisation."},
        {"RowsDoNotFillBlocks",
         [](GgufBuilder& file) {
             file.tensors[1].extents = {16, 2};
         },
         std::string("tensor \"b\": rows of 16 numbers of type Q8_0, expected a multiple of 32") + kDamaged},
        {"RepeatedTensor", [](GgufBuilder& file) { file.tensors[1].name = "a"; },
         std::string("the tensor \"a\" stands twice") + kDamaged},
        {"LongName", [](GgufBuilder& file) { file.tensors[0].name = std::string(200, 'n'); },
         "a tensor's name: a text of 200 bytes, at most 128 are read."},
        {"OffsetBesideTheAlignment", [](GgufBuilder& file) { file.tensors[1].offset = 33; },
         std::string("tensor \"b\": its data begin at 33, expected a multiple of 32, the alignment") +
             kDamaged},
        {"Overlap", [](GgufBuilder& file) { file.tensors[1].offset = 0; },
         std::string("tensor \"b\": its data overlap those of \"a\", they begin at 0, expected 32") +
             kDamaged},
        {"Gap",
         [](GgufBuilder& file) {
             file.tensors[1].offset = 64;
             file.data.resize(200);
         },
         std::string(
             "tensor \"b\": a gap of 32 bytes before its data belongs to no tensor, the data begin at 64, "
             "expected 32") +
             kDamaged},
        {"OffsetBeyondTheFile", [](GgufBuilder& file) { file.tensors[1].offset = 1ULL << 40U; },
         "tensor \"b\": its data, 34 bytes at 1099511627776, run beyond the file, which has 66 bytes of "
         "data; the "
         "download is incomplete: get the file again."},
        {"OffsetThatWraps", [](GgufBuilder& file) { file.tensors[1].offset = ~std::uint64_t{31}; },
         "tensor \"b\": its data, 34 bytes at 18446744073709551584, run beyond the file, which has 66 bytes "
         "of data; "
         "the download is incomplete: get the file again."},
        {"DataCutShort", [](GgufBuilder& file) { file.data.resize(65); },
         "tensor \"b\": its data, 34 bytes at 32, run beyond the file, which has 65 bytes of data; the "
         "download is "
         "incomplete: get the file again."},
        {"NoData", [](GgufBuilder& file) { file.data.clear(); },
         "tensor \"a\": its data, 32 bytes at 0, run beyond the file, which has 0 bytes of data; the "
         "download is "
         "incomplete: get the file again."},
        {"Version0", [](GgufBuilder& file) { file.version = 0; },
         "the file is of version 0 of the format, expected version 2 or 3."},
        {"ControlCharactersInAKey",
         [](GgufBuilder& file) { replaceKeys(file, ggufKey("k\n\xff", 13, raw(1))); },
         "k\\x0a\\xff: its type 13 is unknown, expected 0 to 12; the file is damaged or was made to "
         "mislead."},
        {"ArrayOfAnUnknownType",
         [](GgufBuilder& file) {
             replaceKeys(file, ggufKey("k", 9, raw(std::uint32_t{77}) + raw(std::uint64_t{1})));
         },
         "k: its type 77 is unknown, expected 0 to 12; the file is damaged or was made to mislead."},
        {"ArrayOfNoTruthValues",
         [](GgufBuilder& file) {
             replaceKeys(file, ggufKey("k", 9, raw(std::uint32_t{7}) + raw(std::uint64_t{2}) + "\1\5"));
         },
         "k: found 5, expected 0 or 1, a truth value."},
        {"TextInAnArrayOf2To63Bytes",
         [](GgufBuilder& file) {
             replaceKeys(file, ggufKey("k", 9, raw(std::uint32_t{8}) + raw(std::uint64_t{1}) + raw(kHuge)));
         },
         "k: a text of 9223372036854775808 bytes, at most 16777216 are read."},
        {"TwoArraysTooLong",
         [](GgufBuilder& file) {
             const std::string most =
                 raw(std::uint32_t{0}) + raw(std::uint64_t{4'194'304}) + std::string(4'194'304, '\0');
             file.keys = {ggufKey("a", 9, most),
                          ggufKey("b", 9, raw(std::uint32_t{0}) + raw(std::uint64_t{1}) + "x")};
         },
         "b: an array of 1 values, all arrays of the header may have 4194304 together."},
        {"AlignmentTwice",
         [](GgufBuilder& file) {
             file.number("general.alignment", 32);
             file.number("general.alignment", 64);
         },
         "general.alignment: the key stands twice; the file is damaged or was made to mislead."},
        {"EmptyName", [](GgufBuilder& file) { file.tensors[0].name.clear(); },
         "a tensor has no name; the file is damaged or was made to mislead."},
        {"NameIsNotUtf8",
         [](GgufBuilder& file) {
             file.tensors[0].name = "a\xff\n";
             file.tensors[0].type = 99;
         },
         "tensor \"a\\xff\\x0a\": its type 99 is unknown, expected F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, "
         "Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, F64, BF16."},
        {"RemovedType", [](GgufBuilder& file) { file.tensors[0].type = 4; },
         "tensor \"a\": its type Q4_2 is not read, expected F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, "
         "Q3_K, Q4_K, Q5_K, Q6_K, F64, BF16; take the model in another quantisation."},
        {"TypeOf2To32", [](GgufBuilder& file) { file.tensors[0].type = ~0U; },
         "tensor \"a\": its type 4294967295 is unknown, expected F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, "
         "Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, F64, BF16."},
        {"TenGigabytesPromised",
         [](GgufBuilder& file) {
             file.tensors[1].extents = {32, 294'117'648};
         },
         "tensor \"b\": its data, 10000000032 bytes at 32, run beyond the file, which has 66 bytes of data; "
         "the download is incomplete: get the file again."},
        {"AdapterOfLora", [](GgufBuilder& file) { file.magic = "algg"; },
         "the file is an adapter of llama.cpp in its older form, expected a GGUF file; adapters are read in "
         "the form of PEFT: see --adapter."},
        {"Safetensors", [](GgufBuilder& file) { file.magic = std::string("\x40\0\0\0\0\0\0\0{\"a\"", 12); },
         "the file is in the safetensors format, expected a GGUF file; open the folder that it is in."},
        {"Archive", [](GgufBuilder& file) { file.magic = "PK\x03\x04"; },
         "the file is a zip archive, not weights; a file of torch.save may have been renamed."},
    };
}

class MalformedGguf : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, MalformedGguf, ::testing::ValuesIn(cases()),
                         [](const auto& parameter) { return parameter.param.name; });

std::string sentenceFor(const TemporaryFolder& folder, const std::string& bytes) {
    const auto path = folder.write("a.gguf", bytes);
    return sentenceOf([&] { readGgufHeader(InputFile(path)); });
}

TEST_P(MalformedGguf, IsRefusedInOneSentence) {
    const TemporaryFolder folder;
    GgufBuilder file = good();
    GetParam().spoil(file);
    EXPECT_EQ(sentenceFor(folder, file.bytes()), "a.gguf: " + GetParam().sentence);
}

TEST(GgufHeader, HugeCountsAreRefusedBeforeAnythingIsTaken) {
    const TemporaryFolder folder;
    const std::string start = "GGUF" + raw(std::uint32_t{3});
    EXPECT_EQ(
        sentenceFor(folder, start + raw(~std::uint64_t{0}) + raw(std::uint64_t{0})),
        std::string("a.gguf: the header promises 18446744073709551615 tensors, at most 500000 are read") +
            kDamaged);
    EXPECT_EQ(sentenceFor(folder, start + raw(std::uint64_t{0}) + raw(kHuge)),
              std::string("a.gguf: the header promises 9223372036854775808 keys, at most 65536 are read") +
                  kDamaged);
}

/// Wherever a download may have ended: inside the header or inside the data.
TEST(GgufHeader, ATruncatedFileIsRefusedAtEveryByte) {
    const TemporaryFolder folder;
    const std::string whole = good().bytes();
    EXPECT_EQ(sentenceFor(folder, whole), "");
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        const std::string sentence = sentenceFor(folder, whole.substr(0, bytes));
        if (bytes >= 4)
            EXPECT_TRUE(sentence.ends_with("; the download is incomplete: get the file again."))
                << bytes << sentence;
        else
            EXPECT_NE(sentence, "") << bytes;
    }
}

TEST(GgufHeader, ReadsValuesOfEveryType) {
    const TemporaryFolder folder;
    GgufBuilder file;
    file.version = 2;
    file.keys = {
        ggufKey("u8", 0, "\xff"),
        ggufKey("i8", 1, "\xff"),
        ggufKey("u16", 2, raw(std::uint16_t{65535})),
        ggufKey("i16", 3, raw(std::int16_t{-2})),
        ggufKey("u32", 4, raw(~std::uint32_t{0})),
        ggufKey("i32", 5, raw(std::int32_t{-3})),
        ggufKey("f32", 6, raw(1e-5F)),
        ggufKey("bool", 7, "\1"),
        ggufKey("text", 8, ggufText("\xc4\xa0the")),
        ggufKey("list", 9, raw(std::uint32_t{8}) + raw(std::uint64_t{2}) + ggufText("a") + ggufText("")),
        ggufKey("u64", 10, raw(~std::uint64_t{0})),
        ggufKey("i64", 11, raw(std::int64_t{-4})),
        ggufKey("f64", 12, raw(0.1))};
    const GgufHeader header = readGgufHeader(InputFile(folder.write("a.gguf", file.bytes())));
    EXPECT_EQ(header.version, 2U);
    const auto value = [&](const char* key) { return *header.fields.find(key); };
    EXPECT_EQ(value("u8").asInteger(), 255);
    EXPECT_EQ(value("i8").asInteger(), -1);
    EXPECT_EQ(value("u16").asInteger(), 65535);
    EXPECT_EQ(value("i16").asInteger(), -2);
    EXPECT_EQ(value("u32").asInteger(), 4294967295);
    EXPECT_EQ(value("i32").asInteger(), -3);
    EXPECT_EQ(value("f32").asReal(), 1e-5); // as it was meant, not 9.99999974737875e-06
    EXPECT_TRUE(value("bool").asBool());
    EXPECT_EQ(value("text").asString(), "\xc4\xa0the");
    ASSERT_EQ(value("list").items().size(), 2U);
    EXPECT_EQ(header.fields.find("list")->items()[0].asString(), "a");
    EXPECT_FALSE(value("u64").isInteger());
    EXPECT_EQ(value("i64").asInteger(), -4);
    EXPECT_EQ(value("f64").asReal(), 0.1);
}

TEST(GgufHeader, AnotherAlignmentMovesTheData) {
    const TemporaryFolder folder;
    GgufBuilder file;
    file.alignment = 64;
    file.number("general.alignment", 64);
    file.tensor("a", {3, 2}, 0, std::string(24, 'x'));
    file.tensor("b", {2}, 1, std::string(4, 'y'));
    const GgufHeader header = readGgufHeader(InputFile(folder.write("a.gguf", file.bytes())));
    ASSERT_EQ(header.tensors.size(), 2U);
    EXPECT_EQ(header.tensors[0].shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(header.tensors[1].offset, header.tensors[0].offset + 64);
    EXPECT_EQ(file.bytes().substr(header.tensors[1].offset), "yyyy");
}

} // namespace
} // namespace headscope::test
