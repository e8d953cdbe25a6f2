// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/welcome.h"

#include "ui/icons.h"
#include "ui/panels/card.h"
#include "ui/panels/recent.h"
#include "ui/theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayoutItem>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui {
namespace {
constexpr int kWidth = 420;
constexpr qsizetype kShown = 4;

/// Its words begin at the left and end in "…" where they are too long.
class ElidedButton final : public QPushButton {
  public:
    ElidedButton(QString words, QWidget* parent) : QPushButton(parent), m_words(std::move(words)) {
        setStyleSheet(QStringLiteral("text-align: left;"));
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QPushButton::resizeEvent(event);
        constexpr int kSides = 24; // padding and border of both sides
        setText(fontMetrics()
                    .elidedText(m_words, Qt::ElideRight, width() - kSides)
                    .replace(QLatin1Char('&'), QStringLiteral("&&")));
    }

  private:
    QString m_words;
};
} // namespace

Welcome::Welcome(QWidget* parent)
    : QWidget(parent), m_icon(new QLabel(this)), m_title(new QLabel(this)),
      m_words(roleLabel({}, "muted", this)), m_open(new QPushButton(tr("Open model folder…"), this)),
      m_demo(new QPushButton(tr("Open the demo"), this)), m_cancel(new QPushButton(tr("Cancel"), this)),
      m_progress(new QProgressBar(this)), m_recent(new QHBoxLayout), m_recentBox(new QWidget(this)) {
    m_icon->setAlignment(Qt::AlignCenter);
    m_title->setFont(Theme::font(20, QFont::DemiBold));
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setTextFormat(Qt::PlainText);
    m_words->setAlignment(Qt::AlignCenter);
    m_words->setWordWrap(true);
    m_words->setFixedWidth(kWidth);
    setRole(m_open, "primary");
    m_open->setMinimumHeight(32);
    m_demo->setToolTip(tr("A small model inside the program, made so that every head does one known thing"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(kWidth - 120);
    m_progress->setAccessibleName(tr("Progress of opening"));
    m_recentBox->setFixedWidth(kWidth);
    m_recentBox->setLayout(m_recent);
    m_recent->setContentsMargins(0, 16, 0, 0);
    m_recent->setSpacing(16);

    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addStretch(2);
    layout->addWidget(m_icon, 0, Qt::AlignCenter);
    layout->addWidget(m_title);
    layout->addWidget(m_words, 0, Qt::AlignCenter);
    layout->addSpacing(4);
    layout->addWidget(m_progress, 0, Qt::AlignCenter);
    layout->addWidget(m_open, 0, Qt::AlignCenter);
    layout->addWidget(m_demo, 0, Qt::AlignCenter);
    layout->addWidget(m_cancel, 0, Qt::AlignCenter);
    layout->addWidget(m_recentBox, 0, Qt::AlignCenter);
    layout->addStretch(3);
    connect(m_open, &QPushButton::clicked, this, &Welcome::openRequested);
    connect(m_demo, &QPushButton::clicked, this, &Welcome::demoRequested);
    connect(m_cancel, &QPushButton::clicked, this, &Welcome::cancelRequested);
    connect(&Theme::instance(), &Theme::changed, this, &Welcome::applyTheme);
    applyTheme();
    setRecent({}, {});
    showOpening({});
}

void Welcome::applyTheme() {
    m_icon->setPixmap(
        iconPixmap(QStringLiteral("headscope"), Theme::instance().colors().accent, 56, devicePixelRatioF()));
}

void Welcome::setRecent(const QStringList& folders, const QStringList& sessions) {
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    addRecent(tr("Models opened before"), folders, &Welcome::recentChosen);
    addRecent(tr("Sessions"), sessions, &Welcome::sessionChosen);
}

void Welcome::addRecent(const QString& title, const QStringList& paths,
                        void (Welcome::*chosen)(const QString&)) {
    if (paths.isEmpty()) return;
    auto* box = new QWidget(m_recentBox);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(sectionLabel(title, box));
    const QStringList shown = paths.mid(0, kShown);
    const QStringList names = recentNames(shown);
    for (qsizetype i = 0; i < shown.size(); ++i) {
        const QString& path = shown[i];
        const bool missing = isMissing(path);
        auto* button = new ElidedButton(missing ? tr("%1 (missing)").arg(names[i]) : names[i], box);
        button->setToolTip(recentTip(path));
        button->setEnabled(!missing);
        button->setAccessibleName(tr("Open %1").arg(names[i]));
        connect(button, &QPushButton::clicked, this, [this, path, chosen] { Q_EMIT(this->*chosen)(path); });
        column->addWidget(button);
    }
    column->addStretch(1);
    m_recent->addWidget(box, 1);
}

void Welcome::showOpening(const QString& folder) {
    const bool opening = !folder.isEmpty();
    m_title->setText(opening ? tr("Opening %1").arg(QFileInfo(folder).fileName()) : tr("Open a model"));
    m_words->setText(opening ? tr("Reading the weights…")
                             : tr("Choose the folder of a checkpoint: config.json, model.safetensors and "
                                  "tokenizer.json. You can also drop it here, or a GGUF file, or attention "
                                  "maps (.npz, .npy, .safetensors, .pt)."));
    m_words->setFixedHeight(m_words->heightForWidth(kWidth));
    m_progress->setVisible(opening);
    m_progress->setRange(0, 0);
    m_open->setVisible(!opening);
    m_demo->setVisible(!opening);
    m_cancel->setVisible(opening);
    m_recentBox->setVisible(!opening);
}

void Welcome::setProgress(qint64 done, qint64 total) {
    m_progress->setRange(0, static_cast<int>(total));
    m_progress->setValue(static_cast<int>(done));
}

} // namespace headscope::ui
