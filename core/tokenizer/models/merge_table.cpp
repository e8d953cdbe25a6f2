// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/merge_table.h"

#include "core/base/error.h"
#include "core/tokenizer/code_point.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace headscope {

namespace {

struct MergePair {
    std::string_view left;
    std::string_view right;
};

/// A merge of the list; its errors name its place.
class MergeReader {
  public:
    MergeReader(const Vocabulary& vocabulary, std::size_t prefixBytes, const std::string& subject)
        : m_vocabulary(vocabulary), m_prefixBytes(prefixBytes), m_subject(subject) {}

    void moveTo(std::size_t place) { m_place = place; }

    /// "a b": exactly one space parts the two.
    MergePair split(const Json& json) const {
        if (!json.isString()) refuse(json.typeName(), "expected a string, as before it");
        const std::string_view line = json.asString();
        const std::size_t space = line.find(' ');
        if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos)
            refuse(fmt::format("\"{}\"", escapeForMessage(line, 60)),
                   "expected two pieces with one space between");
        return {line.substr(0, space), line.substr(space + 1)};
    }

    /// ["a", "b"].
    MergePair pair(const Json& json) const {
        if (!json.isArray()) refuse(json.typeName(), "expected an array of two strings");
        const std::vector<Json>& items = json.items();
        if (items.size() != 2 || !items[0].isString() || !items[1].isString())
            refuse("an array of another form", "expected two strings");
        return {items[0].asString(), items[1].asString()};
    }

    std::uint32_t find(std::string_view piece) const { return number(m_vocabulary.find(piece), piece, {}); }

    std::uint32_t findJoined(const MergePair& merge) const {
        if (merge.right.size() < m_prefixBytes ||
            (merge.right.size() > m_prefixBytes && isContinuationByte(merge.right[m_prefixBytes])))
            refuse(fmt::format("\"{}\"", escapeForMessage(merge.right, 60)),
                   "expected a second piece that starts with continuing_subword_prefix");
        const std::string_view rest = merge.right.substr(m_prefixBytes);
        PieceHash hash(merge.left);
        hash.add(rest);
        return number(m_vocabulary.find(hash, merge.left, rest), merge.left, rest);
    }

  private:
    std::uint32_t number(const Vocabulary::Entry* entry, std::string_view piece,
                         std::string_view rest) const {
        if (entry == nullptr)
            refuse(fmt::format("\"{}{}\" is not in the vocabulary", escapeForMessage(piece, 40),
                               escapeForMessage(rest, 40)),
                   "expected both pieces of a merge and the one they make there");
        return m_vocabulary.number(*entry);
    }
    [[noreturn]] void refuse(std::string found, std::string expected) const {
        fail(fmt::format("{}: {}", m_subject, m_place), std::move(found), std::move(expected));
    }

    const Vocabulary& m_vocabulary;
    std::size_t m_prefixBytes;
    const std::string& m_subject;
    std::size_t m_place = 0;
};

} // namespace

MergeTable::MergeTable(const Json& list, const Vocabulary& vocabulary, std::size_t prefixBytes,
                       const std::string& subject) {
    if (!list.isArray())
        fail(subject, fmt::format("found {}", list.typeName()), "expected an array of pairs");
    const std::vector<Json>& items = list.items();
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(2 * items.size(), 2));
    m_slots.resize(slots);
    m_mask = slots - 1;
    m_shift = 64 - std::countr_zero(slots);
    m_joined.reserve(items.size());

    MergeReader reader(vocabulary, prefixBytes, subject);
    const bool lines = !items.empty() && items[0].isString();
    for (std::size_t i = 0; i < items.size(); ++i) {
        reader.moveTo(i);
        if (lines && items[i].isString() && items[i].asString().starts_with("#version")) continue;
        const MergePair merge = lines ? reader.split(items[i]) : reader.pair(items[i]);
        const std::uint32_t left = reader.find(merge.left);
        const std::uint32_t right = reader.find(merge.right);
        add(left, right, reader.findJoined(merge));
    }
}

void MergeTable::add(std::uint32_t left, std::uint32_t right, std::uint32_t joined) {
    std::size_t slot = firstSlot(left, right);
    while (m_slots[slot].rank != kNone && !(m_slots[slot].left == left && m_slots[slot].right == right))
        slot = (slot + 1) & m_mask;
    m_slots[slot] = {left, right, static_cast<std::uint32_t>(m_joined.size())};
    m_joined.push_back(joined);
}

} // namespace headscope
