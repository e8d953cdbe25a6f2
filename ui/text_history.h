// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/view_state.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// A text as it was run.
struct PastText {
    QString text;
    QString pair; ///< with isPair
    bool isPair = false;
    QString target;

    friend bool operator==(const PastText&, const PastText&) = default;
};

PastText pastTextOf(const ViewState& state);

/// The texts that were run, the newest first, in a file that all windows share: each change is made to what
/// the file holds at that moment, under a lock. What cannot be read or written is not kept, and says so in
/// failed().
class TextHistory final : public QObject {
    Q_OBJECT

  public:
    static constexpr int kMost = 30;
    static constexpr qsizetype kLongest = 256 * 1024; ///< characters of one entry; longer ones are not kept

    /// `file`: empty: only in memory.
    explicit TextHistory(QString file, QObject* parent = nullptr);

    std::vector<PastText> texts() const; ///< as they are in the file now
    /// To the front; one that is there already moves. `grown`: it was not asked for; an entry
    /// before it that was not either and that `text` begins with was only on the way to it and goes. Without
    /// a text: nothing.
    void add(const PastText& text, bool grown = false);
    void remove(const PastText& text);
    void clear();
    /// Undoes a removal: `before` is what there was; what came since stays in front of it.
    void putBack(const std::vector<PastText>& before);
    void setMost(int most); ///< how many are listed, 0 to kMost; with the next text the others go

  Q_SIGNALS:
    void changed();
    void failed(const QString& sentence);

  private:
    template <typename Edit>
    void edit(const Edit& change);

    QString m_file;
    int m_most = kMost;
    std::vector<PastText> m_inMemory;
    std::optional<PastText> m_onTheWay; ///< what was added last, if it was while typing
};

/// AppDataLocation/texts.json
QString textHistoryFile();

} // namespace headscope::ui
