// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"

#include <vector>

namespace headscope::ui {

/// The other heads of a text by how far they are from one of them.
struct SimilarHeads {
    struct Other {
        HeadRef head;
        double divergence = 0.0; ///< Jensen-Shannon, nats; without the sinks of either but with `withSinks`
        std::int64_t rows = 0;   ///< that count
    };

    ComparedSide of;
    std::vector<Other> others; ///< the nearest first
    /// Sinks leave too few rows of all pairs: told apart by all keys then, where most heads are alike.
    bool withSinks = false;
    std::size_t untested = 0;   ///< too few rows count
    std::size_t otherMasks = 0; ///< of layers that see other keys: not comparable
};

/// Progress counts rows of the text. Throws Error when cancelled.
SimilarHeads similarHeads(const ComparedSide& head, const CancelToken& cancel,
                          const ProgressSink& progress = {});

} // namespace headscope::ui
