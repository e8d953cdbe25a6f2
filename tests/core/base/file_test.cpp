// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headscope::test {
namespace {

std::ptrdiff_t entriesIn(const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST(InputFile, ReadsAtOffsets) {
    const TemporaryFolder folder;
    const InputFile file(folder.write("f", "0123456789"));
    EXPECT_EQ(file.size(), 10U);
    std::array<char, 3> out{};
    file.readAt(4, std::as_writable_bytes(std::span(out)));
    EXPECT_EQ(std::string(out.data(), 3), "456");
    file.readAt(10, {});
}

TEST(InputFile, ReadingPastTheEndIsAnError) {
    const TemporaryFolder folder;
    const auto path = folder.write("f.bin", "0123456789");
    const InputFile file(path);
    std::array<std::byte, 3> out{};
    EXPECT_EQ(sentenceOf([&] { file.readAt(8, out); }),
              "f.bin: the file ended early, it had 10 bytes when it was opened (at byte 10); it was changed "
              "or cut while it "
              "was open.");
    std::filesystem::resize_file(path, 5);
    EXPECT_NE(sentenceOf([&] { file.readAt(4, out); }).find("(at byte 5)"), std::string::npos);
}

TEST(InputFile, MayBeInsideTheProgram) {
    static constexpr std::string_view kContent = "0123456789";
    InputFile moved = InputFile("demo:x/f.bin", std::as_bytes(std::span(kContent)));
    const InputFile file = std::move(moved);
    EXPECT_TRUE(file.isEmbedded());
    EXPECT_EQ(file.size(), 10U);
    EXPECT_EQ(file.path(), "demo:x/f.bin");
    std::array<char, 3> out{};
    file.readAt(7, std::as_writable_bytes(std::span(out)));
    EXPECT_EQ(std::string(out.data(), 3), "789");
    file.readAt(10, {});
    file.dropPages(0, 10);
    EXPECT_EQ(readWholeFile(file, 10), kContent);
    EXPECT_EQ(sentenceOf([&] { readWholeFile(file, 9); }),
              "f.bin: the file has 10 bytes, at most 9 are read.");

    const TemporaryFolder folder;
    EXPECT_FALSE(InputFile(folder.write("f", "x")).isEmbedded());
}

TEST(InputFileDeathTest, NothingIsReadBeyondWhatIsInsideTheProgram) {
    static constexpr std::string_view kContent = "0123456789";
    const InputFile file("demo:x/f.bin", std::as_bytes(std::span(kContent)));
    std::array<std::byte, 3> out{};
    EXPECT_DEATH(file.readAt(8, out), "m_size");
    EXPECT_DEATH(file.readAt(11, {}), "m_size");
}

TEST(InputFile, OnlyRegularFilesOpen) {
    const TemporaryFolder folder;
    EXPECT_EQ(sentenceOf([&] { InputFile(folder / "none"); }),
              (folder / "none").string() + ": cannot be opened: there is no such file or folder.");
    EXPECT_EQ(sentenceOf([&] { InputFile(folder.path()); }),
              folder.path().string() + ": this is not a regular file.");
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_NE(sentenceOf([&] { InputFile(folder / "pipe"); }), ""); // and does not wait for a writer
    EXPECT_NE(sentenceOf([&] { InputFile("/dev/zero"); }), "");
    EXPECT_NE(sentenceOf([&] { InputFile(folder.write("f", "x") / "below"); }).find("not a folder"),
              std::string::npos);
}

TEST(InputFile, ForbiddenFilesAreNamed) {
    if (::geteuid() == 0) GTEST_SKIP() << "skipped: root may read everything";
    const TemporaryFolder folder;
    const auto path = folder.write("f", "x");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    EXPECT_NE(sentenceOf([&] { InputFile{path}; }).find("permission was denied"), std::string::npos);
}

TEST(ReadWholeFile, ReadsUpToItsLimit) {
    const TemporaryFolder folder;
    const auto path = folder.write("f.json", "12345");
    EXPECT_EQ(readWholeFile(path, 5), "12345");
    EXPECT_EQ(sentenceOf([&] { readWholeFile(path, 4); }),
              "f.json: the file has 5 bytes, at most 4 are read.");
    EXPECT_EQ(readWholeFile(folder.write("empty", ""), 0), "");
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
    const TemporaryFolder folder;
    const auto path = folder.write("out", "older");
    {
        AtomicFile file(path);
        file.write("new ");
        file.write(std::as_bytes(std::span("bytes", 5)));
        EXPECT_EQ(file.written(), 9U);
        EXPECT_EQ(readBytes(path), "older");
        file.commit();
    }
    EXPECT_EQ(readBytes(path), "new bytes");
    EXPECT_EQ(entriesIn(folder.path()), 1);
}

TEST(AtomicFile, LargeContentsAreWhole) {
    const TemporaryFolder folder;
    std::string content;
    {
        AtomicFile file(folder / "out");
        for (int i = 0; i < 400; ++i) {
            const std::string piece(static_cast<std::size_t>(i * 41), static_cast<char>('a' + i % 26));
            file.write(piece);
            content += piece;
        }
        file.write("");
        file.commit();
    }
    ASSERT_GT(content.size(), 3'000'000U);
    EXPECT_TRUE(readBytes(folder / "out") == content);
}

TEST(AtomicFile, OverwritesWhatWasWrittenBefore) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "out");
    file.write("head....");
    file.overwrite(4, std::as_bytes(std::span("1234", 4)));
    file.write(std::string(2'000'000, 'x'));
    file.overwrite(0, std::as_bytes(std::span("HEAD", 4)));
    file.write("end");
    EXPECT_EQ(file.written(), 2'000'011U);
    file.commit();
    const std::string bytes = readBytes(folder / "out");
    EXPECT_EQ(bytes.size(), 2'000'011U);
    EXPECT_EQ(bytes.substr(0, 9), "HEAD1234x");
    EXPECT_EQ(bytes.substr(2'000'007), "xend");
}

