// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/adapter/apply_adapter.h"
#include "core/checkpoint/safetensors.h"
#include "tests/fuzz/fuzz_support.h"
#include "tests/fuzz/input_folder.h"

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr std::array<std::int64_t, 2> kShape{3, 2};

/// The model to which adapters are added: matrices of [3, 2] under names of two families, and a vector.
Checkpoint baseModel() {
    static const InputFolder folder;
    static const auto weights = [] {
        const std::vector<SafetensorsWriter::Entry> entries{
            {"model.layers.0.self_attn.q_proj.weight", DType::F32, {3, 2}},
            {"model.layers.0.self_attn.v_proj.weight", DType::BF16, {3, 2}},
            {"h.0.attn.c_attn.weight", DType::F16, {3, 2}},
            {"model.norm.weight", DType::F32, {6}}};
        SafetensorsWriter writer(folder.path() / "model.safetensors", entries, {});
        const std::vector<std::byte> zeros(24);
        for (const SafetensorsWriter::Entry& entry : entries)
            writer.write(std::span(zeros).first(static_cast<std::size_t>(6 * sizeOf(entry.dtype))));
        writer.commit();
        return openSafetensors(folder.path() / "model.safetensors");
    }();
    Checkpoint checkpoint;
    checkpoint.name = "base";
    checkpoint.config = Json::object();
    checkpoint.weights = weights;
    return checkpoint;
}

} // namespace

/// An adapter: "s" or "p" for the form of its weights, "o" where matrices of the base stand as [out, in], two
/// bytes for the length of adapter_config.json, that, the weights. What is added is read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 4) return 0;
    const std::string_view rest = textOf(data, size).substr(4);
    const std::size_t config =
        std::min<std::size_t>(data[2] | static_cast<std::size_t>(data[3]) << 8U, rest.size());
    static const InputFolder folder;
    folder.clear();
    folder.write("adapter_config.json", rest.substr(0, config));
    folder.write(data[0] == 'p' ? "adapter_model.bin" : "adapter_model.safetensors", rest.substr(config));
    Checkpoint checkpoint = baseModel();
    checkpoint.linearsAreOutIn = data[1] == 'o';
    readOrRefuse([&] {
        applyAdapter(checkpoint, folder.path());
        readTensors(*checkpoint.weights);
        for (const std::string& note : checkpoint.notes) HS_CHECK(!firstInvalidUtf8(note));
        const TensorInfo* matrix = checkpoint.weights->find("h.0.attn.c_attn.weight");
        HS_CHECK(std::equal(matrix->shape.begin(), matrix->shape.end(), kShape.begin(), kShape.end()));
    });
    return 0;
}
