// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pickle_machine.h"
#include "tests/core/checkpoint/pickle_bytes.h"
#include "tests/support/sentence_of.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using namespace std::string_literals;

/// The tree's root as text: "{"a": [1, True]}".
std::string shown(const PickleTree& tree, PickleIndex index) {
    const PickleValue& value = tree.at(index);
    const auto list = [&](const char* open, const char* close, bool pairs) {
        std::string text = open;
        for (std::size_t i = 0; i < value.children.size(); ++i) {
            if (i > 0) text += pairs && i % 2 == 1 ? ": " : ", ";
            text += shown(tree, value.children[i]);
        }
        return text + close;
    };
    switch (value.kind) {
    case PickleKind::None:
        return "None";
    case PickleKind::Bool:
        return value.integer == 1 ? "True" : "False";
    case PickleKind::Integer:
        return std::to_string(value.integer);
    case PickleKind::LongInteger:
        return fmt::format("long of {} bytes", value.text.size());
    case PickleKind::Real:
        return std::to_string(value.real);
    case PickleKind::String:
        return fmt::format("\"{}\"", value.text);
    case PickleKind::List:
        return list("[", "]", false);
    case PickleKind::Tuple:
        return list("(", ")", false);
    case PickleKind::Dict:
        return list("{", "}", true);
    case PickleKind::Global:
        return std::string(value.global->name);
    case PickleKind::Call:
        return std::string(value.global->name) + shown(tree, value.children[0]);
    case PickleKind::Storage:
        return fmt::format("storage{}", shown(tree, value.children[0]));
    }
    return {};
}

std::string run(const std::string& bytes) {
    const PickleTree tree = readPickle(bytes, "pickle");
    EXPECT_EQ(tree.bytes, bytes.size());
    return shown(tree, tree.root);
}

TEST(PickleMachine, ReadsNumbers) {
    EXPECT_EQ(run("N."), "None");
    EXPECT_EQ(run("\x88."), "True");
    EXPECT_EQ(run("\x89."), "False");
    EXPECT_EQ(run("J\xfe\xff\xff\xff."), "-2");
    EXPECT_EQ(run("K\xff."), "255");
    EXPECT_EQ(run("M\x01\x02."), "513");
    EXPECT_EQ(run("\x8a\x00."s), "0");
    EXPECT_EQ(run("\x8a\x01\xff."), "-1");
    EXPECT_EQ(run("\x8a\x02\xff\x00."s), "255");
    EXPECT_EQ(run("\x8a\x05\x00\x00\x00\x00\x01."s), "4294967296");
    EXPECT_EQ(run("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80."s), "-9223372036854775808");
    EXPECT_EQ(run("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00."s), "long of 9 bytes");
    EXPECT_EQ(run("G\xbf\xf8\x00\x00\x00\x00\x00\x00."s), "-1.500000");
}

TEST(PickleMachine, ReadsStringsAndContainers) {
    EXPECT_EQ(run("X\x03\x00\x00\x00\xc3\xa9z."s), "\"\xc3\xa9z\"");
    EXPECT_EQ(run("\x8c\x01q."), "\"q\"");
    EXPECT_EQ(run("T\x02\x00\x00\x00qr."s), "\"qr\"");
    EXPECT_EQ(run("U\x01q."), "\"q\"");
    EXPECT_EQ(run("]."), "[]");
    EXPECT_EQ(run(")."), "()");
    EXPECT_EQ(run("}."), "{}");
    EXPECT_EQ(run("]K\x01\x61."), "[1]");
    EXPECT_EQ(run("](K\x01K\x02\x65."), "[1, 2]");
    EXPECT_EQ(run("(K\x01K\x02K\x03K\x04t."), "(1, 2, 3, 4)");
    EXPECT_EQ(run("(t."), "()");
    EXPECT_EQ(run("K\x01\x85."), "(1)");
    EXPECT_EQ(run("K\x01K\x02\x86."), "(1, 2)");
    EXPECT_EQ(run("K\x01K\x02K\x03\x87."), "(1, 2, 3)");
    EXPECT_EQ(run("}K\x01K\x02s."), "{1: 2}");
    EXPECT_EQ(run("}(K\x01K\x02K\x03Nu."), "{1: 2, 3: None}");
    EXPECT_EQ(run("K\x01K\x02\x30."), "1");
    EXPECT_EQ(run("\x80\x04\x95\x03\x00\x00\x00\x00\x00\x00\x00K\x07."s), "7");
}

