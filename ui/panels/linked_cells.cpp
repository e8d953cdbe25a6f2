// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/linked_cells.h"

#include "ui/panels/shown_view.h"

#include <algorithm>

namespace headscope::ui {
namespace {

bool samePieces(const Axis& one, const Axis& other) {
    return &one == &other ||
           std::ranges::equal(one.entries, other.entries, {}, &AxisEntry::piece, &AxisEntry::piece);
}

bool sameTexts(const Axis& one, const Axis& other) {
    return !one.texts.empty() && one.texts == other.texts;
}

} // namespace

const Axis& ShownPlace::tokens(bool key) const {
    return key ? analysis->keyAxis(kind) : analysis->queryAxis(kind);
}

std::int64_t ShownPlace::tokenOf(bool key, std::int64_t index, std::optional<std::int64_t> chosen) const {
    return axes ? clickedToken(key ? axes->keys : axes->queries, index, chosen) : index;
}

std::optional<std::int64_t> ShownPlace::indexOf(bool key, std::int64_t token) const {
    return axes ? (key ? axes->keys : axes->queries).indexOf(token) : token;
}

std::optional<std::int64_t> linkedToken(const Axis& from, std::int64_t token, const Axis& to) {
    if (token < 0 || token >= from.size()) return std::nullopt;
    if (samePieces(from, to)) return token;
    if (!sameTexts(from, to)) return from.size() == to.size() ? std::optional(token) : std::nullopt;
    const AxisEntry& wanted = from.entries[static_cast<std::size_t>(token)];
    if (wanted.special) return std::nullopt; // it stands for no character
    const auto found = std::ranges::find_if(to.entries, [&wanted](const AxisEntry& one) {
        return !one.special && one.text == wanted.text && one.start <= wanted.start && wanted.start < one.end;
    });
    if (found == to.entries.end()) return std::nullopt;
    return found - to.entries.begin();
}

bool areLinked(const Axis& from, const Axis& to) {
    return from.size() == to.size() || sameTexts(from, to);
}

} // namespace headscope::ui
