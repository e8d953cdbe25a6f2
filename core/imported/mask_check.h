// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/matrix_view.h"
#include "core/imported/attention_reader.h"

namespace headscope {

/// No query reads an earlier key although some read later ones: what is left when a causal mask hides the
/// lower triangle in place of the upper one. The last row, which then sees nothing or itself alone, does not
/// count. False for fewer than three rows and for maps that are not square.
bool isUpsideDown(MatrixView<const float> weights);

/// No query reads a later key, and the last row sums to 1, but half of the rows or more to less: the mask was
/// laid over weights that were normalised already.
bool isMaskedAfterSoftmax(MatrixView<const float> weights, double bound);

/// Every column sums to 1 and some row does not: queries and keys stand the other way round.
bool isTransposed(MatrixView<const float> weights, double bound);

/// Adds a note for each kind of mask that looks wrong although the rows are weights, naming the first head
/// and row: maps that are upside down, and weight on padding.
void noteWrongMasks(ImportedAttention& file);

} // namespace headscope
