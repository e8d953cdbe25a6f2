// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/checkpoint/gguf/gguf_types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// What is read of a header at most; each limit is named in its sentence.
namespace gguf_limits {
inline constexpr std::uint64_t kHeaderBytes = std::uint64_t{256} << 20U;
inline constexpr std::uint64_t kStringBytes = std::uint64_t{16} << 20U;
inline constexpr std::uint64_t kKeyBytes = 65535;
inline constexpr std::uint64_t kKeys = 65536;
inline constexpr std::uint64_t kArrayItems = std::uint64_t{4} << 20U; ///< of all arrays together
inline constexpr std::uint64_t kTensors = 500'000;
inline constexpr std::uint64_t kNameBytes = 128;
} // namespace gguf_limits

struct GgufTensor {
    std::string name; ///< as the file has it: "blk.0.attn_q.weight"
    const GgufType* type = nullptr;
    std::vector<std::int64_t> shape; ///< row-major, outermost first: the file has it the other way round
    std::int64_t elements = 0;
    std::uint64_t offset = 0; ///< of the first byte in the file
    std::uint64_t bytes = 0;
};

struct GgufHeader {
    std::uint32_t version = 0;
    /// An object of the keys as they stand: "llama.block_count". Integers beyond int64 are reals; a float32
    /// is the shortest decimal that means it, so that 1e-5 is what config.json would say.
    Json fields = Json::object();
    std::vector<GgufTensor> tensors; ///< in file order
};

/// Reads and checks everything before the data of a GGUF file, versions 2 and 3. Throws Error, one sentence
/// each: what stands in its place; another version or byte order; an early end; counts and sizes above the
/// limits; types that do not exist, or are not read, by the tensor's name; repeated keys and names; nested
/// arrays; an alignment that is no power of two; shapes of no or more than four dimensions, that overflow or
/// do not fill blocks; data that overlap, leave a gap, stand off their alignment or run beyond the file.
GgufHeader readGgufHeader(const InputFile& file);

} // namespace headscope
