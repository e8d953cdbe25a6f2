// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/probe_battery.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A text of resources/texts/probes as it was written, for any model.
struct ProbeSource {
    std::string name; ///< "natural/prose"
    ProbeKind kind = ProbeKind::Natural;
    std::string text;
    std::optional<std::string> pair;
};

/// All of them, by kind and name.
const std::vector<ProbeSource>& probeSources();

/// One file: the folder says the kind, a line "--" parts two texts, line breaks at the end are not meant.
ProbeSource readProbe(std::string_view path, std::span<const std::byte> content);

/// 16 hexadecimal digits that differ when a name or a text does (FNV-1a, 64 bits).
std::string fingerprintOf(const std::vector<ProbeSource>& sources);

} // namespace headscope