TEST(PickleMachine, KeepsAndRecallsValues) {
    EXPECT_EQ(run("K\x07q\x00h\x00\x86."s), "(7, 7)");
    EXPECT_EQ(run("K\x07r\x00\x01\x00\x00j\x00\x01\x00\x00\x86."s), "(7, 7)");
    EXPECT_EQ(run("K\x07\x94K\x08\x94h\x00\x87."s), "(7, 8, 7)");
}

TEST(PickleMachine, NotesCallsAndMakesNone) {
    EXPECT_EQ(run("ccollections\nOrderedDict\n)R."), "{}");
    EXPECT_EQ(run("ccollections\nOrderedDict\n](K\x01K\x02\x86\x65\x85R."), "{1: 2}");
    EXPECT_EQ(run("ctorch\nSize\nK\x02\x85\x85R."), "Size((2))");
    EXPECT_EQ(run("\x8c\x05torch\x8c\x04Size\x93)R."), "Size()");
    EXPECT_EQ(run("ctorch\nfloat16\n."), "float16");
    EXPECT_EQ(run("K\x01Q."), "storage1");
    EXPECT_EQ(run("}Nb."), "{}");
}

TEST(PickleMachine, StopsWhereThePickleStops) {
    const std::string two = "K\x01.K\x02.";
    EXPECT_EQ(readPickle(two, "pickle").bytes, 3U);
}

TEST(PickleMachine, ValuesMayContainThemselves) {
    const std::string bytes = "]q\x00h\x00\x61."s; // a = []; a.append(a)
    const PickleTree tree = readPickle(bytes, "pickle");
    EXPECT_EQ(tree.at(tree.root).children, std::vector<PickleIndex>{tree.root});
}

