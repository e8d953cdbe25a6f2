// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/head_notes.h"

namespace headscope::ui {

HeadNotes::Key HeadNotes::keyOf(const QString& model, const HeadRef& head) {
    return {model, static_cast<int>(head.kind), head.layer.value, head.head.value};
}

QString HeadNotes::of(const QString& model, const HeadRef& head) const {
    const auto found = m_texts.find(keyOf(model, head));
    return found == m_texts.end() ? QString() : found->second;
}

void HeadNotes::set(const QString& model, const HeadRef& head, const QString& text) {
    if (text.trimmed().isEmpty())
        m_texts.erase(keyOf(model, head));
    else
        m_texts[keyOf(model, head)] = text;
}

std::vector<HeadNotes::Note> HeadNotes::all() const {
    std::vector<Note> notes;
    for (const auto& [key, text] : m_texts) {
        const auto& [model, kind, layer, head] = key;
        notes.push_back(
            {model, {static_cast<AttentionKind>(kind), LayerIndex(layer), HeadIndex(head)}, text});
    }
    return notes;
}

ModelNotes HeadNotes::ofModel(const QString& model) const {
    ModelNotes notes;
    for (Note& note : all())
        if (note.model == model) notes.emplace_back(note.head, std::move(note.text));
    return notes;
}

void HeadNotes::renameModel(const QString& from, const QString& to) {
    if (from == to) return;
    for (const Note& note : all()) {
        if (note.model != from) continue;
        set(from, note.head, {});
        set(to, note.head, note.text);
    }
}

} // namespace headscope::ui
