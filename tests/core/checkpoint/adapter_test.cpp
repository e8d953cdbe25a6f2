// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA adapters: what is added, worked out by hand, and what is no plain LoRA; malformed_adapter_test has the
// rest. tests/core/model/adapter_golden_test holds whole models against PEFT.
#include "core/checkpoint/adapter/adapted_source.h"
#include "core/checkpoint/adapter/adapter_config.h"
#include "core/checkpoint/adapter/apply_adapter.h"
#include "core/checkpoint/safetensors.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

namespace fs = std::filesystem;

struct Tensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

void writeTensors(const fs::path& path, const std::vector<Tensor>& tensors) {
    std::vector<SafetensorsWriter::Entry> entries;
    for (const Tensor& tensor : tensors) entries.push_back({tensor.name, DType::F32, tensor.shape});
    SafetensorsWriter writer(path, entries, {});
    for (const Tensor& tensor : tensors) writer.write(std::as_bytes(std::span(tensor.values)));
    writer.commit();
}

std::vector<float> numbers(std::size_t count, float value = 1.0F) {
    return std::vector<float>(count, value);
}

const std::string kModule = "base_model.model.model.layers.0.self_attn.q_proj";

/// A base of one matrix [3, 2] and an adapter of rank 1 for it.
class AdapterTest : public ::testing::Test {
  protected:
    AdapterTest() {
        fs::create_directory(m_folder / "base");
        fs::create_directory(m_folder / "adapter");
        m_folder.write("base/config.json", "{}");
        writeTensors(m_folder / "base/model.safetensors",
                     {{"model.layers.0.self_attn.q_proj.weight", {3, 2}, {1, 2, 3, 4, 5, 6}},
                      {"model.layers.0.self_attn.k_proj.weight", {3, 2}, numbers(6)}});
        config(R"("r": 1, "lora_alpha": 2)");
        tensors({a(), b()});
    }

    static Tensor a() { return {kModule + ".lora_A.weight", {1, 2}, {10, 20}}; }
    static Tensor b() { return {kModule + ".lora_B.weight", {3, 1}, {1, -1, 0.5F}}; }
    void config(const std::string& fields) const {
        m_folder.write("adapter/adapter_config.json", R"({"peft_type": "LORA", )" + fields + "}");
    }
    void tensors(const std::vector<Tensor>& tensors) const {
        writeTensors(m_folder / "adapter/adapter_model.safetensors", tensors);
    }
    Checkpoint open() const { return openCheckpoint(m_folder / "base", m_folder / "adapter"); }
    std::vector<float> queries() const {
        const Checkpoint checkpoint = open();
        std::vector<float> values(6);
        checkpoint.weights->readFloats(*checkpoint.weights->find("model.layers.0.self_attn.q_proj.weight"), 0,
                                       values);
        return values;
    }
    std::string sentence() const {
        return sentenceOf([&] { open(); });
    }
    std::string sentenceWith(const std::string& fields) const {
        config(fields);
        return sentence();
    }

    TemporaryFolder m_folder;
};

/// 2 / 1 * [1, -1, 0.5]^T [10, 20] = [[20, 40], [-20, -40], [10, 20]].
TEST_F(AdapterTest, TheScaledProductIsAdded) {
    EXPECT_EQ(queries(), (std::vector<float>{21, 42, -17, -36, 15, 26}));
    const Checkpoint checkpoint = open();
    EXPECT_EQ(checkpoint.adapter, m_folder / "adapter");
    ASSERT_EQ(checkpoint.files.size(), 4U);
    EXPECT_EQ(checkpoint.files[2].path, m_folder / "adapter/adapter_config.json");
    EXPECT_EQ(checkpoint.files[3].name, "adapter_model.safetensors");
    EXPECT_EQ(checkpoint.notes,
              std::vector<std::string>{"the LoRA adapter \"adapter\" is added to the weights (1 matrix)"});
    std::vector<float> piece(3);
    const TensorInfo& tensor = *checkpoint.weights->find("model.layers.0.self_attn.q_proj.weight");
    checkpoint.weights->readFloats(tensor, 1, piece); // begins and ends inside a row
    EXPECT_EQ(piece, (std::vector<float>{42, -17, -36}));
    std::vector<float> keys(6);
    checkpoint.weights->readFloats(*checkpoint.weights->find("model.layers.0.self_attn.k_proj.weight"), 0,
                                   keys);
    EXPECT_EQ(keys, numbers(6));
}

/// [in, out] = [3, 2]: A is [1, 3], B [2, 1], and A^T B^T is added.
TEST_F(AdapterTest, MatricesOfTheOtherLayoutAreAddedTransposed) {
    config(R"("r": 1, "lora_alpha": 1, "fan_in_fan_out": true)");
    tensors(
        {{kModule + ".lora_A.weight", {1, 3}, {1, 2, 3}}, {kModule + ".lora_B.weight", {2, 1}, {10, 100}}});
    EXPECT_EQ(queries(), (std::vector<float>{11, 102, 23, 204, 35, 306}));
}

TEST_F(AdapterTest, NamesMayHaveAMemberMoreOrLess) {
    for (const char* module : {"base_model.model.layers.0.self_attn.q_proj",
                               "base_model.model.wrapped.model.layers.0.self_attn.q_proj",
                               "base_model.model.model.layers.0.self_attn.q_proj"}) {
        Tensor first = a();
        Tensor second = b();
        first.name = fmt::format("{}.lora_A.default.weight", module);
        second.name = fmt::format("{}.lora_B.weight", module);
        tensors({first, second});
        EXPECT_EQ(queries()[0], 21) << module;
    }
}

