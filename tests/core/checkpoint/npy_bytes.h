// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/checkpoint/pickle_bytes.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {

/// A whole .npy file: `dictionary` after a prefix of that version, then `data`.
inline std::string npyBytes(std::string_view dictionary, std::string_view data, char version = '\1') {
    const std::string length = version == '\1' ? pickle::raw(static_cast<std::uint16_t>(dictionary.size()))
                                               : pickle::raw(static_cast<std::uint32_t>(dictionary.size()));
    return pickle::joined(
        {"\x93NUMPY", std::string_view(&version, 1), std::string_view("\0", 1), length, dictionary, data});
}

/// What numpy writes of an array of that type and shape, in C order.
inline std::string npyDictionary(std::string_view type, std::string_view shape,
                                 std::string_view fortran = "False") {
    return pickle::joined(
        {"{'descr': '", type, "', 'fortran_order': ", fortran, ", 'shape': ", shape, ", }\n"});
}

inline std::string npyArray(std::string_view type, std::string_view shape, std::string_view data) {
    return npyBytes(npyDictionary(type, shape), data);
}

inline std::string floatBytes(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

} // namespace headscope::test
