// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <optional>

namespace headscope {

/// What a model is fed of tokenised texts.
ModelInput modelInput(const OpenModel& model, const TokenizedText& text,
                      const std::optional<TokenizedText>& target);

} // namespace headscope
