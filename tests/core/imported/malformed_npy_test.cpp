// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which an .npy file of maps can be wrong, and the sentence that says so.
#include "tests/core/checkpoint/npy_bytes.h"
#include "tests/core/imported/malformed_file.h"

#include <cmath>

namespace headscope::test {
namespace {

constexpr const char* kAxes = R"({"axes": "heads,q,k"})";
constexpr float kNaN = NAN;
constexpr float kInfinity = INFINITY;

/// One head of two tokens.
std::string map(const std::vector<float>& weights, const char* shape = "(1, 2, 2)") {
    return npyArray("<f4", shape, floatBytes(weights));
}

std::string good() {
    return map({1.0F, 0.0F, 0.25F, 0.75F});
}

std::string ofType(const char* type, std::size_t bytes) {
    return npyArray(type, "(1, 2, 2)", std::string(4 * bytes, '\0'));
}

std::string header(const char* dictionary) {
    return npyBytes(dictionary, floatBytes({1.0F, 0.0F, 0.25F, 0.75F}));
}

std::vector<MalformedFile> otherFiles() {
    return {
        {"Empty", "", std::string("the file is empty, expected an .npy array") + kIncomplete},
        {"WebPage", "<!DOCTYPE html><html>",
         "the file is a web page (HTML), not an .npy array; the download was answered by a login or error "
         "page: get the file again."},
        {"LfsPointer", "version https://git-lfs.github.com/spec/v1\nsize 9\n",
         "the file is a Git LFS pointer (50 bytes of text), not an .npy array; run \"git lfs pull\" in the "
         "folder."},
        {"Archive", "PK\x03\x04" + std::string(60, 'x'),
         "the file is a zip archive, expected an .npy array; files of np.savez end in .npz, those of "
         "torch.save in .pt."},
        {"Safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10),
         "the file is in the safetensors format, expected an .npy array; give it the ending .safetensors."},
        {"Gguf", "GGUF\3", "the file is a GGUF file, not an .npy array; it was given another file's name."},
        {"Pickle", "\x80\x04" + std::string(20, 'x'),
         std::string("the file is of an unknown form, expected an .npy array") + kDamaged},
        {"TableOfText", "0.5,0.5\n0.5,0.5\n",
         std::string("the file is of an unknown form, expected an .npy array") + kDamaged},
    };
}

std::vector<MalformedFile> headers() {
    return {
        {"CutInTheMagic", good().substr(0, 4),
         std::string("the file is of an unknown form, expected an .npy array") + kDamaged},
        {"CutInTheVersion", good().substr(0, 7), std::string("it ends within its header") + kIncomplete},
        {"CutInTheLength", good().substr(0, 9), std::string("it ends within its header") + kIncomplete},
        {"CutInTheDictionary", good().substr(0, 40), std::string("it ends within its header") + kIncomplete},
        {"CutBeforeTheData", good().substr(0, good().size() - 16),
         std::string("0 bytes of data follow its header, expected 16 for the shape [1, 2, 2]") + kIncomplete},
        {"CutInTheData", good().substr(0, good().size() - 1),
         std::string("15 bytes of data follow its header, expected 16 for the shape [1, 2, 2]") +
             kIncomplete},
        {"BytesBehindTheData", good() + "x",
         std::string("17 bytes of data follow its header, expected 16 for the shape [1, 2, 2]") + kDamaged},
        {"Version4", npyBytes(npyDictionary("<f4", "(1,)"), "1234", '\4'),
         "its format has the version 4.0, expected 1.0, 2.0 or 3.0."},
        {"Version0", npyBytes(npyDictionary("<f4", "(1,)"), "1234", '\0'),
         "its format has the version 0.0, expected 1.0, 2.0 or 3.0."},
        {"LongHeader", std::string("\x93NUMPY\2\0\xff\xff\xff\x7f", 12),
         "its header has 2147483647 bytes, at most 9988 are read."},
        {"NoDictionary", header("[1, 2]"), std::string("its header is malformed") + kDamaged},
        {"KeyMissing", header("{'descr': '<f4', 'shape': (1, 2, 2)}"),
         std::string("its header is malformed") + kDamaged},
        {"KeyUnknown", header("{'descr': '<f4', 'fortran_order': False, 'shape': (), 'x': 1}"),
         std::string("its header is malformed") + kDamaged},
        {"NegativeExtent", map({}, "(-1, 2, 2)"), std::string("its header is malformed") + kDamaged},
        {"ExtentBeyond64Bits", map({}, "(1, 99999999999999999999)"),
         std::string("its header is malformed") + kDamaged},
        {"ElementsOverflow", map({}, "(4294967296, 4294967296, 2)"),
         std::string("its shape [4294967296, 4294967296, 2] is too large") + kDamaged},
        {"BytesOverflow", map({}, "(4611686018427387904,)"),
         std::string("its shape [4611686018427387904] is too large") + kDamaged},
        {"TenGigabytesPromised", map({}, "(1, 50000, 50000)"),
         std::string(
             "0 bytes of data follow its header, expected 10000000000 for the shape [1, 50000, 50000]") +
             kIncomplete},
    };
}

std::vector<MalformedFile> types() {
    return {
        {"Objects", ofType("|O", 8),
         "it holds Python objects, which can be read only by running code from the file, expected "
         "little-endian whole numbers, float16, float32, float64 or text; save numbers as numbers and texts "
         "with dtype=str.",
         kAxes},
        {"Records", header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,)}"),
         "it holds records of several fields, expected numbers or text; save each field as an array of its "
         "own.",
         kAxes},
        {"BigEndian", ofType(">f4", 4),
         "its type is \">f4\", big-endian, expected little-endian numbers; convert it with .astype before "
         "saving.",
         kAxes},
        {"Complex", ofType("<c8", 8),
         "its type is \"<c8\", complex numbers, expected little-endian whole numbers, float16, float32, "
         "float64 or text; save it as float32.",
         kAxes},
        {"Dates", ofType("<M8[D]", 8),
         "its type is \"<M8[D]\", expected little-endian whole numbers, float16, float32, float64 or text; "
         "save it as float32.",
         kAxes},
        {"BytesWithoutMeaning", ofType("|V2", 2),
         "its type is \"|V2\", bytes without a meaning, expected little-endian whole numbers, float16, "
         "float32, float64 or text; save it as float32; numpy writes bfloat16 so.",
         kAxes},
        {"LongDouble", ofType("<f16", 16),
         "its type is \"<f16\", expected little-endian whole numbers, float16, float32, float64 or text; "
         "save it as float32.",
         kAxes},
        {"Texts", ofType("<U1", 4), "it holds texts, expected an array of numbers.", kAxes},
        {"WholeNumbers", ofType("<i4", 4), "\"maps\": its type is I32, expected F16, BF16, F32 or F64.",
         kAxes},
        {"TruthValues", ofType("|b1", 1), "\"maps\": its type is BOOL, expected F16, BF16, F32 or F64.",
         kAxes},
    };
}

