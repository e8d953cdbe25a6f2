// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of a pass over weights that stay on disk: it may grow with depth by what the maps are made of.
#include "core/analysis/analysis.h"
#include "core/base/file.h"
#include "core/base/resident_memory.h"
#include "tests/support/temporary_folder.h"

#include <bit>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace headscope::test {
namespace {

constexpr int kHeads = 8;
constexpr int kHeadSize = 64;
constexpr int kHidden = kHeads * kHeadSize;
constexpr int kIntermediate = 4 * kHidden;
constexpr int kTokens = 256;
/// Q, K, m and l of one layer, float32.
constexpr std::uint64_t kMapBytes = kTokens * kHeads * (2ULL * kHeadSize + 2) * 4;

/// A number and a mark for each of 96 x 96 cells, in whole pages.
constexpr double kThumbnailBytes = 13 * 4096;
constexpr double kSlack = 4e6; ///< what the heap gains beside them

/// A file of BF16 tensors that are all zero: its data is a hole, which costs neither time nor disk.
class ZeroFile {
  public:
    void add(const std::string& name, const std::vector<int>& shape) {
        std::uint64_t bytes = 2;
        for (const int extent : shape) bytes *= static_cast<std::uint64_t>(extent);
        m_header +=
            fmt::format(R"({}"{}":{{"dtype":"BF16","shape":[{}],"data_offsets":[{},{}]}})",
                        m_header.empty() ? "" : ",", name, fmt::join(shape, ","), m_bytes, m_bytes + bytes);
        m_bytes += bytes;
    }
    void write(const std::filesystem::path& path) const {
        const std::string header = "{" + m_header + "}";
        const auto length = static_cast<std::uint64_t>(header.size());
        static_assert(std::endian::native == std::endian::little);
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<const char*>(&length), sizeof length);
        file << header;
        file.close();
        std::filesystem::resize_file(path, sizeof length + length + m_bytes);
    }

  private:
    std::string m_header;
    std::uint64_t m_bytes = 0;
};

void writeLlama(const std::filesystem::path& folder, int layers) {
    ZeroFile file;
    file.add("model.embed_tokens.weight", {100, kHidden});
    file.add("model.norm.weight", {kHidden});
    for (int layer = 0; layer < layers; ++layer) {
        const std::string block = fmt::format("model.layers.{}.", layer);
        for (const char* name :
             {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"})
            file.add(block + name + ".weight", {kHidden, kHidden});
        file.add(block + "mlp.gate_proj.weight", {kIntermediate, kHidden});
        file.add(block + "mlp.up_proj.weight", {kIntermediate, kHidden});
        file.add(block + "mlp.down_proj.weight", {kHidden, kIntermediate});
        file.add(block + "input_layernorm.weight", {kHidden});
        file.add(block + "post_attention_layernorm.weight", {kHidden});
    }
    file.write(folder / "model.safetensors");
    std::ofstream(folder / "config.json") << fmt::format(
        R"({{"model_type": "llama", "vocab_size": 100, "hidden_size": {}, "num_hidden_layers": {},
                       "num_attention_heads": {}, "intermediate_size": {}, "max_position_embeddings": 512}})",
        kHidden, layers, kHeads, kIntermediate);
}

/// The peak of resident memory starts anew from what is resident now. False where the system does not let us.
bool restartPeak() {
    std::ofstream control("/proc/self/clear_refs");
    control << 5;
    control.flush();
    return control.good();
}

struct Pass {
    std::uint64_t peak = 0; ///< bytes
    std::size_t layers = 0;
};

Pass passOver(int layers) {
    const TemporaryFolder folder;
    writeLlama(folder.path(), layers);
    auto opened = std::make_shared<OpenModel>();
    opened->checkpoint = openCheckpoint(folder.path());
    constexpr std::uint64_t kKeepNothing = 0;
    opened->model = loadModel(opened->checkpoint, DeviceChoice::Cpu, {}, {}, kKeepNothing);
    TextInput input;
    input.ids = std::vector<std::int64_t>(kTokens, 7);
    const auto analysis = analyse({opened, input}, {}, {});
    return {.peak = peakResidentBytes(), .layers = analysis->layers.size()};
}

TEST(DepthMemory, GrowsByTheMapsAlone) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "AddressSanitizer keeps freed memory, so that resident memory says nothing";
#endif
    if (!restartPeak()) GTEST_SKIP() << "/proc/self/clear_refs cannot be written here";
    constexpr int kShallow = 6;
    constexpr int kDeep = 30;
    passOver(2); // what is made once: threads, buffers of the matrix products
    ASSERT_TRUE(restartPeak());
    const Pass shallow = passOver(kShallow);
    ASSERT_TRUE(restartPeak());
    const Pass deep = passOver(kDeep);
    ASSERT_EQ(deep.layers, static_cast<std::size_t>(kDeep));
    const double further = kDeep - kShallow;
    const double grown = static_cast<double>(deep.peak) - static_cast<double>(shallow.peak);
    // Beside the maps a layer keeps a thumbnail of each head, of a size that no text and no model changes.
    const double thumbnails = further * kHeads * kThumbnailBytes;
    EXPECT_LT(grown, 1.05 * further * static_cast<double>(kMapBytes) + thumbnails + kSlack);
    EXPECT_GT(grown, 0.5 * further * static_cast<double>(kMapBytes)) << "the peak does not show the maps";
    RecordProperty("grown_bytes", std::to_string(static_cast<std::int64_t>(grown)));
}

} // namespace
} // namespace headscope::test
