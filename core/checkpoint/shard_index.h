// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Which file of a folder holds which tensor: model.safetensors.index.json and its like.
struct ShardIndex {
    std::vector<std::string> files;                         ///< plain names, sorted
    std::map<std::string, std::size_t, std::less<>> fileOf; ///< tensor -> place in files
};

/// Reads `{"weight_map": {tensor: file}}`; everything beside weight_map is left alone. Throws Error naming
/// `subject` for malformed JSON, a weight_map that is missing, empty or no object, a tensor that stands
/// twice, and a file name that is not the plain name of a file ending in `ending`: one with a folder in it
/// would reach outside the model.
ShardIndex parseShardIndex(std::string_view text, const std::string& subject, std::string_view ending);

/// Names like "model-00002-of-00005.safetensors" among `names`: all the files of one numbering, in order;
/// empty when there is none. Throws Error naming `subject` when one is missing or two numberings stand side
/// by side.
std::vector<std::string> numberedShards(const std::vector<std::string>& names, std::string_view stem,
                                        std::string_view ending, const std::string& subject);

} // namespace headscope
