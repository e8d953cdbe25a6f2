// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/pytorch/pickle_globals.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace headscope {

enum class PickleKind : std::uint8_t {
    None,
    Bool,        ///< integer is 0 or 1
    Integer,     ///< integer
    LongInteger, ///< wider than 64 bits; text holds its bytes, least significant first
    Real,        ///< real
    String,      ///< text, well-formed UTF-8
    List,        ///< children
    Tuple,       ///< children
    Dict,        ///< children: key, value, key, value, ...
    Global,      ///< global
    Call,        ///< global called with children[0], a tuple; what it means is for the reader to say
    Storage,     ///< a persistent id: children[0], whatever it is
};

/// "an integer", "a dictionary": for messages.
const char* nameOf(PickleKind kind);

using PickleIndex = std::uint32_t; ///< of a value in its tree

struct PickleValue {
    PickleKind kind = PickleKind::None;
    union {
        std::int64_t integer = 0;
        double real;
        const PickleGlobalFacts* global; ///< of Global and Call
    };
    std::string_view text;
    std::vector<PickleIndex> children;
};

/// All values of one pickle. They refer to each other by index, so that values shared by many and values that
/// contain themselves, both of which a file may hold, need no ownership and no recursion.
struct PickleTree {
    std::vector<PickleValue> values;
    PickleIndex root = 0;
    std::uint64_t bytes = 0; ///< length of the pickle, its STOP included

    const PickleValue& at(PickleIndex index) const { return values[index]; }
};

} // namespace headscope
