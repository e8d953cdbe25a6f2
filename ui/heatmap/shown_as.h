// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::ui {

/// What the numbers, the rows and the columns of a map are, where they are not weights between all tokens.
struct ShownAs {
    QString number;                    ///< what a number is; empty: a weight
    bool hasEvenWeight = true;         ///< 1 / the keys that can be seen says something about the numbers
    bool words = false;                ///< rows and columns are words
    std::vector<std::int64_t> queries; ///< of each row: which token or word it is; empty: all of them
    std::vector<std::int64_t> keys;    ///< of each column, likewise

    /// Which token or word a row or a column is, counted from 0 in the whole text.
    std::int64_t place(bool key, std::int64_t index) const;
    /// "token 3", "word 3"
    QString placeText(bool key, std::int64_t index) const;
};

} // namespace headscope::ui
