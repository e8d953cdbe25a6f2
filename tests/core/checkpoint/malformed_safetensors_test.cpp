// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

/// Every way in which a file can be wrong, one each.
enum class Fault {
    Empty,
    ShorterThanLength,
    LfsPointer,
    Html,
    HtmlWithBlanks,
    ZipArchive,
    Gguf,
    LengthOverLimit,
    EndsInsideHeader,
    EmptyHeader,
    HeaderIsArray,
    HeaderIsBinary,
    BadJson,
    JsonAfterTheEnd,
    NotUtf8,
    TooDeep,
    NonFiniteNumber,
    RepeatedName,
    RepeatedMetadata,
    RepeatedField,
    MetadataIsString,
    MetadataHoldsNumber,
    TensorIsNumber,
    NoDType,
    NoShape,
    NoOffsets,
    DTypeIsNumber,
    UnknownDType,
    UnsupportedDType,
    ShapeIsNumber,
    NegativeExtent,
    FractionalExtent,
    ExtentBeyond64Bits,
    ShapeOverflows,
    BytesOverflow,
    OffsetsIsNumber,
    OneOffset,
    NegativeOffset,
    BackwardOffsets,
    OffsetsAgainstShape,
    Overlap,
    SameBytesTwice,
    HoleAtStart,
    HoleInside,
    DataCutShort,
    DataMissing,
    BytesAfterTheEnd,
};

constexpr std::string_view kLfs =
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db\n"
    "size 90868376\n";

/// One tensor named "w": its description, and data of four bytes.
std::string oneTensor(std::string_view description, std::string_view data = "abcd") {
    return safetensorsBytes("{\"w\":" + std::string(description) + "}", data);
}

/// Two U8 tensors of two bytes each at the given places, in four bytes of data.
std::string twoTensors(std::string_view first, std::string_view second) {
    const auto describe = [](std::string_view offsets) {
        return "{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":" + std::string(offsets) + "}";
    };
    return safetensorsBytes("{\"a\":" + describe(first) + ",\"b\":" + describe(second) + "}", "abcd");
}

