// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <filesystem>

namespace headscope {

/// Whether a folder is that of an adapter and of no model.
bool isAdapterFolder(const std::filesystem::path& folder);

/// Adds the LoRA adapter in `folder` (adapter_config.json with adapter_model.safetensors or .bin) to the
/// weights of an open checkpoint, which then computes as the merged model would in float32; notes say so, and
/// name another base model than the one that is open. Throws Error for a folder that holds no adapter, for
/// what AdapterConfig refuses, and, by its name, for every tensor of the adapter that cannot be added:
/// without its other half, without a matrix in the model, or of another shape.
void applyAdapter(Checkpoint& checkpoint, const std::filesystem::path& folder);

} // namespace headscope
