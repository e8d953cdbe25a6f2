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

/// Training tools wrap a model, or parts of it, in another module and save that: names then have the wrapper's
/// name in them. Takes away `module.` and `_orig_mod.` wherever they stand, and `model.` where it stands before
/// the names of a whole model that has another base prefix or none (`model.bert.`, `model.wte.`), and adds a
/// note that says so. Gives back the source itself where there is nothing to take away, or where two names would
/// become one.
std::shared_ptr<const TensorSource> withoutWrapperPrefixes(std::shared_ptr<const TensorSource> source,
                                                           std::vector<std::string>& notes);

} // namespace headscope
