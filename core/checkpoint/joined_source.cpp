// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/joined_source.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/tensor_table.h"

#include <fmt/format.h>
#include <unordered_map>

namespace headscope {

namespace {

class JoinedSource final : public TensorSource {
  public:
    JoinedSource(std::vector<Shard> shards, std::vector<TensorInfo> tensors)
        : m_shards(std::move(shards)), m_table(std::move(tensors)) {}

    const std::vector<TensorInfo>& tensors() const override { return m_table.tensors(); }
    const TensorInfo* find(std::string_view name) const override { return m_table.find(name); }
    std::string fileName(const TensorInfo& tensor) const override { return m_shards[tensor.file].name; }
    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        m_shards[tensor.file].tensors->readRaw(tensor, first, count, out);
    }
    void dropPages(const TensorInfo& tensor) const override {
        m_shards[tensor.file].tensors->dropPages(tensor);
    }

  private:
    std::vector<Shard> m_shards;
    TensorTable m_table;
};

void requireNamedTensors(const std::vector<Shard>& shards, const ShardIndex& index,
                         const std::string& indexName) {
    for (const auto& [name, file] : index.fileOf)
        if (shards[file].tensors->find(name) == nullptr)
            fail(indexName,
                 fmt::format("it places the tensor {} in {}, which lacks it", quotedName(name),
                             messageName(shards[file].name)),
                 {}, "the index belongs to other files: get it again with them");
}

} // namespace

std::shared_ptr<const TensorSource> joinShards(std::vector<Shard> shards, const ShardIndex* index,
                                               const std::string& indexName) {
    HS_CHECK(index == nullptr || index->files.size() == shards.size());
    std::vector<TensorInfo> tensors;
    std::unordered_map<std::string_view, std::size_t> fileOf;
    for (std::size_t file = 0; file < shards.size(); ++file) {
        for (const TensorInfo& tensor : shards[file].tensors->tensors()) {
            const auto [first, isNew] = fileOf.try_emplace(tensor.name, file);
            if (!isNew)
                fail(messageName(shards[file].name),
                     fmt::format("the tensor {} stands here", quotedName(tensor.name)),
                     fmt::format("and in {} too", messageName(shards[first->second].name)),
                     "the files belong to two models: get them again");
            if (index != nullptr && !index->fileOf.contains(tensor.name)) continue;
            tensors.push_back(tensor);
            tensors.back().file = file;
        }
    }
    if (index != nullptr) requireNamedTensors(shards, *index, indexName);
    return std::make_shared<JoinedSource>(std::move(shards), std::move(tensors));
}

} // namespace headscope
