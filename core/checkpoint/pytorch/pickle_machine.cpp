// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pickle_machine.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/pytorch/pickle_opcodes.h"
#include "core/checkpoint/pytorch/pickle_stack.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace headscope {

namespace {

class PickleMachine {
  public:
    PickleMachine(std::string_view bytes, const std::string& subject, std::uint64_t base)
        : m_bytes(bytes), m_stack(subject, base) {}

    PickleTree run() {
        for (;;) {
            m_stack.begin(m_at);
            const std::uint8_t opcode = number<std::uint8_t>();
            if (PickleOpcode{opcode} == PickleOpcode::Stop) return stop();
            if (!readValue(PickleOpcode{opcode}) && !changeStack(PickleOpcode{opcode})) refuseOpcode(opcode);
        }
    }

  private:
    [[noreturn]] void refuseOpcode(std::uint8_t opcode) const {
        const auto known = std::find_if(kOtherPickleOpcodes.begin(), kOtherPickleOpcodes.end(),
                                        [&](const auto& other) { return other.first == opcode; });
        if (known == kOtherPickleOpcodes.end())
            m_stack.refuse(fmt::format("0x{:02x} is no instruction of a pickle", opcode), {}, kDamagedHint);
        m_stack.refuse(fmt::format("the pickle uses the instruction {}", known->second),
                       "which plain tensors do not need", kConvertHint);
    }

    // --- Bytes.

    std::string_view take(std::uint64_t count) {
        if (count > m_bytes.size() - m_at)
            m_stack.refuse("the pickle ends inside an instruction", {}, kIncompleteHint);
        const std::string_view taken = m_bytes.substr(m_at, count);
        m_at += count;
        return taken;
    }
    template <typename T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::string_view line() {
        const std::size_t length = m_bytes.substr(m_at).find('\n');
        const std::string_view text = take(length == std::string_view::npos ? m_bytes.size() : length);
        take(1);
        return text;
    }

    // --- Instructions.

    void pushSimple(PickleKind kind, std::int64_t integer = 0) {
        PickleValue value;
        value.kind = kind;
        value.integer = integer;
        m_stack.push(std::move(value));
    }
    void pushSequence(PickleKind kind, std::vector<PickleIndex> children) {
        PickleValue value;
        value.kind = kind;
        value.children = std::move(children);
        m_stack.push(std::move(value));
    }
    void pushText(std::uint64_t length) {
        PickleValue value;
        value.kind = PickleKind::String;
        value.text = take(length);
        if (firstInvalidUtf8(value.text)) m_stack.refuse("a string is not valid UTF-8", {}, kDamagedHint);
        m_stack.push(std::move(value));
    }
    void pushLong(std::uint8_t length) {
        const std::string_view bytes = take(length);
        if (length > sizeof(std::int64_t)) {
            PickleValue value;
            value.kind = PickleKind::LongInteger;
            value.text = bytes;
            m_stack.push(std::move(value));
            return;
        }
        // Two's complement of `length` bytes: what is missing above repeats the sign.
        const bool negative = length > 0 && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0;
        std::int64_t integer = negative ? -1 : 0;
        std::memcpy(&integer, bytes.data(), bytes.size());
        pushSimple(PickleKind::Integer, integer);
    }
    void pushReal() {
        // The one number of the format that stands most significant byte first.
        PickleValue value;
        value.kind = PickleKind::Real;
        value.real = std::bit_cast<double>(__builtin_bswap64(number<std::uint64_t>()));
        m_stack.push(std::move(value));
    }
    void pushGlobal(std::string_view module, std::string_view name) {
        PickleValue value;
        value.kind = PickleKind::Global;
        value.global = findPickleGlobal(module, name);
        if (value.global == nullptr)
            m_stack.refuse(fmt::format("the pickle refers to {}",
                                       quotedName(std::string(module) + "." + std::string(name))),
                           "expected plain tensors", kConvertHint);
        m_stack.push(std::move(value));
    }