std::vector<MalformedFile> weights() {
    return {
        {"NaN", map({1.0F, 0.0F, 0.25F, kNaN}),
         "attentions.0, head 0, row 1: the weight on key 1 is NaN, expected weights from 0 to 1, as a "
         "softmax leaves them.",
         kAxes},
        {"Infinity", map({1.0F, 0.0F, kInfinity, 0.0F}),
         "attentions.0, head 0, row 1: the weight on key 0 is inf, expected weights from 0 to 1, as a "
         "softmax leaves them.",
         kAxes},
        {"MinusInfinity", map({1.0F, -kInfinity, 0.5F, 0.5F}),
         "attentions.0, head 0, row 0: the weight on key 1 is -inf, expected weights from 0 to 1, as a "
         "softmax leaves them.",
         kAxes},
        {"Negative", map({1.25F, -0.25F, 0.5F, 0.5F}),
         "attentions.0, head 0, row 0: the weight on key 0 is 1.25, expected weights from 0 to 1, as a "
         "softmax leaves them; these may be scores or hidden states.",
         kAxes},
        {"Below0", map({0.5F, 0.5F, -0.25F, 1.0F}),
         "attentions.0, head 0, row 1: the weight on key 0 is -0.25, expected weights from 0 to 1, as a "
         "softmax leaves them; these may be scores or hidden states.",
         kAxes},
        {"Above1", map({1.0F, 0.0F, 1.5F, -0.5F}),
         "attentions.0, head 0, row 1: the weight on key 0 is 1.5, expected weights from 0 to 1, as a "
         "softmax leaves them; these may be scores or hidden states.",
         kAxes},
        {"Scores", map({7.25F, -3.5F, 0.5F, 2.0F}),
         "attentions.0, head 0, row 0: the weight on key 0 is 7.25, expected weights from 0 to 1, as a "
         "softmax leaves them; these may be scores or hidden states.",
         kAxes},
        {"SumTooSmall", map({1.0F, 0.0F, 0.25F, 0.5F}),
         "attentions.0, head 0, row 1: its weights sum to 0.75, expected 1 within 0.001; cut padding off; "
         "where a learned sink takes the rest, say \"learned_sink\": true.",
         kAxes},
        {"SumTooLarge", map({1.0F, 0.5F, 0.25F, 0.75F}),
         "attentions.0, head 0, row 0: its weights sum to 1.5, expected 1 within 0.001.", kAxes},
        {"Zeros", map({0.0F, 0.0F, 0.0F, 0.0F}),
         "attentions.0, head 0, row 0: its weights sum to 0, expected 1 within 0.001; cut padding off; where "
         "a learned sink takes the rest, say \"learned_sink\": true.",
         kAxes},
        {"Swapped", map({0.75F, 0.5F, 0.25F, 0.5F}),
         "attentions.0, head 0, row 0: its weights sum to 1.25, expected 1 within 0.001; its columns do "
         "instead: queries and keys seem to be swapped, and --axes heads,k,q reads them so.",
         kAxes},
        {"Future", map({0.5F, 0.5F, 0.25F, 0.75F}),
         "attentions.0, head 0, row 0: there is weight on the future, 0.5 on key 1, expected none on keys "
         "after the query, since the maps are causal; a map that sees both ways says \"causal\": false.",
         R"({"axes": "heads,q,k", "causal": true})"},
        {"Window", map({1.0F, 0.0F, 0.25F, 0.75F}),
         "attentions.0, head 0, row 1: there is weight outside the window, 0.25 on key 0, expected none "
         "beyond a window of 1.",
         R"({"axes": "heads,q,k", "causal": true, "window": 1})"},
    };
}

