// SPDX-License-Identifier: GPL-3.0-or-later
// A .gguf file as MODEL, and --adapter.
#include "core/checkpoint/safetensors.h"
#include "tests/app/command_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

const std::string kIds = "3,1,4,1,5,9,2,6";

std::string data(const std::string& name) {
    return dataPath(name).string();
}

std::vector<float> mapsOf(const std::filesystem::path& file, const std::string& name) {
    const auto source = openSafetensors(file);
    const TensorInfo* tensor = source->find(name);
    if (tensor == nullptr) return {};
    std::vector<float> values(static_cast<std::size_t>(tensor->elements));
    source->readFloats(*tensor, 0, values);
    return values;
}

TEST(GgufFile, GivesTheMapsOfTheFolderItWasMadeOf) {
    const TemporaryFolder place;
    const std::string ours = (place / "gguf.safetensors").string();
    const std::string theirs = (place / "folder.safetensors").string();
    ASSERT_EQ(headscope({"run", data("gguf/llama-plain.gguf"), "--ids", kIds, "--out", ours}).code, 0);
    ASSERT_EQ(headscope({"run", data("families/llama/plain"), "--ids", kIds, "--out", theirs}).code, 0);
    for (const char* layer : {"attentions.0", "attentions.1"}) {
        EXPECT_EQ(mapsOf(ours, layer).size(), 4U * 8U * 8U);
        EXPECT_EQ(mapsOf(ours, layer), mapsOf(theirs, layer));
    }
}

TEST(GgufFile, IsInspectedAsAFolderIs) {
    const ProcessResult result = headscope({"inspect", data("gguf/llama-plain.gguf")});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_NE(result.out.find("llama-plain.gguf"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("tokenizer                  none: only --ids can be given"), std::string::npos)
        << result.out;
}

TEST(Adapter, IsAddedToTheWeights) {
    const TemporaryFolder place;
    const std::string adapter = data("adapters/llama-root");
    const auto expected = openSafetensors(adapter + "/expected.safetensors");
    std::string ids;
    std::vector<std::int64_t> values(12);
    expected->readRaw(*expected->find("input_ids"), 0, 12, std::as_writable_bytes(std::span(values)));
    for (const std::int64_t id : values) ids = fmt::format("{}{}{}", ids, ids.empty() ? "" : ",", id);
    for (const std::string& model : {data("families/llama/plain"), data("gguf/llama-plain.gguf")}) {
        const std::string out = (place / "maps.safetensors").string();
        const ProcessResult result =
            headscope({"run", model, "--adapter", adapter, "--ids", ids, "--out", out});
        ASSERT_EQ(result.code, 0) << result.err;
        EXPECT_NE(result.err.find("the LoRA adapter \"llama-root\" is added to the weights (14 matrices)"),
                  std::string::npos)
            << result.err;
        for (const char* layer : {"attentions.0", "attentions.1"}) {
            const std::vector<float> found = mapsOf(out, layer);
            const std::vector<float> wanted = mapsOf(adapter + "/expected.safetensors", layer);
            ASSERT_EQ(found.size(), wanted.size());
            for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-5);
        }
    }
}

/// The same model with and without it.
TEST(Adapter, BelongsToTheFirstSideOfAComparison) {
    const TemporaryFolder place;
    const std::string model = data("families/llama/plain");
    const auto compared = [&](const std::vector<std::string>& more) {
        const std::string out = (place / "both.json").string();
        std::vector<std::string> words{"compare", model, "--ids", kIds, "--head", "1.2", "--out", out};
        words.insert(words.end(), more.begin(), more.end());
        EXPECT_EQ(headscope(words).code, 0);
        return readBytes(out);
    };
    const std::string plain = compared({"--model-b", model});
    const std::string adapted = compared({"--model-b", model, "--adapter", data("adapters/llama-root")});
    EXPECT_NE(plain, adapted);
}

TEST(Adapter, IsRefusedWithTheReason) {
    const TemporaryFolder place;
    const std::string model = data("families/llama/plain");
    const std::string out = (place / "maps.npz").string();
    const ProcessResult other =
        headscope({"run", model, "--adapter", data("adapters/gpt2"), "--ids", kIds, "--out", out});
    EXPECT_EQ(other.code, 1);
    EXPECT_NE(other.err.find("the model has no such matrix"), std::string::npos) << other.err;
    const ProcessResult alone = headscope({"run", data("adapters/gpt2"), "--ids", kIds, "--out", out});
    EXPECT_EQ(alone.code, 1);
    EXPECT_NE(alone.err.find("open its base model \"fixtures/plain\" with --adapter"), std::string::npos)
        << alone.err;
    ASSERT_EQ(headscope({"run", model, "--ids", kIds, "--out", out}).code, 0);
    const ProcessResult file = headscope({"diagnose", out, "--adapter", data("adapters/llama-root")});
    EXPECT_EQ(file.code, 2);
    EXPECT_NE(file.err.find("--adapter: given together with an attention file"), std::string::npos)
        << file.err;
}

} // namespace
} // namespace headscope::test
