// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/block_pipe.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/numpy.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <thread>
#include <zip.h>

// libzip pulls: it asks a source for the next bytes of an entry, and it writes an archive through a sink of
// ours, so that the file is an AtomicFile like all others. Entries push. So libzip runs on a thread of its
// own, fed by a pipe, and `produce` stays on the caller's.

namespace headscope {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;

/// Answers libzip's commands for both ends. Exceptions must not cross libzip's C frames: they are kept.
class Archive {
  public:
    Archive(const std::filesystem::path& target, const std::vector<NpzEntry>& entries)
        : m_name(messageName(target)), m_file(target), m_entries(entries), m_sources(entries.size()) {
        for (std::size_t i = 0; i < entries.size(); ++i)
            m_sources[i] = {.archive = this,
                            .index = i,
                            .bytes = entries[i].header.size() + entries[i].bytes,
                            .left = 0,
                            .error = {}};
    }

    BlockPipe& pipe() { return m_pipe; }
    /// Body of libzip's thread.
    void write() noexcept {
        try {
            writeArchive();
        } catch (...) {
            keepFailure();
        }
        m_pipe.readerLeaves();
    }
    void rethrowFailure() const {
        if (m_failure) std::rethrow_exception(m_failure);
    }
    void commit() { m_file.commit(); }

  private:
    struct EntrySource {
        Archive* archive = nullptr;
        std::size_t index = 0;
        std::uint64_t bytes = 0; ///< header and data
        std::uint64_t left = 0;
        zip_error_t error{};
    };

    void keepFailure() {
        if (!m_failure) m_failure = std::current_exception();
    }
    void writeArchive();
    void addEntry(zip_t* archive, std::size_t index);
    zip_int64_t read(EntrySource& source, std::span<std::byte> out);
    zip_int64_t append(std::span<const std::byte> bytes);
    zip_int64_t sinkCommand(void* data, zip_uint64_t length, zip_source_cmd_t command);
    static zip_int64_t entryCallback(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command);
    static zip_int64_t sinkCallback(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command);

