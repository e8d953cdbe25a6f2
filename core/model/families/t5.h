// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

namespace headscope {

// T5 and its relatives; one line each in the table of families.cpp.
ModelSpec t5Spec(const Checkpoint& checkpoint);
ModelSpec mt5Spec(const Checkpoint& checkpoint);
ModelSpec umt5Spec(const Checkpoint& checkpoint);

} // namespace headscope
