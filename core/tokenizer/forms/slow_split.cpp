// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/slow_split.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/forms/text_lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace headscope {

namespace {

bool isSpaceAt(const NormalizedText& text, std::size_t at) {
    return isPythonSpace(decodeCodePoint(text.text(), at).value);
}

NormalizedText part(const NormalizedText& text, std::size_t begin, std::size_t end) {
    NormalizedText result;
    result.append(text, begin, end);
    return result;
}

/// Bytes of the white space at the start.
std::size_t leadingSpace(const NormalizedText& text) {
    std::size_t at = 0;
    while (at < text.size() && isSpaceAt(text, at)) at += utf8Length(text.text()[at]);
    return at;
}

/// Bytes up to the white space at the end.
std::size_t withoutTrailingSpace(const NormalizedText& text) {
    std::size_t end = text.size();
    while (end > 0) {
        const DecodedCodePoint c = decodeCodePointBefore(text.text(), end);
        if (!isPythonSpace(c.value)) break;
        end -= c.bytes;
    }
    return end;
}

} // namespace

SlowSplitter::SlowSplitter(const std::vector<AddedToken>& tokens) {
    for (const AddedToken& token : tokens) {
        m_tokens[token.content] = token;
        if (token.content.empty()) continue;
        std::size_t node = 0;
        for (const char32_t c : toCodePoints(token.content)) {
            const auto [at, isNew] = m_nodes[node].next.try_emplace(c, m_nodes.size());
            node = at->second;
            if (isNew) m_nodes.emplace_back();
        }
        m_nodes[node].isEnd = true;
    }
}

const SlowSplitter::Node* SlowSplitter::step(const Node* node, const std::u32string& text,
                                             std::size_t at) const {
    if (at >= text.size()) return nullptr;
    const auto next = node->next.find(text[at]);
    return next == node->next.end() ? nullptr : &m_nodes[next->second];
}

namespace {

/// Counts the characters that partial matches are compared with. Long tokens that begin alike could otherwise
/// take thousands of them for each character of a text.
class Comparisons {
  public:
    explicit Comparisons(std::size_t characters) : m_left(kFree + kEach * characters) {}

    void add(std::size_t count) {
        if (count > m_left)
            fail("the text", "beginnings of long added tokens at nearly every character",
                 fmt::format("expected at most {} of them at one, on average", kEach), "use a shorter text");
        m_left -= count;
    }

  private:
    static constexpr std::size_t kEach = 64;
    static constexpr std::size_t kFree = std::size_t{1} << 24;

    std::size_t m_left;
};

} // namespace

/// Where the text is cut, in the reference's order. Partial matches are followed side by side, by where they
/// began; when one of them turns out to be complete, those that began no later are followed on to find a
/// longer one, even those that the character at hand has just ended, which then go on from where they stood.
std::vector<std::size_t> SlowSplitter::cuts(const std::u32string& text) const {
    std::vector<std::size_t> offsets = {0};
    std::vector<std::pair<std::size_t, const Node*>> states; // ascending
    Comparisons comparisons(text.size());
    std::size_t skip = 0;
    for (std::size_t current = 0; current < text.size(); ++current) {
        if (current < skip) continue;
        std::vector<std::size_t> ended;
        bool isCut = false;
        comparisons.add(states.size());
        for (auto& [begin, node] : states) {
            if (!node->isEnd) {
                const Node* next = step(node, text, current);
                if (next == nullptr)
                    ended.push_back(begin);
                else
                    node = next;
                continue;
            }
            std::size_t start = begin;
            std::size_t end = current;
            for (const auto& state : states) {
                const std::size_t lookBegin = state.first; // clang 14 captures no part of a binding
                if (lookBegin > start) break;
                std::size_t ahead = lookBegin < start ? current + 1 : current;
                end = ahead;
                const Node* look = state.second;
                const auto take = [&] {
                    if (!look->isEnd) return;
                    start = lookBegin;
                    end = ahead;
                    skip = ahead;
                };
                take();
                while (const Node* next = step(look, text, ahead)) {
                    comparisons.add(1);
                    look = next;
                    ++ahead;
                    take();
                }
            }
            offsets.push_back(start);
            offsets.push_back(end);
            isCut = true;
            break;
        }
        if (isCut)
            states.clear();
        else if (!ended.empty())
            std::erase_if(states, [&](const auto& state) {
                return std::binary_search(ended.begin(), ended.end(), state.first);
            });
        if (current >= skip)
            if (const Node* first = step(&m_nodes[0], text, current)) states.emplace_back(current, first);
    }
    for (const auto& [begin, node] : states) {
        if (!node->isEnd) continue;
        offsets.push_back(begin);
        offsets.push_back(text.size());
        break;
    }
    offsets.push_back(text.size());
    return offsets;
}