    /// Instructions that push a value read from the bytes. False when it is none of them.
    bool readValue(PickleOpcode opcode) {
        switch (opcode) {
        case PickleOpcode::None:
            pushSimple(PickleKind::None);
            return true;
        case PickleOpcode::NewTrue:
            pushSimple(PickleKind::Bool, 1);
            return true;
        case PickleOpcode::NewFalse:
            pushSimple(PickleKind::Bool, 0);
            return true;
        case PickleOpcode::BinInt:
            pushSimple(PickleKind::Integer, number<std::int32_t>());
            return true;
        case PickleOpcode::BinInt1:
            pushSimple(PickleKind::Integer, number<std::uint8_t>());
            return true;
        case PickleOpcode::BinInt2:
            pushSimple(PickleKind::Integer, number<std::uint16_t>());
            return true;
        case PickleOpcode::Long1:
            pushLong(number<std::uint8_t>());
            return true;
        case PickleOpcode::BinFloat:
            pushReal();
            return true;
        case PickleOpcode::BinUnicode:
        case PickleOpcode::BinString: // its length is signed: a negative one is beyond the end
            pushText(number<std::uint32_t>());
            return true;
        case PickleOpcode::ShortBinUnicode:
        case PickleOpcode::ShortBinString:
            pushText(number<std::uint8_t>());
            return true;
        case PickleOpcode::EmptyDict:
            pushSimple(PickleKind::Dict);
            return true;
        case PickleOpcode::EmptyList:
            pushSimple(PickleKind::List);
            return true;
        case PickleOpcode::EmptyTuple:
            pushSimple(PickleKind::Tuple);
            return true;
        case PickleOpcode::Global: {
            const std::string_view module = line();
            pushGlobal(module, line());
            return true;
        }
        case PickleOpcode::BinGet:
            m_stack.recall(number<std::uint8_t>());
            return true;
        case PickleOpcode::LongBinGet:
            m_stack.recall(number<std::uint32_t>());
            return true;
        default:
            return false;
        }
    }

    /// Instructions that work on what is on the stack. False when it is none of them.
    bool changeStack(PickleOpcode opcode) {
        switch (opcode) {
        case PickleOpcode::Proto:
            if (const int protocol = number<std::uint8_t>(); protocol > 5)
                m_stack.refuse(fmt::format("the pickle has protocol {}", protocol), "at most 5 is read",
                               kDamagedHint);
            return true;
        case PickleOpcode::Frame: // only says how much a reader may buffer
            if (number<std::uint64_t>() > m_bytes.size() - m_at)
                m_stack.refuse("the pickle ends inside a frame", {}, kIncompleteHint);
            return true;
        case PickleOpcode::Mark:
            m_stack.mark();
            return true;
        case PickleOpcode::Pop:
            m_stack.pop();
            return true;
        case PickleOpcode::BinPut:
            m_stack.memoize(number<std::uint8_t>());
            return true;
        case PickleOpcode::LongBinPut:
            m_stack.memoize(number<std::uint32_t>());
            return true;
        case PickleOpcode::Memoize:
            m_stack.memoize(m_stack.memoSize());
            return true;
        case PickleOpcode::Tuple:
            pushSequence(PickleKind::Tuple, m_stack.popToMark());
            return true;
        case PickleOpcode::Tuple1:
            pushSequence(PickleKind::Tuple, m_stack.popMany(1));
            return true;
        case PickleOpcode::Tuple2:
            pushSequence(PickleKind::Tuple, m_stack.popMany(2));
            return true;
        case PickleOpcode::Tuple3:
            pushSequence(PickleKind::Tuple, m_stack.popMany(3));
            return true;
        case PickleOpcode::Append:
            extend(PickleKind::List, m_stack.popMany(1));
            return true;
        case PickleOpcode::Appends:
            extend(PickleKind::List, m_stack.popToMark());
            return true;
        case PickleOpcode::SetItem:
            extend(PickleKind::Dict, m_stack.popMany(2));
            return true;
        case PickleOpcode::SetItems:
            extend(PickleKind::Dict, m_stack.popToMark());
            return true;
        case PickleOpcode::StackGlobal: {
            const std::string_view name = m_stack.popString();
            pushGlobal(m_stack.popString(), name);
            return true;
        }
        case PickleOpcode::BinPersId:
            pushSequence(PickleKind::Storage, m_stack.popMany(1));
            return true;
        case PickleOpcode::Reduce:
            reduce();
            return true;
        case PickleOpcode::Build: // the attributes of a state dictionary (_metadata) are no tensors
            m_stack.pop();
            m_stack.topOf(PickleKind::Dict, "given attributes");
            return true;
        default:
            return false;
        }
    }

