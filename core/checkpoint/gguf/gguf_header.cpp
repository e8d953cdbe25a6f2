// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_header.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/gguf/gguf_bytes.h"
#include "core/checkpoint/gguf/gguf_layout.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <unordered_set>

namespace headscope {

namespace {

/// Types of values, as numbered in the file.
enum class ValueType : std::uint32_t {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    Array,
    U64,
    I64,
    F64,
};
constexpr std::uint32_t kValueTypes = 13;

Json unsignedValue(std::uint64_t value) {
    return std::in_range<std::int64_t>(value) ? Json(static_cast<std::int64_t>(value))
                                              : Json(static_cast<double>(value));
}

/// The double that the shortest decimal of a float means.
Json floatValue(float value) {
    if (!std::isfinite(value)) return Json(static_cast<double>(value));
    std::array<char, 64> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    double result = value;
    std::from_chars(text.data(), written.ptr, result);
    return Json(result);
}

class FieldReader {
  public:
    FieldReader(GgufBytes& bytes, std::string subject) : m_bytes(bytes), m_subject(std::move(subject)) {}

    void readOne(Json& fields) {
        std::string key = m_bytes.string(m_subject + ": a key", gguf_limits::kKeyBytes);
        const std::string subject = m_subject + ": " + escapeForMessage(key);
        if (key.empty()) fail(m_subject, "a key is empty", {}, kDamagedHint);
        if (!m_keys.insert(key).second) fail(subject, "the key stands twice", {}, kDamagedHint);
        const ValueType type = typeOf(m_bytes.integer<std::uint32_t>(), subject);
        Json value = type == ValueType::Array ? array(subject) : scalar(type, subject);
        fields.members().emplace_back(std::move(key), std::move(value));
    }

  private:
    static ValueType typeOf(std::uint32_t number, const std::string& subject) {
        if (number >= kValueTypes)
            fail(subject, fmt::format("its type {} is unknown", number),
                 fmt::format("expected 0 to {}", kValueTypes - 1), kDamagedHint);
        return static_cast<ValueType>(number);
    }

    Json scalar(ValueType type, const std::string& subject) {
        switch (type) {
        case ValueType::U8:
            return unsignedValue(m_bytes.integer<std::uint8_t>());
        case ValueType::I8:
            return Json(std::int64_t{m_bytes.integer<std::int8_t>()});
        case ValueType::U16:
            return unsignedValue(m_bytes.integer<std::uint16_t>());
        case ValueType::I16:
            return Json(std::int64_t{m_bytes.integer<std::int16_t>()});
        case ValueType::U32:
            return unsignedValue(m_bytes.integer<std::uint32_t>());
        case ValueType::I32:
            return Json(std::int64_t{m_bytes.integer<std::int32_t>()});
        case ValueType::F32:
            return floatValue(std::bit_cast<float>(m_bytes.integer<std::uint32_t>()));
        case ValueType::Bool: {
            const std::uint8_t value = m_bytes.integer<std::uint8_t>();
            if (value > 1) fail(subject, fmt::format("found {}", value), "expected 0 or 1, a truth value");
            return Json(value == 1);
        }
        case ValueType::String:
            return Json(m_bytes.string(subject, gguf_limits::kStringBytes));
        case ValueType::U64:
            return unsignedValue(m_bytes.integer<std::uint64_t>());
        case ValueType::I64:
            return Json(m_bytes.integer<std::int64_t>());
        case ValueType::F64:
            return Json(std::bit_cast<double>(m_bytes.integer<std::uint64_t>()));
        case ValueType::Array:
            break;
        }
        fail(subject, "an array inside an array", "expected numbers, truth values or texts");
    }

    Json array(const std::string& subject) {
        const ValueType type = typeOf(m_bytes.integer<std::uint32_t>(), subject);
        const std::uint64_t count = m_bytes.integer<std::uint64_t>();
        if (count > gguf_limits::kArrayItems - m_items)
            fail(subject, fmt::format("an array of {} values", count),
                 fmt::format("all arrays of the header may have {} together", gguf_limits::kArrayItems));
        m_items += count;
        if (type == ValueType::Array) scalar(type, subject);
        Json result = Json::array();
        for (std::uint64_t i = 0; i < count; ++i) result.items().push_back(scalar(type, subject));
        return result;
    }

