// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace headscope {

/// One step of a long piece of work: "layer", 3 of 6.
struct Progress {
    std::string unit;       ///< what is counted: "layer", "file", "head"
    std::int64_t done = 0;  ///< steps completed
    std::int64_t total = 0; ///< 0 when unknown
};

/// Called from the working thread; must be cheap and must not throw. Empty = nobody listens.
using ProgressSink = std::function<void(const Progress&)>;

/// Notes about a load or run that are no errors ("the tokenizer's truncation is ignored"). Each is one
/// sentence without prefix; the command line writes "note: " before it.
using NoteSink = std::function<void(const std::string&)>;

} // namespace headscope
