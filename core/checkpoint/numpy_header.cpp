// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/numpy_header.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostAxes = 64; ///< numpy's limit

[[noreturn]] void refuse(const std::string& subject, std::string found, std::string expected = {}) {
    fail(subject, std::move(found), std::move(expected), kDamagedHint);
}

/// Walks through a Python dictionary that is written out.
class Literal {
  public:
    Literal(std::string_view text, const std::string& subject) : m_rest(text), m_subject(subject) {}

    bool accept(char wanted) {
        skipSpaces();
        if (m_rest.empty() || m_rest.front() != wanted) return false;
        m_rest.remove_prefix(1);
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) malformed();
    }
    std::string_view quoted() {
        skipSpaces();
        if (m_rest.empty() || (m_rest.front() != '\'' && m_rest.front() != '"')) malformed();
        const std::size_t end = m_rest.find(m_rest.front(), 1);
        if (end == std::string_view::npos) malformed();
        const std::string_view text = m_rest.substr(1, end - 1);
        if (text.find('\\') != std::string_view::npos) malformed();
        m_rest.remove_prefix(end + 1);
        return text;
    }
    bool truth() {
        skipSpaces();
        for (const auto& [word, value] : {std::pair(std::string_view("True"), true), {"False", false}})
            if (m_rest.starts_with(word)) {
                m_rest.remove_prefix(word.size());
                return value;
            }
        malformed();
    }
    std::int64_t wholeNumber() {
        skipSpaces();
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        if (code != std::errc() || value < 0) malformed();
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        if (m_rest.starts_with('L')) m_rest.remove_prefix(1); // written by Python 2
        return value;
    }
    std::string_view rest() {
        skipSpaces();
        return m_rest;
    }
    [[noreturn]] void malformed() const { refuse(m_subject, "its header is malformed"); }

  private:
    void skipSpaces() {
        const std::size_t begin = m_rest.find_first_not_of(" \t\r\n");
        m_rest.remove_prefix(std::min(begin, m_rest.size()));
    }

    std::string_view m_rest;
    const std::string& m_subject;
};

struct NumberType {
    std::string_view letters;
    DType dtype;
};
constexpr std::array<NumberType, 12> kNumberTypes{{{"b1", DType::Bool},
                                                   {"i1", DType::I8},
                                                   {"i2", DType::I16},
                                                   {"i4", DType::I32},
                                                   {"i8", DType::I64},
                                                   {"u1", DType::U8},
                                                   {"u2", DType::U16},
                                                   {"u4", DType::U32},
                                                   {"u8", DType::U64},
                                                   {"f2", DType::F16},
                                                   {"f4", DType::F32},
                                                   {"f8", DType::F64}}};

[[noreturn]] void refuseType(const std::string& subject, std::string_view letters) {
    std::string found = fmt::format("its type is {}", quotedName(letters));
    std::string hint = "save it as float32";
    const char kind = letters.size() > 1 ? letters[1] : ' ';
    if (kind == 'O') {
        found = "it holds Python objects, which can be read only by running code from the file";
        hint = "save numbers as numbers and texts with dtype=str";
    } else if (kind == 'V') {
        found += ", bytes without a meaning";
        hint += "; numpy writes bfloat16 so";
    } else if (kind == 'c') {
        found += ", complex numbers";
    }
    fail(subject, std::move(found), "expected little-endian whole numbers, float16, float32, float64 or text",
         std::move(hint));
}

/// "<f4": byte order, kind, size.
void readType(NumpyHeader& header, std::string_view letters, const std::string& subject) {
    if (letters.size() < 2) refuseType(subject, letters);
    const std::string_view type = letters.substr(1);
    const bool oneByte = type == "b1" || type == "i1" || type == "u1" || type.starts_with('S');
    if (letters.front() == '>' && !oneByte)
        fail(subject, fmt::format("its type is {}, big-endian", quotedName(letters)),
             "expected little-endian numbers", "convert it with .astype before saving");
    if (letters.front() != '<' && letters.front() != '=' && !oneByte) refuseType(subject, letters);
    for (const NumberType& number : kNumberTypes)
        if (number.letters == type) {
            header.dtype = number.dtype;
            header.elementBytes = sizeOf(number.dtype);
            return;
        }
    if (type.front() != 'U' && type.front() != 'S') refuseType(subject, letters);
    std::int32_t width = 0;
    const auto [end, code] = std::from_chars(type.data() + 1, type.data() + type.size(), width);
    if (code != std::errc() || end != type.data() + type.size() || width < 0) refuseType(subject, letters);
    header.text = type.front() == 'U' ? NumpyHeader::Text::Unicode : NumpyHeader::Text::Bytes;
    header.elementBytes = std::int64_t{width} * (header.text == NumpyHeader::Text::Unicode ? 4 : 1);
}

