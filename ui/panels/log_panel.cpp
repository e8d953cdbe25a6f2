// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/log_panel.h"

#include "ui/log.h"

#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace headscope::ui {

LogPanel::LogPanel(QWidget* parent) : QWidget(parent), m_lines(new QPlainTextEdit(this)) {
    m_lines->setReadOnly(true);
    m_lines->setMaximumBlockCount(Log::kKept);
    m_lines->setAccessibleName(tr("Log"));
    m_lines->setPlaceholderText(tr("Nothing happened yet."));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 12);
    layout->addWidget(m_lines);
    for (const QString& line : Log::instance().lines()) {
        m_lines->appendPlainText(line);
    }
    connect(&Log::instance(), &Log::lineAdded, m_lines, &QPlainTextEdit::appendPlainText);
}

QString LogPanel::text() const {
    return m_lines->toPlainText();
}

} // namespace headscope::ui
