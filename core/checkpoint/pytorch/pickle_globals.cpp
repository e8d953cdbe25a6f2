// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pickle_globals.h"

#include <algorithm>
#include <array>

namespace headscope {

namespace {

constexpr PickleGlobalFacts storage(std::string_view name, DType dtype) {
    return {PickleGlobal::StorageType, "torch", name, dtype};
}

constexpr PickleGlobalFacts elementType(std::string_view name) {
    return {PickleGlobal::ElementType, "torch", name};
}

constexpr std::array kGlobals{
    PickleGlobalFacts{PickleGlobal::OrderedDict, "collections", "OrderedDict"},
    PickleGlobalFacts{PickleGlobal::RebuildTensor, "torch._utils", "_rebuild_tensor_v2"},
    PickleGlobalFacts{PickleGlobal::RebuildParameter, "torch._utils", "_rebuild_parameter"},
    PickleGlobalFacts{PickleGlobal::Size, "torch", "Size"},
    storage("FloatStorage", DType::F32),
    storage("DoubleStorage", DType::F64),
    storage("HalfStorage", DType::F16),
    storage("BFloat16Storage", DType::BF16),
    storage("LongStorage", DType::I64),
    storage("IntStorage", DType::I32),
    storage("ShortStorage", DType::I16),
    storage("CharStorage", DType::I8),
    storage("ByteStorage", DType::U8),
    storage("BoolStorage", DType::Bool),
    elementType("float32"),
    elementType("float64"),
    elementType("float16"),
    elementType("bfloat16"),
    elementType("int64"),
    elementType("int32"),
    elementType("int16"),
    elementType("int8"),
    elementType("uint8"),
    elementType("bool"),
};

} // namespace

const PickleGlobalFacts* findPickleGlobal(std::string_view module, std::string_view name) {
    const auto found = std::find_if(kGlobals.begin(), kGlobals.end(), [&](const PickleGlobalFacts& facts) {
        return facts.module == module && facts.name == name;
    });
    return found == kGlobals.end() ? nullptr : &*found;
}

} // namespace headscope
