// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/shard_index.h"
#include "tests/fuzz/fuzz_support.h"

using namespace headscope;
using namespace headscope::test;

/// An index of shards, and its file names as those of numbered shards without an index.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    readOrRefuse([&] {
        const ShardIndex index = parseShardIndex(textOf(data, size), "index", ".safetensors");
        for (const auto& [name, file] : index.fileOf) HS_CHECK_LT(file, index.files.size());
        for (const std::string& file : index.files) HS_CHECK(file.find('/') == std::string::npos);
        const std::string stem = index.files.front().substr(0, index.files.front().find('-'));
        for (const std::string& shard : numberedShards(index.files, stem, ".safetensors", "folder"))
            HS_CHECK(shard.starts_with(stem));
    });
    return 0;
}
