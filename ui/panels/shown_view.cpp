// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shown_view.h"

#include <QCoreApplication>

namespace headscope::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ShownView)
};

} // namespace

ShownAs shownAs(const ViewedMap& shown, const MapView& view) {
    ShownAs as;
    if (view.valueWeighted)
        as.number = Words::tr("weight × norm of the value");
    else if (view.heads == HeadsShown::Rollout)
        as.number = Words::tr("share by rollout: values and MLPs left out");
    as.hasEvenWeight = !view.valueWeighted && !view.words && !view.hideSpecial && !view.hideFirst;
    as.words = view.words;
    as.queries = shown.axes.queries.positions;
    as.keys = shown.axes.keys.positions;
    return as;
}

std::int64_t clickedToken(const ViewedAxis& axis, std::int64_t index,
                          const std::optional<std::int64_t>& chosen) {
    const Span& tokens = axis.tokens[static_cast<std::size_t>(index)];
    return chosen && tokens.contains(*chosen) ? *chosen : tokens.begin;
}

} // namespace headscope::ui
