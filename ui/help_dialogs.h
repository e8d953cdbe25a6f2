// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace headscope::ui {

/// All keys on one page, made from the action table.
void showShortcuts(QWidget* parent);
/// What each head of the demo does, and why.
void showDemoPage(QWidget* parent);
/// Version, what it is, licences.
void showAbout(QWidget* parent);

} // namespace headscope::ui