TEST_F(AdapterTest, AnotherBaseModelIsNoted) {
    config(R"("r": 1, "lora_alpha": 2, "base_model_name_or_path": "org/other")");
    EXPECT_EQ(open().notes.back(),
              "adapter_config.json names the base model \"org/other\", and the model is \"base\"");
    config(R"("r": 1, "lora_alpha": 2, "base_model_name_or_path": "org/base")");
    EXPECT_EQ(open().notes.size(), 1U);
}

TEST(AdapterConfig, ScalesAndRanksOfModules) {
    const auto config = [](const char* text) {
        return AdapterConfig(parseJson(text, "adapter_config.json"));
    };
    const AdapterConfig plain = config(R"({"peft_type": "LORA"})");
    EXPECT_EQ(plain.rankOf("q_proj"), 8);
    EXPECT_EQ(plain.scaleOf("q_proj"), 1.0);
    const AdapterConfig rooted =
        config(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 6, "use_rslora": true})");
    EXPECT_EQ(rooted.scaleOf("q_proj"), 3.0);
    const AdapterConfig patterned = config(
        R"({"peft_type": "LORA", "r": 4, "lora_alpha": 6, "rank_pattern": {"layers.1.q_proj": 2, "q_proj": 3},
            "alpha_pattern": {"q_proj": 12}})");
    EXPECT_EQ(patterned.rankOf("model.layers.1.q_proj"), 2);
    EXPECT_EQ(patterned.scaleOf("model.layers.1.q_proj"), 6.0);
    EXPECT_EQ(patterned.rankOf("model.layers.0.q_proj"), 3);
    EXPECT_EQ(patterned.rankOf("model.layers.0.xq_proj"), 4); // whole parts of names only
    EXPECT_EQ(patterned.scaleOf("model.layers.0.v_proj"), 1.5);
}

TEST_F(AdapterTest, OtherKindsAreRefusedByField) {
    const std::string field = "adapter_config.json: ";
    const std::string merge = "; merge the adapter into its base model first.";
    m_folder.write("adapter/adapter_config.json", R"({"peft_type": "IA3"})");
    EXPECT_EQ(sentence(), field + "peft_type: \"IA3\" is not supported, expected \"LORA\"" + merge);
    m_folder.write("adapter/adapter_config.json", "{}");
    EXPECT_EQ(sentence(), field + "peft_type: it is missing, expected \"LORA\"" + merge);
    for (const char* setting :
         {R"("use_dora": true)", R"("modules_to_save": ["lm_head"])", R"("lora_bias": true)",
          R"("use_qalora": true)", R"("layer_replication": [[0, 4]])", R"("trainable_token_indices": [1])",
          R"("target_parameters": ["x"])", R"("megatron_config": {"a": 1})",
          R"("alora_invocation_tokens": [1])", R"("kasa_config": {"a": 1})", R"("something_new": 3)"}) {
        const std::string name = std::string(setting).substr(1, std::string(setting).find('"', 1) - 1);
        EXPECT_EQ(sentenceWith(setting),
                  field + name + ": the field is set, expected a plain LoRA adapter, without it" + merge);
    }
    EXPECT_EQ(sentenceWith(R"("bias": "all")"),
              field + "bias: found the string \"all\", expected \"none\", the only value that is supported.");
    EXPECT_EQ(sentenceWith(R"("init_lora_weights": "pissa")"),
              field + "init_lora_weights: found the string \"pissa\", expected one of \"gaussian\", \"eva\", "
                      "\"orthogonal\".");
}

TEST_F(AdapterTest, FoldersWithoutAnAdapterAreRefused) {
    const auto with = [&](const fs::path& adapter) {
        return sentenceOf([&] { openCheckpoint(m_folder / "base", adapter); });
    };
    const std::string expected = ", expected the folder of a LoRA adapter.";
    EXPECT_EQ(with(m_folder / "none"), (m_folder / "none").string() + ": there is no such folder" + expected);
    EXPECT_EQ(with(m_folder / "base/config.json"),
              (m_folder / "base/config.json").string() + ": this is no folder" + expected);
    EXPECT_EQ(with(m_folder / "base"),
              (m_folder / "base").string() + ": the folder has no adapter_config.json" + expected);
    fs::remove(m_folder / "adapter/adapter_model.safetensors");
    EXPECT_EQ(sentence(), (m_folder / "adapter").string() +
                              ": the adapter has no weights, expected "
                              "adapter_model.safetensors or adapter_model.bin.");
    m_folder.write("adapter/adapter_model.safetensors", "short");
    EXPECT_TRUE(sentence().starts_with("adapter_model.safetensors: the file has 5 bytes"));
}

TEST_F(AdapterTest, AnAdapterAloneNamesItsBaseAndTheOption) {
    config(R"("r": 1, "base_model_name_or_path": "org/base")");
    EXPECT_EQ(
        sentenceOf([&] { openCheckpoint(m_folder / "adapter"); }),
        fmt::format(
            "{0}: this is an adapter only, without the model's own weights, expected a folder with "
            "config.json and weights (model.safetensors or pytorch_model.bin), or a .gguf file; open its "
            "base model \"org/base\" with --adapter {0}.",
            (m_folder / "adapter").string()));
}

} // namespace
} // namespace headscope::test
