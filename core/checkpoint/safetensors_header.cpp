// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors_header.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <unordered_set>

namespace headscope {

namespace {

constexpr std::uint64_t kLengthBytes = 8;

std::string bytesText(std::uint64_t count) {
    return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

std::string firstBytes(const InputFile& file) {
    std::string head(std::min<std::uint64_t>(file.size(), 512), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(head)));
    return head;
}

/// The header's text, after the checks that need no JSON.
std::string readHeaderText(const InputFile& file, const std::string& subject) {
    const std::string head = firstBytes(file);
    if (file.size() < kLengthBytes) {
        if (const auto foreign = recogniseForeign(head, file.size(), "weights"))
            fail(subject, foreign->found, {}, foreign->hint);
        fail(subject, file.size() == 0 ? "the file is empty" : "the file has " + bytesText(file.size()),
             "expected at least the 8 bytes of the header's length", kIncompleteHint);
    }
    std::uint64_t length = 0;
    std::memcpy(&length, head.data(), sizeof(length));
    if (length > kSafetensorsHeaderLimit) {
        // Anything that starts with text reads as a length of many exabytes.
        if (const auto foreign = recogniseForeign(head, file.size(), "weights"))
            fail(subject, foreign->found, {}, foreign->hint);
        fail(subject, fmt::format("the header's length is {} bytes", length),
             fmt::format("at most {} are read", kSafetensorsHeaderLimit),
             "the file is damaged or not in the safetensors format");
    }
    if (length > file.size() - kLengthBytes)
        fail(subject, fmt::format("the file ends inside its header after {} bytes", file.size()),
             fmt::format("expected {} and the data", kLengthBytes + length), kIncompleteHint);
    std::string text(length, '\0');
    file.readAt(kLengthBytes, std::as_writable_bytes(std::span(text)));
    if (!text.starts_with('{'))
        fail(subject,
             text.empty() ? "the header is empty"
                          : fmt::format("the header starts with {}", quotedName(text.substr(0, 1))),
             "expected a JSON object", "the file is damaged or not in the safetensors format");
    return text;
}

Json parseHeader(const std::string& text, const std::string& subject) {
    try {
        return parseJson(text, subject + ": header");
    } catch (const Error& error) {
        ErrorParts parts = error.parts();
        if (parts.byteOffset) *parts.byteOffset += kLengthBytes;
        throw Error(std::move(parts));
    }
}

std::map<std::string, std::string> readMetadata(const Json& value, const std::string& subject) {
    std::map<std::string, std::string> metadata;
    if (value.isNull()) return metadata;
    if (!value.isObject())
        fail(subject, fmt::format("__metadata__ is {}", value.typeName()), "expected an object");
    for (const auto& [key, text] : value.members()) {
        if (!text.isString())
            fail(subject, fmt::format("__metadata__ {} is {}", quotedName(key), text.typeName()),
                 "expected a string");
        metadata[key] = text.asString();
    }
    return metadata;
}

/// The three fields of one tensor's description, each there once.
struct Description {
    const Json* dtype = nullptr;
    const Json* shape = nullptr;
    const Json* offsets = nullptr;
};

Description describeTensor(const Json& value, const std::string& subject) {
    if (!value.isObject())
        fail(subject, fmt::format("its description is {}", value.typeName()),
             "expected an object with dtype, shape and data_offsets");
    Description fields;
    const auto take = [&](const Json*& field, const std::string& key, const Json& content) {
        if (field != nullptr) fail(subject, key + " is given twice");
        field = &content;
    };
    for (const auto& [key, content] : value.members()) {
        if (key == "dtype") take(fields.dtype, key, content);
        if (key == "shape") take(fields.shape, key, content);
        if (key == "data_offsets") take(fields.offsets, key, content);
    }
    if (fields.dtype == nullptr) fail(subject, "dtype is missing");
    if (fields.shape == nullptr) fail(subject, "shape is missing");
    if (fields.offsets == nullptr) fail(subject, "data_offsets is missing");
    return fields;
}

DType readDType(const Json& value, const std::string& subject) {
    if (!value.isString()) fail(subject, fmt::format("dtype is {}", value.typeName()), "expected a string");
    const std::string& name = value.asString();
    if (const auto type = dtypeOf(name)) return *type;
    constexpr std::array<std::string_view, 9> kUnread{
        "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F4", "F6_E2M3", "F6_E3M2", "C64"};
    if (std::find(kUnread.begin(), kUnread.end(), name) != kUnread.end())
        fail(subject, fmt::format("its type {} is not supported", name), "expected F16, BF16, F32 or F64",
             "take a version of the model that is not quantised");
    fail(subject, fmt::format("its type {} is unknown", quotedName(name)), "expected F16, BF16, F32 or F64");
}

/// Entry of a shape or of data_offsets. Numbers beyond 2^63 arrive as reals and are refused with the rest.
std::int64_t readCount(const Json& value, const char* what, const std::string& subject) {
    if (value.isInteger() && value.asInteger() >= 0) return value.asInteger();
    const std::string found = value.isInteger()  ? fmt::format("{}", value.asInteger())
                              : value.isNumber() ? fmt::format("{}", value.asReal())
                                                 : std::string(value.typeName());
    fail(subject, fmt::format("{} holds {}", what, found), "expected whole numbers from 0 to 2^63 - 1");
}

struct Extents {
    std::vector<std::int64_t> shape;
    std::int64_t elements = 1;
    std::int64_t bytes = 0;
};

Extents readShape(const Json& value, DType type, const std::string& subject) {
    if (!value.isArray()) fail(subject, fmt::format("shape is {}", value.typeName()), "expected an array");
    Extents extents;
    extents.shape.reserve(value.items().size());
    bool overflow = false;
    for (const Json& item : value.items()) {
        extents.shape.push_back(readCount(item, "shape", subject));
        overflow |= __builtin_mul_overflow(extents.elements, extents.shape.back(), &extents.elements);
    }
    overflow |= __builtin_mul_overflow(extents.elements, sizeOf(type), &extents.bytes);
    if (overflow) fail(subject, fmt::format("shape {} holds more than 2^63 bytes", shapeText(extents.shape)));
    return extents;
}

struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

Range readRange(const Json& value, const std::string& subject) {
    if (!value.isArray() || value.items().size() != 2)
        fail(subject,
             value.isArray() ? fmt::format("data_offsets has {} entries", value.items().size())
                             : fmt::format("data_offsets is {}", value.typeName()),
             "expected [begin, end]");
    const Range range{static_cast<std::uint64_t>(readCount(value.items()[0], "data_offsets", subject)),
                      static_cast<std::uint64_t>(readCount(value.items()[1], "data_offsets", subject))};
    if (range.end < range.begin)
        fail(subject, fmt::format("data_offsets [{}, {}] run backwards", range.begin, range.end));
    return range;
}

/// The data must be one gapless run from the header to the file's end: anything else hides bytes or lets one
/// tensor read another's.
void checkLayout(const std::vector<TensorInfo>& tensors, const std::vector<Range>& ranges,
                 std::uint64_t dataBytes, const std::string& subject) {
    std::vector<std::size_t> order(ranges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return ranges[a].begin != ranges[b].begin ? ranges[a].begin < ranges[b].begin
                                                  : ranges[a].end < ranges[b].end;
    });
    std::uint64_t expected = 0;
    const TensorInfo* previous = nullptr;
    for (const std::size_t i : order) {
        const std::string tensor = subject + ": tensor " + quotedName(tensors[i].name);
        if (ranges[i].begin < expected)
            fail(tensor, fmt::format("its data overlap those of {}", quotedName(previous->name)),
                 fmt::format("they begin at {}, expected {}", ranges[i].begin, expected), kDamagedHint);
        if (ranges[i].begin > expected)
            fail(tensor,
                 fmt::format("a gap of {} before its data belongs to no tensor",
                             bytesText(ranges[i].begin - expected)),
                 fmt::format("the data begin at {}, expected {}", ranges[i].begin, expected), kDamagedHint);
        expected = ranges[i].end;
        previous = &tensors[i];
    }
    if (expected > dataBytes)
        fail(subject, fmt::format("the file ends after {} of data", bytesText(dataBytes)),
             fmt::format("expected {}", expected), kIncompleteHint);
    if (expected < dataBytes)
        fail(subject, bytesText(dataBytes - expected) + " too many after the last tensor",
             "expected the file to end with it", "the file is damaged or holds something else too");
}

} // namespace

