// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/matrix_view.h"
#include "core/maps/panels.h"

namespace headscope {

/// norms[r] = the Euclidean norm of row r, its squares added in double; the same bits on every processor.
void euclideanNorms(MatrixView<const float> rows, float* norms);
/// [keys], of packed keys.
void euclideanNorms(const KeyPanels& keys, float* norms);

} // namespace headscope
