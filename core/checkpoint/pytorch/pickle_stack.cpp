// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pickle_stack.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/pytorch/pickle_machine.h"

#include <fmt/format.h>
#include <limits>

namespace headscope {

const char* nameOf(PickleKind kind) {
    switch (kind) {
    case PickleKind::None:
        return "None";
    case PickleKind::Bool:
        return "a boolean";
    case PickleKind::Integer:
    case PickleKind::LongInteger:
        return "an integer";
    case PickleKind::Real:
        return "a number";
    case PickleKind::String:
        return "a string";
    case PickleKind::List:
        return "a list";
    case PickleKind::Tuple:
        return "a tuple";
    case PickleKind::Dict:
        return "a dictionary";
    case PickleKind::Global:
        return "the name of a type";
    case PickleKind::Call:
        return "a tensor";
    case PickleKind::Storage:
        return "a storage";
    }
    return "";
}

namespace {

constexpr PickleIndex kNoValue = std::numeric_limits<PickleIndex>::max();

} // namespace

void PickleStack::refuse(std::string found, std::string expected, std::string hint) const {
    throw Error({.subject = m_subject,
                 .found = std::move(found),
                 .expected = std::move(expected),
                 .hint = std::move(hint),
                 .byteOffset = m_base + m_start});
}

void PickleStack::requireRoom(std::size_t count, const char* what) const {
    if (count >= kPickleValueLimit)
        refuse(fmt::format("the pickle has more than {} {}", kPickleValueLimit, what), {},
               "save it as safetensors");
}

void PickleStack::push(PickleIndex value) {
    requireRoom(m_stack.size(), "values on its stack");
    m_stack.push_back(value);
}

void PickleStack::push(PickleValue value) {
    requireRoom(m_tree.values.size(), "values");
    m_tree.values.push_back(std::move(value));
    push(static_cast<PickleIndex>(m_tree.values.size() - 1));
}

PickleIndex PickleStack::top() const {
    if (m_stack.size() <= floor())
        refuse("an instruction takes more values than there are", {}, kDamagedHint);
    return m_stack.back();
}

PickleIndex PickleStack::pop() {
    const PickleIndex value = top();
    m_stack.pop_back();
    return value;
}

std::vector<PickleIndex> PickleStack::popMany(std::size_t count) {
    if (m_stack.size() - floor() < count)
        refuse("an instruction takes more values than there are", {}, kDamagedHint);
    const auto first = m_stack.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<PickleIndex> values(first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    return values;
}

void PickleStack::mark() {
    requireRoom(m_marks.size(), "marks");
    m_marks.push_back(m_stack.size());
}

std::vector<PickleIndex> PickleStack::popToMark() {
    if (m_marks.empty()) refuse("an instruction needs a mark that was not set", {}, kDamagedHint);
    std::vector<PickleIndex> values = popMany(m_stack.size() - floor());
    m_marks.pop_back();
    return values;
}

std::string_view PickleStack::popString() {
    const PickleValue& value = at(pop());
    if (value.kind != PickleKind::String)
        refuse(fmt::format("a name is {}", nameOf(value.kind)), "expected a string", kDamagedHint);
    return value.text;
}

PickleValue& PickleStack::topOf(PickleKind kind, const char* action) {
    PickleValue& value = m_tree.values[top()];
    if (value.kind != kind)
        refuse(fmt::format("{} is {}", nameOf(value.kind), action), fmt::format("expected {}", nameOf(kind)),
               kDamagedHint);
    return value;
}

void PickleStack::memoize(std::uint32_t id) {
    requireRoom(id, "memo entries");
    const PickleIndex value = top();
    if (id >= m_memo.size()) m_memo.resize(id + 1, kNoValue);
    m_memo[id] = value;
}

void PickleStack::recall(std::uint32_t id) {
    if (id >= m_memo.size() || m_memo[id] == kNoValue)
        refuse(fmt::format("the pickle recalls the value {} that it never stored", id), {}, kDamagedHint);
    push(m_memo[id]);
}

PickleTree PickleStack::finish() {
    m_tree.root = pop();
    if (!m_stack.empty() || !m_marks.empty())
        refuse("the pickle ends with values left over", {}, kDamagedHint);
    return std::move(m_tree);
}

} // namespace headscope
