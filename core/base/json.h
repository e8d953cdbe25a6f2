// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_decimal.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace headscope {

/// A parsed JSON value, read only. Objects keep their members in file order, repeated keys included, because
/// a safetensors header with a repeated name must be refused while in a vocabulary the last one wins.
class Json {
  public:
    enum class Type { Null, Bool, Integer, Real, String, Array, Object };
    using Member = std::pair<std::string, Json>;

    Json() = default;
    explicit Json(bool value) : m_value(value) {}
    explicit Json(std::int64_t value) : m_value(value) {}
    explicit Json(double value) : m_value(Real{.value = value}) {}
    /// A number that was read: the nearest double and how it is written.
    Json(double value, const JsonDecimal& written);
    explicit Json(std::string value) : m_value(std::move(value)) {}
    static Json array() { return Json(Value(std::vector<Json>())); }
    static Json object() { return Json(Value(std::vector<Member>())); }

    Type type() const { return static_cast<Type>(m_value.index()); }
    bool isNull() const { return type() == Type::Null; }
    bool isString() const { return type() == Type::String; }
    bool isArray() const { return type() == Type::Array; }
    bool isObject() const { return type() == Type::Object; }
    bool isBool() const { return type() == Type::Bool; }
    bool isInteger() const { return type() == Type::Integer; }
    /// Integer or Real. A number too large for int64 is Real; NaN and the infinities are Real too.
    bool isNumber() const { return isInteger() || type() == Type::Real; }
    /// "null", "a string", ...: for messages.
    const char* typeName() const;

    // Accessors CHECK the type; use the predicates, or the reading helpers in JsonReader, on untrusted data.
    bool asBool() const;
    std::int64_t asInteger() const;
    double asReal() const; ///< the double nearest to what is written
    const std::string& asString() const;
    const std::vector<Json>& items() const;
    const std::vector<Member>& members() const;
    std::vector<Json>& items();
    std::vector<Member>& members();

    /// How a Real is written in the text, for those who must read it as a parser that does not round to the
    /// nearest double. nullopt for any other value, for one that was not read from a text, and where the
    /// digits before the point do not fit.
    std::optional<JsonDecimal> decimal() const;

    /// The member of that name, the last one if it is written twice; nullptr when absent or when this is no
    /// object.
    const Json* find(std::string_view key) const;

  private:
    struct Real {
        double value;
        std::uint64_t digits = 0;
        std::int32_t exponent = 0;
        bool negative = false;
        bool isWritten = false; ///< whether the three above are set
    };

    // Alternatives in the order of Type: 40 bytes a value, 72 a member. A member for each kind (104 and 136)
    // took 1.1 s and 906 MB for a 99 MB header where this takes 0.54 s and 502 MB, of which the parser's own
    // reading is 0.44 s. The same header as a tree: RapidJSON 0.31 s, 208 MB; simdjson 0.17 s, 357 MB.
    using Value = std::variant<std::monostate, bool, std::int64_t, Real, std::string, std::vector<Json>,
                               std::vector<Member>>;
    explicit Json(Value value) : m_value(std::move(value)) {}

    Value m_value;
};

struct JsonOptions {
    /// Python writes NaN, Infinity and -Infinity; with true they are read as Real values, with false they are
    /// errors.
    bool allowNonFinite = false;
    bool allowByteOrderMark = false;
    int maxDepth = 512;
};

/// Parses the whole of `text`. Throws Error{subject, ...} with the byte offset for anything malformed, for
/// invalid UTF-8 and for nesting deeper than maxDepth; runs in memory linear in the text and never recurses.
Json parseJson(std::string_view text, const std::string& subject, const JsonOptions& options = {});

/// Writes JSON for the command line: stable key order (as called), shortest round-trip numbers, two-space
/// indentation.
class JsonWriter {
  public:
    void beginObject();
    void endObject();
    void beginArray();
    void endArray();
    void key(std::string_view name);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool truth);
    void value(std::int64_t number);
    void value(int number) { value(static_cast<std::int64_t>(number)); }
    /// Non-finite numbers are written as null: JSON has no other word for them.
    void value(double number);
    void null();
    template <typename T>
    void member(std::string_view name, const T& content) {
        key(name);
        value(content);
    }
    /// The document so far, ended with a newline. CHECKs that every array and object is closed.
    std::string finish();

  private:
    void beforeValue();
    void newline();

    struct Level {
        bool array;
        bool empty;
    };
    std::string m_text;
    std::vector<Level> m_levels;
    bool m_afterKey = false;
};

} // namespace headscope
