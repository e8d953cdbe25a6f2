// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which a file of torch.save with maps can be wrong, and the sentence that says so.
#include "tests/core/checkpoint/npy_bytes.h"
#include "tests/core/checkpoint/zip_bytes.h"
#include "tests/core/imported/malformed_file.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope::test {
namespace {

using namespace pickle;

std::string weights() {
    return floatBytes({1.0F, 0.0F, 0.25F, 0.75F});
}

/// A tensor [1, 2, 2] that fills the storage "0".
std::string map() {
    return tensor(storage("0", 4), 0, counts({1, 2, 2}), counts({4, 2, 1}));
}

std::string saved(const std::string& value, const std::string& data = weights()) {
    return torchZip(program(value), {data}).bytes;
}

std::string good() {
    return saved(dict({{"attentions", tuple({map()})}}));
}

/// The good file beside what `value` pushes.
std::string beside(const std::string& value) {
    return saved(dict({{"attentions", tuple({map()})}, {"other", value}}));
}

std::string ofType(const char* type, std::size_t bytes) {
    return saved(dict({{"attentions",
                        tuple({tensor(storage("0", 4, type), 0, counts({1, 2, 2}), counts({4, 2, 1}))})}}),
                 std::string(4 * bytes, '\0'));
}

std::string viewOf(std::int64_t offset, std::initializer_list<std::int64_t> size,
                   std::initializer_list<std::int64_t> strides) {
    return saved(
        dict({{"attentions", tuple({tensor(storage("0", 4), offset, counts(size), counts(strides))})}}));
}

std::string deep(int levels) {
    std::string value = map();
    for (int i = 0; i < levels; ++i) value = tuple({value});
    return value;
}

std::vector<MalformedFile> otherFiles() {
    return {
        {"Empty", "", std::string("the file is empty, expected a file written by torch.save") + kIncomplete},
        {"WebPage", "<!DOCTYPE html><html>",
         "the file is a web page (HTML), not weights; the download was answered by a login or error page: "
         "get the file again."},
        {"LfsPointer", "version https://git-lfs.github.com/spec/v1\nsize 9\n",
         "the file is a Git LFS pointer (50 bytes of text), not weights; run \"git lfs pull\" in the "
         "folder."},
        {"PlainPickle", program(tuple({integer(1)})),
         "the file is a plain pickle, expected a file written by torch.save; where you trust it, load it and "
         "save its tensors with torch.save."},
        {"Safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10),
         "the file is in the safetensors format, expected a file written by torch.save; give it the ending "
         ".safetensors."},
        {"Npz",
         zipBytes({{.name = "attentions.0.npy", .stored = npyArray("<f4", "(1, 2, 2)", weights())}}).bytes,
         "the file is an .npz archive of numpy, expected a file written by torch.save; give it the ending "
         ".npz."},
        {"Npy", npyArray("<f4", "(1, 2, 2)", weights()),
         "the file is an array of numpy, not weights; its name should end in .npy."},
        {"OtherArchive", zipBytes({{.name = "readme.txt", .stored = "hello"}}).bytes,
         "the zip archive holds no data.pkl, expected a file written by torch.save."},
        {"TorchScript",
         zipBytes({{.name = "archive/data.pkl", .stored = program(map())},
                   {.name = "archive/constants.pkl", .stored = "x"}})
             .bytes,
         "the file is a TorchScript program, which would have to be run, expected plain tensors; save its "
         "tensors instead, of a model the state_dict."},
        {"BigEndian",
         zipBytes({{.name = "archive/data.pkl", .stored = program(map())},
                   {.name = "archive/byteorder", .stored = "big"}})
             .bytes,
         "its byte order is \"big\", expected \"little\"; save it again on a machine of today."},
        {"CutInTheStorage", good().substr(0, 300),
         std::string("zip archive: its directory is missing") + kIncomplete},
        {"CutInTheDirectory", good().substr(0, good().size() - 30),
         std::string("zip archive: its directory is missing") + kIncomplete},
        {"StorageMissing", torchZip(program(tuple({map()})), {}).bytes,
         std::string("the storage \"0\" is not in the zip archive") + kDamaged},
        {"StorageCut", saved(tuple({map()}), "123456789012345"),
         std::string("the storage \"0\" has 15 bytes, expected 16 for 4 elements of F32") + kDamaged},
        {"StorageOfTenGigabytes",
         saved(tuple(
             {tensor(storage("0", 2'500'000'000), 0, counts({1, 50000, 50000}), counts({0, 50000, 1}))})),
         std::string("the storage \"0\" has 16 bytes, expected 10000000000 for 2500000000 elements of F32") +
             kDamaged},
    };
}

std::string refersTo(const char* name, int place) {
    return fmt::format(
        "data.pkl: the pickle refers to \"{}\", expected plain tensors (at byte {}); nothing in the "
        "file was run; where you trust it, save its tensors alone: a model with save_pretrained, "
        "maps with torch.save as a list of tensors.",
        name, place);
}

/// Whatever stands in a pickle, none of it is run, and it is named.
std::vector<MalformedFile> programs() {
    const auto called = [](const char* module, const char* name) {
        return beside(call(global(module, name), tuple({text("touch headscope-was-here")})));
    };
    return {
        {"System", called("os", "system"), refersTo("os.system", 202)},
        {"Eval", called("builtins", "eval"), refersTo("builtins.eval", 202)},
        {"Popen", called("subprocess", "Popen"), refersTo("subprocess.Popen", 202)},
        {"NumpyArray", called("numpy._core.multiarray", "_reconstruct"),
         refersTo("numpy._core.multiarray._reconstruct", 202)},
        {"ModelOutput", called("transformers.modeling_outputs", "BaseModelOutput"),
         refersTo("transformers.modeling_outputs.BaseModelOutput", 202)},
        {"SparseTensor", called("torch._utils", "_rebuild_sparse_tensor"),
         refersTo("torch._utils._rebuild_sparse_tensor", 202)},
        {"QuantisedTensor", called("torch._utils", "_rebuild_qtensor"),
         refersTo("torch._utils._rebuild_qtensor", 202)},
        {"SubclassOfTensor", called("torch._tensor", "_rebuild_from_type_v2"),
         refersTo("torch._tensor._rebuild_from_type_v2", 202)},
        {"ComplexTensor", ofType("ComplexFloatStorage", 8), refersTo("torch.ComplexFloatStorage", 67)},
        {"ByName", beside(joined({text("os"), text("system"), "\x93"})), refersTo("os.system", 220)},
        {"NameIsNotUtf8", called("os", "\xff\xfe"), refersTo("os.\\xff\\xfe", 202)},
        {"Object", beside(joined({global("os", "system"), tuple({}), "\x81"})), refersTo("os.system", 202)},
        {"Extension", beside("\x82\x01"),
         "data.pkl: the pickle uses the instruction EXT1, which plain tensors do not need (at byte 202); "
         "nothing in the file was run; where you trust it, save its tensors alone: a model with "
         "save_pretrained, maps with torch.save as a list of tensors."},
    };
}

std::vector<MalformedFile> pickles() {
    return {
        {"EndsEarly", torchZip("\x80\x02}(", {weights()}).bytes,
         std::string("data.pkl: the pickle ends inside an instruction (at byte 4)") + kIncomplete},
        {"UnknownInstruction", torchZip("\x80\x02\xff.", {weights()}).bytes,
         std::string("data.pkl: 0xff is no instruction of a pickle (at byte 2)") + kDamaged},
        {"Protocol9", torchZip("\x80\x09}.", {weights()}).bytes,
         std::string("data.pkl: the pickle has protocol 9, at most 5 is read (at byte 0)") + kDamaged},
        {"StackEmpty", torchZip("\x80\x02t.", {weights()}).bytes,
         std::string("data.pkl: an instruction needs a mark that was not set (at byte 2)") + kDamaged},
        {"TextBeyondTheEnd",
         torchZip(joined({"\x80\x02X", raw(std::uint32_t{1000}), "a."}), {weights()}).bytes,
         std::string("data.pkl: the pickle ends inside an instruction (at byte 2)") + kIncomplete},
        {"NothingSaved", saved("}"),
         "the file holds no tensors, expected a tensor, or lists or dictionaries of tensors."},
        {"NumbersOnly", saved(dict({{"loss", integer(3)}})),
         "the file holds no tensors, expected a tensor, or lists or dictionaries of tensors."},
        {"NineListsDeep", saved(deep(9)),
         "lists stand in each other more than 8 deep, expected tensors, or lists or dictionaries of them."},
        {"NameIsAList", saved(joined({"}(", tuple({}), map(), "u"})),
         "a name is a tuple, expected a string or a whole number."},
        {"NameTwice", saved(dict({{"a.0", map()}, {"a", tuple({map()})}})), "the name \"a.0\" stands twice."},
        {"StorageDescribedTwice", saved(tuple({map(), tensor(storage("0", 5), 0, counts({1}), counts({1}))})),
         std::string("the storage \"0\" is described in two ways") + kDamaged},
        {"SizeIsNegative", viewOf(0, {1, -2, 2}, {4, 2, 1}),
         std::string(
             "tensor \"attentions.0\": -2 stands in its size, expected whole numbers from 0 to 2^63 - 1") +
             kDamaged},
        {"StrideIsNegative", viewOf(3, {1, 2, 2}, {4, -2, -1}),
         std::string(
             "tensor \"attentions.0\": -2 stands in its strides, expected whole numbers from 0 to 2^63 - 1") +
             kDamaged},
        {"StridesMissing", viewOf(0, {1, 2, 2}, {4, 2}),
         std::string("tensor \"attentions.0\": it has 3 dimensions and 2 strides") + kDamaged},
        {"OffsetIsNegative", viewOf(-1, {1, 2, 2}, {4, 2, 1}),
         std::string("tensor \"attentions.0\": its offset is -1, expected a whole number from 0") + kDamaged},
        {"OffsetBeyondTheStorage", viewOf(1, {1, 2, 2}, {4, 2, 1}),
         std::string("tensor \"attentions.0\": size [1, 2, 2] with strides [4, 2, 1] from 1 reaches beyond "
                     "its storage, which has 4 elements") +
             kDamaged},
        {"StrideBeyondTheStorage", viewOf(0, {1, 2, 2}, {4, 3, 1}),
         std::string("tensor \"attentions.0\": size [1, 2, 2] with strides [4, 3, 1] from 0 reaches beyond "
                     "its storage, which has 4 elements") +
             kDamaged},
        {"SizeOverflows", viewOf(0, {1, std::int64_t{1} << 62, std::int64_t{1} << 62}, {1, 1, 1}),
         std::string("tensor \"attentions.0\": size [1, 4611686018427387904, 4611686018427387904] with "
                     "strides [1, 1, 1] reaches beyond 2^63 bytes") +
             kDamaged},
        {"SeventeenAxes", viewOf(0, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1}),
         std::string("tensor \"attentions.0\": 17 entries stand in its size, at most 16 are read") +
             kDamaged},
    };
}

std::vector<MalformedFile> maps() {
    const std::string hidden = tensor(storage("0", 4), 0, counts({1, 4, 1}), counts({4, 1, 1}));
    const auto of = [](const std::vector<float>& values) {
        return saved(dict({{"attentions", tuple({map()})}}), floatBytes(values));
    };
    return {
        {"AxesNotSaid", saved(map()),
         "what the axes of \"tensor\", [1, 2, 2], count is not known, expected --axes heads,q,k or --axes "
         "batch,q,k or --axes layers,q,k; the same may stand as \"axes\" in maps.json."},
        {"AxesOfAListNotSaid", saved(tuple({map(), map()})),
         "what the axes of \"0\" to \"1\", [1, 2, 2] each, count is not known, expected --axes heads,q,k or "
         "--axes batch,q,k; the same may stand as \"axes\" in maps.json."},
        {"OneNumberEach", saved(tensor(storage("0", 4), 0, counts({4}), counts({1}))),
         "\"tensor\": its shape is [4], expected 2 to 5 dimensions, queries and keys among them."},
        {"HiddenStates", saved(dict({{"hidden_states", tuple({hidden})}})),
         "\"hidden_states.0\": its shape is [1, 4, 1], 4 queries and 1 keys, expected as many queries as "
         "keys; hidden states and logits have such a shape; maps of cross-attention are named "
         "cross_attentions.",
         R"({"axes": "batch,q,k"})"},
        {"HiddenStatesForMaps", saved(dict({{"attentions", tuple({hidden})}})),
         "attentions.0: its shape is [1, 4, 1], expected as many queries as keys; hidden states have such a "
         "shape."},
        {"LogitsForMaps", saved(hidden),
         "\"tensor\": its shape is [1, 4, 1], 4 queries and 1 keys, expected as many queries as keys; hidden "
         "states and logits have such a shape; maps of cross-attention are named cross_attentions.",
         R"({"axes": "batch,q,k"})"},
        {"Integers", ofType("LongStorage", 8),
         "attentions.0: its type is I64, expected F16, BF16, F32 or F64."},
        {"TruthValues", ofType("BoolStorage", 1),
         "attentions.0: its type is BOOL, expected F16, BF16, F32 or F64."},
        {"NaN", of({1.0F, 0.0F, std::nanf(""), 0.5F}),
         "attentions.0, head 0, row 1: the weight on key 0 is NaN, expected weights from 0 to 1, as a "
         "softmax leaves them."},
        {"Scores", of({9.5F, 0.0F, 0.25F, 0.75F}),
         "attentions.0, head 0, row 0: the weight on key 0 is 9.5, expected weights from 0 to 1, as a "
         "softmax leaves them; these may be scores or hidden states."},
        {"SumTooSmall", of({1.0F, 0.0F, 0.25F, 0.25F}),
         "attentions.0, head 0, row 1: its weights sum to 0.5, expected 1 within 0.001; cut padding off; "
         "where a learned sink takes the rest, say \"learned_sink\": true."},
        {"Swapped", of({0.75F, 0.5F, 0.25F, 0.5F}),
         "attentions.0, head 0, row 0: its weights sum to 1.25, expected 1 within 0.001; its columns do "
         "instead: queries and keys seem to be swapped, and --axes heads,k,q reads them so."},
        {"TokenCount", good(), "\"tokens\": 3 are given, expected 2, as many as the maps have positions.",
         R"({"tokens": ["a", "b", "c"]})"},
        {"LayersNumberedFrom1", saved(joined({"}(", text("attentions"), "}(", integer(1), map(), "uu"})),
         "it holds attentions.1 but not attentions.0, expected all layers, numbered from 0."},
    };
}

class MalformedPt : public ::testing::TestWithParam<MalformedFile> {};
constexpr auto kName = [](const auto& row) { return std::string(row.param.name); };
INSTANTIATE_TEST_SUITE_P(OtherFiles, MalformedPt, ::testing::ValuesIn(otherFiles()), kName);
INSTANTIATE_TEST_SUITE_P(Programs, MalformedPt, ::testing::ValuesIn(programs()), kName);
INSTANTIATE_TEST_SUITE_P(Pickles, MalformedPt, ::testing::ValuesIn(pickles()), kName);
INSTANTIATE_TEST_SUITE_P(Maps, MalformedPt, ::testing::ValuesIn(maps()), kName);

TEST_P(MalformedPt, IsRefusedInOneSentence) {
    EXPECT_EQ(refusalOf(".pt", GetParam()), GetParam().sentence);
    EXPECT_FALSE(std::filesystem::exists("headscope-was-here"));
}

TEST(MalformedPtFile, IsRefusedAtEveryByte) {
    EXPECT_EQ(refusalOf(".pt", {"Whole", good(), ""}), "");
    for (std::size_t bytes = 4; bytes < good().size(); ++bytes)
        EXPECT_TRUE(refusalOf(".pt", {"Cut", good().substr(0, bytes), ""}).ends_with(kIncomplete)) << bytes;
}

/// Layers may stand by their numbers.
TEST(PtOfNumberedLayers, IsRead) {
    const std::string layers = joined({"}(", integer(0), map(), integer(1), map(), "u"});
    EXPECT_EQ(refusalOf(".pt", {"Numbered", saved(dict({{"attentions", layers}})), ""}), "");
    EXPECT_EQ(refusalOf(".pt", {"Bare", saved(layers), "", R"({"axes": "heads,q,k"})"}), "");
}

} // namespace
} // namespace headscope::test