    GgufBytes& m_bytes;
    std::string m_subject;
    std::unordered_set<std::string> m_keys;
    std::uint64_t m_items = 0;
};

GgufTensor readTensor(GgufBytes& bytes, const std::string& subject) {
    GgufTensor tensor;
    tensor.name = bytes.string(subject + ": a tensor's name", gguf_limits::kNameBytes);
    if (tensor.name.empty()) fail(subject, "a tensor has no name", {}, kDamagedHint);
    const std::string own = subject + ": tensor " + quotedName(tensor.name);
    const std::uint32_t dimensions = bytes.integer<std::uint32_t>();
    if (dimensions < 1 || dimensions > 4)
        fail(own, fmt::format("it has {} dimensions", dimensions), "expected 1 to 4", kDamagedHint);
    tensor.elements = 1;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
        const auto extent = bytes.integer<std::uint64_t>();
        if (extent < 1 || !std::in_range<std::int64_t>(extent))
            fail(own, fmt::format("a dimension of {}", extent), "expected 1 to 2^63 - 1", kDamagedHint);
        tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(extent));
        if (__builtin_mul_overflow(tensor.elements, static_cast<std::int64_t>(extent), &tensor.elements))
            fail(own, "it would hold more than 2^63 numbers", {}, kDamagedHint);
    }
    const std::uint32_t number = bytes.integer<std::uint32_t>();
    tensor.offset = bytes.integer<std::uint64_t>();
    tensor.type = ggufType(number);
    if (tensor.type == nullptr)
        fail(own, fmt::format("its type {} is unknown", number), "expected " + readableGgufTypes());
    if (tensor.type->blockBytes == 0)
        fail(own, fmt::format("its type {} is not read", tensor.type->name),
             "expected " + readableGgufTypes(), "take the model in another quantisation");
    if (tensor.shape.back() % tensor.type->blockElements != 0)
        fail(own, fmt::format("rows of {} numbers of type {}", tensor.shape.back(), tensor.type->name),
             fmt::format("expected a multiple of {}", tensor.type->blockElements), kDamagedHint);
    std::int64_t size = tensor.elements / tensor.type->blockElements;
    if (__builtin_mul_overflow(size, tensor.type->blockBytes, &size))
        fail(own, "it would hold more than 2^63 bytes", {}, kDamagedHint);
    tensor.bytes = static_cast<std::uint64_t>(size);
    return tensor;
}

std::uint64_t alignmentOf(const Json& fields, const std::string& subject) {
    const Json* value = fields.find("general.alignment");
    if (value == nullptr) return 32;
    constexpr std::int64_t kMost = std::int64_t{1} << 20;
    if (!value->isInteger() || value->asInteger() < 1 || value->asInteger() > kMost ||
        !std::has_single_bit(static_cast<std::uint64_t>(value->asInteger())))
        fail(subject + ": general.alignment",
             value->isInteger() ? fmt::format("found {}", value->asInteger())
                                : fmt::format("found {}", value->typeName()),
             "expected a power of two up to 2^20");
    return static_cast<std::uint64_t>(value->asInteger());
}

void refuseForeign(const InputFile& file, const std::string& subject) {
    std::string head(std::min<std::uint64_t>(file.size(), 512), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(head)));
    if (head.starts_with("GGUF")) return;
    if (const auto foreign = recogniseForeign(head, file.size(), "weights"))
        fail(subject, foreign->found, {}, foreign->hint);
    if (head.empty()) fail(subject, "the file is empty", "expected a GGUF file", kIncompleteHint);
    for (const char* old : {"ggml", "lmgg", "tjgg", "fmgg"})
        if (head.starts_with(old))
            fail(subject, "the file is in a format from before GGUF", "expected a GGUF file",
                 "take a newer version of the file");
    if (head.starts_with("algg"))
        fail(subject, "the file is an adapter of llama.cpp in its older form", "expected a GGUF file",
             "adapters are read in the form of PEFT: see --adapter");
    if (looksLikeSafetensors(head))
        fail(subject, "the file is in the safetensors format", "expected a GGUF file",
             "open the folder that it is in");
    fail(subject, fmt::format("the file starts with {}", quotedName(head.substr(0, 4))), "expected \"GGUF\"",
         "the file is damaged or no GGUF file");
}

void requireVersion(std::uint32_t version, const std::string& subject) {
    if (version == 2 || version == 3) return;
    // Every version so far fits one byte: read the other way round it is a multiple of 2^24.
    if (version != 0 && version % (1U << 24U) == 0)
        fail(subject, "the file is for machines with the other byte order", "expected little-endian numbers");
    fail(subject, fmt::format("the file is of version {} of the format", version), "expected version 2 or 3",
         version == 1 ? "convert the model again: version 1 was in use for a few days" : "");
}

} // namespace

GgufHeader readGgufHeader(const InputFile& file) {
    const std::string subject = messageName(file.path());
    refuseForeign(file, subject);
    GgufBytes bytes(file, subject);
    bytes.skip(4);
    GgufHeader header;
    header.version = bytes.integer<std::uint32_t>();
    requireVersion(header.version, subject);
    const auto tensors = bytes.integer<std::uint64_t>();
    const auto keys = bytes.integer<std::uint64_t>();
    if (tensors > gguf_limits::kTensors)
        fail(subject, fmt::format("the header promises {} tensors", tensors),
             fmt::format("at most {} are read", gguf_limits::kTensors), kDamagedHint);
    if (keys > gguf_limits::kKeys)
        fail(subject, fmt::format("the header promises {} keys", keys),
             fmt::format("at most {} are read", gguf_limits::kKeys), kDamagedHint);
    FieldReader fields(bytes, subject);
    for (std::uint64_t i = 0; i < keys; ++i) fields.readOne(header.fields);
    std::unordered_set<std::string> names;
    for (std::uint64_t i = 0; i < tensors; ++i) {
        header.tensors.push_back(readTensor(bytes, subject));
        if (!names.insert(header.tensors.back().name).second)
            fail(subject, fmt::format("the tensor {} stands twice", quotedName(header.tensors.back().name)),
                 {}, kDamagedHint);
    }
    placeGgufTensors(header.tensors, {bytes.position(), alignmentOf(header.fields, subject), file.size()},
                     subject);
    return header;
}

} // namespace headscope
