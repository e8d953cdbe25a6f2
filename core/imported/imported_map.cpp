// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/imported_map.h"

#include "core/base/check.h"

#include <utility>

namespace headscope {

namespace {

Extent extentOf(const std::shared_ptr<const MaskRule>& mask) {
    HS_CHECK(mask != nullptr);
    return {mask->queries, mask->keys};
}

} // namespace

ImportedMap::ImportedMap(std::shared_ptr<const MaskRule> mask, std::vector<float> weights)
    : m_mask(std::move(mask)), m_map(extentOf(m_mask), std::move(weights)) {}

void ImportedMap::tile(Span rows, Span columns, MatrixView<float> out) const {
    m_map.tile(rows, columns, out);
}

void ImportedMap::visibleSpans(std::int64_t row, std::vector<Span>& out) const {
    m_mask->visibleSpans(row, out);
}

} // namespace headscope
