// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/vocabulary.h"

#include "core/base/error.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <numeric>

namespace headscope {

namespace {

std::string quoted(std::string_view piece) {
    return fmt::format("\"{}\"", escapeForMessage(piece, 60));
}

} // namespace

Vocabulary::Vocabulary(const Json& json, const std::string& subject) {
    if (!json.isObject())
        fail(subject, fmt::format("found {}", json.typeName()), "expected an object of pieces and ids");
    if (json.members().empty()) fail(subject, "no pieces", "expected at least one");

    std::size_t bytes = 0;
    for (const Json::Member& member : json.members()) bytes += member.first.size();
    m_spellings.reserve(bytes); // the entries' views must not move
    m_entries.reserve(json.members().size());
    m_slots.assign(std::bit_ceil(2 * json.members().size()), 0);
    for (const auto& [piece, value] : json.members()) {
        if (!value.isInteger() || value.asInteger() < 0 || value.asInteger() > kMaxId)
            fail(subject,
                 value.isInteger() ? fmt::format("the id of {} is {}", quoted(piece), value.asInteger())
                                   : fmt::format("the id of {} is {}", quoted(piece), value.typeName()),
                 fmt::format("expected an integer from 0 to {}", kMaxId));
        insert(piece, value.asInteger());
    }
    indexIds(subject);
}

void Vocabulary::insert(std::string_view piece, std::int64_t id) {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = PieceHash(piece).value() & mask;
    for (; m_slots[slot] != 0; slot = (slot + 1) & mask) {
        Entry& entry = m_entries[m_slots[slot] - 1];
        if (entry.piece != piece) continue;
        entry.id = id;
        return;
    }
    const std::size_t begin = m_spellings.size();
    m_spellings.append(piece);
    m_entries.push_back({std::string_view(m_spellings).substr(begin), id});
    m_slots[slot] = static_cast<std::uint32_t>(m_entries.size());
    m_longestPiece = std::max(m_longestPiece, piece.size());
}

void Vocabulary::indexIds(const std::string& subject) {
    m_byId.resize(m_entries.size());
    std::iota(m_byId.begin(), m_byId.end(), 0U);
    const auto byId = [&](std::uint32_t a, std::uint32_t b) { return m_entries[a].id < m_entries[b].id; };
    if (!std::is_sorted(m_byId.begin(), m_byId.end(), byId)) std::sort(m_byId.begin(), m_byId.end(), byId);
    for (std::size_t i = 1; i < m_byId.size(); ++i) {
        const Entry& one = m_entries[m_byId[i - 1]];
        const Entry& two = m_entries[m_byId[i]];
        if (one.id == two.id)
            fail(subject,
                 fmt::format("{} and {} have the same id {}", quoted(one.piece), quoted(two.piece), one.id),
                 "expected one id for each piece");
    }
}

const Vocabulary::Entry* Vocabulary::find(const PieceHash& hash, std::string_view prefix,
                                          std::string_view rest) const {
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t slot = hash.value() & mask; m_slots[slot] != 0; slot = (slot + 1) & mask) {
        const Entry& entry = m_entries[m_slots[slot] - 1];
        if (entry.piece.size() == prefix.size() + rest.size() && entry.piece.ends_with(rest) &&
            entry.piece.starts_with(prefix))
            return &entry;
    }
    return nullptr;
}

const Vocabulary::Entry* Vocabulary::findId(std::int64_t id) const {
    // Without holes the ids are the places.
    if (id >= 0 && id < static_cast<std::int64_t>(m_byId.size())) {
        const Entry& entry = m_entries[m_byId[static_cast<std::size_t>(id)]];
        if (entry.id == id) return &entry;
    }
    const auto at =
        std::lower_bound(m_byId.begin(), m_byId.end(), id, [&](std::uint32_t entry, std::int64_t value) {
            return m_entries[entry].id < value;
        });
    return at != m_byId.end() && m_entries[*at].id == id ? &m_entries[*at] : nullptr;
}

std::int64_t Vocabulary::largestId() const {
    return m_entries[m_byId.back()].id;
}

} // namespace headscope
