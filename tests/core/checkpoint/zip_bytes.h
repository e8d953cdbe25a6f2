// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/checkpoint/pickle_bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {

/// One entry of an archive to be written: its bytes as they stand there.
struct ZipPart {
    std::string name;
    std::string stored;
    std::uint16_t method = 0;             ///< 0 stored, 8 deflated
    std::optional<std::uint64_t> bytes{}; ///< unpacked; without it as many as are stored
    std::uint32_t checksum = 0;           ///< of the unpacked bytes; looked at for deflated entries only
    std::string localExtra{};             ///< pads the data to where a writer wants them
};

/// An archive and where its parts begin, so that tests can change a byte with a meaning.
struct ZipBytes {
    std::string bytes;
    std::vector<std::size_t> headers; ///< local headers
    std::vector<std::size_t> entries; ///< of the directory
    std::size_t end = 0;              ///< the end record

    /// Replaces bytes of the archive: a number of that type, little-endian.
    template <typename T>
    ZipBytes& put(std::size_t at, T value) {
        bytes.replace(at, sizeof(T), pickle::raw(value));
        return *this;
    }
};

inline std::uint32_t crc32(std::string_view data) {
    std::uint32_t crc = ~0U;
    for (const char c : data) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
}

inline ZipBytes zipBytes(const std::vector<ZipPart>& parts) {
    using pickle::raw;
    ZipBytes zip;
    const auto common = [](const ZipPart& part) { // version needed ... extra length of both headers
        return raw<std::uint16_t>(20) + raw<std::uint16_t>(0) + raw(part.method) + raw<std::uint32_t>(0) +
               raw(part.checksum) + raw(static_cast<std::uint32_t>(part.stored.size())) +
               raw(static_cast<std::uint32_t>(part.bytes.value_or(part.stored.size()))) +
               raw(static_cast<std::uint16_t>(part.name.size()));
    };
    for (const ZipPart& part : parts) {
        zip.headers.push_back(zip.bytes.size());
        zip.bytes += "PK\x03\x04" + common(part) + raw(static_cast<std::uint16_t>(part.localExtra.size())) +
                     part.name + part.localExtra + part.stored;
    }
    const std::size_t directory = zip.bytes.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        zip.entries.push_back(zip.bytes.size());
        zip.bytes += "PK\x01\x02" + raw<std::uint16_t>(20) + common(parts[i]) + raw<std::uint16_t>(0) +
                     raw<std::uint16_t>(0) + raw<std::uint16_t>(0) + raw<std::uint16_t>(0) +
                     raw<std::uint32_t>(0) + raw(static_cast<std::uint32_t>(zip.headers[i])) + parts[i].name;
    }
    zip.end = zip.bytes.size();
    const auto count = static_cast<std::uint16_t>(parts.size());
    zip.bytes += "PK\x05\x06" + raw<std::uint32_t>(0) + raw(count) + raw(count) +
                 raw(static_cast<std::uint32_t>(zip.end - directory)) +
                 raw(static_cast<std::uint32_t>(directory)) + raw<std::uint16_t>(0);
    return zip;
}

/// The same bytes as one deflate block that is not compressed (at most 65,535 of them).
inline ZipPart deflatedPart(std::string name, const std::string& data) {
    const auto length = static_cast<std::uint16_t>(data.size());
    ZipPart part;
    part.name = std::move(name);
    part.stored =
        pickle::joined({"\x01", pickle::raw(length), pickle::raw(static_cast<std::uint16_t>(~length)), data});
    part.method = 8;
    part.bytes = data.size();
    part.checksum = crc32(data);
    return part;
}

/// What torch.save writes: a pickle and storages "0", "1", ... of these bytes.
inline ZipBytes torchZip(const std::string& pickle, const std::vector<std::string>& storages) {
    std::vector<ZipPart> parts{{.name = "archive/data.pkl", .stored = pickle}};
    for (std::size_t i = 0; i < storages.size(); ++i)
        parts.push_back({.name = "archive/data/" + std::to_string(i), .stored = storages[i]});
    parts.push_back({.name = "archive/version", .stored = "3\n"});
    return zipBytes(parts);
}

} // namespace headscope::test