    std::string m_name;
    AtomicFile m_file;
    const std::vector<NpzEntry>& m_entries;
    std::vector<EntrySource> m_sources;
    BlockPipe m_pipe;
    BlockPipe::Block m_block;
    std::size_t m_blockUsed = 0;
    std::size_t m_nextEntry = 0;
    std::uint64_t m_position = 0; ///< where libzip writes next
    zip_error_t m_error{};
    std::exception_ptr m_failure;
};

zip_int64_t Archive::read(EntrySource& source, std::span<std::byte> out) {
    std::size_t done = 0;
    const std::size_t wanted = std::min<std::uint64_t>(out.size(), source.left);
    while (done < wanted) {
        if (m_blockUsed == m_block.size()) {
            m_blockUsed = 0;
            if (!m_pipe.pop(m_block)) {
                zip_error_set(&source.error, ZIP_ER_CANCELLED, 0);
                return -1;
            }
        }
        const std::size_t piece = std::min(wanted - done, m_block.size() - m_blockUsed);
        std::memcpy(out.data() + done, m_block.data() + m_blockUsed, piece);
        m_blockUsed += piece;
        done += piece;
    }
    source.left -= done;
    return static_cast<zip_int64_t>(done);
}

zip_int64_t Archive::entryCallback(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    EntrySource& source = *static_cast<EntrySource*>(state);
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_STAT: {
        auto* status = static_cast<zip_stat_t*>(data);
        zip_stat_init(status);
        status->size = source.bytes;
        status->valid |= ZIP_STAT_SIZE;
        return sizeof(*status);
    }
    case ZIP_SOURCE_OPEN:
        // The pipe is one stream of all entries: it must be read in the order in which they are produced,
        // once.
        HS_CHECK_EQ(source.index, source.archive->m_nextEntry);
        ++source.archive->m_nextEntry;
        source.left = source.bytes;
        return 0;
    case ZIP_SOURCE_READ:
        return source.archive->read(source, {static_cast<std::byte*>(data), length});
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&source.error, data, length);
    default:
        zip_error_set(&source.error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

/// libzip writes an entry's header, its data, and then the header again with size and checksum.
zip_int64_t Archive::append(std::span<const std::byte> bytes) {
    const std::uint64_t behind = m_file.written() - m_position;
    const std::span<const std::byte> replaced = bytes.first(std::min<std::uint64_t>(behind, bytes.size()));
    if (!replaced.empty()) m_file.overwrite(m_position, replaced);
    m_file.write(bytes.subspan(replaced.size()));
    m_position += bytes.size();
    return static_cast<zip_int64_t>(bytes.size());
}

zip_int64_t Archive::sinkCommand(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(
            ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
            ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_BEGIN_WRITE,
            ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE,
            ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE, -1);
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_WRITE:
        return append({static_cast<const std::byte*>(data), length});
    case ZIP_SOURCE_TELL_WRITE:
        return static_cast<zip_int64_t>(m_position);
    case ZIP_SOURCE_SEEK_WRITE: {
        const zip_int64_t position =
            zip_source_seek_compute_offset(m_position, m_file.written(), data, length, &m_error);
        if (position < 0) return -1;
        m_position = static_cast<std::uint64_t>(position);
        return 0;
    }
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&m_error, data, length);
    case ZIP_SOURCE_STAT: // "there is no archive yet": libzip then makes a new one
        zip_error_set(&m_error, ZIP_ER_READ, ENOENT);
        return -1;
    default:
        zip_error_set(&m_error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

zip_int64_t Archive::sinkCallback(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    Archive& archive = *static_cast<Archive*>(state);
    try {
        return archive.sinkCommand(data, length, command);
    } catch (...) {
        archive.keepFailure();
        zip_error_set(&archive.m_error, ZIP_ER_WRITE, 0);
        return -1;
    }
}

void Archive::addEntry(zip_t* archive, std::size_t index) {
    const std::string name = m_entries[index].name + ".npy";
    zip_source_t* source = zip_source_function(archive, &Archive::entryCallback, &m_sources[index]);
    HS_CHECK(source != nullptr);
    const zip_int64_t added = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    HS_CHECK_EQ(added, static_cast<zip_int64_t>(index)); // -1 for a name that stands twice
    HS_CHECK_EQ(zip_set_file_compression(archive, index, ZIP_CM_STORE, 0), 0);
    // 1 January 1980, zip's earliest day and numpy's choice: the bytes depend on the content alone.
    constexpr zip_uint16_t kFirstDay = (1U << 5U) | 1U;
    HS_CHECK_EQ(zip_file_set_dostime(archive, index, 0, kFirstDay, 0), 0);
}

void Archive::writeArchive() {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* sink = zip_source_function_create(&Archive::sinkCallback, this, &error);
    HS_CHECK(sink != nullptr);
    zip_t* archive = zip_open_from_source(sink, ZIP_CREATE | ZIP_TRUNCATE, &error);
    HS_CHECK(archive != nullptr);
    for (std::size_t i = 0; i < m_entries.size(); ++i) addEntry(archive, i);
    if (zip_close(archive) == 0) return;
    zip_discard(archive);
    if (!m_failure) fail(m_name, "the archive could not be completed");
}

/// Thrown through `produce` when libzip's thread has failed; the failure itself is reported instead.
struct ReaderLeft {};

/// Collects pieces into blocks for the pipe.
class BlockWriter {
  public:
    explicit BlockWriter(BlockPipe& pipe) : m_pipe(pipe) { m_block.reserve(kBlockBytes); }

    void write(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const std::size_t piece = std::min(bytes.size(), kBlockBytes - m_block.size());
            m_block.insert(m_block.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(piece));
            bytes = bytes.subspan(piece);
            if (m_block.size() == kBlockBytes) flush();
        }
    }
    void flush() {
        if (!m_block.empty() && !m_pipe.push(m_block)) throw ReaderLeft();
        m_block.reserve(kBlockBytes);
    }

  private:
    BlockPipe& m_pipe;
    BlockPipe::Block m_block;
};

void produceAll(const std::vector<NpzEntry>& entries, BlockPipe& pipe) {
    BlockWriter writer(pipe);
    for (const NpzEntry& entry : entries) {
        writer.write(std::as_bytes(std::span(entry.header)));
        std::uint64_t emitted = 0;
        entry.produce([&](std::span<const std::byte> piece) {
            emitted += piece.size();
            HS_CHECK_LE(emitted, entry.bytes);
            writer.write(piece);
        });
        HS_CHECK_EQ(emitted, entry.bytes);
    }
    writer.flush();
}

} // namespace

void writeNpz(const std::filesystem::path& target, const std::vector<NpzEntry>& entries) {
    HS_CHECK(!entries.empty()); // libzip writes no archive without entries
    Archive archive(target, entries);
    std::thread libzip([&] { archive.write(); });
    std::exception_ptr failure;
    try {
        produceAll(entries, archive.pipe());
    } catch (const ReaderLeft&) {
        // archive.rethrowFailure() below says why.
    } catch (...) {
        failure = std::current_exception();
    }
    archive.pipe().writerLeaves();
    libzip.join();
    if (failure) std::rethrow_exception(failure);
    archive.rethrowFailure();
    archive.commit();
}

} // namespace headscope