std::string makeFile(Fault fault) {
    switch (fault) {
    case Fault::Empty:
        return "";
    case Fault::ShorterThanLength:
        return std::string("\x10\0\0", 3);
    case Fault::LfsPointer:
        return std::string(kLfs);
    case Fault::Html:
        return "<!DOCTYPE html><html><body>404</body></html>";
    case Fault::HtmlWithBlanks:
        return "\xef\xbb\xbf\r\n  <HTML lang=\"en\"><title>Sign in</title></HTML>";
    case Fault::ZipArchive:
        return std::string("PK\x03\x04\x14\x00\x00\x08", 8) + "archive/data.pkl";
    case Fault::Gguf:
        return std::string("GGUF\x03\0\0\0\x01\0\0\0\0\0\0\0", 16);
    case Fault::LengthOverLimit:
        return std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10);
    case Fault::EndsInsideHeader:
        return safetensorsBytes(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})").substr(0, 40);
    case Fault::EmptyHeader:
        return safetensorsBytes("");
    case Fault::HeaderIsArray:
        return safetensorsBytes("[1, 2]");
    case Fault::HeaderIsBinary:
        return safetensorsBytes(std::string("\0\0\0\0", 4));
    case Fault::BadJson:
        return safetensorsBytes(R"({"w": oops})");
    case Fault::JsonAfterTheEnd:
        return safetensorsBytes("{} x");
    case Fault::NotUtf8:
        return safetensorsBytes("{\"w\xff\":1}");
    case Fault::TooDeep:
        return safetensorsBytes("{\"w\":" + std::string(600, '[') + std::string(600, ']') + "}");
    case Fault::NonFiniteNumber:
        return oneTensor(R"({"dtype":"U8","shape":[NaN],"data_offsets":[0,4]})");
    case Fault::RepeatedName:
        return safetensorsBytes(
            R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"w":{"dtype":"I8","shape":[4],"data_offsets":[0,4]}})",
            "abcd");
    case Fault::RepeatedMetadata:
        return safetensorsBytes(R"({"__metadata__":{},"__metadata__":{"format":"pt"}})");
    case Fault::RepeatedField:
        return oneTensor(R"({"dtype":"U8","shape":[4],"shape":[2,2],"data_offsets":[0,4]})");
    case Fault::MetadataIsString:
        return safetensorsBytes(R"({"__metadata__":"pt"})");
    case Fault::MetadataHoldsNumber:
        return safetensorsBytes(R"({"__metadata__":{"step":7}})");
    case Fault::TensorIsNumber:
        return oneTensor("7");
    case Fault::NoDType:
        return oneTensor(R"({"shape":[4],"data_offsets":[0,4]})");
    case Fault::NoShape:
        return oneTensor(R"({"dtype":"U8","data_offsets":[0,4]})");
    case Fault::NoOffsets:
        return oneTensor(R"({"dtype":"U8","shape":[4]})");
    case Fault::DTypeIsNumber:
        return oneTensor(R"({"dtype":4,"shape":[4],"data_offsets":[0,4]})");
    case Fault::UnknownDType:
        return oneTensor(R"({"dtype":"F\n99","shape":[4],"data_offsets":[0,4]})");
    case Fault::UnsupportedDType:
        return oneTensor(R"({"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]})");
    case Fault::ShapeIsNumber:
        return oneTensor(R"({"dtype":"U8","shape":4,"data_offsets":[0,4]})");
    case Fault::NegativeExtent:
        return oneTensor(R"({"dtype":"U8","shape":[-2,-2],"data_offsets":[0,4]})");
    case Fault::FractionalExtent:
        return oneTensor(R"({"dtype":"U8","shape":[4.5],"data_offsets":[0,4]})");
    case Fault::ExtentBeyond64Bits:
        return oneTensor(R"({"dtype":"U8","shape":[18446744073709551620],"data_offsets":[0,4]})");
    case Fault::ShapeOverflows: // 2^32 * 2^32 is 0 in 64 bits
        return oneTensor(R"({"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]})");
    case Fault::BytesOverflow: // 2^62 elements of 4 bytes
        return oneTensor(R"({"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]})");
    case Fault::OffsetsIsNumber:
        return oneTensor(R"({"dtype":"U8","shape":[4],"data_offsets":4})");
    case Fault::OneOffset:
        return oneTensor(R"({"dtype":"U8","shape":[4],"data_offsets":[4]})");
    case Fault::NegativeOffset:
        return oneTensor(R"({"dtype":"U8","shape":[4],"data_offsets":[-4,0]})");
    case Fault::BackwardOffsets:
        return oneTensor(R"({"dtype":"U8","shape":[4],"data_offsets":[4,0]})");
    case Fault::OffsetsAgainstShape:
        return oneTensor(R"({"dtype":"F32","shape":[2,3],"data_offsets":[0,4]})");
    case Fault::Overlap:
        return twoTensors("[0,2]", "[1,3]");
    case Fault::SameBytesTwice:
        return twoTensors("[0,2]", "[0,2]");
    case Fault::HoleAtStart:
        return oneTensor(R"({"dtype":"U8","shape":[2],"data_offsets":[2,4]})");
    case Fault::HoleInside:
        return twoTensors("[0,2]", "[3,5]");
    case Fault::DataCutShort:
        return oneTensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", "abcde");
    case Fault::DataMissing:
        return oneTensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})", "");
    case Fault::BytesAfterTheEnd:
        return oneTensor(R"({"dtype":"U8","shape":[4],"data_offsets":[0,4]})", "abcdefg");
    }
    return {};
}

struct Case {
    Fault fault;
    std::string_view sentence; ///< without the leading "model.safetensors: "
};

