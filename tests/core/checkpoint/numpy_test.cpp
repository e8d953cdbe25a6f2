// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/checkpoint/numpy.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <sys/resource.h>
#include <thread>
#include <zip.h>

namespace headscope::test {
namespace {

using Shape = std::vector<std::int64_t>;
using EmitFloats = std::function<void(std::span<const float>)>;
using EmitBytes = std::function<void(std::span<const std::byte>)>;

TEST(NpyHeader, HasTheBytesThatNumpyWrites) {
    // numpy.lib.format.write_array_header_1_0 for float32 (2, 3), written out by hand: 10 + 118 bytes.
    const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
    expected += text + std::string(118 - text.size() - 1, ' ') + "\n";
    EXPECT_EQ(npyHeader(DType::F32, Shape{2, 3}), expected);
}

TEST(NpyHeader, SpellsEveryShapeAsAPythonTuple) {
    const auto holds = [](const std::string& header, std::string_view part) {
        return header.find(part) != std::string::npos && header.size() % 64 == 0 && header.back() == '\n';
    };
    EXPECT_TRUE(
        holds(npyHeader(DType::I64, Shape{}), "'descr': '<i8', 'fortran_order': False, 'shape': (), }"));
    EXPECT_TRUE(holds(npyHeader(DType::I64, Shape{7}), "'shape': (7,), }"));
    EXPECT_TRUE(holds(npyHeader(DType::Bool, Shape{0, 1, 2}),
                      "'descr': '|b1', 'fortran_order': False, 'shape': (0, 1, 2), }"));
    EXPECT_TRUE(holds(npyHeader(DType::F16, Shape{1}), "'<f2'"));
    EXPECT_TRUE(holds(npyHeader(DType::U64, Shape{1}), "'<u8'"));
    EXPECT_TRUE(holds(npyUnicodeHeader(3, 12), "'descr': '<U12', 'fortran_order': False, 'shape': (3,), }"));
}

TEST(NpyHeader, EveryTextLengthIsPaddedTo64) {
    for (std::int64_t extent = 1; extent < 1'000'000'000'000'000'000; extent *= 10)
        for (const Shape& shape : {Shape{extent}, Shape{extent, extent}, Shape{extent, 1, extent}}) {
            const std::string header = npyHeader(DType::F32, shape);
            EXPECT_EQ(header.size() % 64, 0U);
            const auto low = static_cast<unsigned char>(header[8]);
            const auto high = static_cast<unsigned char>(header[9]);
            EXPECT_EQ(low + 256U * high + 10U, header.size());
        }
}

TEST(NpyHeaderDeathTest, BF16IsNoNumpyType) {
    EXPECT_DEATH(npyHeader(DType::BF16, Shape{1}), "BF16");
}

TEST(WriteNpy, StreamsHeaderAndData) {
    const TemporaryFolder folder;
    const std::vector<float> values{1, 2, 3, 4, 5, 6};
    writeNpy(folder / "map.npy", Shape{2, 3}, [&](const EmitFloats& emit) {
        emit(std::span(values).first(1));
        emit({});
        emit(std::span(values).subspan(1));
    });
    const std::string bytes = readBytes(folder / "map.npy");
    ASSERT_EQ(bytes.size(), 128U + 24U);
    EXPECT_EQ(bytes.substr(0, 128), npyHeader(DType::F32, Shape{2, 3}));
    EXPECT_EQ(std::memcmp(bytes.data() + 128, values.data(), 24), 0);
}

TEST(WriteNpy, CancelledOrUnwritableLeavesNothing) {
    const TemporaryFolder folder;
    EXPECT_THROW(
        writeNpy(folder / "map.npy", Shape{2}, [](const EmitFloats&) { throw std::runtime_error("stop"); }),
        std::runtime_error);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_NE(sentenceOf([&] { writeNpy(folder / "none" / "map.npy", Shape{1}, [](const EmitFloats&) {}); }),
              "");
}

TEST(WriteNpyDeathTest, WrongNumberOfElementsIsAProgrammersError) {
    const TemporaryFolder folder;
    EXPECT_DEATH(writeNpy(folder / "map.npy", Shape{2}, [](const EmitFloats&) {}), "this should hold");
}

NpzEntry bytesEntry(std::string name, std::string content) {
    NpzEntry entry;
    entry.name = std::move(name);
    entry.header = npyHeader(DType::U8, Shape{static_cast<std::int64_t>(content.size())});
    entry.bytes = content.size();
    entry.produce = [content = std::move(content)](const EmitBytes& emit) {
        const auto bytes = std::as_bytes(std::span(content));
        // Pieces of uneven sizes, one of them empty.
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t piece = std::min(bytes.size() - at, at % 70'001 + 1);
            emit(bytes.subspan(at, piece));
            emit({});
            at += piece;
        }
    };
    return entry;
}

struct ZipCloser {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

std::string entryOf(const std::filesystem::path& path, const char* name) {
    const std::unique_ptr<zip_t, ZipCloser> archive(
        zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, nullptr));
    zip_stat_t status;
    if (archive == nullptr || zip_stat(archive.get(), name, 0, &status) != 0) return "absent";
    if (status.comp_method != ZIP_CM_STORE) return "compressed";
    std::string content(status.size, '\0');
    zip_file_t* file = zip_fopen(archive.get(), name, 0);
    // Reads one byte more than there should be, so that libzip reaches the end and compares the checksum.
    const zip_int64_t got = zip_fread(file, content.data(), content.size());
    char more = 0;
    const zip_int64_t rest = zip_fread(file, &more, 1);
    zip_fclose(file);
    return got == static_cast<zip_int64_t>(content.size()) && rest == 0 ? content : "unreadable";
}

std::string countingBytes(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>((i * 2654435761U) >> 13U);
    return bytes;
}

TEST(WriteNpz, ReopensWithEveryEntry) {
    const TemporaryFolder folder;
    const auto path = folder / "maps.npz";
    const std::string large = countingBytes(3'500'003);                     // several blocks
    const std::string exact = countingBytes((std::size_t{1} << 20U) - 128); // one block with its header
    writeNpz(path, {bytesEntry("attentions.0", large), bytesEntry("none", ""), bytesEntry("exact", exact),
                    bytesEntry("t\u00f6kens", "abc")});
    const auto whole = [](const std::string& content) {
        return npyHeader(DType::U8, Shape{static_cast<std::int64_t>(content.size())}) + content;
    };
    EXPECT_EQ(entryOf(path, "attentions.0.npy"), whole(large));
    EXPECT_EQ(entryOf(path, "none.npy"), whole(""));
    EXPECT_EQ(entryOf(path, "exact.npy"), whole(exact));
    EXPECT_EQ(entryOf(path, "t\u00f6kens.npy"), whole("abc"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteNpz, SameContentGivesSameBytesAndReplacesTheFile) {
    const TemporaryFolder folder;
    folder.write("b.npz", "something older");
    for (const char* name : {"a.npz", "b.npz"}) writeNpz(folder / name, {bytesEntry("x", "abc")});
    EXPECT_EQ(readBytes(folder / "a.npz"), readBytes(folder / "b.npz"));
    EXPECT_TRUE(readBytes(folder / "a.npz").starts_with("PK"));
}

TEST(WriteNpz, WhatProduceThrowsComesOutAndLeavesTheOldFile) {
    const TemporaryFolder folder;
    folder.write("maps.npz", "something older");
    for (const std::size_t emitted : {std::size_t{0}, std::size_t{100}, std::size_t{5'000'000}}) {
        NpzEntry entry = bytesEntry("second", std::string(6'000'000, 'x'));
        entry.produce = [emitted](const EmitBytes& emit) {
            const std::string bytes(emitted, 'y');
            emit(std::as_bytes(std::span(bytes)));
            throw Error({.subject = "cancelled",
                         .found = {},
                         .expected = {},
                         .hint = {},
                         .kind = ErrorKind::Cancelled});
        };
        EXPECT_EQ(sentenceOf([&] {
                      writeNpz(folder / "maps.npz", {bytesEntry("first", "abc"), entry});
                  }),
                  "cancelled.");
        EXPECT_EQ(readBytes(folder / "maps.npz"), "something older");
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
    }
}

TEST(WriteNpz, ProducesInOrderOnTheCallersThread) {
    const TemporaryFolder folder;
    std::vector<int> order;
    std::vector<NpzEntry> entries;
    const auto caller = std::this_thread::get_id();
    for (int i = 0; i < 5; ++i) {
        NpzEntry entry = bytesEntry("e" + std::to_string(4 - i), "");
        entry.produce = [&, i](const EmitBytes&) {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            order.push_back(i);
        };
        entries.push_back(std::move(entry));
    }
    writeNpz(folder / "maps.npz", entries);
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(WriteNpz, FailureToWriteStopsTheProducerAndLeavesNothing) {
    const TemporaryFolder folder;
    rlimit old{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{.rlim_cur = 2'500'000, .rlim_max = old.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string sentence =
        sentenceOf([&] { writeNpz(folder / "maps.npz", {bytesEntry("x", std::string(20'000'000, 'x'))}); });
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, oldHandler);
    EXPECT_EQ(sentence,
              (folder / "maps.npz").string() +
                  ": cannot be written: the file would be larger than the file system or the session's "
                  "limit allows.");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(WriteNpz, UnwritableTargetsAreNamed) {
    const TemporaryFolder folder;
    EXPECT_EQ(sentenceOf([&] {
                  writeNpz(folder / "none" / "maps.npz", {bytesEntry("x", "")});
              }).find((folder / "none").string()),
              0U);
}

} // namespace
} // namespace headscope::test