void readShape(NumpyHeader& header, Literal& literal) {
    literal.expect('(');
    while (!literal.accept(')')) {
        header.shape.push_back(literal.wholeNumber());
        if (header.shape.size() > kMostAxes) literal.malformed();
        if (literal.accept(',')) continue;
        literal.expect(')');
        break;
    }
}

void readDictionary(NumpyHeader& header, std::string_view text, const std::string& subject) {
    Literal literal(text, subject);
    literal.expect('{');
    constexpr std::array<std::string_view, 3> kKeys{"descr", "fortran_order", "shape"};
    std::array<bool, kKeys.size()> seen{};
    while (!literal.accept('}')) {
        const auto key = std::find(kKeys.begin(), kKeys.end(), literal.quoted());
        if (key == kKeys.end() || seen[static_cast<std::size_t>(key - kKeys.begin())]) literal.malformed();
        seen[static_cast<std::size_t>(key - kKeys.begin())] = true;
        literal.expect(':');
        if (*key == "shape") {
            readShape(header, literal);
        } else if (*key == "fortran_order") {
            header.fortranOrder = literal.truth();
        } else {
            if (literal.rest().starts_with('[') || literal.rest().starts_with('('))
                fail(subject, "it holds records of several fields", "expected numbers or text",
                     "save each field as an array of its own");
            readType(header, literal.quoted(), subject);
        }
        if (literal.accept(',')) continue;
        literal.expect('}');
        break;
    }
    if (!literal.rest().empty() || std::find(seen.begin(), seen.end(), false) != seen.end())
        literal.malformed();
}

void countElements(NumpyHeader& header, std::uint64_t dataBytes, const std::string& subject,
                   const char* cutHint) {
    std::int64_t bytes = 0;
    bool fits = true;
    header.elements = 1;
    // A zero anywhere makes the whole zero, however large the others are.
    if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end())
        header.elements = 0;
    else
        for (const std::int64_t extent : header.shape)
            fits = fits && !__builtin_mul_overflow(header.elements, extent, &header.elements);
    fits = fits && !__builtin_mul_overflow(header.elements, header.elementBytes, &bytes);
    if (!fits) refuse(subject, fmt::format("its shape {} is too large", shapeText(header.shape)));
    if (static_cast<std::uint64_t>(bytes) != dataBytes)
        fail(subject, fmt::format("{} bytes of data follow its header", dataBytes),
             fmt::format("expected {} for the shape {}", bytes, shapeText(header.shape)),
             dataBytes < static_cast<std::uint64_t>(bytes) ? cutHint : kDamagedHint);
}

} // namespace

bool isNumpy(std::string_view head) {
    return head.starts_with(kMagic);
}

NumpyHeader readNumpyHeader(std::string_view head, std::uint64_t total, const std::string& subject,
                            const char* cutHint) {
    constexpr std::size_t kShortPrefix = 10; // magic, version, length of 2 bytes
    if (!isNumpy(head)) refuse(subject, "it is no array of numpy");
    if (head.size() < kShortPrefix) fail(subject, "it ends within its header", {}, cutHint);
    const auto byteAt = [&](std::size_t at) {
        return static_cast<std::uint64_t>(static_cast<unsigned char>(head[at]));
    };
    const std::uint64_t version = byteAt(6);
    if (version < 1 || version > 3 || byteAt(7) != 0)
        fail(subject, fmt::format("its format has the version {}.{}", version, byteAt(7)),
             "expected 1.0, 2.0 or 3.0");
    const std::size_t prefix = version == 1 ? kShortPrefix : kShortPrefix + 2;
    if (head.size() < prefix) fail(subject, "it ends within its header", {}, cutHint);
    std::uint64_t length = 0;
    for (std::size_t at = prefix; at-- > 8;) length = length << 8U | byteAt(at);
    if (prefix + length > kNumpyHeaderLimit)
        fail(subject, fmt::format("its header has {} bytes", length),
             fmt::format("at most {} are read", kNumpyHeaderLimit - prefix));
    if (head.size() < prefix + length) fail(subject, "it ends within its header", {}, cutHint);
    NumpyHeader header;
    header.dataOffset = prefix + length;
    readDictionary(header, head.substr(prefix, length), subject);
    countElements(header, total - header.dataOffset, subject, cutHint);
    return header;
}

StridedRuns storageOrder(const NumpyHeader& header) {
    StridedView view;
    view.shape = header.shape;
    view.strides.resize(view.shape.size());
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < view.shape.size(); ++i) {
        const std::size_t axis = header.fortranOrder ? i : view.shape.size() - 1 - i;
        view.strides[axis] = stride;
        if (header.elements > 0) stride *= view.shape[axis];
    }
    return StridedRuns(view);
}

} // namespace headscope
