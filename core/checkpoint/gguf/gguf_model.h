// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/checkpoint/gguf/gguf_source.h"
#include "core/checkpoint/gguf/viewed_source.h"

#include <string>
#include <vector>

namespace headscope {

/// A GGUF file told in the words of a model folder.
struct GgufModel {
    Json config;                    ///< the fields of config.json that the family reads
    std::vector<TensorView> views;  ///< the family's tensors, in its names and order
    std::vector<std::string> notes; ///< one sentence each
    bool linearsAreOutIn = false;   ///< Checkpoint::linearsAreOutIn
};

/// What general.architecture, the keys under its name and the tensors say. Throws Error, by the name of the
/// key or the tensor, for what the architecture's family does not compute: an unknown architecture (with the
/// list), a key or a tensor that is not known, one that is missing, a value that has no counterpart.
GgufModel describeGguf(const GgufSource& source);

/// "Q6_K, Q4_K": the quantised types of the tensors that the views show, that of most numbers first; empty
/// where all are plain.
std::string quantisedTypes(const GgufSource& source, const std::vector<TensorView>& views);

/// The architectures that are read.
std::vector<std::string> ggufArchitectures();

} // namespace headscope
