// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/zip_directory.h"
#include "tests/core/checkpoint/zip_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using pickle::joined;
using pickle::raw;

/// Reads every entry of an archive, at most 100 bytes each.
void readAll(const InputFile& file) {
    const ZipDirectory directory(file);
    for (const ZipEntry& entry : directory.entries()) readZipEntry(file, entry, 100);
}

class ZipDirectoryTest : public testing::Test {
  protected:
    InputFile file(const std::string& bytes) const { return InputFile(m_folder.write("x.bin", bytes)); }
    std::string entry(const std::string& bytes, const std::string& name, std::uint64_t limit = 100) const {
        const InputFile opened = file(bytes);
        const ZipDirectory directory(opened);
        const ZipEntry* found = directory.find(name);
        return found == nullptr ? "none" : readZipEntry(opened, *found, limit);
    }

    TemporaryFolder m_folder;
};

ZipBytes twoParts() {
    return zipBytes({{.name = "a", .stored = "first"}, {.name = "b/c", .stored = "second"}});
}

TEST_F(ZipDirectoryTest, ReadsEntriesInPlace) {
    const std::string bytes = twoParts().bytes;
    EXPECT_EQ(entry(bytes, "a"), "first");
    EXPECT_EQ(entry(bytes, "b/c"), "second");
    EXPECT_EQ(entry(bytes, "c"), "none");
    const InputFile opened = file(bytes);
    const ZipDirectory directory(opened);
    ASSERT_EQ(directory.entries().size(), 2U);
    EXPECT_EQ(bytes.substr(zipDataOffset(opened, directory.entries()[1]), 6), "second");
}

TEST_F(ZipDirectoryTest, LocalExtraFieldsMoveTheData) {
    EXPECT_EQ(
        entry(zipBytes({{.name = "a", .stored = "x", .localExtra = std::string("FB\x02\0ZZ", 6)}}).bytes,
              "a"),
        "x");
}

TEST_F(ZipDirectoryTest, UnpacksDeflatedEntries) {
    EXPECT_EQ(entry(zipBytes({deflatedPart("a", "some text")}).bytes, "a"), "some text");
    EXPECT_EQ(entry(zipBytes({deflatedPart("a", "")}).bytes, "a"), "");
}

TEST_F(ZipDirectoryTest, EmptyArchivesHaveNoEntries) {
    EXPECT_TRUE(ZipDirectory(file(zipBytes({}).bytes)).entries().empty());
}

TEST_F(ZipDirectoryTest, CommentsAreSkipped) {
    ZipBytes zip = twoParts();
    zip.put<std::uint16_t>(zip.end + 20, 7).bytes += "comment";
    EXPECT_EQ(entry(zip.bytes, "a"), "first");
}

/// `zip` with its sizes and places in zip64 records, and the 32-bit fields saturated.
std::string asZip64(ZipBytes zip, std::size_t part, std::uint64_t size) {
    const std::string extra = joined({raw<std::uint16_t>(1), raw<std::uint16_t>(24), raw(size), raw(size),
                                      raw<std::uint64_t>(zip.headers[part])});
    const std::size_t entry = zip.entries[part];
    const std::uint64_t directory = zip.entries[0];
    zip.put<std::uint32_t>(entry + 20, ~0U)
        .put<std::uint32_t>(entry + 24, ~0U)
        .put<std::uint32_t>(entry + 42, ~0U);
    zip.put(entry + 30, static_cast<std::uint16_t>(extra.size()));
    const std::string end = zip.bytes.substr(zip.end);
    zip.bytes.resize(zip.end);
    zip.bytes += extra; // the last entry's
    const std::uint64_t record = zip.bytes.size();
    zip.bytes += joined({"PK\x06\x06", raw<std::uint64_t>(44), raw<std::uint32_t>(0), raw<std::uint32_t>(0),
                         raw<std::uint32_t>(0), raw<std::uint64_t>(zip.entries.size()),
                         raw<std::uint64_t>(zip.entries.size()), raw<std::uint64_t>(record - directory),
                         raw(directory)});
    zip.bytes +=
        joined({std::string("PK\x06\x07", 4), raw<std::uint32_t>(0), raw(record), raw<std::uint32_t>(1)});
    zip.bytes += end;
    const std::size_t newEnd = zip.bytes.size() - 22;
    zip.put<std::uint32_t>(newEnd + 12, ~0U).put<std::uint32_t>(newEnd + 16, ~0U);
    zip.put<std::uint16_t>(newEnd + 8, 0xffff).put<std::uint16_t>(newEnd + 10, 0xffff);
    return zip.bytes;
}

