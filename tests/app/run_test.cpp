// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"
#include "tests/app/command_line.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace headscope::test {
namespace {

std::vector<float> floatsOf(const TensorSource& source, const std::string& name) {
    const TensorInfo* tensor = source.find(name);
    if (tensor == nullptr) return {};
    std::vector<float> values(static_cast<std::size_t>(tensor->elements));
    source.readFloats(*tensor, 0, values);
    return values;
}

TEST(Run, WritesEveryMapAsSafetensors) {
    const TemporaryFolder place;
    const std::string out = (place / "maps.safetensors").string();
    const ProcessResult result = headscope({"run", tinyBert(), "--text", "The cat said", "--out", out});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "layer 1 of 3\nlayer 2 of 3\nlayer 3 of 3\n");
    EXPECT_EQ(namesIn(place.path()), std::vector<std::string>{"maps.safetensors"});

    const auto source = openSafetensors(out);
    for (const char* name : {"attentions.0", "attentions.1", "attentions.2"}) {
        const std::vector<float> maps = floatsOf(*source, name);
        ASSERT_EQ(source->find(name)->shape, (std::vector<std::int64_t>{4, 5, 5}));
        for (std::size_t row = 0; row < 20; ++row) {
            double sum = 0.0;
            for (std::size_t i = 0; i < 5; ++i) sum += static_cast<double>(maps[row * 5 + i]);
            EXPECT_NEAR(sum, 1.0, 1e-5);
        }
    }
    const TensorInfo* ids = source->find("input_ids");
    ASSERT_NE(ids, nullptr);
    EXPECT_EQ(ids->dtype, DType::I64);
    EXPECT_EQ(ids->offset % 8, 0U);
    std::vector<std::int64_t> values(5);
    source->readRaw(*ids, 0, 5, std::as_writable_bytes(std::span(values)));
    EXPECT_EQ(values, (std::vector<std::int64_t>{2, 100, 189, 135, 3}));
    const auto metadata = readSafetensorsMetadata(out);
    EXPECT_EQ(metadata.at("tokens"), R"(["[CLS]", "the", "cat", "said", "[SEP]"])");
    EXPECT_EQ(metadata.at("special"), "[0, 4]");
    EXPECT_EQ(metadata.at("causal"), "false");
    EXPECT_EQ(metadata.at("window"), "null");
    EXPECT_EQ(metadata.at("learned_sink"), "false");
}

TEST(Run, NpzHoldsTheSameBytes) {
    const TemporaryFolder place;
    const std::string tensors = (place / "maps.safetensors").string();
    const std::string arrays = (place / "maps.npz").string();
    ASSERT_EQ(headscope({"run", tinyBert(), "--text", kSentence, "--out", tensors}).code, 0);
    ASSERT_EQ(headscope({"run", tinyBert(), "--text", kSentence, "--out", arrays}).code, 0);
    const std::string npz = readBytes(arrays);
    EXPECT_EQ(npz.substr(0, 4), "PK\x03\x04");
    const auto source = openSafetensors(tensors);
    for (const char* name : {"attentions.0", "attentions.1", "attentions.2"}) {
        EXPECT_NE(npz.find(std::string(name) + ".npy"), std::string::npos);
        const std::vector<float> maps = floatsOf(*source, name);
        const std::string bytes(reinterpret_cast<const char*>(maps.data()), maps.size() * sizeof(float));
        EXPECT_NE(npz.find(bytes), std::string::npos) << name; // stored, not compressed
    }
    for (const char* name : {"input_ids", "tokens", "special", "causal", "learned_sink"})
        EXPECT_NE(npz.find(std::string(name) + ".npy"), std::string::npos) << name;
}

TEST(Run, IdsAreFedAsTheyAre) {
    const TemporaryFolder place;
    const std::string out = (place / "maps.safetensors").string();
    ASSERT_EQ(headscope({"run", tinyBert(), "--ids", "100,189", "--out", out}).code, 0);
    EXPECT_EQ(openSafetensors(out)->find("attentions.0")->shape, (std::vector<std::int64_t>{4, 2, 2}));
    EXPECT_EQ(readSafetensorsMetadata(out).at("tokens"), R"(["the", "cat"])");
    EXPECT_EQ(readSafetensorsMetadata(out).at("special"), "[]");
}

TEST(Run, AnEmptyTextHasItsSpecialTokens) {
    const TemporaryFolder place;
    const std::string out = (place / "maps.safetensors").string();
    ASSERT_EQ(headscope({"run", tinyBert(), "--text", "", "--out", out}).code, 0);
    EXPECT_EQ(openSafetensors(out)->find("attentions.0")->shape, (std::vector<std::int64_t>{4, 2, 2}));
}

