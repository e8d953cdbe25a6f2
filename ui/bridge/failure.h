// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/imported/array_axes.h"

#include <QString>

#include <exception>
#include <optional>

namespace headscope::ui {

/// An error as the window shows it: what happened, and apart from it what to do next.
struct Failure {
    QString sentence;
    QString hint;
    bool cancelled = false;
    std::optional<AxesQuestion> question = {}; ///< what the user can answer, so that it works

    QString text() const { return hint.isEmpty() ? sentence : sentence + QLatin1Char(' ') + hint; }
};

/// Any exception as a Failure: our Error in its parts, anything else as its text.
Failure failureOf(const std::exception_ptr& exception);

} // namespace headscope::ui