std::vector<MalformedFile> shapes() {
    const std::vector<float> six(6, 0.5F);
    return {
        {"AxesNotSaid", good(),
         "what the axes of \"maps\", [1, 2, 2], count is not known, expected --axes heads,q,k or --axes "
         "batch,q,k or --axes layers,q,k; the same may stand as \"axes\" in maps.json."},
        {"OneAxis", map({1.0F, 0.0F}, "(2,)"),
         "\"maps\": its shape is [2], expected 2 to 5 dimensions, queries and keys among them."},
        {"NoAxis", map({1.0F}, "()"),
         "\"maps\": its shape is [], expected 2 to 5 dimensions, queries and keys among them."},
        {"NoElements", map({}, "(0, 2, 2)"), "\"maps\": its shape is [0, 2, 2], expected weights in it.",
         kAxes},
        {"SevenAxes", map({1.0F}, "(1, 1, 1, 1, 1, 1, 1)"),
         "\"maps\": its shape is [1, 1, 1, 1, 1, 1, 1], expected 2 to 5 dimensions, queries and keys among "
         "them."},
        {"AxesOfAnotherCount", good(),
         "\"maps\": its shape is [1, 2, 2], expected 2 dimensions as maps.json: \"axes\" says, q,k.",
         R"({"axes": "q,k"})"},
        {"HiddenStates", map(six, "(1, 3, 2)"),
         "\"maps\": its shape is [1, 3, 2], 3 queries and 2 keys, expected as many queries as keys; hidden "
         "states and logits have such a shape; maps of cross-attention are named cross_attentions.",
         R"({"axes": "batch,q,k"})"},
        {"SampleNotSaid", map({1.0F, 1.0F}, "(2, 1, 1)"),
         "\"maps\": its batch has 2 samples, expected --sample 0 to 1.", R"({"axes": "batch,q,k"})"},
        {"SampleBeyond", map({1.0F, 1.0F}, "(2, 1, 1)"), "\"maps\": sample 2 was asked for, expected 0 to 1.",
         R"({"axes": "batch,q,k", "sample": 2})"},
        {"TokenCount", good(), "\"tokens\": 1 are given, expected 2, as many as the maps have positions.",
         R"({"axes": "heads,q,k", "tokens": ["a"]})"},
        {"IdCount", good(), "\"input_ids\": 3 are given, expected 2, as many as the maps have positions.",
         R"({"axes": "heads,q,k", "input_ids": [1, 2, 3]})"},
        {"UnknownAxis", good(),
         "maps.json: \"axes\": \"v\" is no axis, expected layers, batch, heads, q and k in the order of the "
         "array.",
         R"({"axes": "heads,q,v"})"},
        {"AxisTwice", good(),
         "maps.json: \"axes\": q stands twice, expected layers, batch, heads, q and k in the order of the "
         "array.",
         R"({"axes": "q,q,k"})"},
        {"BrokenJson", good(), "maps.json: the JSON is malformed (at byte 1).", "{"},
    };
}

class MalformedNpy : public ::testing::TestWithParam<MalformedFile> {};
constexpr auto kName = [](const auto& row) { return std::string(row.param.name); };
INSTANTIATE_TEST_SUITE_P(OtherFiles, MalformedNpy, ::testing::ValuesIn(otherFiles()), kName);
INSTANTIATE_TEST_SUITE_P(Headers, MalformedNpy, ::testing::ValuesIn(headers()), kName);
INSTANTIATE_TEST_SUITE_P(Types, MalformedNpy, ::testing::ValuesIn(types()), kName);
INSTANTIATE_TEST_SUITE_P(Weights, MalformedNpy, ::testing::ValuesIn(weights()), kName);
INSTANTIATE_TEST_SUITE_P(Shapes, MalformedNpy, ::testing::ValuesIn(shapes()), kName);

TEST_P(MalformedNpy, IsRefusedInOneSentence) {
    EXPECT_EQ(refusalOf(".npy", GetParam()), GetParam().sentence);
}

/// Wherever a download may have ended.
TEST(MalformedNpyFile, IsRefusedAtEveryByte) {
    EXPECT_EQ(refusalOf(".npy", {"Whole", good(), "", kAxes}), "");
    for (std::size_t bytes = 6; bytes < good().size(); ++bytes)
        EXPECT_TRUE(refusalOf(".npy", {"Cut", good().substr(0, bytes), "", kAxes}).ends_with(kIncomplete))
            << bytes;
}

} // namespace
} // namespace headscope::test
