// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/quantised.h"
#include "core/checkpoint/safetensors.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

std::string ofConfig(std::string_view text) {
    return sentenceOf([&] { refuseQuantisedConfig(parseJson(text, "config.json")); });
}

const std::string kEnd =
    ", expected plain F16, BF16, F32 or F64; take a version of the model that is not quantised.";

TEST(QuantisedConfig, IsRefusedByTheNameOfTheMethod) {
    for (const char* method :
         {"gptq", "awq", "bitsandbytes", "fp8", "mxfp4", "torchao", "compressed-tensors"})
        EXPECT_EQ(
            ofConfig(fmt::format(R"({{"quantization_config":{{"quant_method":"{}","bits":4}}}})", method)),
            fmt::format("config.json: quantization_config: the weights are quantised (\"{}\"){}", method,
                        kEnd));
    EXPECT_EQ(ofConfig(R"({"quantization_config":{"load_in_8bit":true}})"),
              "config.json: quantization_config: the weights are quantised (\"bitsandbytes\", load_in_8bit)" +
                  kEnd);
    EXPECT_EQ(ofConfig(R"({"quantization_config":{"load_in_4bit":true,"load_in_8bit":false}})"),
              "config.json: quantization_config: the weights are quantised (\"bitsandbytes\", load_in_4bit)" +
                  kEnd);
    EXPECT_EQ(ofConfig(R"({"compression_config":{"bits":8}})"),
              "config.json: compression_config: the weights are quantised" + kEnd);
    EXPECT_EQ(ofConfig(R"({"quantization_config":7})"),
              "config.json: quantization_config: the weights are quantised" + kEnd);
    EXPECT_EQ(ofConfig(R"({"text_config":{"quantization_config":{"quant_method":"awq"}}})"),
              "config.json: text_config: quantization_config: the weights are quantised (\"awq\")" + kEnd);
}

TEST(QuantisedConfig, NullAndAbsentAreNot) {
    EXPECT_EQ(
        ofConfig(R"({"quantization_config":null,"text_config":{"quantization_config":null},"list":[{}]})"),
        "");
}

struct Stored {
    const char* name;
    const char* dtype;
};

/// Tensors of four bytes each.
std::string ofTensors(const std::vector<Stored>& tensors) {
    const TemporaryFolder folder;
    std::string header = "{";
    for (std::size_t i = 0; i < tensors.size(); ++i)
        header += fmt::format(R"({}"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                              i == 0 ? "" : ",", tensors[i].name, tensors[i].dtype,
                              4 / sizeOf(*dtypeOf(tensors[i].dtype)), 4 * i, 4 * i + 4);
    const auto source = openSafetensors(
        folder.write("m.safetensors", safetensorsBytes(header + "}", std::string(4 * tensors.size(), 'x'))));
    return sentenceOf([&] { refuseQuantisedTensors(*source); });
}

std::string refusal(const char* name, const char* method, const char* dtype) {
    return fmt::format("m.safetensors: tensor \"{}\": the weights are quantised ({}) and stored as {}{}",
                       name, method, dtype, kEnd);
}

TEST(QuantisedTensors, AreRefusedWithoutAWordInTheConfig) {
    EXPECT_EQ(ofTensors({{"a.qweight", "I32"}, {"a.scales", "F16"}}),
              refusal("a.qweight", "GPTQ or AWQ", "I32"));
    EXPECT_EQ(ofTensors({{"a.weight", "I8"}, {"a.SCB", "F32"}}),
              refusal("a.weight", "bitsandbytes, 8 bit", "I8"));
    EXPECT_EQ(ofTensors({{"a.weight", "U8"}, {"a.weight.absmax", "F32"}}),
              refusal("a.weight", "bitsandbytes, 4 bit", "U8"));
    EXPECT_EQ(ofTensors({{"a.weight_packed", "I32"}}),
              refusal("a.weight_packed", "compressed-tensors", "I32"));
    EXPECT_EQ(ofTensors({{"a.weight", "U8"}, {"a.weight_scale_inv", "F32"}}),
              refusal("a.weight", "fp8", "U8"));
    EXPECT_EQ(ofTensors({{"a.weight", "I8"}, {"a.weight_scale", "F32"}}),
              refusal("a.weight", "fp8 or int8", "I8"));
    EXPECT_EQ(ofTensors({{"up_proj_blocks", "U8"}, {"up_proj_scales", "U8"}}),
              refusal("up_proj_blocks", "mxfp4", "U8"));
}

TEST(QuantisedTensors, FloatsOfSuchNamesAreNot) {
    EXPECT_EQ(ofTensors({{"a.weight", "F32"},
                         {"a.weight_scale", "F32"},
                         {"b_scales", "F32"},
                         {"b_blocks", "BOOL"},
                         {"position_ids", "I32"},
                         {"c.SCB", "F32"}}),
              "");
}

} // namespace
} // namespace headscope::test
