// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/adapter/adapted_source.h"

#include "core/base/check.h"
#include "core/checkpoint/tensor_table.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace headscope {

namespace {

/// The product added to a matrix of `rows` by `columns`: left [rows, rank] times right [rank, columns].
struct Factors {
    std::int64_t rank = 0;
    std::vector<float> left;
    std::vector<float> right;
};

std::vector<float> transposed(const std::vector<float>& values, std::int64_t rows, std::int64_t columns) {
    std::vector<float> result(values.size());
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            result[static_cast<std::size_t>(column * rows + row)] =
                values[static_cast<std::size_t>(row * columns + column)];
    return result;
}

std::vector<float> allOf(const TensorSource& source, const TensorInfo& tensor) {
    std::vector<float> values(static_cast<std::size_t>(tensor.elements));
    source.readFloats(tensor, 0, values);
    return values;
}

std::shared_ptr<const Factors> readFactors(const TensorSource& adapter, const AdaptedTensor& adapted) {
    const TensorInfo& a = *adapter.find(adapted.a);
    const TensorInfo& b = *adapter.find(adapted.b);
    auto factors = std::make_shared<Factors>();
    factors->rank = a.shape[0];
    factors->left = allOf(adapter, adapted.transposed ? a : b);
    factors->right = allOf(adapter, adapted.transposed ? b : a);
    if (adapted.transposed) {
        factors->left = transposed(factors->left, a.shape[0], a.shape[1]);
        factors->right = transposed(factors->right, b.shape[0], b.shape[1]);
    }
    return factors;
}

/// Adds scale * left[row] right to columns [first, first + out.size()) of a row.
void addToRow(const Factors& factors, float scale, std::int64_t row, std::int64_t columns, std::int64_t first,
              std::span<float> out) {
    std::vector<float> sums(out.size(), 0.0F);
    for (std::int64_t r = 0; r < factors.rank; ++r) {
        const float weight = factors.left[static_cast<std::size_t>(row * factors.rank + r)];
        const float* from = factors.right.data() + r * columns + first;
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weight * from[i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) out[i] += scale * sums[i];
}

std::vector<TensorInfo> infosOf(const TensorSource& base, const TensorSource& adapter,
                                const std::vector<AdaptedTensor>& adapted) {
    std::vector<TensorInfo> infos = base.tensors();
    std::unordered_map<std::string_view, const AdaptedTensor*> byName;
    for (const AdaptedTensor& one : adapted) HS_CHECK(byName.emplace(one.name, &one).second);
    std::size_t found = 0;
    for (TensorInfo& info : infos) {
        const auto one = byName.find(info.name);
        if (one == byName.end()) continue;
        ++found;
        info.dtype = DType::F32;
        const TensorInfo* a = adapter.find(one->second->a);
        const TensorInfo* b = adapter.find(one->second->b);
        HS_CHECK(a != nullptr && b != nullptr && info.shape.size() == 2);
        HS_CHECK(a->shape.size() == 2 && b->shape.size() == 2 && a->shape[0] == b->shape[1]);
        const bool turned = one->second->transposed;
        HS_CHECK_EQ(info.shape[turned ? 1 : 0], b->shape[0]);
        HS_CHECK_EQ(info.shape[turned ? 0 : 1], a->shape[1]);
    }
    HS_CHECK_EQ(found, adapted.size());
    return infos;
}

class AdaptedSource final : public TensorSource {
  public:
    AdaptedSource(std::shared_ptr<const TensorSource> base, std::shared_ptr<const TensorSource> adapter,
                  std::vector<AdaptedTensor> adapted)
        : m_base(std::move(base)), m_adapter(std::move(adapter)), m_adapted(std::move(adapted)),
          m_table(infosOf(*m_base, *m_adapter, m_adapted)) {
        for (const AdaptedTensor& one : m_adapted) m_byName.emplace(one.name, &one);
    }

    const std::vector<TensorInfo>& tensors() const override { return m_table.tensors(); }
    const TensorInfo* find(std::string_view name) const override { return m_table.find(name); }
    /// What is wrong with a sum need not be wrong in the base alone.
    std::string fileName(const TensorInfo& tensor) const override {
        std::string name = m_base->fileName(own(tensor));
        return m_byName.contains(tensor.name) ? name.append(" with the adapter") : name;
    }
    void dropPages(const TensorInfo& tensor) const override { m_base->dropPages(own(tensor)); }

    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        const auto adapted = m_byName.find(tensor.name);
        if (adapted == m_byName.end()) return m_base->readRaw(own(tensor), first, count, out);
        HS_CHECK_EQ(out.size(), static_cast<std::size_t>(count) * sizeof(float));
        const std::shared_ptr<const Factors> factors = factorsOf(*adapted->second);
        std::vector<float> numbers(static_cast<std::size_t>(count));
        m_base->readFloats(own(tensor), first, numbers);
        const std::int64_t columns = tensor.shape[1];
        for (std::int64_t done = 0; done < count;) {
            const std::int64_t column = (first + done) % columns;
            const std::int64_t piece = std::min(count - done, columns - column);
            addToRow(
                *factors, adapted->second->scale, (first + done) / columns, columns, column,
                std::span(numbers).subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(piece)));
            done += piece;
        }
        std::memcpy(out.data(), numbers.data(), out.size());
    }

  private:
    const TensorInfo& own(const TensorInfo& tensor) const {
        return m_base->tensors()[m_table.indexOf(tensor)];
    }

    /// Matrices are read in pieces, one after the other.
    std::shared_ptr<const Factors> factorsOf(const AdaptedTensor& adapted) const {
        {
            const std::scoped_lock lock(m_mutex);
            if (m_last == &adapted) return m_factors;
        }
        auto factors = readFactors(*m_adapter, adapted);
        const std::scoped_lock lock(m_mutex);
        m_last = &adapted;
        m_factors = factors;
        return factors;
    }

    std::shared_ptr<const TensorSource> m_base;
    std::shared_ptr<const TensorSource> m_adapter;
    std::vector<AdaptedTensor> m_adapted;
    TensorTable m_table;
    std::unordered_map<std::string_view, const AdaptedTensor*> m_byName;
    mutable std::mutex m_mutex;
    mutable const AdaptedTensor* m_last = nullptr;
    mutable std::shared_ptr<const Factors> m_factors;
};

} // namespace

std::shared_ptr<const TensorSource> adaptTensors(std::shared_ptr<const TensorSource> base,
                                                 std::shared_ptr<const TensorSource> adapter,
                                                 std::vector<AdaptedTensor> adapted) {
    return std::make_shared<AdaptedSource>(std::move(base), std::move(adapter), std::move(adapted));
}

} // namespace headscope
