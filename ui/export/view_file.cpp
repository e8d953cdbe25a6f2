// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/view_file.h"

#include "ui/session.h"

#include <QFile>

namespace headscope::ui {

namespace {

ViewedHead headOf(const ViewState& state) {
    return {state.model.file(), state.model.rules(), state.textInput(), state.headRef(), state.view};
}

ShownForm formOf(HeadForm form) {
    switch (form) {
    case HeadForm::Text:
        return ShownForm::Text;
    case HeadForm::Lines:
        return ShownForm::Lines;
    case HeadForm::Map:
        break;
    }
    return ShownForm::Map;
}

} // namespace

ViewFile readViewFile(const std::filesystem::path& file) {
    const SessionContent content =
        loadSessionFile(QFile::decodeName(QByteArray::fromStdString(file.string())));
    ViewFile view;
    view.shown = headOf(content.view);
    view.range = content.view.range;
    view.colormap = content.view.colormap;
    view.pooling = content.view.pooling;
    view.margins = content.view.margins;
    view.form = formOf(content.view.form);
    view.lines = content.view.lines;
    view.query = content.view.query;
    view.key = content.view.key;
    view.readBy = content.view.readBy;
    for (const ViewState& pin : content.pins) view.pins.push_back(headOf(pin));
    view.chosenPin = content.chosenPin;
    return view;
}

} // namespace headscope::ui
