// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <string>

namespace headscope::test {

/// The sentence of the Error that `action` throws, or "" when it throws none: for exact comparisons of what
/// users read.
template <typename Action>
std::string sentenceOf(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.sentence();
    }
    return {};
}

} // namespace headscope::test