constexpr std::array kCases{
    Case{Fault::Empty,
         "the file is empty, expected at least the 8 bytes of the header's length; the download is "
         "incomplete: get the file again."},
    Case{Fault::ShorterThanLength,
         "the file has 3 bytes, expected at least the 8 bytes of the header's length; the "
         "download is incomplete: get the file again."},
    Case{Fault::LfsPointer,
         "the file is a Git LFS pointer (133 bytes of text), not weights; run \"git lfs pull\" in the "
         "folder."},
    Case{Fault::Html,
         "the file is a web page (HTML), not weights; the download was answered by a login or error page: "
         "get the file again."},
    Case{Fault::HtmlWithBlanks,
         "the file is a web page (HTML), not weights; the download was answered by a login or "
         "error page: get the file again."},
    Case{Fault::ZipArchive,
         "the file is a zip archive, not weights; a file of torch.save may have been renamed."},
    Case{Fault::Gguf, "the file is a GGUF file, not weights; it was given another file's name."},
    Case{Fault::LengthOverLimit,
         "the header's length is 100000001 bytes, at most 100000000 are read; the file is damaged "
         "or not in the safetensors format."},
    Case{Fault::EndsInsideHeader,
         "the file ends inside its header after 40 bytes, expected 62 and the data; the download "
         "is incomplete: get the file again."},
    Case{Fault::EmptyHeader,
         "the header is empty, expected a JSON object; the file is damaged or not in the safetensors "
         "format."},
    Case{Fault::HeaderIsArray,
         "the header starts with \"[\", expected a JSON object; the file is damaged or not in the "
         "safetensors format."},
    Case{Fault::HeaderIsBinary,
         "the header starts with \"\\x00\", expected a JSON object; the file is damaged or not in "
         "the safetensors format."},
    Case{Fault::BadJson, "header: the JSON is malformed (at byte 14)."},
    Case{Fault::JsonAfterTheEnd, "header: the JSON is malformed (at byte 11)."},
    Case{Fault::NotUtf8, "header: the JSON is not valid UTF-8 (at byte 11)."},
    Case{Fault::TooDeep, "header: the JSON is nested deeper than 512 levels."},
    Case{Fault::NonFiniteNumber, "header: the JSON is malformed (at byte 36)."},
    Case{Fault::RepeatedName, "the name \"w\" stands twice."},
    Case{Fault::RepeatedMetadata, "the name \"__metadata__\" stands twice."},
    Case{Fault::RepeatedField, "tensor \"w\": shape is given twice."},
    Case{Fault::MetadataIsString, "__metadata__ is a string, expected an object."},
    Case{Fault::MetadataHoldsNumber, "__metadata__ \"step\" is an integer, expected a string."},
    Case{Fault::TensorIsNumber, "tensor \"w\": its description is an integer, expected an object with dtype, "
                                "shape and data_offsets."},
    Case{Fault::NoDType, "tensor \"w\": dtype is missing."},
    Case{Fault::NoShape, "tensor \"w\": shape is missing."},
    Case{Fault::NoOffsets, "tensor \"w\": data_offsets is missing."},
    Case{Fault::DTypeIsNumber, "tensor \"w\": dtype is an integer, expected a string."},
    Case{Fault::UnknownDType,
         "tensor \"w\": its type \"F\\x0a99\" is unknown, expected F16, BF16, F32 or F64."},
    Case{Fault::UnsupportedDType,
         "tensor \"w\": its type F8_E4M3 is not supported, expected F16, BF16, F32 or F64; take a "
         "version of the model that is not quantised."},
    Case{Fault::ShapeIsNumber, "tensor \"w\": shape is an integer, expected an array."},
    Case{Fault::NegativeExtent, "tensor \"w\": shape holds -2, expected whole numbers from 0 to 2^63 - 1."},
    Case{Fault::FractionalExtent,
         "tensor \"w\": shape holds 4.5, expected whole numbers from 0 to 2^63 - 1."},
    Case{Fault::ExtentBeyond64Bits,
         "tensor \"w\": shape holds 1.8446744073709552e+19, expected whole numbers from 0 to 2^63 - 1."},
    Case{Fault::ShapeOverflows, "tensor \"w\": shape [4294967296, 4294967296] holds more than 2^63 bytes."},
    Case{Fault::BytesOverflow, "tensor \"w\": shape [4611686018427387904] holds more than 2^63 bytes."},
    Case{Fault::OffsetsIsNumber, "tensor \"w\": data_offsets is an integer, expected [begin, end]."},
    Case{Fault::OneOffset, "tensor \"w\": data_offsets has 1 entries, expected [begin, end]."},
    Case{Fault::NegativeOffset,
         "tensor \"w\": data_offsets holds -4, expected whole numbers from 0 to 2^63 - 1."},
    Case{Fault::BackwardOffsets, "tensor \"w\": data_offsets [4, 0] run backwards."},
    Case{Fault::OffsetsAgainstShape,
         "tensor \"w\": data_offsets [0, 4] hold 4 bytes, expected 24 for F32 [2, 3]."},
    Case{Fault::Overlap,
         "tensor \"b\": its data overlap those of \"a\", they begin at 1, expected 2; the file is damaged "
         "or was made to mislead."},
    Case{Fault::SameBytesTwice,
         "tensor \"b\": its data overlap those of \"a\", they begin at 0, expected 2; the file is "
         "damaged or was made to mislead."},
    Case{Fault::HoleAtStart, "tensor \"w\": a gap of 2 bytes before its data belongs to no tensor, the data "
                             "begin at 2, expected 0; "
                             "the file is damaged or was made to mislead."},
    Case{Fault::HoleInside, "tensor \"b\": a gap of 1 byte before its data belongs to no tensor, the data "
                            "begin at 3, expected 2; "
                            "the file is damaged or was made to mislead."},
    Case{Fault::DataCutShort,
         "the file ends after 5 bytes of data, expected 8; the download is incomplete: get the file "
         "again."},
    Case{Fault::DataMissing,
         "the file ends after 0 bytes of data, expected 8; the download is incomplete: get the file "
         "again."},
    Case{Fault::BytesAfterTheEnd,
         "3 bytes too many after the last tensor, expected the file to end with it; the "
         "file is damaged or holds something else "
         "too."},
};

