// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// The fields of one message in protobuf's wire format, in the order of the file. Throws Error with the place
/// in the file for everything malformed. Holds views only.
class ProtobufReader {
  public:
    enum class WireType { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

    struct Field {
        std::uint32_t number = 0;
        WireType type = WireType::Varint;
        std::uint64_t value = 0; ///< of a number, whatever its width
        std::string_view bytes;  ///< of a string or a message
        std::size_t offset = 0;  ///< where in the file its content begins
    };

    /// `offset` = where in the file the message begins.
    ProtobufReader(std::string_view message, std::string subject, std::size_t offset = 0)
        : m_message(message), m_subject(std::move(subject)), m_offset(offset) {}

    /// nullopt at the end.
    std::optional<Field> next();
    /// Throws Error unless the field has that wire type.
    void require(const Field& field, WireType type) const;
    /// The reader of a field that is a message.
    ProtobufReader message(const Field& field) const;

    const std::string& subject() const { return m_subject; }

  private:
    std::uint64_t varint();
    std::uint64_t fixed(std::size_t bytes);
    [[noreturn]] void refuse(std::string found, std::string expected, std::size_t at) const;

    std::string_view m_message;
    std::string m_subject;
    std::size_t m_offset;
    std::size_t m_at = 0;
};

} // namespace headscope