TEST(PickleMachine, NestingCostsNoStack) {
    // Lists, each in the next.
    std::string bytes(300'000, ']');
    bytes += std::string(299'999, 'a') + ".";
    EXPECT_EQ(readPickle(bytes, "pickle").values.size(), 300'000U);
}

TEST(PickleMachine, SharedListsAreNotCopiedWithoutEnd) {
    // OrderedDict(pairs) ten thousand times over one list of ten thousand pairs.
    std::string bytes = "](";
    for (int i = 0; i < 10'000; ++i) bytes += "NN\x86";
    bytes += "eq\x00"s + "ccollections\nOrderedDict\nq\x01\x30";
    for (int i = 0; i < 10'000; ++i) bytes += "h\x01h\x00\x85R\x30"s;
    EXPECT_EQ(sentenceOf([&] { readPickle(bytes, "pickle"); }).substr(0, 49),
              "pickle: the pickle has more than 4000000 values (");
}

struct Case {
    const char* name;
    std::string bytes;
    const char* sentence; ///< without "pickle: "
};

const char* const kDamaged = "; the file is damaged or was made to mislead.";
const char* const kCut = "; the download is incomplete: get the file again.";
const char* const kNotRun =
    "; nothing in the file was run; where you trust it, save its tensors alone: a model with "
    "save_pretrained, maps with torch.save as a list of tensors.";

class MalformedPickle : public testing::TestWithParam<std::pair<Case, const char*>> {};

TEST_P(MalformedPickle, IsRefusedInOneSentence) {
    const auto& [tested, hint] = GetParam();
    EXPECT_EQ(sentenceOf([&, bytes = &tested.bytes] { readPickle(*bytes, "pickle"); }),
              std::string("pickle: ") + tested.sentence + hint);
}

const std::vector<std::pair<Case, const char*>>& cases() {
    static const std::vector<std::pair<Case, const char*>> all{
        {{"Empty", "", "the pickle ends inside an instruction (at byte 0)"}, kCut},
        {{"NoStop", "N", "the pickle ends inside an instruction (at byte 1)"}, kCut},
        {{"CutNumber", "J\x01\x02", "the pickle ends inside an instruction (at byte 0)"}, kCut},
        {{"CutString", "NX\x05\x00\x00\x00hey"s, "the pickle ends inside an instruction (at byte 1)"}, kCut},
        {{"HugeString", "X\xff\xff\xff\xffhey", "the pickle ends inside an instruction (at byte 0)"}, kCut},
        {{"NegativeLength", "T\xff\xff\xff\xffhey", "the pickle ends inside an instruction (at byte 0)"},
         kCut},
        {{"CutLong", "\x8a\x09\x01", "the pickle ends inside an instruction (at byte 0)"}, kCut},
        {{"CutName", "ctorch\nSize", "the pickle ends inside an instruction (at byte 0)"}, kCut},
        {{"FrameBeyondTheEnd", "\x80\x04\x95\x09\x00\x00\x00\x00\x00\x00\x00N."s,
          "the pickle ends inside a frame (at byte 2)"},
         kCut},
        {{"NotUtf8", "\x8c\x01\xff.", "a string is not valid UTF-8 (at byte 0)"}, kDamaged},
        {{"UnknownInstruction", "\x01", "0x01 is no instruction of a pickle (at byte 0)"}, kDamaged},
        {{"Protocol9", "\x80\x09N.", "the pickle has protocol 9, at most 5 is read (at byte 0)"}, kDamaged},
        {{"StackIsEmpty", ".", "an instruction takes more values than there are (at byte 0)"}, kDamaged},
        {{"TupleOfTooFew", "N\x86.", "an instruction takes more values than there are (at byte 1)"},
         kDamaged},
        {{"BelowTheMark", "N(\x85.", "an instruction takes more values than there are (at byte 2)"},
         kDamaged},
        {{"PopOfNothing", "\x30", "an instruction takes more values than there are (at byte 0)"}, kDamaged},
        {{"NoMark", "Nt.", "an instruction needs a mark that was not set (at byte 1)"}, kDamaged},
        {{"LeftOver", "NN.", "the pickle ends with values left over (at byte 2)"}, kDamaged},
        {{"OpenMark", "(N.", "the pickle ends with values left over (at byte 2)"}, kDamaged},
        {{"OnlyAMark", "N(.", "an instruction takes more values than there are (at byte 2)"}, kDamaged},
        {{"NeverStored", "h\x05.", "the pickle recalls the value 5 that it never stored (at byte 0)"},
         kDamaged},
        {{"AppendToTuple", ")Na.", "a tuple is appended to, expected a list (at byte 2)"}, kDamaged},
        {{"KeysForAList", "]NNs.", "a list is given keys and values, expected a dictionary (at byte 3)"},
         kDamaged},
        {{"KeyWithoutValue", "}(Nu.", "a dictionary is given a key without a value (at byte 3)"}, kDamaged},
        {{"AttributesOfATuple", ")Nb.", "a tuple is given attributes, expected a dictionary (at byte 2)"},
         kDamaged},
        {{"NameIsANumber", "K\x01K\x02\x93.", "a name is an integer, expected a string (at byte 4)"},
         kDamaged},
        {{"CallOfANumber", "K\x01)R.", "an integer is called, expected a name (at byte 3)"}, kDamaged},
        {{"CallWithoutTuple", "ctorch\nSize\nNR.",
          "torch.Size is called with None, expected a tuple (at byte 13)"},
         kDamaged},
        {{"OrderedDictOfANumber", "ccollections\nOrderedDict\nK\x01\x85R.",
          "collections.OrderedDict is called with other than a list of pairs (at byte 28)"},
         kDamaged},
        {{"OrderedDictOfTriples", "ccollections\nOrderedDict\n]NNN\x87\x61\x85R.",
          "collections.OrderedDict is called with other than a list of pairs (at byte 32)"},
         kDamaged},
        {{"OsSystem", "cos\nsystem\nX\x02\x00\x00\x00id\x85R."s,
          "the pickle refers to \"os.system\", expected plain tensors (at byte 0)"},
         kNotRun},
        {{"Eval", "c__builtin__\neval\n.",
          "the pickle refers to \"__builtin__.eval\", expected plain tensors (at byte 0)"},
         kNotRun},
        {{"NameWithinATorchModule", "ctorch\nload\n.",
          "the pickle refers to \"torch.load\", expected plain tensors (at byte 0)"},
         kNotRun},
        {{"NameByStack", "\x8c\x05posix\x8c\x06system\x93.",
          "the pickle refers to \"posix.system\", expected plain tensors (at byte 15)"},
         kNotRun},
        {{"NameWithDots", "ctorch\nSize.__class__\n.",
          "the pickle refers to \"torch.Size.__class__\", expected plain tensors (at byte 0)"},
         kNotRun},
        {{"NameWithControlCharacters", "ca\x1b[2J\nb\n.",
          "the pickle refers to \"a\\x1b[2J.b\", expected plain tensors (at byte 0)"},
         kNotRun},
        {{"CallOfAStorageType", "ctorch\nFloatStorage\n)R.",
          "the pickle calls torch.FloatStorage, which plain tensors do not need (at byte 21)"},
         kNotRun},
        {{"CallOfAnElementType", "ctorch\nfloat32\n)R.",
          "the pickle calls torch.float32, which plain tensors do not need (at byte 16)"},
         kNotRun},
        {{"Inst", "(ios\nsystem\n.",
          "the pickle uses the instruction INST, which plain tensors do not need (at byte 1)"},
         kNotRun},
        {{"NewObject", "N)\x81.",
          "the pickle uses the instruction NEWOBJ, which plain tensors do not need (at byte 2)"},
         kNotRun},
        {{"Extension", "\x82\x01.",
          "the pickle uses the instruction EXT1, which plain tensors do not need (at byte 0)"},
         kNotRun},
        {{"Bytes", "C\x01x.",
          "the pickle uses the instruction SHORT_BINBYTES, which plain tensors do not need (at byte 0)"},
         kNotRun},
    };
    return all;
}

INSTANTIATE_TEST_SUITE_P(EveryFault, MalformedPickle, testing::ValuesIn(cases()),
                         [](const auto& tested) { return std::string(tested.param.first.name); });

TEST(PickleMachine, MemoEntriesAreLimited) {
    EXPECT_EQ(sentenceOf([] { readPickle("Nr\xff\xff\xff\xff.", "pickle"); }),
              "pickle: the pickle has more than 4000000 memo entries (at byte 1); save it as "
              "safetensors.");
}

TEST(PickleMachine, PlacesCountFromTheStartOfTheFile) {
    EXPECT_EQ(sentenceOf([] { readPickle("N", "pickle", 100); }),
              "pickle: the pickle ends inside an instruction (at byte 101)" + std::string(kCut));
}

TEST(PickleMachine, AnyFlippedByteIsReadOrRefused) {
    const std::string whole =
        pickle::program(pickle::dict({{"a", pickle::pair()}, {"b", pickle::pair("1")}}) + "}" +
                        pickle::text("_metadata") + "}sb");
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (unsigned flip = 1; flip < 256; flip <<= 1U) {
            std::string changed = whole;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
            refused += sentenceOf([&] { readPickle(changed, "pickle"); }).empty() ? 0 : 1;
        }
    EXPECT_GT(refused, 100);
}

} // namespace
} // namespace headscope::test
