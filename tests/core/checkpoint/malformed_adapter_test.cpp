// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which a LoRA adapter can be wrong, and the sentence that says so.
#include "core/base/json.h"
#include "core/checkpoint/adapter/apply_adapter.h"
#include "core/checkpoint/safetensors.h"
#include "tests/core/checkpoint/zip_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <optional>
#include <ostream>

namespace headscope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "base_model.model.model.layers.0.self_attn.q_proj";

struct Half {
    std::string name;
    DType type = DType::F32;
    std::vector<std::int64_t> shape;
    std::optional<float> value{}; ///< of every element, for F32; else zeros
};

Half halfA(std::vector<std::int64_t> shape = {1, 2}) {
    return {.name = fmt::format("{}.lora_A.weight", kModule), .shape = std::move(shape)};
}

Half halfB(std::vector<std::int64_t> shape = {3, 1}) {
    return {.name = fmt::format("{}.lora_B.weight", kModule), .shape = std::move(shape)};
}

Half renamed(Half half, std::string_view ending) {
    half.name = fmt::format("{}.{}", kModule, ending);
    return half;
}

Half withValue(Half half, float value) {
    half.value = value;
    return half;
}

Half ofType(Half half, DType type) {
    half.type = type;
    return half;
}

void writeHalves(const fs::path& path, const std::vector<Half>& halves) {
    std::vector<SafetensorsWriter::Entry> entries;
    for (const Half& half : halves) entries.push_back({half.name, half.type, half.shape});
    SafetensorsWriter writer(path, entries, {});
    for (const Half& half : halves) {
        std::size_t elements = 1;
        for (const std::int64_t extent : half.shape) elements *= static_cast<std::size_t>(extent);
        const std::vector<std::byte> zeros(elements * static_cast<std::size_t>(sizeOf(half.type)));
        const std::vector<float> values(elements, half.value.value_or(0.0F));
        writer.write(half.value ? std::as_bytes(std::span(values)) : std::span<const std::byte>(zeros));
    }
    writer.commit();
}

struct Case {
    const char* name;
    std::string sentence;
    /// Fields behind "peft_type" and "r": 1, or the whole text where it begins with another letter.
    std::string config{};
    std::vector<Half> halves{halfA(), halfB()};
    std::string pickled{};  ///< adapter_model.bin in place of the halves
    std::string rawBytes{}; ///< adapter_model.safetensors in place of the halves

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

/// Opens the base of one matrix [3, 2] with the adapter, and reads what comes out.
std::string refusalOf(const Case& one) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "base");
    fs::create_directory(folder / "adapter");
    folder.write("base/config.json", "{}");
    Half matrix{.name = "model.layers.0.self_attn.q_proj.weight", .shape = {3, 2}};
    writeHalves(folder / "base/model.safetensors", {matrix});
    const bool whole = !one.config.empty() && !one.config.starts_with('"');
    folder.write("adapter/adapter_config.json",
                 whole ? one.config
                       : fmt::format(R"({{"peft_type": "LORA", "r": 1{}{}}})", one.config.empty() ? "" : ", ",
                                     one.config));
    if (!one.pickled.empty())
        folder.write("adapter/adapter_model.bin", one.pickled);
    else if (!one.rawBytes.empty())
        folder.write("adapter/adapter_model.safetensors", one.rawBytes);
    else
        writeHalves(folder / "adapter/adapter_model.safetensors", one.halves);
    return sentenceOf([&] {
        const Checkpoint checkpoint = openCheckpoint(folder / "base", folder / "adapter");
        std::vector<float> values(6);
        checkpoint.weights->readFloats(*checkpoint.weights->find(matrix.name), 0, values);
    });
}

