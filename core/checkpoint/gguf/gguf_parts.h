// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/gguf/gguf_header.h"
#include "core/checkpoint/weights_file.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// One file of a model, open.
struct GgufPart {
    std::filesystem::path path;
    std::shared_ptr<const WeightsFile> file;
    GgufHeader header;
};

/// The files of the model that `given` is one of, in order: it alone, or where its key split.count says more
/// than one, all NAME-00001-of-0000N.gguf beside it. The first has the keys of the whole model, the others
/// none that say anything else. Throws Error, one sentence each: what readGgufHeader refuses; a name that
/// does not say which part the file is; a part that is missing, is another one than its name says, or belongs
/// to another model (other count, keys, or number of tensors in all; a tensor that stands in two).
std::vector<GgufPart> openGgufParts(const std::filesystem::path& given);

/// "NAME" of NAME-00001-of-0000N.gguf, where the file is a part; else its name without the ending.
std::string ggufModelName(const std::vector<GgufPart>& parts);

} // namespace headscope
