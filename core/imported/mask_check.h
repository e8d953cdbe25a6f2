// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/matrix_view.h"
#include "core/imported/attention_checks.h"
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

/// Notes masks that look wrong although the rows are weights: maps that are upside down, and weight on
/// padding. Each kind is noted once, with the first head and row.
class MaskNotes {
  public:
    /// `file`: has its axes; takes the notes.
    explicit MaskNotes(ImportedAttention& file) : m_file(file) {}

    /// `weights`: the map of the head at `place`, under `mask`.
    void look(MatrixView<const float> weights, const MaskRule& mask, const HeadPlace& place);

  private:
    ImportedAttention& m_file;
    bool m_saidUpsideDown = false;
    bool m_saidPadding = false;
};

} // namespace headscope
