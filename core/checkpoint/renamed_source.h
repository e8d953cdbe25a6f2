// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// The tensors of `source` under other names, one per tensor in its order; the names must differ (CHECKed).
std::shared_ptr<const TensorSource> renameTensors(std::shared_ptr<const TensorSource> source,
                                                  const std::vector<std::string>& names);

/// Training tools wrap a model in another module and save that: every name then has the wrapper's name
/// before it. Takes away `module.` and `_orig_mod.` where all tensors have it, and `model.` where it stands
/// before the base prefix of another model (`model.bert.`), and adds a note that says so. Gives back the
/// source itself where there is nothing to take away, or where two names would become one.
std::shared_ptr<const TensorSource> withoutWrapperPrefixes(std::shared_ptr<const TensorSource> source,
                                                           std::vector<std::string>& notes);

} // namespace headscope
