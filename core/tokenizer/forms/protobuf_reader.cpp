// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/protobuf_reader.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kHint = "download the file again";

std::string nameOf(ProtobufReader::WireType type) {
    switch (type) {
    case ProtobufReader::WireType::Varint:
        return "a number";
    case ProtobufReader::WireType::Fixed64:
        return "a number of 8 bytes";
    case ProtobufReader::WireType::Bytes:
        return "a string or message";
    case ProtobufReader::WireType::Fixed32:
        return "a number of 4 bytes";
    }
    return "another type";
}

} // namespace

void ProtobufReader::refuse(std::string found, std::string expected, std::size_t at) const {
    throw Error({.subject = m_subject,
                 .found = std::move(found),
                 .expected = std::move(expected),
                 .hint = kHint,
                 .byteOffset = m_offset + at});
}

std::uint64_t ProtobufReader::varint() {
    constexpr int kMaxBytes = 10;
    const std::size_t begin = m_at;
    std::uint64_t value = 0;
    for (int i = 0; i < kMaxBytes; ++i) {
        if (m_at == m_message.size()) refuse("a number without its end", {}, begin);
        const auto byte = static_cast<unsigned char>(m_message[m_at++]);
        value |= std::uint64_t{byte & 0x7fU} << (7 * i);
        if (byte < 0x80) return value;
    }
    refuse("a number of more than 10 bytes", {}, begin);
}

std::uint64_t ProtobufReader::fixed(std::size_t bytes) {
    if (m_message.size() - m_at < bytes)
        refuse(fmt::format("{} bytes are left", m_message.size() - m_at),
               fmt::format("expected a number of {}", bytes), m_at);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(m_message[m_at++])} << (8 * i);
    return value;
}

std::optional<ProtobufReader::Field> ProtobufReader::next() {
    if (m_at == m_message.size()) return std::nullopt;
    const std::size_t begin = m_at;
    const std::uint64_t tag = varint();
    const std::uint64_t number = tag >> 3U;
    constexpr std::uint64_t kMaxNumber = (std::uint64_t{1} << 29U) - 1;
    if (number == 0 || number > kMaxNumber) refuse(fmt::format("field number {}", number), {}, begin);
    Field field;
    field.number = static_cast<std::uint32_t>(number);
    switch (tag & 7U) {
    case 0:
        field.value = varint();
        break;
    case 1:
        field.type = WireType::Fixed64;
        field.value = fixed(8);
        break;
    case 5:
        field.type = WireType::Fixed32;
        field.value = fixed(4);
        break;
    case 2: {
        field.type = WireType::Bytes;
        const std::uint64_t size = varint();
        if (size > m_message.size() - m_at)
            refuse(
                fmt::format("field {} of {} bytes, where {} are left", number, size, m_message.size() - m_at),
                {}, begin);
        field.offset = m_offset + m_at;
        field.bytes = m_message.substr(m_at, static_cast<std::size_t>(size));
        m_at += field.bytes.size();
        break;
    }
    default:
        refuse(fmt::format("field {} is of type {}", number, tag & 7U),
               "expected a number, a string or a message", begin);
    }
    return field;
}

void ProtobufReader::require(const Field& field, WireType type) const {
    if (field.type != type)
        fail(m_subject, fmt::format("field {} is {}", field.number, nameOf(field.type)),
             fmt::format("expected {}", nameOf(type)), kHint);
}

ProtobufReader ProtobufReader::message(const Field& field) const {
    require(field, WireType::Bytes);
    return {field.bytes, m_subject, field.offset};
}

} // namespace headscope
