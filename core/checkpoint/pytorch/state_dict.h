// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/pytorch/pickle_tree.h"
#include "core/checkpoint/tensor_source.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headscope {

/// A run of numbers that tensors are views of, as the pickle describes it; its bytes stand elsewhere.
struct StorageInfo {
    std::string key;
    DType dtype = DType::F32;
    std::int64_t elements = 0;
};

/// How a tensor lies in its storage, in elements.
struct StridedView {
    std::string storage; ///< key
    std::int64_t offset = 0;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides; ///< one per dimension, none negative
};

struct StateDict {
    std::vector<TensorInfo> tensors; ///< in the pickle's order; file and offset are left to the reader
    std::vector<StridedView> views;  ///< one per tensor, checked to lie inside its storage
    std::map<std::string, StorageInfo> storages; ///< all of the pickle, also of what is not read
    std::vector<std::string> notes;              ///< one sentence each
};

/// What a pickle of torch.save may look like.
enum class PytorchLayout : std::uint8_t {
    StateDict, ///< a dictionary of names and tensors, or a training checkpoint whose "state_dict" or "model"
               ///< is one
    Nested ///< a tensor ("tensor"), or lists, tuples and dictionaries of such in each other: a name is the
           ///< way to it, "attentions.0"
};

/// The tensors of a pickle. Throws Error{subject, ...} for another layout, for a tensor that reaches beyond
/// its storage, and for a name that stands twice. Values that are no tensors are left out and noted.
StateDict readStateDict(const PickleTree& tree, const std::string& subject,
                        PytorchLayout layout = PytorchLayout::StateDict);

} // namespace headscope
