// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/numpy.h"
#include "core/checkpoint/numpy_header.h"
#include "tests/core/checkpoint/pickle_bytes.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>
#include <ostream>

namespace headscope::test {
namespace {

using Shape = std::vector<std::int64_t>;

/// A whole .npy header around a dictionary, with a version of its own.
std::string headerOf(const std::string& dictionary, char version = '\1') {
    std::string bytes = "\x93NUMPY";
    bytes += {version, '\0'};
    bytes += version == '\1' ? pickle::raw(static_cast<std::uint16_t>(dictionary.size()))
                             : pickle::raw(static_cast<std::uint32_t>(dictionary.size()));
    return bytes + dictionary;
}

std::string dictionary(const std::string& type, const std::string& shape, const char* order = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

/// The shape of an array with 65 axes.
std::string manyAxes() {
    std::string shape("(");
    for (int i = 0; i < 65; ++i) shape += "1,";
    return shape += ')';
}

std::string sentence(const std::string& head, std::uint64_t dataBytes = 0) {
    return sentenceOf([&] { readNumpyHeader(head, head.size() + dataBytes, "a", kDamagedHint); });
}

TEST(NumpyHeader, ReadsWhatTheWriterWrites) {
    for (const DType type : {DType::Bool, DType::U8, DType::I8, DType::I16, DType::U16, DType::I32,
                             DType::U32, DType::I64, DType::U64, DType::F16, DType::F32, DType::F64})
        for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 0, 5}, Shape{2, 3, 4}}) {
            std::int64_t elements = 1;
            for (const std::int64_t extent : shape) elements *= extent;
            const std::string bytes = npyHeader(type, shape);
            const NumpyHeader header = readNumpyHeader(
                bytes, bytes.size() + static_cast<std::uint64_t>(elements * sizeOf(type)), "a", kDamagedHint);
            EXPECT_EQ(header.dtype, type);
            EXPECT_FALSE(header.text.has_value());
            EXPECT_EQ(header.shape, shape);
            EXPECT_EQ(header.elements, elements);
            EXPECT_EQ(header.elementBytes, sizeOf(type));
            EXPECT_EQ(header.dataOffset, bytes.size());
            EXPECT_FALSE(header.fortranOrder);
        }
}

TEST(NumpyHeader, ReadsTextsAndOtherSpellings) {
    std::string bytes = npyUnicodeHeader(3, 5);
    const NumpyHeader unicode = readNumpyHeader(bytes, bytes.size() + 60, "a", kDamagedHint);
    EXPECT_EQ(unicode.text, NumpyHeader::Text::Unicode);
    EXPECT_EQ(unicode.elementBytes, 20);
    bytes = headerOf(dictionary("|S7", "(2,)"), '\2');
    const NumpyHeader plain = readNumpyHeader(bytes, bytes.size() + 14, "a", kDamagedHint);
    EXPECT_EQ(plain.text, NumpyHeader::Text::Bytes);
    EXPECT_EQ(plain.dataOffset, bytes.size());
    // Python 2 wrote long numbers; keys stand in any order; format 3.0 is 2.0 in UTF-8.
    bytes = headerOf("{\"shape\": (2L, 3L), \"descr\": \"=f4\", 'fortran_order': True}\n", '\3');
    const NumpyHeader old = readNumpyHeader(bytes, bytes.size() + 24, "a", kDamagedHint);
    EXPECT_EQ(old.shape, (Shape{2, 3}));
    EXPECT_TRUE(old.fortranOrder);
}

struct BadHeader {
    const char* name;
    std::string bytes;
    std::uint64_t dataBytes;
    const char* sentence;

    friend void PrintTo(const BadHeader& one, std::ostream* out) { *out << one.name; }
};

class BadHeaderTest : public ::testing::TestWithParam<BadHeader> {};

TEST_P(BadHeaderTest, IsRefusedInOneSentence) {
    EXPECT_EQ(sentence(GetParam().bytes, GetParam().dataBytes), GetParam().sentence);
}

constexpr const char* kMalformed = "a: its header is malformed; the file is damaged or was made to mislead.";

