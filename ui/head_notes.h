// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/attention_kind.h"

#include <QString>

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace headscope::ui {

/// The notes on the heads of one model: what overview and table mark.
using ModelNotes = std::vector<std::pair<HeadRef, QString>>;

/// Short texts that the user wrote on heads: one for each model, kind of attention, layer and head.
class HeadNotes {
  public:
    static constexpr qsizetype kLongest = 4000; ///< characters (UTF-16) of one note

    QString of(const QString& model, const HeadRef& head) const; ///< empty: none
    /// A text of nothing but white space takes the note away.
    void set(const QString& model, const HeadRef& head, const QString& text);
    ModelNotes ofModel(const QString& model) const; ///< by kind, layer, head
    /// The model has moved.
    void renameModel(const QString& from, const QString& to);

    struct Note {
        QString model;
        HeadRef head;
        QString text;
    };
    std::vector<Note> all() const;
    std::size_t size() const { return m_texts.size(); }
    bool empty() const { return m_texts.empty(); }

    friend bool operator==(const HeadNotes&, const HeadNotes&) = default;

  private:
    using Key = std::tuple<QString, int, std::int64_t, std::int64_t>;
    static Key keyOf(const QString& model, const HeadRef& head);

    std::map<Key, QString> m_texts;
};

} // namespace headscope::ui
