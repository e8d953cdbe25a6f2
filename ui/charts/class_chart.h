// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/token_facts.h"
#include "ui/charts/chart.h"

#include <optional>
#include <vector>

namespace headscope::ui {

/// Mean weight on the tokens of one class.
struct ClassBar {
    TokenClass tokenClass = TokenClass::Content;
    std::optional<double> mass;        ///< none: no row sees such a token
    std::optional<double> chance = {}; ///< of an even head, same rows
};

/// What kinds of token the chosen head reads, beside what an even head would put there.
class ClassChart final : public Chart {
    Q_OBJECT

  public:
    explicit ClassChart(QWidget* parent = nullptr);
    /// Empty: `why` is said instead; empty too: choose a head.
    void setBars(const std::vector<ClassBar>& bars, const QString& why = {});
};

} // namespace headscope::ui
