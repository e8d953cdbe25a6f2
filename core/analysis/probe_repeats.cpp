// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/probe_repeats.h"

#include "core/analysis/fixed_random.h"
#include "core/analysis/unknown_token.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>

namespace headscope {

namespace {

constexpr std::size_t kEnough = 100; ///< ids to draw from, before less meaningful ones are taken too
constexpr std::size_t kCopies = 4;
constexpr std::size_t kGaps = kCopies - 1;
constexpr std::size_t kShortestGaps = 1 + 2 + 3;
constexpr std::size_t kLongestGap = 8;
constexpr std::size_t kSmallestBlock = 6;
constexpr std::size_t kUsualBlock = 10;
constexpr std::size_t kLargestBlock = 25;

using Ids = std::vector<std::int64_t>;

/// How much a token means by itself, best first.
enum class Meaning { MarkedWord, Word, Letters, Other, None };

bool isAsciiLetter(char32_t c) {
    return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

/// Blocks of Unicode that hold letters almost alone; a stray sign among them does no harm.
bool isLetter(char32_t c) {
    struct Range {
        char32_t first;
        char32_t last;
    };
    static constexpr Range kRanges[] = {
        {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2AF},    {0x370, 0x373},   {0x388, 0x52F},
        {0x531, 0x586},   {0x5D0, 0x5EA},   {0x620, 0x64A},   {0x904, 0x939},   {0x985, 0x9B9},
        {0xE01, 0xE30},   {0x10A0, 0x11FF}, {0x1E00, 0x1FBC}, {0x3041, 0x3096}, {0x30A1, 0x30FA},
        {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}};
    return isAsciiLetter(c) || std::ranges::any_of(kRanges, [c](const Range& range) {
               return c >= range.first && c <= range.last;
           });
}

bool takeStart(std::string_view& text, std::string_view start) {
    const bool does = text.starts_with(start);
    if (does) text.remove_prefix(start.size());
    return does;
}

bool takeEnd(std::string_view& text, std::string_view end) {
    const bool does = text.ends_with(end);
    if (does) text.remove_suffix(end.size());
    return does;
}

/// "<0x41>", "<extra_id_0>", "[unused7]".
bool isBracketed(std::string_view text) {
    return (text.starts_with('<') && text.ends_with('>')) || (text.starts_with('[') && text.ends_with(']'));
}

Meaning meaningOf(std::string_view text) {
    if (isBracketed(text)) return Meaning::None;
    const bool marked = takeStart(text, " ") || takeStart(text, "▁") || takeEnd(text, "</w>");
    const bool continues = takeStart(text, "##");
    if (firstInvalidUtf8(text)) return Meaning::None;
    const std::u32string read = toCodePoints(text);
    const bool isAscii = std::ranges::all_of(read, isAsciiLetter);
    if (!std::ranges::all_of(read, isLetter) || read.empty() || (isAscii && read.size() == 1)) {
        const bool says =
            std::ranges::any_of(read, [](char32_t c) { return isLetter(c) || (c >= U'0' && c <= U'9'); });
        return says ? Meaning::Other : Meaning::None;
    }
    if (continues) return Meaning::Other;
    if (!isAscii || read.size() < 3) return Meaning::Letters;
    return marked ? Meaning::MarkedWord : Meaning::Word;
}

Meaning meaningOf(const Tokenizer& tokenizer, std::int64_t id) {
    const std::optional<std::string> piece = tokenizer.piece(id);
    if (!piece || tokenizer.isSpecial(id) || isUnknownPiece(*piece)) return Meaning::None;
    return meaningOf(tokenizer.bytes(id).value_or(*piece));
}

/// Neither the commonest nor the rare ones.
Ids middleOf(const Ids& ids) {
    const auto at = [&](std::size_t tenths) {
        return ids.begin() + static_cast<std::ptrdiff_t>(ids.size() * tenths / 10);
    };
    return {at(1), at(5)};
}

/// Three different lengths whose sum is at most `room`.
std::vector<std::size_t> gapsWithin(std::size_t room, FixedRandom& random) {
    std::size_t longest = kLongestGap;
    while (3 * longest - 3 > room) --longest;
    std::vector<std::size_t> lengths(longest);
    std::iota(lengths.begin(), lengths.end(), std::size_t{1});
    random.draw(lengths, kGaps);
    lengths.resize(kGaps);
    return lengths;
}

} // namespace

Ids contentIds(const Tokenizer* tokenizer, std::int64_t vocabularySize) {
    if (tokenizer == nullptr) {
        Ids all(static_cast<std::size_t>(vocabularySize));
        std::iota(all.begin(), all.end(), 0);
        Ids middle = middleOf(all);
        if (middle.size() >= kEnough) return middle;
        // Of a small vocabulary all but the first, where special tokens usually stand.
        return {all.begin() + vocabularySize / 10, all.end()};
    }
    std::vector<Ids> byMeaning(static_cast<std::size_t>(Meaning::None));
    for (std::int64_t id = 0; id < std::min(tokenizer->idLimit(), vocabularySize); ++id)
        if (const Meaning meaning = meaningOf(*tokenizer, id); meaning != Meaning::None)
            byMeaning[static_cast<std::size_t>(meaning)].push_back(id);
    Ids ids;
    for (const Ids& more : byMeaning)
        if (ids.size() < kEnough) ids.insert(ids.end(), more.begin(), more.end());
    std::ranges::sort(ids);
    const Ids middle = middleOf(ids);
    return middle.size() < kEnough ? ids : middle;
}

std::optional<Ids> repeatedIds(Ids vocabulary, std::int64_t room, std::uint64_t seed) {
    const std::size_t places = static_cast<std::size_t>(std::max<std::int64_t>(0, room));
    if (std::min(places, vocabulary.size()) < kShortestGaps) return std::nullopt;
    const std::size_t largest =
        std::min({kLargestBlock, (places - kShortestGaps) / kCopies, vocabulary.size() - kShortestGaps});
    if (largest < kSmallestBlock) return std::nullopt;
    FixedRandom random(seed);
    const std::size_t block =
        largest <= kUsualBlock ? largest : kUsualBlock + random.below(largest - kUsualBlock + 1);
    const std::vector<std::size_t> gaps =
        gapsWithin(std::min(places - kCopies * block, vocabulary.size() - block), random);
    random.draw(vocabulary, block + std::accumulate(gaps.begin(), gaps.end(), std::size_t{0}));

    auto filler = vocabulary.cbegin() + static_cast<std::ptrdiff_t>(block);
    const Ids copy(vocabulary.cbegin(), filler);
    Ids ids = copy;
    for (const std::size_t gap : gaps) {
        std::copy_n(filler, gap, std::back_inserter(ids));
        std::advance(filler, gap);
        ids.insert(ids.end(), copy.begin(), copy.end());
    }
    return ids;
}

} // namespace headscope
