// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/sentence_piece_model.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/forms/protobuf_reader.h"

#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace headscope {

namespace {

using WireType = ProtobufReader::WireType;
using Field = ProtobufReader::Field;

std::string quoted(std::string_view piece) {
    return fmt::format("\"{}\"", escapeForMessage(piece, 40));
}

SentencePiece readPiece(ProtobufReader reader, std::size_t number) {
    SentencePiece piece;
    while (const std::optional<Field> field = reader.next()) {
        switch (field->number) {
        case 1:
            reader.require(*field, WireType::Bytes);
            piece.text = field->bytes;
            break;
        case 2:
            reader.require(*field, WireType::Fixed32);
            piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field->value));
            break;
        case 3:
            reader.require(*field, WireType::Varint);
            if (field->value < 1 || field->value > 6)
                fail(fmt::format("{}: piece {}", reader.subject(), number),
                     fmt::format("it is of type {}", field->value), "expected 1 to 6");
            piece.kind = static_cast<PieceKind>(field->value);
            break;
        default:
            break;
        }
    }
    return piece;
}

void readTrainer(ProtobufReader reader, SentencePieceModel& model) {
    while (const std::optional<Field> field = reader.next()) {
        const auto flag = [&] {
            reader.require(*field, WireType::Varint);
            return field->value != 0;
        };
        switch (field->number) {
        case 3:
            reader.require(*field, WireType::Varint);
            if (field->value != 1 && field->value != 2)
                fail(reader.subject(), fmt::format("a sentencepiece model of type {}", field->value),
                     "expected 1 (unigram) or 2 (bpe)");
            model.type = static_cast<PieceModelType>(field->value);
            break;
        case 24:
            model.treatWhitespaceAsSuffix = flag();
            break;
        case 35:
            model.byteFallback = flag();
            break;
        case 40:
            reader.require(*field, WireType::Varint);
            model.unkId = static_cast<std::int32_t>(field->value);
            break;
        case 45:
            reader.require(*field, WireType::Bytes);
            requireUtf8(field->bytes, reader.subject());
            model.unkPiece = field->bytes;
            break;
        default:
            break;
        }
    }
}

void readNormalizer(ProtobufReader reader, SentencePieceModel& model) {
    while (const std::optional<Field> field = reader.next()) {
        const auto flag = [&] {
            reader.require(*field, WireType::Varint);
            return field->value != 0;
        };
        switch (field->number) {
        case 2:
            reader.require(*field, WireType::Bytes);
            model.charsmap = field->bytes;
            break;
        case 3:
            model.addDummyPrefix = flag();
            break;
        case 4:
            model.removeExtraWhitespaces = flag();
            break;
        case 5:
            model.escapeWhitespaces = flag();
            break;
        default:
            break;
        }
    }
}

/// 0 to 255 for "<0x00>" to "<0xFF>".
std::optional<std::size_t> byteOf(std::string_view piece) {
    if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return std::nullopt;
    std::size_t value = 0;
    for (const char digit : piece.substr(3, 2)) {
        const std::size_t at = std::string_view("0123456789ABCDEF").find(digit);
        if (at == std::string_view::npos) return std::nullopt;
        value = 16 * value + at;
    }
    return value;
}

bool isSpecial(PieceKind kind) {
    return kind == PieceKind::Unknown || kind == PieceKind::Control || kind == PieceKind::Byte;
}

} // namespace

SentencePieceModel::SentencePieceModel(std::string_view bytes, const std::string& subject) {
    ProtobufReader reader(bytes, subject);
    while (const std::optional<Field> field = reader.next()) {
        switch (field->number) {
        case 1:
            pieces.push_back(readPiece(reader.message(*field), pieces.size()));
            break;
        case 2:
            readTrainer(reader.message(*field), *this);
            break;
        case 3:
            readNormalizer(reader.message(*field), *this);
            break;
        default:
            break;
        }
    }
    indexPieces(subject);
}

void SentencePieceModel::indexPieces(const std::string& subject) {
    constexpr std::size_t kNone = SIZE_MAX;
    m_unknown = kNone;
    std::array<bool, 256> bytes{};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const SentencePiece& piece = pieces[i];
        const auto refuse = [&](const std::string& found, const std::string& expected = {}) {
            fail(fmt::format("{}: piece {}", subject, i), found, expected);
        };
        if (piece.text.empty()) refuse("it is empty");
        if (firstInvalidUtf8(piece.text)) refuse("it is not valid UTF-8");
        if (!std::isfinite(piece.score))
            refuse(fmt::format("the score of {} is {}", quoted(piece.text), piece.score));
        if (!(isSpecial(piece.kind) ? m_special : m_ordinary).emplace(piece.text, i).second)
            refuse(fmt::format("{} stands there twice", quoted(piece.text)));
        if (piece.kind == PieceKind::Unknown) {
            if (m_unknown != kNone) refuse(fmt::format("a second unknown piece, {}", quoted(piece.text)));
            m_unknown = i;
        }
        if (piece.kind == PieceKind::Byte) {
            const std::optional<std::size_t> byte = byteOf(piece.text);
            if (!byte)
                refuse(fmt::format("the byte piece {}", quoted(piece.text)), "expected <0x00> to <0xFF>");
            if (!byteFallback) refuse("a byte piece", "expected none, since byte_fallback is false");
            bytes[*byte] = true;
        }
    }
    if (pieces.empty()) fail(subject, "no pieces", "expected a sentencepiece model");
    if (m_unknown == kNone) fail(subject, "no unknown piece", "expected one");
    if (byteFallback)
        for (std::size_t byte = 0; byte < bytes.size(); ++byte)
            if (!bytes[byte])
                fail(subject, fmt::format("no byte piece <0x{:02X}>", byte),
                     "expected all 256, since byte_fallback is true");
}

std::size_t SentencePieceModel::idOf(std::string_view text) const {
    if (const auto at = m_special.find(text); at != m_special.end()) return at->second;
    const auto at = m_ordinary.find(text);
    return at == m_ordinary.end() ? m_unknown : at->second;
}

} // namespace headscope