TEST(Run, ALongTextIsCutOnlyOnRequest) {
    const TemporaryFolder place;
    std::string words;
    for (int i = 0; i < 200; ++i) words += "the ";
    const auto file = place.write("long.txt", words);
    const std::string out = (place / "maps.safetensors").string();
    const ProcessResult refused = headscope({"run", tinyBert(), "--text-file", file.string(), "--out", out});
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.err.find("202 tokens"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("128"), std::string::npos) << refused.err;
    EXPECT_EQ(namesIn(place.path()), std::vector<std::string>{"long.txt"});
    const auto shapeWith = [&](const std::vector<std::string>& more) {
        std::vector<std::string> command = {"run", tinyBert(), "--text-file", file.string(), "--out", out};
        command.insert(command.end(), more.begin(), more.end());
        EXPECT_EQ(headscope(command).code, 0);
        return openSafetensors(out)->find("attentions.2")->shape;
    };
    EXPECT_EQ(shapeWith({"--truncate"}), (std::vector<std::int64_t>{4, 128, 128}));
    EXPECT_EQ(shapeWith({"--piece", "1"}), (std::vector<std::int64_t>{4, 76, 76}));
}

TEST(Run, ReplacesAnOlderFileOnlyWhenComplete) {
    const TemporaryFolder place;
    const auto out = place.write("maps.npz", "old");
    const ProcessResult failed = headscope({"run", tinyBert(), "--ids", "5000", "--out", out.string()});
    EXPECT_EQ(failed.code, 1);
    EXPECT_EQ(readBytes(out), "old");
    ASSERT_EQ(headscope({"run", tinyBert(), "--ids", "100", "--out", out.string()}).code, 0);
    EXPECT_EQ(readBytes(out).substr(0, 2), "PK");
    EXPECT_EQ(namesIn(place.path()), std::vector<std::string>{"maps.npz"});
}

TEST(Run, ASizeLimitIsAnErrorThatLeavesNothing) {
    for (const char* name : {"a.npz", "a.safetensors"}) {
        const TemporaryFolder place;
        const std::string out = (place / name).string();
        const ProcessResult result = runProcess(
            {"/bin/sh", "-c", R"(ulimit -f 1; exec "$0" run "$1" --text "the cat saw it" --quiet --out "$2")",
             HEADSCOPE_BINARY, tinyBert(), out});
        EXPECT_EQ(result.code, 1);
        EXPECT_EQ(result.err, out + ": cannot be written: the file would be larger than the file system or "
                                    "the session's limit allows.\n");
        EXPECT_EQ(namesIn(place.path()), std::vector<std::string>());
    }
}

TEST(Run, ClosedStreamsDoNotReachTheFile) {
    const TemporaryFolder place;
    const std::string with = (place / "with.safetensors").string();
    const std::string without = (place / "without.safetensors").string();
    EXPECT_EQ(headscope({"run", tinyBert(), "--text", "the cat", "--out", with}).code, 0);
    const ProcessResult result =
        runProcess({"/bin/sh", "-c", R"(exec "$0" run "$1" --text "the cat" --out "$2" <&- >&- 2>&-)",
                    HEADSCOPE_BINARY, tinyBert(), without});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(readBytes(with), readBytes(without));
}

TEST(Run, QuietSaysNothing) {
    const TemporaryFolder place;
    const ProcessResult result =
        headscope({"run", tinyBert(), "--text", "a", "--quiet", "--out", (place / "a.npz").string()});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out + result.err, "");
}

TEST(Run, AgreesWithTheStoredReference) {
    // Weights of the same model and ids from the reference implementation, with its own float32 noise as
    // bound.
    const auto golden = openSafetensors(dataPath("golden/tiny-bert.safetensors"));
    const TemporaryFolder place;
    const std::string out = (place / "maps.safetensors").string();
    int compared = 0;
    for (const TensorInfo& tensor : golden->tensors()) {
        if (!tensor.name.ends_with("input_ids")) continue;
        const std::string prefix = tensor.name.substr(0, tensor.name.size() - 9);
        std::vector<std::int64_t> ids(static_cast<std::size_t>(tensor.elements));
        golden->readRaw(tensor, 0, tensor.elements, std::as_writable_bytes(std::span(ids)));
        std::string list;
        for (const std::int64_t id : ids) {
            if (!list.empty()) list += ',';
            list += std::to_string(id);
        }
        const TensorInfo* types = golden->find(prefix + "token_types");
        if (types != nullptr) {
            std::vector<std::int64_t> segments(ids.size());
            golden->readRaw(*types, 0, types->elements, std::as_writable_bytes(std::span(segments)));
            if (std::count(segments.begin(), segments.end(), 0) != types->elements)
                continue; // ids alone are one segment
        }
        ASSERT_EQ(headscope({"run", tinyBert(), "--ids", list, "--out", out, "--quiet"}).code, 0);
        const auto written = openSafetensors(out);
        for (int layer = 0; layer < 3; ++layer) {
            const std::string name = "attentions." + std::to_string(layer);
            if (golden->find(prefix + name) == nullptr) continue;
            const std::vector<float> expected = floatsOf(*golden, prefix + name);
            const std::vector<float> actual = floatsOf(*written, name);
            ASSERT_EQ(actual.size(), expected.size());
            float worst = 0.0F;
            for (std::size_t i = 0; i < actual.size(); ++i)
                worst = std::max(worst, std::abs(actual[i] - expected[i]));
            EXPECT_LE(worst, 1e-5F) << prefix << name;
            ++compared;
        }
    }
    EXPECT_GE(compared, 3);
}

} // namespace
} // namespace headscope::test
