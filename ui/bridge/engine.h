// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace headscope::ui {

/// What the inference lane calls. real() is the core; tests put slow or failing functions here.
struct Engine {
    std::function<std::shared_ptr<const OpenModel>(const std::filesystem::path&, DeviceChoice,
                                                   const CancelToken&, const ProgressSink&)>
        open;
    std::function<TokenizedText(const OpenModel&, const TextInput&)> tokenize;
    std::function<std::shared_ptr<const Analysis>(const AnalysisRequest&, const AnalysisEvents&,
                                                  const CancelToken&)>
        analyse;

    static Engine real();
};

} // namespace headscope::ui