namespace {

/// A part while it and its neighbours act on each other.
struct WorkingPart {
    NormalizedText text;
    std::optional<NormalizedText> taken; ///< the token with the white space that it took
};

/// A token takes white space of its neighbours, and is no token where it must be a word and is none.
void act(WorkingPart* left, WorkingPart& own, WorkingPart* right, const AddedToken& token) {
    const std::string leftBefore = left == nullptr ? std::string() : left->text.text();
    const std::string rightBefore = right == nullptr ? std::string() : right->text.text();
    NormalizedText taken = own.text;
    if (token.rstrip && right != nullptr) {
        const std::size_t space = leadingSpace(right->text);
        taken.append(right->text, 0, space);
        right->text = part(right->text, space, right->text.size());
    }
    if (token.lstrip && left != nullptr) {
        const std::size_t end = withoutTrailingSpace(left->text);
        NormalizedText extended = part(left->text, end, left->text.size());
        extended.append(taken, 0, taken.size());
        taken = std::move(extended);
        left->text = part(left->text, 0, end);
    }
    if (token.singleWord && !leftBefore.empty() && !leftBefore.ends_with(' ')) {
        left->text.append(own.text, 0, own.text.size());
        left->taken.reset();
        own.text = {};
    } else if (token.singleWord && !rightBefore.empty() && !rightBefore.starts_with(' ')) {
        own.text.append(right->text, 0, right->text.size());
        right->text = std::move(own.text);
        own.text = {};
    } else {
        own.taken = std::move(taken);
    }
}

} // namespace

void SlowSplitter::split(const NormalizedText& text, const std::function<void(const SlowPart&)>& sink) const {
    const std::vector<std::size_t> bytes = codePointOffsets(text.text());
    const std::vector<std::size_t> ends = cuts(toCodePoints(text.text()));
    std::size_t begin = 0;
    auto end = ends.begin();
    const auto next = [&]() -> std::optional<WorkingPart> {
        while (end != ends.end() && begin >= *end) ++end;
        if (end == ends.end()) return std::nullopt;
        WorkingPart result = {part(text, bytes[begin], bytes[*end]), {}};
        begin = *end;
        return result;
    };
    const auto finish = [&](WorkingPart& one) {
        if (one.text.empty()) return;
        const auto at = m_tokens.find(one.text.text());
        const bool isToken = at != m_tokens.end();
        NormalizedText& whole = isToken && one.taken ? *one.taken : one.text;
        sink({std::move(whole), isToken ? at->second.content : std::string()});
    };
    // A part is done when the one behind it has acted.
    std::optional<WorkingPart> left;
    std::optional<WorkingPart> own = next();
    while (own) {
        std::optional<WorkingPart> right = next();
        if (const auto at = m_tokens.find(own->text.text()); at != m_tokens.end())
            act(left ? &*left : nullptr, *own, right ? &*right : nullptr, at->second);
        if (left) finish(*left);
        left = std::move(own);
        own = std::move(right);
    }
    if (left) finish(*left);
}

} // namespace headscope
