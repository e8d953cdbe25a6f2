// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/class_rules.h"
#include "core/tokenizer/tokenizer.h"

#include <memory>

namespace headscope {

/// Code Llama reads a second text, and a text with its fill token, as the parts around a gap, with another
/// normalizer and template. That is not computed: the result refuses such texts and encodes others.
std::shared_ptr<const Tokenizer> withoutInfilling(std::shared_ptr<const Tokenizer> tokenizer,
                                                  const ClassInputs& inputs);

} // namespace headscope
