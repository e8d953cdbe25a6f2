// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope::ui {

/// What the rows and columns of a map are that stands beside others: tokens of a run, or what a view makes of
/// them. The unit in which places of two maps are compared is the token of the run.
struct ShownPlace {
    std::shared_ptr<const Analysis> analysis;
    AttentionKind kind = AttentionKind::Self;
    std::shared_ptr<const ViewedAxes> axes; ///< null: all tokens, each by itself

    const Axis& tokens(bool key) const; ///< of the whole run
    bool isSameRun(const ShownPlace& other) const { return analysis == other.analysis && kind == other.kind; }
    /// The token that a row or column shows: of several its first, or `chosen` where that is one of them.
    std::int64_t tokenOf(bool key, std::int64_t index, std::optional<std::int64_t> chosen = {}) const;
    /// The row or column that shows a token; none where it is left out.
    std::optional<std::int64_t> indexOf(bool key, std::int64_t token) const;
};

/// The token of `to` that stands for a token of `from`: the same one where both read the same tokens; of one
/// text cut differently the one that holds its first character; of other texts of as many tokens the one at
/// its position; else none.
std::optional<std::int64_t> linkedToken(const Axis& from, std::int64_t token, const Axis& to);
/// Some token of one has its like in the other.
bool areLinked(const Axis& from, const Axis& to);

} // namespace headscope::ui
