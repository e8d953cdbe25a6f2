// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/pytorch/pickle_tree.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The memory of a pickle while it is read: its values, the stack that instructions work on, the marks that
/// divide the stack, and the memo. All that a malformed pickle can do wrong here is an Error that names the
/// place of the instruction; every part has at most kPickleValueLimit entries.
class PickleStack {
  public:
    PickleStack(const std::string& subject, std::uint64_t base) : m_subject(subject), m_base(base) {}

    /// The next instruction starts at this byte of the pickle.
    void begin(std::uint64_t start) { m_start = start; }
    [[noreturn]] void refuse(std::string found, std::string expected, std::string hint) const;
    void requireRoom(std::size_t count, const char* what) const;

    const PickleValue& at(PickleIndex index) const { return m_tree.at(index); }
    void push(PickleIndex value);
    void push(PickleValue value);
    PickleIndex pop();
    std::vector<PickleIndex> popMany(std::size_t count); ///< in the order in which they were pushed
    void mark();
    std::vector<PickleIndex> popToMark(); ///< takes the mark away too
    std::string_view popString();
    /// The value on top, left there, which must be of that kind: "a tuple is given keys and values".
    PickleValue& topOf(PickleKind kind, const char* action);

    void memoize(std::uint32_t id); ///< the value on top
    void recall(std::uint32_t id);
    std::uint32_t memoSize() const { return static_cast<std::uint32_t>(m_memo.size()); }

    /// The tree, whose root is the one value left.
    PickleTree finish();

  private:
    /// Where the values above the last mark begin: nothing reaches below it but what takes the mark away.
    std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }
    PickleIndex top() const;

    const std::string& m_subject;
    std::uint64_t m_base;
    std::uint64_t m_start = 0;
    PickleTree m_tree;
    std::vector<PickleIndex> m_stack;
    std::vector<std::size_t> m_marks; ///< sizes of the stack where they were set
    std::vector<PickleIndex> m_memo;
};

} // namespace headscope