SafetensorsHeader readSafetensorsHeader(const InputFile& file) {
    const std::string subject = messageName(file.path());
    const std::string text = readHeaderText(file, subject);
    const std::uint64_t dataStart = kLengthBytes + text.size();
    const Json root = parseHeader(text, subject);

    SafetensorsHeader header;
    header.tensors.reserve(root.members().size());
    std::vector<Range> ranges;
    ranges.reserve(root.members().size());
    std::unordered_set<std::string_view> names;
    names.reserve(root.members().size());
    for (const auto& [name, value] : root.members()) {
        if (!names.insert(name).second)
            fail(subject, fmt::format("the name {} stands twice", quotedName(name)));
        if (name == "__metadata__") {
            header.metadata = readMetadata(value, subject);
            continue;
        }
        const std::string tensorSubject = subject + ": tensor " + quotedName(name);
        const Description fields = describeTensor(value, tensorSubject);
        const DType type = readDType(*fields.dtype, tensorSubject);
        Extents extents = readShape(*fields.shape, type, tensorSubject);
        const Range range = readRange(*fields.offsets, tensorSubject);
        if (range.end - range.begin != static_cast<std::uint64_t>(extents.bytes))
            fail(tensorSubject,
                 fmt::format("data_offsets [{}, {}] hold {}", range.begin, range.end,
                             bytesText(range.end - range.begin)),
                 fmt::format("expected {} for {} {}", extents.bytes, nameOf(type), shapeText(extents.shape)));
        ranges.push_back(range);
        header.tensors.push_back({.name = name,
                                  .dtype = type,
                                  .shape = std::move(extents.shape),
                                  .elements = extents.elements,
                                  .file = 0,
                                  .offset = dataStart + range.begin});
    }
    checkLayout(header.tensors, ranges, file.size() - dataStart, subject);
    return header;
}

} // namespace headscope