class MalformedSafetensors : public testing::TestWithParam<Case> {};

TEST_P(MalformedSafetensors, IsRefusedInOneSentence) {
    const TemporaryFolder folder;
    const auto path = folder.write("model.safetensors", makeFile(GetParam().fault));
    EXPECT_EQ(sentenceOf([&] { openSafetensors(path); }),
              "model.safetensors: " + std::string(GetParam().sentence));
}

std::string nameOfCase(const testing::TestParamInfo<Case>& tested) {
    return "Fault" + std::to_string(static_cast<int>(tested.param.fault));
}

INSTANTIATE_TEST_SUITE_P(EveryFault, MalformedSafetensors, testing::ValuesIn(kCases), nameOfCase);

TEST(MalformedSafetensorsTable, HoldsEveryFaultOnce) {
    ASSERT_EQ(kCases.size(), static_cast<std::size_t>(Fault::BytesAfterTheEnd) + 1);
    for (std::size_t i = 0; i < kCases.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(kCases[i].fault), i);
}

TEST(MalformedSafetensorsFile, EveryPrefixOfAGoodFileIsRefused) {
    const TemporaryFolder folder;
    const std::string whole = safetensorsBytes(
        R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
        "abcdefgh");
    openSafetensors(folder.write("model.safetensors", whole));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto path = folder.write("model.safetensors", whole.substr(0, length));
        EXPECT_NE(sentenceOf([&] { openSafetensors(path); }), "") << "cut to " << length << " bytes";
    }
}

TEST(MalformedSafetensorsFile, AnyFlippedByteIsReadOrRefusedButNeverCrashes) {
    const TemporaryFolder folder;
    const std::string whole = safetensorsBytes(
        R"({"a":{"dtype":"F16","shape":[2,1],"data_offsets":[0,4]},"b":{"dtype":"I64","shape":[],"data_offsets":[4,12]}})",
        "abcdefghijkl");
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const unsigned flip : {0x01U, 0x20U, 0x80U}) {
            std::string changed = whole;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
            const auto path = folder.write("model.safetensors", changed);
            try {
                const auto source = openSafetensors(path);
                for (const TensorInfo& tensor : source->tensors()) {
                    std::vector<std::byte> bytes(
                        static_cast<std::size_t>(tensor.elements * sizeOf(tensor.dtype)));
                    source->readRaw(tensor, 0, tensor.elements, bytes);
                }
            } catch (const Error& error) {
                ++refused;
                EXPECT_EQ(error.sentence().find('\n'), std::string::npos);
            }
        }
    EXPECT_GT(refused, 100);
}

TEST(MalformedSafetensorsFile, MissingFileAndFolderAreNamed) {
    const TemporaryFolder folder;
    EXPECT_NE(
        sentenceOf([&] { openSafetensors(folder / "model.safetensors"); }).find("there is no such file"),
        std::string::npos);
    EXPECT_NE(sentenceOf([&] { openSafetensors(folder.path()); }), "");
}

} // namespace
} // namespace headscope::test
