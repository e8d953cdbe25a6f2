// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

namespace headscope {

// BART and the families that share its layout; one line each in the table of families.cpp.
ModelSpec bartSpec(const Checkpoint& checkpoint);
ModelSpec mbartSpec(const Checkpoint& checkpoint);
ModelSpec marianSpec(const Checkpoint& checkpoint);
ModelSpec pegasusSpec(const Checkpoint& checkpoint);
ModelSpec m2m100Spec(const Checkpoint& checkpoint);

} // namespace headscope
