// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <type_traits>

namespace headscope {

/// A row-major matrix owned by somebody else; `stride` elements from one row to the next (stride >= columns).
template <typename T>
struct MatrixView {
    T* data = nullptr;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t stride = 0;

    MatrixView() = default;
    MatrixView(T* d, std::int64_t r, std::int64_t c) : MatrixView(d, r, c, c) {}
    MatrixView(T* d, std::int64_t r, std::int64_t c, std::int64_t s)
        : data(d), rows(r), columns(c), stride(s) {}
    /// A view of mutable data is also a view of const data.
    template <typename U>
    requires(std::is_same_v<const U, T>)
        MatrixView(const MatrixView<U>& other) // NOLINT(google-explicit-constructor)
        : MatrixView(other.data, other.rows, other.columns, other.stride) {}

    T* row(std::int64_t i) const { return data + i * stride; }
    T& at(std::int64_t i, std::int64_t j) const { return data[i * stride + j]; }
    Extent extent() const { return {rows, columns}; }
};

} // namespace headscope
