// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/pytorch/state_dict.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace headscope {

/// A strided view of a storage as runs of neighbouring elements: which elements of the storage follow each
/// other in the row-major order of the tensor. A contiguous tensor is one run, a slice of columns one run a
/// row, a transposed matrix one run an element.
class StridedRuns {
  public:
    explicit StridedRuns(const StridedView& view) : m_offset(view.offset) {
        // Without elements the strides mean nothing and may be anything.
        if (std::find(view.shape.begin(), view.shape.end(), 0) != view.shape.end()) return;
        for (std::size_t i = 0; i < view.shape.size(); ++i) {
            if (view.shape[i] == 1) continue;
            // Two dimensions that step alike are one.
            if (!m_shape.empty() && m_strides.back() == view.shape[i] * view.strides[i]) {
                m_shape.back() *= view.shape[i];
                m_strides.back() = view.strides[i];
                continue;
            }
            m_shape.push_back(view.shape[i]);
            m_strides.push_back(view.strides[i]);
        }
        if (m_shape.empty()) return;
        if (m_strides.back() != 1) return;
        m_run = m_shape.back();
        m_shape.pop_back();
        m_strides.pop_back();
    }

    bool contiguous() const { return m_shape.empty(); }
    std::int64_t offset() const { return m_offset; } ///< of the first element, in the storage
    std::int64_t run() const { return m_run; }       ///< elements that stand together

    /// Calls `visit(element of the storage, count)` for elements [first, first + count) of the tensor, in
    /// order. The range must lie inside the tensor.
    template <typename Visit>
    void forEach(std::int64_t first, std::int64_t count, const Visit& visit) const {
        if (count == 0) return;
        std::vector<std::int64_t> at(m_shape.size());
        std::int64_t outer = first / m_run;
        std::int64_t inRun = first % m_run;
        std::int64_t start = m_offset;
        for (std::size_t i = m_shape.size(); i-- > 0;) {
            at[i] = outer % m_shape[i];
            outer /= m_shape[i];
            start += at[i] * m_strides[i];
        }
        for (;;) {
            const std::int64_t piece = std::min(count, m_run - inRun);
            visit(start + inRun, piece);
            count -= piece;
            if (count == 0) return;
            inRun = 0;
            for (std::size_t i = m_shape.size(); i-- > 0;) {
                start += m_strides[i];
                if (++at[i] < m_shape[i]) break;
                start -= m_shape[i] * m_strides[i];
                at[i] = 0;
            }
        }
    }

    /// The same elements, of `size` bytes each, from a storage in memory, one behind the other.
    void gather(std::int64_t first, std::int64_t count, std::int64_t size, const char* storage,
                std::byte* to) const {
        forEach(first, count, [&](std::int64_t element, std::int64_t elements) {
            std::memcpy(to, storage + element * size, static_cast<std::size_t>(elements * size));
            to += elements * size;
        });
    }

  private:
    std::int64_t m_offset = 0;
    std::int64_t m_run = 1;
    std::vector<std::int64_t>
        m_shape; ///< without the dimension that the run is, and without those of extent 1
    std::vector<std::int64_t> m_strides;
};

} // namespace headscope