std::vector<Case> configs() {
    return {
        {"Empty", "adapter_config.json: the JSON is malformed (at byte 1).", " "},
        {"NoJson", "adapter_config.json: the JSON is malformed (at byte 0).", "r: 1"},
        {"EndsEarly", "adapter_config.json: the JSON is malformed (at byte 20).", R"({"peft_type": "LORA")"},
        {"NoObject", "adapter_config.json: this is an array, expected a JSON object.", R"(["LORA"])"},
        {"WebPage",
         "adapter_config.json: the file is a web page (HTML), not JSON; the download was answered by a login "
         "or error page: get the file again.",
         "<!DOCTYPE html>"},
        {"LfsPointer",
         "adapter_config.json: the file is a Git LFS pointer (50 bytes of text), not JSON; run \"git lfs "
         "pull\" in the folder.",
         "version https://git-lfs.github.com/spec/v1\nsize 9\n"},
        {"KindMissing",
         "adapter_config.json: peft_type: it is missing, expected \"LORA\"; merge the adapter into its base "
         "model first.",
         "{}"},
        {"KindIsANumber", "adapter_config.json: peft_type: found 7, expected a string.",
         R"({"peft_type": 7})"},
        {"Ia3",
         "adapter_config.json: peft_type: \"IA3\" is not supported, expected \"LORA\"; merge the adapter "
         "into its base model first.",
         R"({"peft_type": "IA3"})"},
        {"PrefixTuning",
         "adapter_config.json: peft_type: \"PREFIX_TUNING\" is not supported, expected \"LORA\"; it adds no "
         "weights but learned tokens, which are not read.",
         R"({"peft_type": "PREFIX_TUNING"})"},
        {"AdaLora",
         "adapter_config.json: peft_type: \"ADALORA\" is not supported, expected \"LORA\"; merge the adapter "
         "into its base model first.",
         R"({"peft_type": "ADALORA"})"},
        {"RankOf0", "adapter_config.json: r: found 0, expected a whole number from 1 to 65536.",
         R"({"peft_type": "LORA", "r": 0})"},
        {"RankIsNegative", "adapter_config.json: r: found -4, expected a whole number from 1 to 65536.",
         R"({"peft_type": "LORA", "r": -4})"},
        {"RankIsAFraction", "adapter_config.json: r: found 1.5, expected a whole number from 1 to 65536.",
         R"({"peft_type": "LORA", "r": 1.5})"},
        {"RankIsAText",
         "adapter_config.json: r: found the string \"8\", expected a whole number from 1 to 65536.",
         R"({"peft_type": "LORA", "r": "8"})"},
        {"RankIsHuge",
         "adapter_config.json: r: found 9223372036854775807, expected a whole number from 1 to 65536.",
         R"({"peft_type": "LORA", "r": 9223372036854775807})"},
        {"AlphaIsNaN",
         "adapter_config.json: lora_alpha: found NaN, expected a number from -1000000000 to 1000000000.",
         R"("lora_alpha": NaN)"},
        {"AlphaIsInfinite",
         "adapter_config.json: lora_alpha: found Infinity, expected a number from -1000000000 to 1000000000.",
         R"("lora_alpha": Infinity)"},
        {"AlphaIsHuge",
         "adapter_config.json: lora_alpha: found 1e+300, expected a number from -1000000000 to 1000000000.",
         R"("lora_alpha": 1e300)"},
        {"AlphaIsAText",
         "adapter_config.json: lora_alpha: found the string \"16\", expected a number from -1000000000 to "
         "1000000000.",
         R"("lora_alpha": "16")"},
        {"RootIsAText", "adapter_config.json: use_rslora: found the string \"yes\", expected true or false.",
         R"("use_rslora": "yes")"},
        {"LayoutIsANumber", "adapter_config.json: fan_in_fan_out: found 2, expected true or false.",
         R"("fan_in_fan_out": 2)"},
        {"RanksAreAList", "adapter_config.json: rank_pattern: found an array, expected an object.",
         R"("rank_pattern": [4])"},
        {"RankOfAModuleIsAFraction",
         "adapter_config.json: rank_pattern: found 1.5 for \"q_proj\", expected a whole number from 1 to "
         "65536.",
         R"("rank_pattern": {"q_proj": 1.5})"},
        {"RankOfAModuleIs0",
         "adapter_config.json: rank_pattern: found 0 for \"q_proj\", expected a whole number from 1 to "
         "65536.",
         R"("rank_pattern": {"q_proj": 0})"},
        {"RankOfAModuleIsAText",
         "adapter_config.json: rank_pattern: found a string for \"q_proj\", expected a whole number from 1 "
         "to 65536.",
         R"("rank_pattern": {"q_proj": "2"})"},
        {"AlphaOfAModuleIsNegative",
         "adapter_config.json: alpha_pattern: found -1 for \"q_proj\", expected a number above 0, at most "
         "1000000000.",
         R"("alpha_pattern": {"q_proj": -1})"},
        {"ModuleIsAnExpression",
         "adapter_config.json: rank_pattern: the key \"^.*q_proj$\", expected the name of a module; merge "
         "the adapter into its base model first.",
         R"("rank_pattern": {"^.*q_proj$": 2})"},
        {"Dora",
         "adapter_config.json: use_dora: the field is set, expected a plain LoRA adapter, without it; merge "
         "the adapter into its base model first.",
         R"("use_dora": true)"},
        {"Bias",
         "adapter_config.json: bias: found the string \"lora_only\", expected \"none\", the only value that "
         "is supported.",
         R"("bias": "lora_only")"},
        {"Pissa",
         "adapter_config.json: init_lora_weights: found the string \"pissa_niter_16\", expected one of "
         "\"gaussian\", \"eva\", \"orthogonal\".",
         R"("init_lora_weights": "pissa_niter_16")"},
        {"ModulesToSave",
         "adapter_config.json: modules_to_save: the field is set, expected a plain LoRA adapter, without it; "
         "merge the adapter into its base model first.",
         R"("modules_to_save": ["lm_head"])"},
        {"UnknownField",
         "adapter_config.json: invented_here: the field is set, expected a plain LoRA adapter, without it; "
         "merge the adapter into its base model first.",
         R"("invented_here": 1)"},
        {"RankOfAModuleTwice",
         "adapter_config.json: rank_pattern: the key \"q_proj\" stands twice, expected it once.",
         R"("rank_pattern": {"q_proj": 1, "q_proj": 2})"},
    };
}