TEST(AtomicFileDeathTest, OverwritingBeyondTheEndIsAProgrammersError) {
    const TemporaryFolder folder;
    AtomicFile file(folder / "out");
    file.write("ab");
    EXPECT_DEATH(file.overwrite(1, std::as_bytes(std::span("xy", 2))), "this should hold");
    file.commit();
    EXPECT_DEATH(file.write("more"), "this should hold");
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
    const TemporaryFolder folder;
    folder.write("out", "older");
    {
        AtomicFile file(folder / "out");
        file.write(std::string(3'000'000, 'x'));
    }
    EXPECT_EQ(readBytes(folder / "out"), "older");
    EXPECT_EQ(entriesIn(folder.path()), 1);
}

TEST(AtomicFile, RemoveTemporaryFilesUnlinksThoseAlive) {
    const TemporaryFolder folder;
    AtomicFile done(folder / "done");
    done.write("x");
    done.commit();
    AtomicFile open(folder / "open");
    open.write("x");
    EXPECT_EQ(entriesIn(folder.path()), 2);
    removeTemporaryFiles();
    EXPECT_EQ(entriesIn(folder.path()), 1);
    EXPECT_TRUE(std::filesystem::exists(folder / "done"));
}

TEST(AtomicFile, RespectsTheUmask) {
    const TemporaryFolder folder;
    const mode_t old = ::umask(027);
    {
        AtomicFile file(folder / "out");
        file.commit();
    }
    ::umask(old);
    struct stat status {};
    ASSERT_EQ(::stat((folder / "out").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(AtomicFile, MissingFoldersAndFoldersAsTargetsAreRefused) {
    const TemporaryFolder folder;
    EXPECT_EQ(sentenceOf([&] { AtomicFile(folder / "none" / "out"); }),
              (folder / "none" / "out").string() + ": the folder " + (folder / "none").string() +
                  " does not exist; make it first.");
    EXPECT_EQ(sentenceOf([&] { AtomicFile(folder.path()); }),
              folder.path().string() + ": this is a folder, not a file.");
    EXPECT_EQ(entriesIn(folder.path()), 0);
}

TEST(AtomicFile, UnwritableFolderIsNamed) {
    if (::geteuid() == 0) GTEST_SKIP() << "skipped: root may write everywhere";
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_NE(sentenceOf([&] { AtomicFile(folder / "out"); }).find("permission was denied"),
              std::string::npos);
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

/// Writes three megabytes to `folder`/out and returns the Error's sentence.
std::string writeMuch(const std::filesystem::path& folder) {
    return sentenceOf([&] {
        AtomicFile file(folder / "out");
        for (int i = 0; i < 3; ++i) file.write(std::string(1'000'000, 'x'));
        file.commit();
    });
}

TEST(AtomicFile, FileSizeLimitLeavesNothing) {
    const TemporaryFolder folder;
    rlimit old{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{.rlim_cur = 100'000, .rlim_max = old.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string sentence = writeMuch(folder.path());
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, oldHandler);
    EXPECT_EQ(sentence,
              (folder / "out").string() +
                  ": cannot be written: the file would be larger than the file system or the session's "
                  "limit allows.");
    EXPECT_EQ(entriesIn(folder.path()), 0);
}

TEST(AtomicFile, FullDiskLeavesNothing) {
    const TemporaryFolder folder;
    if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0)
        GTEST_SKIP() << "skipped: a small file system can only be mounted by root";
    const std::string sentence = writeMuch(folder.path());
    const std::ptrdiff_t left = entriesIn(folder.path());
    ::umount(folder.path().c_str());
    EXPECT_EQ(sentence, (folder / "out").string() + ": cannot be written: the disk is full.");
    EXPECT_EQ(left, 0);
}

TEST(SystemFacts, ArePlausible) {
    const TemporaryFolder folder;
    EXPECT_GT(freeDiskBytes(folder.path()), 0U);
    EXPECT_EQ(freeDiskBytes(folder / "none"), 0U);
    EXPECT_GT(availableMemoryBytes(), std::uint64_t{1} << 20U);
}

} // namespace
} // namespace headscope::test
