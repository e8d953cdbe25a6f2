// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/engine.h"

namespace headscope::ui {

Engine Engine::real() {
    return {&openModel, &tokenizeText, &headscope::analyse};
}

} // namespace headscope::ui
