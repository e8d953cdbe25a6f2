// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/attention_facts.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <initializer_list>
#include <span>

namespace headscope {

namespace {

constexpr std::int64_t kMostElements = 1'000'000;

constexpr std::array<std::string_view, 13> kNames = {
    "tokens",    "special",           "segments", "source_tokens", "source_special", "source_segments",
    "input_ids", "decoder_input_ids", "causal",   "window",        "learned_sink",   "axes",
    "sample"};

/// Axes of one element around a list do not count: a batch of one.
bool isList(const std::vector<std::int64_t>& shape) {
    return std::count_if(shape.begin(), shape.end(), [](std::int64_t extent) { return extent != 1; }) <= 1;
}

void requireList(const std::string& subject, const std::vector<std::int64_t>& shape, std::int64_t elements) {
    if (!isList(shape)) fail(subject, fmt::format("its shape is {}", shapeText(shape)), "expected a list");
    if (elements > kMostElements)
        fail(subject, fmt::format("it has {} elements", elements),
             fmt::format("at most {} are read", kMostElements));
}

template <typename T>
Json elementAt(std::span<const std::byte> bytes, std::size_t index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return Json(static_cast<std::int64_t>(value));
}

Json numberAt(DType type, std::span<const std::byte> bytes, std::size_t index, const std::string& subject) {
    switch (type) {
    case DType::Bool:
        return Json(bytes[index] != std::byte{0});
    case DType::U8:
        return elementAt<std::uint8_t>(bytes, index);
    case DType::I8:
        return elementAt<std::int8_t>(bytes, index);
    case DType::I16:
        return elementAt<std::int16_t>(bytes, index);
    case DType::U16:
        return elementAt<std::uint16_t>(bytes, index);
    case DType::I32:
        return elementAt<std::int32_t>(bytes, index);
    case DType::U32:
        return elementAt<std::uint32_t>(bytes, index);
    case DType::I64:
        return elementAt<std::int64_t>(bytes, index);
    default:
        fail(subject, fmt::format("its type is {}", nameOf(type)), "expected whole numbers");
    }
}

Json valuesOf(const TensorSource& source, const TensorInfo& tensor, const std::string& subject) {
    requireList(subject, tensor.shape, tensor.elements);
    std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.elements * sizeOf(tensor.dtype)));
    source.readRaw(tensor, 0, tensor.elements, bytes);
    if (tensor.shape.empty()) return numberAt(tensor.dtype, bytes, 0, subject);
    Json list = Json::array();
    for (std::int64_t i = 0; i < tensor.elements; ++i)
        list.items().push_back(numberAt(tensor.dtype, bytes, static_cast<std::size_t>(i), subject));
    return list;
}

Json valuesOf(const NpzTexts& texts, const std::string& subject) {
    requireList(subject, texts.shape, static_cast<std::int64_t>(texts.texts.size()));
    Json list = Json::array();
    for (const std::string& text : texts.texts) list.items().emplace_back(text);
    return list;
}

/// Reads the values by name, each as the type it should have.
class FactReader {
  public:
    FactReader(const FactValues& values, const std::string& subject) : m_values(values), m_subject(subject) {}

    std::optional<std::vector<std::string>> texts(const std::string& name) const {
        const Json* value = find(name);
        if (value == nullptr) return std::nullopt;
        if (!value->isArray()) wrongType(name, *value, "a list of texts");
        std::vector<std::string> list;
        for (const Json& one : value->items()) {
            if (!one.isString()) wrongType(name, one, "a list of texts", "in it ");
            list.push_back(one.asString());
        }
        return list;
    }

    std::optional<std::vector<std::int64_t>> numbers(const std::string& name,
                                                     std::optional<std::int64_t> forNull = {}) const {
        const Json* value = find(name);
        if (value == nullptr) return std::nullopt;
        if (!value->isArray()) wrongType(name, *value, "a list of whole numbers");
        std::vector<std::int64_t> list;
        for (const Json& one : value->items()) {
            if (one.isNull() && forNull)
                list.push_back(*forNull);
            else if (one.isInteger())
                list.push_back(one.asInteger());
            else
                wrongType(name, one, "a list of whole numbers", "in it ");
        }
        return list;
    }

    std::optional<bool> truth(const std::string& name) const {
        const Json* value = find(name);
        if (value == nullptr) return std::nullopt;
        if (value->isArray() && value->items().size() == 1) value = &value->items().front();
        if (value->isBool()) return value->asBool();
        if (value->isInteger() && (value->asInteger() == 0 || value->asInteger() == 1))
            return value->asInteger() == 1;
        wrongType(name, *value, "true or false");
    }

    void readWindows(AttentionFacts& facts) const {
        const Json* value = find("window");
        if (value == nullptr) return;
        if (value->isArray()) {
            facts.windows = numbers("window", 0);
        } else {
            if (!value->isInteger() && !value->isNull())
                wrongType("window", *value, "a whole number, null, or a list with one for each layer");
            facts.oneWindow = true;
            facts.windows = {value->isNull() ? 0 : value->asInteger()};
        }
        for (const std::int64_t window : *facts.windows)
            if (window < 0)
                fail(m_subject + ": \"window\"", fmt::format("found {}", window),
                     "expected a number of keys, or null for none");
    }

    void refuse(std::initializer_list<const char*> names, const char* expected) const {
        for (const char* name : names)
            if (find(name) != nullptr)
                fail(fmt::format("{}: \"{}\"", m_subject, name),
                     "the file has no maps that it could be about", expected);
    }

