// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"
#include "core/checkpoint/tensor_source.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope {

/// The tensors of a source in file order, found by name in constant time. Names must differ (CHECKed).
class TensorTable {
  public:
    explicit TensorTable(std::vector<TensorInfo> tensors) : m_tensors(std::move(tensors)) {
        m_indices.reserve(m_tensors.size());
        for (std::size_t i = 0; i < m_tensors.size(); ++i)
            HS_CHECK(m_indices.emplace(m_tensors[i].name, i).second);
    }
    TensorTable(const TensorTable&) = delete;
    TensorTable& operator=(const TensorTable&) = delete;

    const std::vector<TensorInfo>& tensors() const { return m_tensors; }
    const TensorInfo* find(std::string_view name) const {
        const auto found = m_indices.find(name);
        return found == m_indices.end() ? nullptr : &m_tensors[found->second];
    }
    /// Place in tensors() of a tensor of this table, or of a copy of its description.
    std::size_t indexOf(const TensorInfo& tensor) const {
        const auto found = m_indices.find(tensor.name);
        HS_CHECK(found != m_indices.end());
        return found->second;
    }

  private:
    std::vector<TensorInfo> m_tensors;
    std::unordered_map<std::string_view, std::size_t> m_indices; ///< the keys point into m_tensors
};

} // namespace headscope