    void extend(PickleKind kind, const std::vector<PickleIndex>& added) {
        PickleValue& container =
            m_stack.topOf(kind, kind == PickleKind::List ? "appended to" : "given keys and values");
        if (kind == PickleKind::Dict && added.size() % 2 != 0)
            m_stack.refuse("a dictionary is given a key without a value", {}, kDamagedHint);
        container.children.insert(container.children.end(), added.begin(), added.end());
    }

    void reduce() {
        const PickleIndex arguments = m_stack.pop();
        const PickleValue& called = m_stack.at(m_stack.pop());
        if (called.kind != PickleKind::Global)
            m_stack.refuse(fmt::format("{} is called", nameOf(called.kind)), "expected a name", kDamagedHint);
        const PickleGlobalFacts* global = called.global;
        if (m_stack.at(arguments).kind != PickleKind::Tuple)
            m_stack.refuse(fmt::format("{}.{} is called with {}", global->module, global->name,
                                       nameOf(m_stack.at(arguments).kind)),
                           "expected a tuple", kDamagedHint);
        switch (global->global) {
        case PickleGlobal::OrderedDict:
            pushSequence(PickleKind::Dict, pairsOf(arguments));
            return;
        case PickleGlobal::RebuildTensor:
        case PickleGlobal::RebuildParameter:
        case PickleGlobal::Size: {
            PickleValue value;
            value.kind = PickleKind::Call;
            value.global = global;
            value.children = {arguments};
            m_stack.push(std::move(value));
            return;
        }
        case PickleGlobal::StorageType:
        case PickleGlobal::ElementType:
            m_stack.refuse(fmt::format("the pickle calls {}.{}", global->module, global->name),
                           "which plain tensors do not need", kConvertHint);
        }
    }

    /// The arguments of OrderedDict: none, or one list of pairs.
    std::vector<PickleIndex> pairsOf(PickleIndex arguments) {
        const auto isSequence = [](const PickleValue& value) {
            return value.kind == PickleKind::List || value.kind == PickleKind::Tuple;
        };
        const std::vector<PickleIndex>& given = m_stack.at(arguments).children;
        std::vector<PickleIndex> children;
        if (given.empty()) return children;
        const PickleValue& list = m_stack.at(given[0]);
        if (given.size() > 1 || !isSequence(list))
            m_stack.refuse("collections.OrderedDict is called with other than a list of pairs", {},
                           kDamagedHint);
        // One list may be given a million times; each time is a copy.
        m_copied += list.children.size();
        m_stack.requireRoom(m_copied, "values");
        for (const PickleIndex pair : list.children) {
            const PickleValue& value = m_stack.at(pair);
            if (!isSequence(value) || value.children.size() != 2)
                m_stack.refuse("collections.OrderedDict is called with other than a list of pairs", {},
                               kDamagedHint);
            children.insert(children.end(), value.children.begin(), value.children.end());
        }
        return children;
    }

    PickleTree stop() {
        PickleTree tree = m_stack.finish();
        tree.bytes = m_at;
        return tree;
    }

    std::string_view m_bytes;
    std::uint64_t m_at = 0; ///< next byte
    PickleStack m_stack;
    std::size_t m_copied = 0; ///< children that were copied from one value to another
};

} // namespace

PickleTree readPickle(std::string_view bytes, const std::string& subject, std::uint64_t base) {
    return PickleMachine(bytes, subject, base).run();
}

} // namespace headscope
