// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/imported/attention_layers.h"

#include <string>
#include <vector>

namespace headscope {

/// The layers that one array holds, read as `axes` say; without `layers` among them it is the layer `layer`.
/// Throws Error naming the array where it has other dimensions, no float type, no elements, or a batch of
/// which no sample was chosen.
std::vector<FoundLayer> layersOfArray(const FoundLayer& layer, const std::string& subject,
                                      const ArrayReading& reading);

/// The layers of a file in which no array has a name of the layout. Throws as findLayers().
std::vector<FoundLayer> layersOfUnnamed(const TensorSource& source, const std::string& file,
                                        const ArrayReading& reading);

} // namespace headscope
