// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pickle_machine.h"
#include "core/checkpoint/pytorch/state_dict.h"
#include "tests/core/checkpoint/pickle_bytes.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using namespace pickle;

StateDict read(const std::string& bytes) {
    return readStateDict(readPickle(bytes, "x.bin"), "x.bin");
}

/// "x" of "x.bin: x".
std::string sentence(const std::string& bytes) {
    const std::string text = sentenceOf([&] { read(bytes); });
    const std::string prefix = "x.bin: ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

TEST(StateDict, ReadsTensorsInOrder) {
    const StateDict found =
        read(program(dict({{"w", tensor(storage("0", 12), 2, counts({2, 3}), counts({4, 1}))},
                           {"b", tensor(storage("1", 3, "BFloat16Storage"), 0, counts({3}), counts({1}))}})));
    ASSERT_EQ(found.tensors.size(), 2U);
    EXPECT_EQ(found.tensors[0].name, "w");
    EXPECT_EQ(found.tensors[0].dtype, DType::F32);
    EXPECT_EQ(found.tensors[0].shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(found.tensors[0].elements, 6);
    EXPECT_EQ(found.views[0].storage, "0");
    EXPECT_EQ(found.views[0].offset, 2);
    EXPECT_EQ(found.views[0].strides, (std::vector<std::int64_t>{4, 1}));
    EXPECT_EQ(found.tensors[1].dtype, DType::BF16);
    EXPECT_EQ(found.storages.at("1").elements, 3);
    EXPECT_TRUE(found.notes.empty());
}

TEST(StateDict, ParametersAndSizesAreSeenThrough) {
    const std::string parameter = call(
        global("torch._utils", "_rebuild_parameter"),
        tuple({tensor(storage("0", 2), 0, call(global("torch", "Size"), tuple({counts({2})})), counts({1})),
               "\x88", "}"}));
    EXPECT_EQ(read(oneTensor(parameter)).tensors[0].shape, std::vector<std::int64_t>{2});
}

TEST(StateDict, WrappedOnesAreFound) {
    const std::string inner = dict({{"w", pair()}});
    EXPECT_EQ(read(program(dict({{"state_dict", inner}}))).tensors[0].name, "w");
    const StateDict found = read(program(dict({{"epoch", integer(3)}, {"model", inner}})));
    EXPECT_EQ(found.tensors[0].name, "w");
    EXPECT_EQ(found.notes, std::vector<std::string>{
                               "x.bin: this is a training checkpoint, of which only \"model\" is read"});
    // A tensor of that name is a tensor.
    EXPECT_EQ(read(program(dict({{"model", pair()}}))).tensors[0].name, "model");
}

TEST(StateDict, OtherEntriesAreNoted) {
    EXPECT_EQ(read(program(dict({{"w", pair()}, {"step", integer(3)}}))).notes,
              std::vector<std::string>{"x.bin: \"step\" is no tensor and not read"});
    EXPECT_EQ(
        read(program(dict({{"w", pair()}, {"step", integer(3)}, {"type", "N"}}))).notes,
        std::vector<std::string>{"x.bin: 2 entries are no tensors and not read, the first is \"step\""});
}

TEST(StateDict, EmptyTensorsNeedNoStorage) {
    EXPECT_EQ(read(oneTensor(tensor(storage("0", 0), 0, counts({0, 5}), counts({5, 1})))).tensors[0].elements,
              0);
    EXPECT_EQ(sentence(oneTensor(tensor(storage("0", 0), 1, counts({0}), counts({1})))),
              "tensor \"w\": size [0] with strides [1] from 1 reaches beyond its storage, which has 0 "
              "elements; the "
              "file is damaged or was made to mislead.");
}

/// A sentence with the hint that the file contradicts itself.
std::string damaged(const std::string& start) {
    return start + "; the file is damaged or was made to mislead.";
}

struct Case {
    const char* name;
    std::string bytes;
    std::string sentence; ///< without the hint
};

class MalformedStateDict : public testing::TestWithParam<Case> {};

TEST_P(MalformedStateDict, IsRefusedInOneSentence) {
    EXPECT_EQ(sentence(GetParam().bytes), GetParam().sentence);
}

constexpr std::int64_t kHuge = std::int64_t{1} << 62;

Case withStorage(const char* name, const std::string& id, const std::string& sentence) {
    return {name, oneTensor(tensor(id + "Q", 0, counts({2}), counts({1}))), sentence};
}

Case withView(const char* name, const std::string& description, const std::string& sentence) {
    return {name, oneTensor(description), sentence};
}

const std::vector<Case>& cases() {
    const std::string two = storage("0", 2);
    const auto id = [](const std::string& type, const std::string& key, const std::string& size) {
        return tuple({text("storage"), type, key, text("cpu"), size});
    };
    const std::string type = global("torch", "FloatStorage");
    static const std::vector<Case> all{
        {"RootIsList", program("]"), "the file holds a list, expected a dictionary of tensors."},
        {"RootIsTensor", program(pair()), "the file holds a tensor, expected a dictionary of tensors."},
        {"NoEntries", program("}"), "the file holds no tensors, expected a dictionary of tensors."},
        {"NoTensors", program(dict({{"epoch", integer(1)}})),
         "the file holds no tensors, expected a dictionary of tensors."},
        {"NameIsNumber", program("}K\x01" + pair() + "s"), "a name is an integer, expected a string."},
        {"NameTwice", program(dict({{"w", pair()}, {"w", pair("1")}})), "the name \"w\" stands twice."},
        withStorage("IdIsNumber", integer(1),
                    damaged("a storage is not described by its type, key, device and size")),
        withStorage("IdIsShort", tuple({text("storage"), type, text("0"), text("cpu")}),
                    damaged("a storage is not described by its type, key, device and size")),
        withStorage("IdIsOther", tuple({text("module"), type, text("0"), text("cpu"), integer(2)}),
                    damaged("a persistent id does not name a storage")),
        withStorage("IdWithoutType", id(text("FloatStorage"), text("0"), integer(2)),
                    damaged("a storage has no type")),
        withStorage("IdOfAnotherName", id(global("torch", "Size"), text("0"), integer(2)),
                    damaged("a storage has no type")),
        withStorage("KeyIsNumber", id(type, integer(0), integer(2)),
                    damaged("the key of a storage is an integer")),
        withStorage("NegativeStorage", id(type, text("0"), integer(-2)),
                    damaged("the size of the storage \"0\" is no whole number from 0")),
        withStorage("StorageSizeIsText", id(type, text("0"), text("2")),
                    damaged("the size of the storage \"0\" is no whole number from 0")),
        withStorage("StorageSizeIsLong", id(type, text("0"), std::string("\x8a\x09\0\0\0\0\0\0\0\0\x01", 11)),
                    damaged("the size of the storage \"0\" is no whole number from 0")),
        withStorage("StorageOverflows", id(type, text("0"), integer(kHuge)),
                    damaged("the storage \"0\" has more than 2^60 bytes")),
        withStorage("StorageIsAView",
                    tuple({text("storage"), type, text("0"), text("cpu"), integer(2), tuple({text("1")})}),
                    damaged("the storage \"0\" is a view of another")),
        {"StorageInTwoWays",
         program(dict({{"a", tensor(storage("0", 2), 0, counts({2}), counts({1}))},
                       {"b", tensor(storage("0", 2, "DoubleStorage"), 0, counts({2}), counts({1}))}})),
         damaged("the storage \"0\" is described in two ways")},
        withView(
            "TooFewValues", call(global("torch._utils", "_rebuild_tensor_v2"), tuple({two, integer(0)})),
            damaged(
                "tensor \"w\": torch._utils._rebuild_tensor_v2 is called with 2 values, expected at least "
                "4")),
        withView("ParameterOfNothing", call(global("torch._utils", "_rebuild_parameter"), ")"),
                 damaged("torch._utils._rebuild_parameter is called with 0 values, expected at least 1")),
        withView("StorageIsNumber", tensor(integer(0), 0, counts({2}), counts({1})),
                 damaged("tensor \"w\": its storage is an integer, expected a storage")),
        withView("NegativeOffset", tensor(two, -1, counts({2}), counts({1})),
                 damaged("tensor \"w\": its offset is -1, expected a whole number from 0")),
        withView("SizeIsList", tensor(two, 0, "]", counts({1})),
                 damaged("tensor \"w\": a list stands for its size, expected a tuple")),
        withView("NegativeSize", tensor(two, 0, counts({-2}), counts({1})),
                 damaged("tensor \"w\": -2 stands in its size, expected whole numbers from 0 to 2^63 - 1")),
        withView(
            "SizeIsText", tensor(two, 0, tuple({text("2")}), counts({1})),
            damaged("tensor \"w\": a string stands in its size, expected whole numbers from 0 to 2^63 - 1")),
        withView(
            "NegativeStride", tensor(two, 1, counts({2}), counts({-1})),
            damaged("tensor \"w\": -1 stands in its strides, expected whole numbers from 0 to 2^63 - 1")),
        withView("StridesMissing", tensor(two, 0, counts({2}), counts({})),
                 damaged("tensor \"w\": it has 1 dimensions and 0 strides")),
        withView("SeventeenDimensions",
                 tensor(two, 0, counts({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), counts({1})),
                 damaged("tensor \"w\": 17 entries stand in its size, at most 16 are read")),
        withView(
            "BeyondTheStorage", tensor(two, 0, counts({3}), counts({1})),
            damaged("tensor \"w\": size [3] with strides [1] from 0 reaches beyond its storage, which has 2 "
                    "elements")),
        withView(
            "OffsetBeyondTheStorage", tensor(two, 1, counts({2}), counts({1})),
            damaged("tensor \"w\": size [2] with strides [1] from 1 reaches beyond its storage, which has 2 "
                    "elements")),
        withView(
            "StrideBeyondTheStorage", tensor(two, 0, counts({2}), counts({2})),
            damaged("tensor \"w\": size [2] with strides [2] from 0 reaches beyond its storage, which has 2 "
                    "elements")),
        withView(
            "ScalarBeyondTheStorage", tensor(two, 2, counts({}), counts({})),
            damaged("tensor \"w\": size [] with strides [] from 2 reaches beyond its storage, which has 2 "
                    "elements")),
        withView(
            "ElementsOverflow", tensor(two, 0, counts({kHuge, 4}), counts({0, 0})),
            damaged("tensor \"w\": size [4611686018427387904, 4] with strides [0, 0] reaches beyond 2^63 "
                    "bytes")),
        withView(
            "StridesOverflow", tensor(two, 0, counts({3, 3}), counts({kHuge, kHuge})),
            damaged(
                "tensor \"w\": size [3, 3] with strides [4611686018427387904, 4611686018427387904] reaches "
                "beyond "
                "2^63 bytes")),
        withView("OffsetOverflows",
                 tensor(two, std::numeric_limits<std::int64_t>::max(), counts({2}), counts({1})),
                 damaged("tensor \"w\": size [2] with strides [1] reaches beyond 2^63 bytes")),
    };
    return all;
}

INSTANTIATE_TEST_SUITE_P(EveryFault, MalformedStateDict, testing::ValuesIn(cases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

std::vector<std::string> nestedNames(const std::string& bytes) {
    std::vector<std::string> names;
    for (const TensorInfo& tensor :
         readStateDict(readPickle(bytes, "x.pt"), "x.pt", PytorchLayout::Nested).tensors)
        names.push_back(tensor.name);
    return names;
}

std::string nestedSentence(const std::string& bytes) {
    return sentenceOf([&] { nestedNames(bytes); });
}

TEST(NestedTensors, AreNamedByTheWayToThem) {
    EXPECT_EQ(nestedNames(program(pair())), std::vector<std::string>{"tensor"});
    const std::string inner = tuple({pair("0"), pair("1")});
    EXPECT_EQ(nestedNames(program(inner)), (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(nestedNames(program(dict({{"attentions", inner}, {"b", dict({{"c", pair("2")}})}}))),
              (std::vector<std::string>{"attentions.0", "attentions.1", "b.c"}));
    const std::string numbered = joined({"}(", integer(0), pair("0"), integer(12), pair("1"), "u"});
    EXPECT_EQ(nestedNames(program(dict({{"attentions", numbered}}))),
              (std::vector<std::string>{"attentions.0", "attentions.12"}));
    EXPECT_EQ(nestedSentence(program(dict({{"a", tuple({pair("0")})}, {"a.0", pair("1")}}))),
              "x.pt: the name \"a.0\" stands twice.");
    EXPECT_EQ(nestedSentence(program(tuple({integer(1), "N"}))),
              "x.pt: the file holds no tensors, expected a tensor, or lists or dictionaries of tensors.");
}

TEST(NestedTensors, WhatIsSmallInTheFileStaysSmall) {
    // A list that holds itself.
    EXPECT_EQ(
        nestedSentence(program(std::string("]q\0h\0a", 6))),
        "x.pt: lists stand in each other more than 8 deep, expected tensors, or lists or dictionaries of "
        "them.");
    // Lists of a hundred times the one before: 10^14 entries in a thousand bytes.
    std::string lists = "]";
    for (char level = 0; level < 7; ++level) {
        lists += {'q', level, '0'}; // kept, and off the stack
        lists += "](";
        for (int i = 0; i < 100; ++i) lists += {'h', level};
        lists += 'e';
    }
    EXPECT_EQ(nestedSentence(program(lists)),
              "x.pt: the file names more than 500000 tensors; save it as safetensors.");
    // A name of a megabyte before each of a thousand.
    std::string many = "](";
    for (int i = 0; i < 1000; ++i) many += 'N';
    EXPECT_EQ(nestedSentence(program(dict({{std::string(1'000'000, 'n'), many + "e"}}))),
              "x.pt: the file names more than 500000 tensors; save it as safetensors.");
}

} // namespace
} // namespace headscope::test
