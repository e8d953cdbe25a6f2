// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which an .npz archive of maps can be wrong, and the sentence that says so.
#include "tests/core/checkpoint/npy_bytes.h"
#include "tests/core/checkpoint/zip_bytes.h"
#include "tests/core/imported/malformed_file.h"

#include <functional>

namespace headscope::test {
namespace {

std::string weights() {
    return floatBytes({1.0F, 0.0F, 0.25F, 0.75F});
}

/// One head of two tokens, as np.savez writes it under this name.
ZipPart map(const char* name = "attentions.0") {
    return {.name = std::string(name) + ".npy", .stored = npyArray("<f4", "(1, 2, 2)", weights())};
}

ZipPart beside(const char* name, const char* type, const char* shape, const std::string& data) {
    return {.name = std::string(name) + ".npy", .stored = npyArray(type, shape, data)};
}

std::string with(const ZipPart& second) {
    return zipBytes({map(), second}).bytes;
}

std::string only(const ZipPart& part) {
    return zipBytes({part}).bytes;
}

/// The good archive of one entry after `change`.
std::string changed(const std::function<void(ZipBytes&)>& change) {
    ZipBytes zip = zipBytes({map()});
    change(zip);
    return zip.bytes;
}

/// Of an array [1, 50000, 50000] of floats with its header.
const std::uint64_t kTenGigabytes = 10'000'000'000 + npyArray("<f4", "(1, 50000, 50000)", "").size();

/// An entry of 10 MB that by its header unpacks to as many bytes: zip64, since 32 bits end at 4 GB. What
/// follows the array's header is never unpacked.
std::string bomb(std::uint64_t unpacked) {
    const std::string array = npyArray("<f4", "(1, 50000, 50000)", std::string(12'000, '\0'));
    ZipPart part = deflatedPart("a.npy", array);
    part.stored[0] = '\0'; // not the last block
    part.stored.resize(10'000'000, '\0');
    part.bytes = 0xffffffff;
    ZipBytes zip = zipBytes({part});
    const std::string extra =
        pickle::joined({pickle::raw<std::uint16_t>(1), pickle::raw<std::uint16_t>(8), pickle::raw(unpacked)});
    zip.put(zip.entries[0] + 30, static_cast<std::uint16_t>(extra.size()));
    zip.bytes.insert(zip.end, extra);
    zip.put(zip.end + extra.size() + 12, static_cast<std::uint32_t>(zip.end + extra.size() - zip.entries[0]));
    return zip.bytes;
}

std::vector<MalformedFile> archives() {
    const std::string whole = only(map());
    return {
        {"Empty", "", std::string("the file is empty, expected an .npz archive") + kIncomplete},
        {"WebPage", "<!DOCTYPE html><html>",
         "the file is a web page (HTML), not an .npz archive; the download was answered by a login or error "
         "page: get the file again."},
        {"LfsPointer", "version https://git-lfs.github.com/spec/v1\nsize 9\n",
         "the file is a Git LFS pointer (50 bytes of text), not an .npz archive; run \"git lfs pull\" in the "
         "folder."},
        {"OneArray", npyArray("<f4", "(1, 2, 2)", weights()),
         "the file is a single array (.npy), expected an .npz archive; give it the ending .npy."},
        {"Safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10),
         "the file is in the safetensors format, expected an .npz archive; give it the ending .safetensors."},
        {"TorchSave", only({.name = "archive/data.pkl", .stored = "x"}),
         "the file is one of torch.save, expected an .npz archive; give it the ending .pt."},
        {"TableOfText", "0.5,0.5\n0.5,0.5\n",
         std::string("the file is of an unknown form, expected an .npz archive") + kDamaged},
        {"NoEntries", zipBytes({}).bytes,
         "it holds no arrays, expected attentions.0, attentions.1 and so on of [heads, queries, keys] (or "
         "encoder_attentions.0, decoder_attentions.0, cross_attentions.0); a model is opened by its folder."},
        {"OtherEntries", only({.name = "readme.txt", .stored = "hello"}),
         "it holds no arrays, expected attentions.0, attentions.1 and so on of [heads, queries, keys] (or "
         "encoder_attentions.0, decoder_attentions.0, cross_attentions.0); a model is opened by its folder."},
        {"CutInTheData", whole.substr(0, 60),
         std::string("zip archive: its directory is missing") + kIncomplete},
        {"CutInTheDirectory", whole.substr(0, whole.size() - 30),
         std::string("zip archive: its directory is missing") + kIncomplete},
        {"CutInTheEndRecord", whole.substr(0, whole.size() - 1),
         std::string("zip archive: its directory is missing") + kIncomplete},
        {"Encrypted", changed([](ZipBytes& zip) { zip.put<std::uint16_t>(zip.entries[0] + 8, 1); }),
         "zip archive: \"attentions.0.npy\" is encrypted; save it without a password."},
        {"Bzip2", changed([](ZipBytes& zip) { zip.put<std::uint16_t>(zip.entries[0] + 10, 12); }),
         "zip archive: \"attentions.0.npy\" is compressed by method 12, expected stored or deflated data; "
         "save it again, stored or deflated."},
        {"HeaderBeyondTheFile",
         changed([](ZipBytes& zip) { zip.put<std::uint32_t>(zip.entries[0] + 42, 0x7fffffff); }),
         std::string("zip archive: the data of \"attentions.0.npy\" reach into what follows") + kDamaged},
        {"SizeBeyondTheFile",
         changed([](ZipBytes& zip) { zip.put<std::uint64_t>(zip.entries[0] + 20, 0x7fffffff7fffffff); }),
         std::string("zip archive: the data of \"attentions.0.npy\" reach into what follows") + kDamaged},
        {"NameTwice", zipBytes({map(), map()}).bytes,
         std::string("zip archive: the name \"attentions.0.npy\" stands twice") + kDamaged},
        {"NameTwiceWithoutEnding", zipBytes({map(), {.name = "attentions.0", .stored = map().stored}}).bytes,
         std::string("the name \"attentions.0\" stands twice") + kDamaged},
        {"PackedDataEndEarly",
         [] {
             ZipPart part = deflatedPart("attentions.0.npy", map().stored);
             part.stored.resize(40);
             return only(part);
         }(),
         std::string("zip archive: the compressed data of \"attentions.0.npy\" do not unpack") + kDamaged},
        {"ChecksumDiffers",
         [] {
             ZipPart part = deflatedPart("attentions.0.npy", map().stored);
             part.checksum ^= 1U;
             return only(part);
         }(),
         std::string("zip archive: the compressed data of \"attentions.0.npy\" do not unpack") + kDamaged},
        {"TenGigabytesPacked", bomb(kTenGigabytes),
         "array \"a\": it is compressed and has 10000000081 bytes, at most 4294967296 are unpacked; save it "
         "with np.savez, in C order."},
        {"MoreThanDeflateCanPack", bomb(std::uint64_t{1} << 40U),
         std::string("zip archive: \"a.npy\" is said to unpack from 10000000 bytes to 1099511627776") +
             kDamaged},
    };
}

std::vector<MalformedFile> arrays() {
    const ZipPart objects = beside("meta", "|O", "(1,)", std::string("\x80\x04", 2) + "cos\nsystem\n");
    return {
        {"Objects", with(objects),
         "array \"meta\": it holds Python objects, which can be read only by running code from the file, "
         "expected little-endian whole numbers, float16, float32, float64 or text; save numbers as numbers "
         "and texts with dtype=str."},
        {"ObjectsPacked", with(deflatedPart(objects.name, objects.stored)),
         "array \"meta\": it holds Python objects, which can be read only by running code from the file, "
         "expected little-endian whole numbers, float16, float32, float64 or text; save numbers as numbers "
         "and texts with dtype=str."},
        {"ObjectsForMaps", only(beside("attentions.0", "|O", "(1, 2, 2)", std::string(32, '\0'))),
         "array \"attentions.0\": it holds Python objects, which can be read only by running code from the "
         "file, expected little-endian whole numbers, float16, float32, float64 or text; save numbers as "
         "numbers and texts with dtype=str."},
        {"Records",
         with({.name = "a.npy",
               .stored = npyBytes("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "1234")}),
         "array \"a\": it holds records of several fields, expected numbers or text; save each field as an "
         "array of its own."},
        {"BigEndian", only(beside("attentions.0", ">f4", "(1, 2, 2)", weights())),
         "array \"attentions.0\": its type is \">f4\", big-endian, expected little-endian numbers; convert "
         "it with .astype before saving."},
        {"Complex", with(beside("a", "<c8", "(1,)", std::string(8, '\0'))),
         "array \"a\": its type is \"<c8\", complex numbers, expected little-endian whole numbers, float16, "
         "float32, float64 or text; save it as float32."},
        {"Bfloat16", only(beside("attentions.0", "|V2", "(1, 2, 2)", std::string(8, '\0'))),
         "array \"attentions.0\": its type is \"|V2\", bytes without a meaning, expected little-endian whole "
         "numbers, float16, float32, float64 or text; save it as float32; numpy writes bfloat16 so."},
        {"Integers", only(beside("attentions.0", "<i4", "(1, 2, 2)", std::string(16, '\0'))),
         "attentions.0: its type is I32, expected F16, BF16, F32 or F64."},
        {"HeaderCut", with({.name = "a.npy", .stored = map().stored.substr(0, 40)}),
         std::string("array \"a\": it ends within its header") + kDamaged},
        {"DataCut", only({.name = "attentions.0.npy", .stored = map().stored.substr(0, 80)}),
         std::string("array \"attentions.0\": 7 bytes of data follow its header, expected 16 for the shape "
                     "[1, 2, 2]") +
             kDamaged},
        {"ShapeOverflows", with(beside("a", "<f4", "(4294967296, 4294967296)", "")),
         std::string("array \"a\": its shape [4294967296, 4294967296] is too large") + kDamaged},
        {"Version9", with({.name = "a.npy", .stored = npyBytes("{}", "", '\x09')}),
         "array \"a\": its format has the version 9.0, expected 1.0, 2.0 or 3.0."},
        {"NameIsNotUtf8", with(beside("\xff\xfe", "|O", "(1,)", "")),
         "array \"\\xff\\xfe\": it holds Python objects, which can be read only by running code from the "
         "file, expected little-endian whole numbers, float16, float32, float64 or text; save numbers as "
         "numbers and texts with dtype=str."},
        {"TextIsNotUtf8", with(beside("tokens", "|S2", "(2,)", std::string("a\0\xff\xfe", 4))),
         "array \"tokens\": the text is not valid UTF-8 (at byte 0); save it as UTF-8."},
        {"TextIsASurrogate", with(beside("tokens", "<U1", "(1,)", pickle::raw(std::uint32_t{0xD800}))),
         "array \"tokens\": a text holds the number 0xd800, which is no character."},
    };
}

std::vector<MalformedFile> maps() {
    return {
        {"FirstLayerMissing", only(map("attentions.1")),
         "it holds attentions.1 but not attentions.0, expected all layers, numbered from 0."},
        {"LayerMissing", zipBytes({map(), map("attentions.2")}).bytes,
         "it holds attentions.2 but not attentions.1, expected all layers, numbered from 0."},
        {"NoLayerNumber", only(map("attentions.first")),
         "\"attentions.first\" has no layer number, expected attentions.0, attentions.1 and so on."},
        {"WeightsOfAModel",
         zipBytes({beside("wte.weight", "<f4", "(1, 4)", weights()),
                   beside("wpe.weight", "<f4", "(4, 1)", weights()),
                   beside("ln.bias", "<f4", "(4,)", weights())})
             .bytes,
         "it holds no attention maps but \"wte.weight\", \"wpe.weight\", \"ln.bias\", expected attentions.0, "
         "attentions.1 and so on of [heads, queries, keys] (or encoder_attentions.0, decoder_attentions.0, "
         "cross_attentions.0); a model is opened by its folder."},
        {"HiddenStates", only(beside("attentions.0", "<f4", "(1, 1, 4)", weights())),
         "attentions.0: its shape is [1, 1, 4], expected as many queries as keys; hidden states have such a "
         "shape."},
        {"Batch", only(beside("attentions.0", "<f4", "(4, 1, 1, 1)", weights())),
         "attentions.0: its shape is [4, 1, 1, 1], expected [heads, queries, keys]; of a batch of 4 "
         "samples, --axes batch,heads,q,k --sample 0 takes the first."},
        {"TwoModels", zipBytes({map(), map("cross_attentions.0")}).bytes,
         "it holds attentions beside maps of an encoder or a decoder, expected one stack, or an encoder and "
         "a decoder."},
        {"TwoTexts", with(beside("attentions.1", "<f4", "(1, 1, 1)", floatBytes({1.0F}))),
         "attentions.0 has 2 x 2 cells, attentions.1 has 1 x 1, expected maps of one text."},
        {"Probabilities16", only(beside("attentions.0", "<f2", "(1, 2, 2)", std::string(8, '\0'))),
         "attentions.0, head 0, row 0: its weights sum to 0, expected 1 within 0.0015; cut padding off; "
         "where a learned sink takes the rest, say \"learned_sink\": true."},
        {"TokenCount", with(beside("tokens", "<U1", "(3,)", std::string(12, '\0'))),
         "\"tokens\": 3 are given, expected 2, as many as the maps have positions."},
        {"TokensAsNumbers", with(beside("tokens", "<i8", "(2,)", std::string(16, '\0'))),
         "\"tokens\": found in it the number 0, expected a list of texts."},
        {"IdsAsTexts", with(beside("input_ids", "<U1", "(2,)", std::string(8, '\0'))),
         "\"input_ids\": found in it a string, expected a list of whole numbers."},
        {"IdsAsFractions", with(beside("input_ids", "<f4", "(2,)", std::string(8, '\0'))),
         "\"input_ids\": its type is F32, expected whole numbers."},
        {"IdsOfABatch", with(beside("input_ids", "<i4", "(2, 2)", std::string(16, '\0'))),
         "\"input_ids\": its shape is [2, 2], expected a list."},
        {"SpecialBeyond", with(beside("special", "<i4", "(1,)", pickle::raw(std::int32_t{2}))),
         "\"special\": it names position 2, expected positions below 2."},
        {"SpecialNegative", with(beside("special", "<i4", "(1,)", pickle::raw(std::int32_t{-1}))),
         "\"special\": it names position -1, expected positions below 2."},
        {"CausalIsTwo", with(beside("causal", "<i4", "()", pickle::raw(std::int32_t{2}))),
         "\"causal\": found the number 2, expected true or false."},
        {"NotCausal",
         zipBytes({beside("attentions.0", "<f4", "(1, 2, 2)", floatBytes({0.5F, 0.5F, 0.5F, 0.5F})),
                   beside("causal", "|b1", "()", "\1")})
             .bytes,
         "attentions.0, head 0, row 0: there is weight on the future, 0.5 on key 1, expected none on keys "
         "after the query, since the maps are causal; a map that sees both ways says \"causal\": false."},
        {"WindowCount", with(beside("window", "<i4", "(2,)", std::string(8, '\0'))),
         "\"window\": it lists 2 numbers, expected one for each of 1 layers."},
        {"OtherTokens",
         with(beside("tokens", "<U1", "(2,)",
                     pickle::joined({pickle::raw(std::uint32_t{'a'}), pickle::raw(std::uint32_t{'b'})}))),
         "maps.json: tokens differs from what maps.npz says, expected one of them or the same; remove the "
         "wrong one.",
         R"({"tokens": ["a", "c"]})"},
    };
}

class MalformedNpz : public ::testing::TestWithParam<MalformedFile> {};
constexpr auto kName = [](const auto& row) { return std::string(row.param.name); };
INSTANTIATE_TEST_SUITE_P(Archives, MalformedNpz, ::testing::ValuesIn(archives()), kName);
INSTANTIATE_TEST_SUITE_P(Arrays, MalformedNpz, ::testing::ValuesIn(arrays()), kName);
INSTANTIATE_TEST_SUITE_P(Maps, MalformedNpz, ::testing::ValuesIn(maps()), kName);

TEST_P(MalformedNpz, IsRefusedInOneSentence) {
    EXPECT_EQ(refusalOf(".npz", GetParam()), GetParam().sentence);
}

TEST(MalformedNpzFile, IsRefusedAtEveryByte) {
    const std::string whole = only(map());
    EXPECT_EQ(refusalOf(".npz", {"Whole", whole, ""}), "");
    for (std::size_t bytes = 2; bytes < whole.size(); ++bytes)
        EXPECT_TRUE(refusalOf(".npz", {"Cut", whole.substr(0, bytes), ""}).ends_with(kIncomplete)) << bytes;
}

} // namespace
} // namespace headscope::test
