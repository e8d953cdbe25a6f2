// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/stage_fields.h"

#include <cstddef>

namespace headscope {

/// What becomes of the matches that cut a text.
enum class SplitBehavior {
    Removed,            ///< dropped
    Isolated,           ///< pieces of their own
    MergedWithPrevious, ///< the piece before takes a match, unless that is a match too
    MergedWithNext,     ///< likewise the piece behind
    Contiguous,         ///< neighbouring matches are one piece
};

/// Throws Error for a name that is none of these.
SplitBehavior readSplitBehavior(const StageFields& fields, std::string_view key);

/// Cuts one text at matches that are given from left to right, and calls `add(begin, end)` for the pieces
/// from left to right.
template <typename Add>
class Splitter {
  public:
    /// With `inverted` the matches are what is kept and the rest is what cuts.
    Splitter(SplitBehavior behavior, bool inverted, const Add& add)
        : m_behavior(behavior), m_inverted(inverted), m_add(add) {}

    void match(std::size_t begin, std::size_t end) {
        if (m_done != begin) part({m_done, begin, m_inverted});
        part({begin, end, !m_inverted});
        m_done = end;
    }

    /// To be called once, with the size of the text.
    void finish(std::size_t size) {
        if (m_done != size) part({m_done, size, m_inverted});
        if (m_hasHeld) m_add(m_held.begin, m_held.end);
    }

  private:
    struct Part {
        std::size_t begin;
        std::size_t end;
        bool isMatch;
    };

    void part(const Part& next) {
        switch (m_behavior) {
        case SplitBehavior::Removed:
            if (!next.isMatch) m_add(next.begin, next.end);
            return;
        case SplitBehavior::Isolated:
            m_add(next.begin, next.end);
            return;
        case SplitBehavior::MergedWithPrevious:
            hold(next, next.isMatch && !m_held.isMatch);
            return;
        case SplitBehavior::MergedWithNext:
            hold(next, !next.isMatch && m_held.isMatch);
            return;
        case SplitBehavior::Contiguous:
            hold(next, next.isMatch == m_held.isMatch);
            return;
        }
    }

    /// Holds a part back until it is known what the next one is.
    void hold(const Part& next, bool joins) {
        if (m_hasHeld && joins) {
            m_held.end = next.end;
            m_held.isMatch = next.isMatch;
            return;
        }
        if (m_hasHeld) m_add(m_held.begin, m_held.end);
        m_held = next;
        m_hasHeld = true;
    }

    SplitBehavior m_behavior;
    bool m_inverted;
    const Add& m_add;
    std::size_t m_done = 0;
    Part m_held = {0, 0, false}; ///< as if something that is no match stood before the text
    bool m_hasHeld = false;
};

} // namespace headscope
