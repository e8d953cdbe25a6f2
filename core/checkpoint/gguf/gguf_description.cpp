// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/gguf/gguf_architecture.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::int64_t kMostHeadSize = 8192;

std::string withLayer(std::string_view pattern, std::int64_t layer) {
    const std::size_t place = pattern.find("{}");
    if (place == std::string_view::npos) return std::string(pattern);
    return fmt::format("{}{}{}", pattern.substr(0, place), layer, pattern.substr(place + 2));
}

std::string architectureOf(const ConfigReader& fields) {
    if (!fields.has("general.architecture"))
        fail(fields.subject(), "the key general.architecture is missing", "it says what the model is",
             kDamagedHint);
    return fields.string("general.architecture", "");
}

} // namespace

GgufDescription::GgufDescription(const GgufSource& source)
    : m_source(source), m_subject(messageName(source.fileName({}))),
      m_fields(source.header().fields, m_subject), m_architecture(architectureOf(m_fields)) {
    m_model.config = Json::object();
}

std::string GgufDescription::own(std::string_view key) const {
    return fmt::format("{}.{}", m_architecture, key);
}

void GgufDescription::missing(std::string_view key, const std::string& expected) const {
    fail(m_subject, fmt::format("the key {} is missing", escapeForMessage(own(key))), "expected " + expected,
         kDamagedHint);
}

std::int64_t GgufDescription::integer(std::string_view key, std::int64_t most) const {
    const auto value = m_fields.optionalInteger(std::string_view(own(key)), 1, most);
    if (!value) missing(key, fmt::format("a whole number from 1 to {}", most));
    return *value;
}

std::int64_t GgufDescription::integer(std::string_view key, std::int64_t most, std::int64_t fallback) const {
    return m_fields.integer(std::string_view(own(key)), fallback, 0, most);
}

double GgufDescription::real(std::string_view key) const {
    if (!has(key)) missing(key, "a number");
    return real(key, 0.0);
}

double GgufDescription::real(std::string_view key, double fallback) const {
    return m_fields.real(std::string_view(own(key)), fallback, -1e30, 1e30);
}

bool GgufDescription::boolean(std::string_view key, bool fallback) const {
    return m_fields.boolean(std::string_view(own(key)), fallback);
}

std::string GgufDescription::text(std::string_view key, std::string_view fallback) const {
    return m_fields.string(std::string_view(own(key)), fallback);
}

void GgufDescription::ignore(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys) static_cast<void>(has(key));
}

void GgufDescription::refuse(std::string_view key, const std::string& expected) const {
    m_fields.refuse(std::string_view(own(key)), expected);
}

void GgufDescription::require(std::string_view key, std::int64_t expected) const {
    if (integer(key, std::int64_t{1} << 40, expected) != expected) refuse(key, fmt::format("{}", expected));
}

std::int64_t GgufDescription::headSize() const {
    std::int64_t size = integer("attention.key_length", kMostHeadSize, 0);
    if (size == 0) size = width() / heads();
    if (size == 0) refuse("attention.head_count", fmt::format("at most {}, the model's width", width()));
    require("attention.value_length", size);
    return size;
}

std::int64_t GgufDescription::vocabulary() const {
    const TensorInfo* words = m_source.find("token_embd.weight");
    if (words == nullptr || words->shape.size() != 2)
        fail(m_subject,
             words == nullptr
                 ? "the tensor \"token_embd.weight\" is missing"
                 : fmt::format("the tensor \"token_embd.weight\" has shape {}", shapeText(words->shape)),
             "expected a table of words",
             words == nullptr ? "the file may hold a vocabulary alone, or a part of a model" : "");
    return words->shape[0];
}

std::optional<std::int64_t> GgufDescription::tokenizerInteger(std::string_view key, std::int64_t most) const {
    return m_fields.optionalInteger(std::string_view(fmt::format("tokenizer.ggml.{}", key)), 0, most);
}

void GgufDescription::set(std::string_view field, Json value) {
    m_model.config.members().emplace_back(field, std::move(value));
}

void GgufDescription::tensor(std::string_view stored, GgufRule rule) {
    for (const std::string_view ending : {".weight", ".bias"}) {
        GgufRule own = rule;
        own.name += ending;
        m_rules.insert_or_assign(fmt::format("{}{}", stored, ending), std::move(own));
    }
}

void GgufDescription::layerTensor(std::string_view stored, const GgufRule& rule) {
    const std::int64_t count = layers();
    for (std::int64_t layer = 0; layer < count; ++layer) {
        GgufRule own = rule;
        own.name = withLayer(rule.name, layer);
        tensor(fmt::format("blk.{}.{}", layer, stored), std::move(own));
    }
}