  private:
    const Json* find(const std::string& name) const {
        const auto found = m_values.find(name);
        return found == m_values.end() ? nullptr : &found->second;
    }
    [[noreturn]] void wrongType(const std::string& name, const Json& value, const char* expected,
                                const char* where = "") const {
        const std::string found = value.isInteger() ? fmt::format("the number {}", value.asInteger())
                                                    : std::string(value.typeName());
        fail(fmt::format("{}: \"{}\"", m_subject, name), fmt::format("found {}{}", where, found),
             std::string("expected ") + expected);
    }

    const FactValues& m_values;
    const std::string& m_subject;
};

bool differ(const std::optional<std::vector<std::int64_t>>& one,
            const std::optional<std::vector<std::int64_t>>& other) {
    return one && other && *one != *other;
}

/// A number for all layers is the same as a list of it.
bool windowsDiffer(const AttentionFacts& one, const AttentionFacts& other) {
    if (!one.windows || !other.windows) return false;
    if (one.oneWindow == other.oneWindow) return *one.windows != *other.windows;
    const AttentionFacts& list = one.oneWindow ? other : one;
    const std::int64_t window = (one.oneWindow ? one : other).windows->front();
    return std::any_of(list.windows->begin(), list.windows->end(),
                       [window](std::int64_t entry) { return entry != window; });
}

template <typename T>
void fill(std::optional<T>& value, const std::optional<T>& other) {
    if (!value) value = other;
}

void fillSide(SideFacts& side, const SideFacts& other) {
    fill(side.tokens, other.tokens);
    fill(side.ids, other.ids);
    fill(side.special, other.special);
    fill(side.segments, other.segments);
}

} // namespace

bool isFactName(const std::string& name) {
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

FactValues factsInArrays(const TensorSource& numbers, const std::map<std::string, NpzTexts>& texts,
                         const std::string& subject) {
    FactValues values;
    const auto within = [&](const std::string& name) { return subject + ": " + quotedName(name); };
    for (const TensorInfo& tensor : numbers.tensors())
        if (isFactName(tensor.name))
            values.emplace(tensor.name, valuesOf(numbers, tensor, within(tensor.name)));
    for (const auto& [name, array] : texts)
        if (isFactName(name)) values.emplace(name, valuesOf(array, within(name)));
    return values;
}

FactValues factsInMetadata(const std::map<std::string, std::string>& metadata, const std::string& subject) {
    FactValues values;
    for (const auto& [name, text] : metadata)
        if (isFactName(name))
            values.emplace(name, parseJson(text, fmt::format("{}: metadata {}", subject, quotedName(name))));
    return values;
}

AttentionFacts readFacts(const FactValues& values, const FileStacks& stacks, const std::string& subject) {
    const FactReader reader(values, subject);
    if (!stacks.single && !stacks.hasDecoder())
        reader.refuse({"tokens", "special", "segments"}, "expected source_tokens for maps of an encoder");
    if (!stacks.hasDecoder())
        reader.refuse({"decoder_input_ids"}, "expected decoder_attentions or cross_attentions");
    AttentionFacts facts;
    facts.main = {.tokens = reader.texts("tokens"),
                  .ids = reader.numbers(stacks.single ? "input_ids" : "decoder_input_ids"),
                  .special = reader.numbers("special"),
                  .segments = reader.numbers("segments", -1)};
    facts.source = {.tokens = reader.texts("source_tokens"),
                    .ids = stacks.single ? std::nullopt : reader.numbers("input_ids"),
                    .special = reader.numbers("source_special"),
                    .segments = reader.numbers("source_segments", -1)};
    facts.causal = reader.truth("causal");
    facts.learnedSink = reader.truth("learned_sink");
    reader.readWindows(facts);
    return facts;
}

void mergeFacts(AttentionFacts& facts, const AttentionFacts& others, const std::string& subject,
                const std::string& otherSubject) {
    const auto refuse = [&](const char* name) {
        fail(otherSubject, fmt::format("{} differs from what {} says", name, subject),
             "expected one of them or the same", "remove the wrong one");
    };
    const auto compareSides = [&](const SideFacts& one, const SideFacts& other,
                                  const std::array<const char*, 4>& names) {
        if (one.tokens && other.tokens && *one.tokens != *other.tokens) refuse(names[0]);
        if (differ(one.ids, other.ids)) refuse(names[1]);
        if (differ(one.special, other.special)) refuse(names[2]);
        if (differ(one.segments, other.segments)) refuse(names[3]);
    };
    compareSides(facts.main, others.main, {"tokens", "the ids", "special", "segments"});
    compareSides(facts.source, others.source,
                 {"source_tokens", "the ids", "source_special", "source_segments"});
    if (facts.causal && others.causal && *facts.causal != *others.causal) refuse("causal");
    if (facts.learnedSink && others.learnedSink && *facts.learnedSink != *others.learnedSink)
        refuse("learned_sink");
    if (windowsDiffer(facts, others)) refuse("window");
    fillSide(facts.main, others.main);
    fillSide(facts.source, others.source);
    fill(facts.causal, others.causal);
    fill(facts.learnedSink, others.learnedSink);
    if (!facts.windows) {
        facts.windows = others.windows;
        facts.oneWindow = others.oneWindow;
    }
}

} // namespace headscope