INSTANTIATE_TEST_SUITE_P(
    All, BadHeaderTest,
    ::testing::Values(
        BadHeader{"Other", "{'descr'", 0,
                  "a: it is no array of numpy; the file is damaged or was made to mislead."},
        BadHeader{"Cut", std::string("\x93NUMPY\x01", 7), 0,
                  "a: it ends within its header; the file is damaged or was made to mislead."},
        BadHeader{"CutDictionary", headerOf(dictionary("<f4", "(2,)")).substr(0, 40), 0,
                  "a: it ends within its header; the file is damaged or was made to mislead."},
        BadHeader{"Version", headerOf("{}", '\4'), 0,
                  "a: its format has the version 4.0, expected 1.0, 2.0 or 3.0."},
        BadHeader{"LongHeader", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), 0,
                  "a: its header has 4294967295 bytes, at most 9988 are read."},
        BadHeader{"NoDictionary", headerOf("[1, 2]"), 0, kMalformed},
        BadHeader{"KeyMissing", headerOf("{'descr': '<f4', 'shape': ()}"), 4, kMalformed},
        BadHeader{"KeyTwice",
                  headerOf("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': ()}"), 4,
                  kMalformed},
        BadHeader{"KeyUnknown", headerOf("{'descr': '<f4', 'fortran_order': False, 'shape': (), 'x': 1}"), 4,
                  kMalformed},
        BadHeader{"TextAfterIt", headerOf(dictionary("<f4", "()") + " 7"), 4, kMalformed},
        BadHeader{"NoTruth", headerOf(dictionary("<f4", "()", "1")), 4, kMalformed},
        BadHeader{"NegativeShape", headerOf(dictionary("<f4", "(-2,)")), 8, kMalformed},
        BadHeader{"ShapeBeyond64Bits", headerOf(dictionary("<f4", "(99999999999999999999,)")), 8, kMalformed},
        BadHeader{"ManyAxes", headerOf(dictionary("<f4", manyAxes())), 4, kMalformed},
        BadHeader{"Overflow", headerOf(dictionary("<f4", "(4294967296, 4294967296)")), 0,
                  "a: its shape [4294967296, 4294967296] is too large; the file is damaged or was made to "
                  "mislead."},
        BadHeader{
            "OverflowInBytes", headerOf(dictionary("<f8", "(4611686018427387904,)")), 0,
            "a: its shape [4611686018427387904] is too large; the file is damaged or was made to mislead."},
        BadHeader{
            "DataMissing", headerOf(dictionary("<f4", "(2, 3)")), 20,
            "a: 20 bytes of data follow its header, expected 24 for the shape [2, 3]; the file is damaged "
            "or was made to mislead."},
        BadHeader{
            "BigEndian", headerOf(dictionary(">f4", "(2,)")), 8,
            "a: its type is \">f4\", big-endian, expected little-endian numbers; convert it with .astype "
            "before saving."},
        BadHeader{
            "Object", headerOf(dictionary("|O", "(2,)")), 8,
            "a: it holds Python objects, which can be read only by running code from the file, expected "
            "little-endian whole numbers, float16, float32, float64 or text; save numbers as numbers and "
            "texts with dtype=str."},
        BadHeader{
            "Records", headerOf("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}"), 4,
            "a: it holds records of several fields, expected numbers or text; save each field as an array "
            "of its own."},
        BadHeader{"Bfloat", headerOf(dictionary("<V2", "(2,)")), 4,
                  "a: its type is \"<V2\", bytes without a meaning, expected little-endian whole numbers, "
                  "float16, float32, float64 or text; save it as float32; numpy writes bfloat16 so."},
        BadHeader{
            "LongDouble", headerOf(dictionary("<f16", "(2,)")), 32,
            "a: its type is \"<f16\", expected little-endian whole numbers, float16, float32, float64 or "
            "text; save it as float32."},
        BadHeader{"NoWidth", headerOf(dictionary("<U", "(2,)")), 0,
                  "a: its type is \"<U\", expected little-endian whole numbers, float16, float32, float64 or "
                  "text; save it as float32."},
        BadHeader{
            "NoType", headerOf(dictionary("", "()")), 0,
            "a: its type is \"\", expected little-endian whole numbers, float16, float32, float64 or text; "
            "save it as float32."}),
    [](const auto& row) { return row.param.name; });

} // namespace
} // namespace headscope::test
