// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/shard_index.h"
#include "core/checkpoint/tensor_source.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// One of the files that a model is split over.
struct Shard {
    std::string name;
    std::shared_ptr<const TensorSource> tensors;
};

/// The tensors of several files as one source; TensorInfo::file is the place of the tensor's file in
/// `shards`. With an index (whose files are the shards, in its order) only the tensors it names are taken.
/// Throws Error for a tensor that stands in two files, and for an index that names one that its file lacks.
std::shared_ptr<const TensorSource> joinShards(std::vector<Shard> shards, const ShardIndex* index,
                                               const std::string& indexName);

} // namespace headscope
