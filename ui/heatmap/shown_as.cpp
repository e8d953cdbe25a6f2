// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/shown_as.h"

#include <QCoreApplication>

namespace headscope::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ShownAs)
};

} // namespace

std::int64_t ShownAs::place(bool key, std::int64_t index) const {
    const std::vector<std::int64_t>& places = key ? keys : queries;
    const auto at = static_cast<std::size_t>(index);
    return index >= 0 && at < places.size() ? places[at] : index;
}

QString ShownAs::placeText(bool key, std::int64_t index) const {
    return (words ? Words::tr("word %1") : Words::tr("token %1")).arg(place(key, index));
}

} // namespace headscope::ui