std::optional<std::vector<float>> GgufDescription::numbers(std::string_view stored) {
    const TensorInfo* info = m_source.find(stored);
    if (info == nullptr) return std::nullopt;
    if (info->elements > kMostHeadSize)
        fail(m_subject, fmt::format("the tensor {} has shape {}", quotedName(stored), shapeText(info->shape)),
             fmt::format("expected at most {} numbers", kMostHeadSize));
    std::vector<float> values(static_cast<std::size_t>(info->elements));
    m_source.readFloats(*info, 0, values);
    m_ignored.emplace_back(stored);
    return values;
}

TensorView GgufDescription::viewOf(const TensorInfo& tensor, const GgufRule& rule) const {
    if (rule.rows != nullptr && tensor.shape.front() != static_cast<std::int64_t>(rule.rows->size()))
        fail(m_subject,
             fmt::format("the tensor {} has shape {}", quotedName(tensor.name), shapeText(tensor.shape)),
             fmt::format("expected {} rows", rule.rows->size()), kDamagedHint);
    std::vector<std::int64_t> shape = tensor.shape;
    if (rule.row && shape.size() == 1) shape.insert(shape.begin(), 1);
    return {.name = rule.name,
            .stored = tensor.name,
            .shape = std::move(shape),
            .rows = rule.rows,
            .shift = rule.shift};
}

void GgufDescription::refuseUnreadKeys() const {
    for (const std::string& key : m_fields.unreadFields())
        if (key.starts_with(m_architecture + "."))
            fail(m_subject + ": " + escapeForMessage(key), "the key is not known",
                 fmt::format("what it says of a model of the architecture {} may change what it computes",
                             m_architecture));
}

void GgufDescription::addView(TensorView view) {
    const auto [first, isNew] = m_storedFor.emplace(view.name, view.stored);
    if (!isNew)
        fail(m_subject,
             fmt::format("the tensors {} and {} are both there", quotedName(first->second),
                         quotedName(view.stored)),
             fmt::format("a model of the architecture {} has one of them", m_architecture));
    m_model.views.push_back(std::move(view));
}

void GgufDescription::addParts(const TensorInfo& tensor, const GgufRule& rule) {
    if (tensor.shape.size() != 3 || tensor.shape.front() != rule.parts)
        fail(m_subject,
             fmt::format("the tensor {} has shape {}", quotedName(tensor.name), shapeText(tensor.shape)),
             fmt::format("expected {} matrices", rule.parts), kDamagedHint);
    const std::int64_t elements = tensor.shape[1] * tensor.shape[2];
    for (std::int64_t part = 0; part < rule.parts; ++part)
        addView({.name = withLayer(rule.name, part),
                 .stored = tensor.name,
                 .shape = {tensor.shape[1], tensor.shape[2]},
                 .rows = nullptr,
                 .first = part * elements});
}

GgufModel GgufDescription::finish() {
    refuseUnreadKeys();
    for (const TensorInfo& tensor : m_source.tensors()) {
        const auto found = m_rules.find(tensor.name);
        if (found != m_rules.end()) {
            const GgufRule& rule = found->second;
            if (rule.parts > 0)
                addParts(tensor, rule);
            else
                addView(viewOf(tensor, rule));
            continue;
        }
        const bool known = std::ranges::any_of(
            m_ignored, [&](const std::string& ending) { return tensor.name.ends_with(ending); });
        if (!known)
            fail(m_subject, fmt::format("the tensor {} is not known", quotedName(tensor.name)),
                 fmt::format("a model of the architecture {} has none of that name", m_architecture));
    }
    return std::move(m_model);
}

RowOrder halvesOfPairs(std::int64_t heads, std::int64_t headSize) {
    std::vector<std::int64_t> rows;
    rows.reserve(static_cast<std::size_t>(heads * headSize));
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t half = 0; half < 2; ++half)
            for (std::int64_t pair = 0; pair < headSize / 2; ++pair)
                rows.push_back(head * headSize + 2 * pair + half);
    return std::make_shared<const std::vector<std::int64_t>>(std::move(rows));
}

RowOrder groupedByHead(std::int64_t heads, std::int64_t keyValueHeads, std::int64_t headSize) {
    const std::int64_t together = heads / keyValueHeads;
    std::vector<std::int64_t> rows;
    rows.reserve(static_cast<std::size_t>((heads + 2 * keyValueHeads) * headSize));
    const auto add = [&](std::int64_t head) {
        for (std::int64_t i = 0; i < headSize; ++i) rows.push_back(head * headSize + i);
    };
    for (std::int64_t group = 0; group < keyValueHeads; ++group) {
        for (std::int64_t query = 0; query < together; ++query) add(group * together + query);
        add(heads + group);
        add(heads + keyValueHeads + group);
    }
    return std::make_shared<const std::vector<std::int64_t>>(std::move(rows));
}

} // namespace headscope