TEST_F(ZipDirectoryTest, ReadsZip64) {
    EXPECT_EQ(entry(asZip64(twoParts(), 1, 6), "b/c"), "second");
    EXPECT_EQ(entry(asZip64(twoParts(), 1, 6), "a"), "first");
}

TEST_F(ZipDirectoryTest, LimitsAreNamed) {
    EXPECT_EQ(sentenceOf([&] { entry(twoParts().bytes, "a", 4); }),
              "x.bin: zip archive: \"a\" has 5 bytes, at most 4 are read; save it as safetensors.");
}

/// A sentence with the hint that the file contradicts itself.
std::string damaged(const std::string& start) {
    return start + "; the file is damaged or was made to mislead.";
}

/// A sentence with the hint that the file ends early.
std::string cut(const std::string& start) {
    return start + "; the download is incomplete: get the file again.";
}

struct Case {
    const char* name;
    std::string bytes;
    std::string sentence; ///< without "x.bin: zip archive: "
};

class MalformedZip : public testing::TestWithParam<Case> {};

TEST_P(MalformedZip, IsRefusedInOneSentence) {
    const TemporaryFolder folder;
    const InputFile file(folder.write("x.bin", GetParam().bytes));
    EXPECT_EQ(sentenceOf([&] { readAll(file); }), std::string("x.bin: zip archive: ") + GetParam().sentence);
}

template <typename T>
Case changed(const char* name, std::size_t ZipBytes::*place, std::size_t offset, T value,
             const std::string& sentence) {
    ZipBytes zip = twoParts();
    zip.put(zip.*place + offset, value);
    return {name, zip.bytes, sentence};
}

/// A field of the second entry of the directory, or of its local header.
template <typename T>
Case entryField(const char* name, std::size_t offset, T value, const std::string& sentence) {
    ZipBytes zip = twoParts();
    zip.put(zip.entries[1] + offset, value);
    return {name, zip.bytes, sentence};
}
template <typename T>
Case localField(const char* name, std::size_t offset, T value, const std::string& sentence) {
    ZipBytes zip = twoParts();
    zip.put(zip.headers[1] + offset, value);
    return {name, zip.bytes, sentence};
}

