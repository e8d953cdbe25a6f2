// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "tests/support/temporary_folder.h"

#include <memory>
#include <string>

namespace headscope::ui::test {

/// The tiny model's analysis of a sentence with all kinds of characters; made once.
inline std::shared_ptr<const Analysis> tinyAnalysis() {
    static const std::shared_ptr<const Analysis> analysis = [] {
        const auto model =
            openModel(headscope::test::dataPath("models/tiny-bert"), {DeviceChoice::Cpu}, CancelToken(), {});
        TextInput input;
        input.text = "The animal did not cross the street: it was \"too\" <tired> & small, see.";
        return analyse({model, input}, {}, CancelToken());
    }();
    return analysis;
}

inline HeadRef headAt(int layer, int head) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(head)};
}

} // namespace headscope::ui::test
