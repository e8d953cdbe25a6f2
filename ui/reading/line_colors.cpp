// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/line_colors.h"

namespace headscope::ui {

const std::array<QColor, kLineColors>& lineColors(const HeatmapTheme& theme) {
    // Found by a search for the largest least distance in CIELAB, over normal sight and the three
    // dichromacies.
    static const std::array<QColor, kLineColors> light{QColor(0x2f, 0x6f, 0xde), QColor(0xf2, 0x69, 0x0d),
                                                       QColor(0x37, 0x15, 0x1c), QColor(0xce, 0x7e, 0x8e),
                                                       QColor(0x05, 0x05, 0x61), QColor(0x91, 0x23, 0x08)};
    static const std::array<QColor, kLineColors> dark{QColor(0x6a, 0xa0, 0xff), QColor(0xf2, 0x0d, 0x0d),
                                                      QColor(0xfa, 0x9e, 0xb0), QColor(0xd0, 0xf5, 0x3d),
                                                      QColor(0x86, 0xf9, 0x86), QColor(0xd2, 0x2d, 0x4e)};
    return theme.dark ? dark : light;
}

} // namespace headscope::ui