std::string deflatedWith(const std::function<void(ZipPart&)>& change) {
    ZipPart part = deflatedPart("a", "some text");
    change(part);
    return zipBytes({part}).bytes;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"Cut", twoParts().bytes.substr(0, 90), cut("its directory is missing")},
        {"OnlyAMark", "PK\x03\x04", cut("its directory is missing")},
        {"BytesBefore", "xx" + twoParts().bytes, damaged("its directory is out of place")},
        {"BytesAfter", twoParts().bytes + "xx", cut("its directory is missing")},
        changed<std::uint16_t>("SecondPart", &ZipBytes::end, 4, 1,
                               "it is one part of several; join the parts."),
        changed<std::uint16_t>("CountsDiffer", &ZipBytes::end, 8, 1,
                               "it is one part of several; join the parts."),
        changed<std::uint32_t>("DirectoryElsewhere", &ZipBytes::end, 16, 3,
                               damaged("its directory is out of place")),
        changed<std::uint32_t>("DirectoryTooLong", &ZipBytes::end, 12, 100'000,
                               damaged("its directory is out of place")),
        changed<std::uint32_t>("TooManyEntries", &ZipBytes::end, 8, 0x00090009,
                               damaged("its directory has no room for 9 entries")),
        changed<std::uint32_t>("TooFewEntries", &ZipBytes::end, 8, 0x00010001,
                               damaged("its directory has more bytes than entries")),
        entryField<std::uint32_t>("NoEntry", 0, 7, damaged("its directory is malformed")),
        entryField<std::uint16_t>("NameTooLong", 28, 900, damaged("its directory ends early")),
        entryField<std::uint16_t>("Encrypted", 8, 1, "\"b/c\" is encrypted; save it without a password."),
        entryField<std::uint16_t>(
            "OtherMethod", 10, 12,
            "\"b/c\" is compressed by method 12, expected stored or deflated data; save it again, "
            "stored or deflated."),
        entryField<std::uint32_t>("TwoSizes", 24, 7, damaged("\"b/c\" has 7 bytes, of which 6 are stored")),
        entryField<std::uint32_t>("SaturatedWithoutZip64", 24, 0xffffffff,
                                  damaged("the sizes of \"b/c\" are malformed")),
        entryField<std::uint16_t>("OtherPart", 34, 1, "it is one part of several; join the parts."),
        entryField<std::uint64_t>("DataIntoTheDirectory", 20, 0x0000010000000100,
                                  damaged("the data of \"b/c\" reach into what follows")),
        entryField<std::uint32_t>("SameDataTwice", 42, 0,
                                  damaged("the data of \"a\" reach into what follows")),
        entryField<std::uint32_t>("HeaderBeyondTheEnd", 42, 0x7fffffff,
                                  damaged("the data of \"a\" reach into what follows")),
        {"NameTwice", zipBytes({{.name = "a", .stored = "x"}, {.name = "a", .stored = "y"}}).bytes,
         damaged("the name \"a\" stands twice")},
        localField<std::uint32_t>("NoLocalHeader", 0, 7,
                                  damaged("the directory and the data disagree about \"b/c\"")),
        localField<std::uint16_t>("OtherLocalMethod", 8, 8,
                                  damaged("the directory and the data disagree about \"b/c\"")),
        localField<std::uint8_t>("OtherLocalName", 30, 'X',
                                 damaged("the directory and the data disagree about \"b/c\"")),
        localField<std::uint16_t>("LongLocalExtra", 28, 50,
                                  damaged("the data of \"b/c\" reach into what follows")),
        {"DeflateBomb", deflatedWith([](ZipPart& part) { part.bytes = 4'000'000'000; }),
         damaged("\"a\" is said to unpack from 14 bytes to 4000000000")},
        {"DeflateCut", deflatedWith([](ZipPart& part) { part.stored.resize(8); }),
         damaged("the compressed data of \"a\" do not unpack")},
        {"DeflateTooShort", deflatedWith([](ZipPart& part) { part.bytes = 8; }),
         damaged("the compressed data of \"a\" do not unpack")},
        {"DeflateTooLong", deflatedWith([](ZipPart& part) { part.bytes = 10; }),
         damaged("the compressed data of \"a\" do not unpack")},
        {"DeflateGarbage", deflatedWith([](ZipPart& part) { part.stored[0] = '\x07'; }),
         damaged("the compressed data of \"a\" do not unpack")},
        {"DeflateChecksum", deflatedWith([](ZipPart& part) { part.checksum ^= 1U; }),
         damaged("the compressed data of \"a\" do not unpack")},
        {"Zip64SizeTooLarge", asZip64(twoParts(), 1, std::uint64_t{1} << 63U),
         damaged("the data of \"b/c\" reach into what follows")},
        {"Zip64RecordElsewhere",
         [] {
             std::string bytes = asZip64(twoParts(), 1, 6);
             bytes.replace(bytes.size() - 22 - 12, 8, raw<std::uint64_t>(5));
             return bytes;
         }(),
         damaged("its zip64 record is out of place")},
        {"Zip64RecordBeyondTheEnd",
         [] {
             std::string bytes = asZip64(twoParts(), 1, 6);
             bytes.replace(bytes.size() - 22 - 12, 8, raw<std::uint64_t>(~0ULL));
             return bytes;
         }(),
         damaged("its zip64 record is out of place")},
        {"Zip64RecordLength",
         [] {
             std::string bytes = asZip64(twoParts(), 1, 6);
             bytes.replace(bytes.size() - 22 - 20 - 52, 8, raw<std::uint64_t>(45));
             return bytes;
         }(),
         damaged("its zip64 record has the wrong length")},
    };
    return all;
}

INSTANTIATE_TEST_SUITE_P(EveryFault, MalformedZip, testing::ValuesIn(cases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(ZipDirectoryTest, AnyFlippedByteIsReadOrRefused) {
    const std::string whole = zipBytes({{.name = "a", .stored = "first"}, deflatedPart("b", "second")}).bytes;
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const unsigned flip : {0x01U, 0x80U}) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ flip);
            const InputFile changed = file(bytes);
            refused += sentenceOf([&] { readAll(changed); }).empty() ? 0 : 1;
        }
    EXPECT_GT(refused, 100);
}

} // namespace
} // namespace headscope::test
