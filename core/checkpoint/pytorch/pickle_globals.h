// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace headscope {

/// The names that a file of plain tensors may refer to. A name is turned into one of these tags by comparing
/// it with a closed list; nothing is looked up, loaded or called.
enum class PickleGlobal : std::uint8_t {
    OrderedDict,
    RebuildTensor,    ///< torch._utils._rebuild_tensor_v2
    RebuildParameter, ///< torch._utils._rebuild_parameter
    Size,             ///< torch.Size
    StorageType,      ///< torch.FloatStorage and its like
    ElementType,      ///< torch.float32 and its like
};

struct PickleGlobalFacts {
    PickleGlobal global;
    std::string_view module;
    std::string_view name;
    DType dtype = DType::F32; ///< of a storage type; else without meaning
};

/// nullptr for every name that is not on the list.
const PickleGlobalFacts* findPickleGlobal(std::string_view module, std::string_view name);

} // namespace headscope
