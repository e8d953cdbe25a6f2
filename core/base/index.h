// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace headscope {

/// A 0-based index that cannot be mixed up with another kind of index.
template <typename Tag>
struct Index {
    std::int32_t value = 0;

    constexpr Index() = default;
    constexpr explicit Index(std::int64_t number) : value(static_cast<std::int32_t>(number)) {}
    friend constexpr auto operator<=>(const Index&, const Index&) = default;
};

using LayerIndex = Index<struct LayerTag>;
using HeadIndex = Index<struct HeadTag>;

/// Half-open range [begin, end) of rows, columns or tokens.
struct Span {
    std::int64_t begin = 0;
    std::int64_t end = 0;

    constexpr std::int64_t size() const { return end - begin; }
    constexpr bool contains(std::int64_t i) const { return i >= begin && i < end; }
    friend constexpr bool operator==(const Span&, const Span&) = default;
};

/// Rows = queries, columns = keys.
struct Extent {
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    friend constexpr bool operator==(const Extent&, const Extent&) = default;
};

} // namespace headscope