std::vector<Case> tensors() {
    const std::string other = "base_model.model.model.layers.7.self_attn.q_proj";
    return {
        {"NoTensors",
         "adapter_model.safetensors: the adapter holds no tensors, expected lora_A and lora_B.",
         "",
         {}},
        {"AWithoutB",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": lora_B is "
         "missing, expected both halves; save the adapter again, whole, with PEFT's save_pretrained.",
         "",
         {halfA()}},
        {"BWithoutA",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": lora_A is "
         "missing, expected both halves; save the adapter again, whole, with PEFT's save_pretrained.",
         "",
         {halfB()}},
        {"RankOfTheFileDiffers",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": lora_A has "
         "shape [1, 2] and lora_B [3, 1], expected [4, in] and [out, 4] from adapter_config.json.",
         R"("rank_pattern": {"q_proj": 4})"},
        {"RanksOfTheHalvesDiffer",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": lora_A has "
         "shape [1, 2] and lora_B [3, 2], expected [1, in] and [out, 1] from adapter_config.json.",
         "",
         {halfA({1, 2}), halfB({3, 2})}},
        {"Turned",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": lora_A has "
         "shape [2, 1] and lora_B [1, 3], expected [1, in] and [out, 1] from adapter_config.json.",
         "",
         {halfA({2, 1}), halfB({1, 3})}},
        {"HalvesAreVectors",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": lora_A has "
         "shape [2] and lora_B [3], expected [1, in] and [out, 1] from adapter_config.json.",
         "",
         {halfA({2}), halfB({3})}},
        {"Convolution",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": lora_A has "
         "shape [1, 2, 1, 1] and lora_B [3, 1, 1, 1], expected [1, in] and [out, 1] from "
         "adapter_config.json.",
         "",
         {halfA({1, 2, 1, 1}), halfB({3, 1, 1, 1})}},
        {"MoreColumns",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": its "
         "product has shape [3, 4], expected [3, 2], that of \"model.layers.0.self_attn.q_proj.weight\"; the "
         "adapter belongs to another model.",
         "",
         {halfA({1, 4}), halfB()}},
        {"MoreRows",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": its "
         "product has shape [6, 2], expected [3, 2], that of \"model.layers.0.self_attn.q_proj.weight\"; its "
         "base model is \"org/large\".",
         R"("base_model_name_or_path": "org/large")",
         {halfA(), halfB({6, 1})}},
        {"NoSuchLayer",
         "adapter_model.safetensors: module \"base_model.model.model.layers.7.self_attn.q_proj\": the model "
         "has no such matrix, expected one for each module of the adapter; the adapter belongs to another "
         "model.",
         "",
         {{.name = other + ".lora_A.weight", .shape = {1, 2}},
          {.name = other + ".lora_B.weight", .shape = {3, 1}}}},
        {"Magnitude",
         "adapter_model.safetensors: tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.lora_magnitude_vector\": it is no half of a "
         "LoRA product, expected names that end in lora_A.weight and lora_B.weight; merge the adapter into "
         "its base model first.",
         "",
         {halfA(), halfB(), renamed(halfA({3}), "lora_magnitude_vector")}},
        {"Embedding",
         "adapter_model.safetensors: tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.lora_embedding_A\": it is no half of a LoRA "
         "product, expected names that end in lora_A.weight and lora_B.weight; merge the adapter into its "
         "base model first.",
         "",
         {renamed(halfA(), "lora_embedding_A"), renamed(halfB(), "lora_embedding_B")}},
        {"BiasOfB",
         "adapter_model.safetensors: tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.lora_B.bias\": it is no half of a LoRA product, "
         "expected names that end in lora_A.weight and lora_B.weight; merge the adapter into its base model "
         "first.",
         "",
         {halfA(), halfB(), renamed(halfA({3}), "lora_B.bias")}},
        {"WholeModule",
         "adapter_model.safetensors: tensor \"base_model.model.lm_head.weight\": it is no half of a LoRA "
         "product, expected names that end in lora_A.weight and lora_B.weight; merge the adapter into its "
         "base model first.",
         "",
         {halfA(), halfB(), {.name = "base_model.model.lm_head.weight", .shape = {3, 2}}}},
        {"BaseLayer",
         "adapter_model.safetensors: tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.base_layer.weight\": it is no half of a LoRA "
         "product, expected names that end in lora_A.weight and lora_B.weight; merge the adapter into its "
         "base model first.",
         "",
         {halfA(), halfB(), renamed(halfA({1}), "base_layer.weight")}},
        {"SameMatrixTwice",
         "adapter_model.safetensors: module \"base_model.model.model.layers.0.self_attn.q_proj\": it is the "
         "same matrix as \"base_model.model.layers.0.self_attn.q_proj\", expected one product for each.",
         "",
         {halfA(),
          halfB(),
          {.name = "base_model.model.layers.0.self_attn.q_proj.lora_A.weight", .shape = {1, 2}},
          {.name = "base_model.model.layers.0.self_attn.q_proj.lora_B.weight", .shape = {3, 1}}}},
        {"NoSuchModule",
         "adapter_model.safetensors: module \"x\": the model has no such matrix, expected one for each "
         "module of the adapter; its base model is \"org/base\".",
         R"("base_model_name_or_path": "org/base")",
         {{.name = "x.lora_A.weight", .shape = {1, 2}}, {.name = "x.lora_B.weight", .shape = {3, 1}}}},
        {"NameIsNoUtf8OfAPickle",
         "adapter_model.bin: data.pkl: a string is not valid UTF-8 (at byte 4); the file is damaged or was "
         "made to mislead.",
         "",
         {},
         torchZip(pickle::program(pickle::dict({{"\xff", pickle::pair()}})), {"12345678"}).bytes},
        {"HalfTwice",
         "adapter_model.safetensors: the tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.lora_A.default.weight\" is there under two "
         "names.",
         "",
         {halfA(), halfB(), renamed(halfA(), "lora_A.default.weight")}},
        {"AIsNaN",
         "adapter_model.safetensors: tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight\": element 0 is NaN, expected "
         "finite weights.",
         "",
         {withValue(halfA(), NAN), withValue(halfB(), 1.0F)}},
        {"BIsInfinite",
         "adapter_model.safetensors: tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight\": element 0 is -infinity, "
         "expected finite weights.",
         "",
         {withValue(halfA(), 1.0F), withValue(halfB(), -INFINITY)}},
        {"ProductOverflows",
         "model.safetensors with the adapter: tensor \"model.layers.0.self_attn.q_proj.weight\": element 0 "
         "is infinity, expected finite weights.",
         "",
         {withValue(halfA(), 3e38F), withValue(halfB(), 3e38F)}},
        {"WholeNumbers",
         "adapter_model.safetensors: tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight\": its type is I64, expected F16, "
         "BF16, F32 or F64.",
         "",
         {ofType(halfA(), DType::I64), ofType(halfB(), DType::I64)}},
        {"Quantised",
         "adapter_model.safetensors: tensor "
         "\"base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight\": its type is I8, expected F16, "
         "BF16, F32 or F64.",
         "",
         {ofType(halfA(), DType::U8), ofType(halfB(), DType::I8)}},
        {"WeightsEndEarly",
         "adapter_model.safetensors: the file ends inside its header after 10 bytes, expected 72 and the "
         "data; the download is incomplete: get the file again.",
         "",
         {},
         "",
         std::string("\x40\0\0\0\0\0\0\0{}", 10)},
        {"WeightsAreAWebPage",
         "adapter_model.safetensors: the file is a web page (HTML), not weights; the download was answered "
         "by a login or error page: get the file again.",
         "",
         {},
         "",
         "<!DOCTYPE html><html>"},
        {"WeightsAreAPointer",
         "adapter_model.safetensors: the file is a Git LFS pointer (50 bytes of text), not weights; run "
         "\"git lfs pull\" in the folder.",
         "",
         {},
         "",
         "version https://git-lfs.github.com/spec/v1\nsize 9\n"},
        {"PickleRunsCode",
         "adapter_model.bin: data.pkl: the pickle refers to \"os.system\", expected plain tensors (at byte "
         "2); nothing in the file was run; where you trust it, save its tensors alone: a model with "
         "save_pretrained, maps with torch.save as a list of tensors.",
         "",
         {},
         torchZip(pickle::program(pickle::global("os", "system")), {}).bytes},
        {"PickleEndsEarly",
         "adapter_model.bin: zip archive: its directory is missing; the download is incomplete: get the file "
         "again.",
         "",
         {},
         torchZip(pickle::oneTensor(pickle::pair()), {"12345678"}).bytes.substr(0, 99)},
    };
}

class MalformedAdapter : public ::testing::TestWithParam<Case> {};
constexpr auto kName = [](const auto& row) { return std::string(row.param.name); };
INSTANTIATE_TEST_SUITE_P(Configs, MalformedAdapter, ::testing::ValuesIn(configs()), kName);
INSTANTIATE_TEST_SUITE_P(Tensors, MalformedAdapter, ::testing::ValuesIn(tensors()), kName);

TEST_P(MalformedAdapter, IsRefusedInOneSentence) {
    EXPECT_EQ(refusalOf(GetParam()), GetParam().sentence);
}

TEST(GoodAdapter, IsNotRefused) {
    EXPECT_EQ(refusalOf({"Good", ""}), "");
}

} // namespace
} // namespace headscope::test
