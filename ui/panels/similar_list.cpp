// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/similar_list.h"

#include "ui/format.h"
#include "ui/panels/card.h"
#include "ui/panels/plain_table.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numbers>

namespace headscope::ui {

using Stage = FindingSimilar::Stage;

namespace {
constexpr int kWhole = 1000; ///< of the bar
} // namespace

SimilarList::SimilarList(QWidget* parent)
    : QWidget(parent), m_words(roleLabel({}, "muted", this)), m_bar(new QProgressBar(this)),
      m_button(new QPushButton(this)),
      m_table(new PlainTable({tr("Head"), tr("Divergence"), tr("Rows")}, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_words->setWordWrap(true);
    layout->addWidget(m_words);
    m_bar->setRange(0, kWhole);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("How much of the text is compared"));
    layout->addWidget(m_bar);
    layout->addWidget(m_button, 0, Qt::AlignLeft);
    layout->addWidget(m_table, 1);
    layout->addStretch(0);
    m_table->setMinimumHeight(26 * 5 + 2);
    m_table->horizontalHeaderItem(1)->setToolTip(
        tr("Jensen–Shannon divergence without the sinks of either head, nats: 0 alike, 0.693 nothing in "
           "common"));
    m_table->horizontalHeaderItem(2)->setToolTip(tr("Rows that keep enough weight and keys to count"));
    connect(m_table, &PlainTable::lineChosen, this,
            [this](int line) { Q_EMIT headChosen(m_lines[static_cast<std::size_t>(line)].head); });
    connect(m_table, &PlainTable::lineOpened, this,
            [this](int line) { Q_EMIT headPinned(m_lines[static_cast<std::size_t>(line)].head); });
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_similar.stage == Stage::Measuring) {
            Q_EMIT cancelRequested();
        } else {
            Q_EMIT againRequested();
        }
    });
    refresh();
}

QString SimilarList::words() const {
    return m_words->text();
}

void SimilarList::setFarthest(bool on) {
    m_farthest = on;
    m_table->setAccessibleName(on ? tr("Most different heads") : tr("Most similar heads"));
    refresh();
}

void SimilarList::showFound(const FindingSimilar& similar) {
    m_similar = similar;
    refresh();
}

void SimilarList::showCurrent(const HeadRef& head) {
    m_current = head;
    const auto at = std::find_if(m_lines.begin(), m_lines.end(),
                                 [&head](const SimilarHeads::Other& one) { return one.head == head; });
    m_table->showLine(at == m_lines.end() ? -1 : static_cast<int>(at - m_lines.begin()));
}

void SimilarList::refresh() {
    m_lines.clear();
    m_bar->setVisible(m_similar.stage == Stage::Measuring);
    m_bar->setValue(static_cast<int>(m_similar.share * kWhole));
    const QString of =
        m_similar.of.analysis ? QString::fromStdString(headText(m_similar.of.head)) : QString();
    m_button->setVisible(m_similar.stage == Stage::Measuring || m_similar.stage == Stage::Cancelled ||
                         m_similar.stage == Stage::Failed);
    m_button->setText(m_similar.stage == Stage::Measuring ? tr("Cancel") : tr("Compare all heads"));
    switch (m_similar.stage) {
    case Stage::None:
        m_words->setText(tr("Once a text is analysed, its heads are compared here with the chosen one."));
        break;
    case Stage::Measuring:
        m_words->setText(tr("Comparing all heads of this text with head %1…").arg(of));
        break;
    case Stage::Cancelled:
        m_words->setText(tr("Cancelled: the heads were not compared with head %1.").arg(of));
        break;
    case Stage::Failed:
        m_words->setText(m_similar.reason);
        break;
    case Stage::Found: {
        const auto& others = m_similar.found->others;
        m_lines = others;
        if (m_farthest) std::reverse(m_lines.begin(), m_lines.end());
        m_lines.resize(std::min(m_lines.size(), kShown));
        if (others.empty())
            m_words->setText(
                tr("This text is too short to compare its heads: it takes 16 rows that read 8 keys "
                   "or more."));
        else
            m_words->setText((m_farthest ? tr("Least like head %1, of %2 compared; double click pins. %3")
                                         : tr("Most like head %1, of %2 compared; double click pins. %3"))
                                 .arg(of)
                                 .arg(others.size())
                                 .arg(m_similar.found->withSinks
                                          ? tr("Sinks leave too few rows of this text, so all keys count.")
                                          : QString())
                                 .trimmed());
        break;
    }
    }
    m_table->setVisible(!m_lines.empty());
    m_table->setLines(static_cast<int>(m_lines.size()));
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const int line = static_cast<int>(i);
        m_table->setCell(line, 0, tr("Head %1").arg(QString::fromStdString(headText(m_lines[i].head))));
        m_table->setNumber(line, 1, numberText(m_lines[i].divergence, 4),
                           m_lines[i].divergence / std::numbers::ln2);
        m_table->setNumber(line, 2, QString::number(m_lines[i].rows));
    }
    showCurrent(m_current);
}

} // namespace headscope::ui
