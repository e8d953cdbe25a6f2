// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/viewed_source.h"

#include "core/base/check.h"
#include "core/checkpoint/tensor_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace headscope {

namespace {

std::vector<TensorInfo> infosOf(const TensorSource& source, const std::vector<TensorView>& views) {
    std::vector<TensorInfo> infos;
    infos.reserve(views.size());
    for (const TensorView& view : views) {
        const TensorInfo* stored = source.find(view.stored);
        HS_CHECK(stored != nullptr);
        TensorInfo info = *stored;
        info.name = view.name;
        info.shape = view.shape;
        if (view.shift != 0.0F) info.dtype = DType::F32;
        std::int64_t elements = 1;
        for (const std::int64_t extent : view.shape) elements *= extent;
        HS_CHECK(view.first >= 0 && elements <= stored->elements - view.first);
        info.elements = elements;
        if (view.rows != nullptr) {
            HS_CHECK_EQ(elements, stored->elements);
            HS_CHECK_EQ(static_cast<std::int64_t>(view.rows->size()), stored->shape.front());
            for (const std::int64_t row : *view.rows) HS_CHECK(row >= 0 && row < stored->shape.front());
        }
        infos.push_back(std::move(info));
    }
    return infos;
}

class ViewedSource final : public TensorSource {
  public:
    ViewedSource(std::shared_ptr<const TensorSource> source, std::vector<TensorView> views)
        : m_source(std::move(source)), m_views(std::move(views)), m_table(infosOf(*m_source, m_views)) {}

    const std::vector<TensorInfo>& tensors() const override { return m_table.tensors(); }
    const TensorInfo* find(std::string_view name) const override { return m_table.find(name); }
    std::string fileName(const TensorInfo& tensor) const override {
        return m_source->fileName(storedOf(viewOf(tensor)));
    }
    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        const TensorView& view = viewOf(tensor);
        if (view.shift == 0.0F) return readRows(view, first, count, out);
        std::vector<float> numbers(static_cast<std::size_t>(count));
        m_source->readFloats(storedOf(view), view.first + first, numbers);
        for (float& number : numbers) number += view.shift;
        HS_CHECK_EQ(out.size(), numbers.size() * sizeof(float));
        std::memcpy(out.data(), numbers.data(), out.size());
    }
    void dropPages(const TensorInfo& tensor) const override { m_source->dropPages(storedOf(viewOf(tensor))); }

  private:
    const TensorView& viewOf(const TensorInfo& tensor) const { return m_views[m_table.indexOf(tensor)]; }
    const TensorInfo& storedOf(const TensorView& view) const { return *m_source->find(view.stored); }

    /// Elements in the view's order: rows that follow each other in both are read at once.
    void readRows(const TensorView& view, std::int64_t first, std::int64_t count,
                  std::span<std::byte> out) const {
        const TensorInfo& stored = storedOf(view);
        if (view.rows == nullptr) return m_source->readRaw(stored, view.first + first, count, out);
        const std::int64_t width = stored.elements / stored.shape.front();
        const std::int64_t size = sizeOf(stored.dtype);
        while (count > 0) {
            const std::int64_t row = first / width;
            const std::int64_t inside = first % width;
            std::int64_t together = 1;
            while (together * width - inside < count &&
                   (*view.rows)[static_cast<std::size_t>(row + together)] ==
                       (*view.rows)[static_cast<std::size_t>(row)] + together)
                ++together;
            const std::int64_t piece = std::min(count, together * width - inside);
            m_source->readRaw(stored, (*view.rows)[static_cast<std::size_t>(row)] * width + inside, piece,
                              out.first(static_cast<std::size_t>(piece * size)));
            out = out.subspan(static_cast<std::size_t>(piece * size));
            first += piece;
            count -= piece;
        }
    }

    std::shared_ptr<const TensorSource> m_source;
    std::vector<TensorView> m_views;
    TensorTable m_table;
};

} // namespace

std::shared_ptr<const TensorSource> viewTensors(std::shared_ptr<const TensorSource> source,
                                                std::vector<TensorView> views) {
    return std::make_shared<ViewedSource>(std::move(source), std::move(views));
}

} // namespace headscope
