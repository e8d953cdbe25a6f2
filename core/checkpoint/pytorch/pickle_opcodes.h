// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace headscope {

/// The instructions that files of plain tensors are made of. There are no others: whatever is not here is
/// refused.
enum class PickleOpcode : std::uint8_t {
    Mark = '(',
    Stop = '.',
    Pop = '0',
    Append = 'a',
    Appends = 'e',
    BinFloat = 'G',
    BinString = 'T', ///< this and ShortBinString: strings of Python 2
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    BinUnicode = 'X',
    Build = 'b',
    Global = 'c',
    EmptyDict = '}',
    BinGet = 'h',
    LongBinGet = 'j',
    EmptyList = ']',
    None = 'N',
    BinPersId = 'Q',
    BinPut = 'q',
    LongBinPut = 'r',
    Reduce = 'R',
    SetItem = 's',
    Tuple = 't',
    EmptyTuple = ')',
    SetItems = 'u',
    ShortBinString = 'U',
    Proto = 0x80,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    ShortBinUnicode = 0x8c,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
};

/// Names of the other instructions of the format, for the sentence that refuses them.
inline constexpr std::array kOtherPickleOpcodes{
    std::pair<std::uint8_t, std::string_view>{'1', "POP_MARK"},
    std::pair<std::uint8_t, std::string_view>{'2', "DUP"},
    std::pair<std::uint8_t, std::string_view>{'B', "BINBYTES"},
    std::pair<std::uint8_t, std::string_view>{'C', "SHORT_BINBYTES"},
    std::pair<std::uint8_t, std::string_view>{'F', "FLOAT"},
    std::pair<std::uint8_t, std::string_view>{'I', "INT"},
    std::pair<std::uint8_t, std::string_view>{'L', "LONG"},
    std::pair<std::uint8_t, std::string_view>{'P', "PERSID"},
    std::pair<std::uint8_t, std::string_view>{'S', "STRING"},
    std::pair<std::uint8_t, std::string_view>{'V', "UNICODE"},
    std::pair<std::uint8_t, std::string_view>{'d', "DICT"},
    std::pair<std::uint8_t, std::string_view>{'g', "GET"},
    std::pair<std::uint8_t, std::string_view>{'i', "INST"},
    std::pair<std::uint8_t, std::string_view>{'l', "LIST"},
    std::pair<std::uint8_t, std::string_view>{'o', "OBJ"},
    std::pair<std::uint8_t, std::string_view>{'p', "PUT"},
    std::pair<std::uint8_t, std::string_view>{0x81, "NEWOBJ"},
    std::pair<std::uint8_t, std::string_view>{0x82, "EXT1"},
    std::pair<std::uint8_t, std::string_view>{0x83, "EXT2"},
    std::pair<std::uint8_t, std::string_view>{0x84, "EXT4"},
    std::pair<std::uint8_t, std::string_view>{0x8b, "LONG4"},
    std::pair<std::uint8_t, std::string_view>{0x8d, "BINUNICODE8"},
    std::pair<std::uint8_t, std::string_view>{0x8e, "BINBYTES8"},
    std::pair<std::uint8_t, std::string_view>{0x8f, "EMPTY_SET"},
    std::pair<std::uint8_t, std::string_view>{0x90, "ADDITEMS"},
    std::pair<std::uint8_t, std::string_view>{0x91, "FROZENSET"},
    std::pair<std::uint8_t, std::string_view>{0x92, "NEWOBJ_EX"},
    std::pair<std::uint8_t, std::string_view>{0x96, "BYTEARRAY8"},
    std::pair<std::uint8_t, std::string_view>{0x97, "NEXT_BUFFER"},
    std::pair<std::uint8_t, std::string_view>{0x98, "READONLY_BUFFER"},
};

} // namespace headscope
