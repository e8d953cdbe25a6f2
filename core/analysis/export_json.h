// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/export_data.h"
#include "core/base/file.h"
#include "core/base/json.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headscope {

/// Writes a part as JSON (schema: resources/help/export-json.md), one matrix row a line.
void writeJson(const ExportPart& part, const std::filesystem::path& target, const ExportEvents& events);

/// An array of the tokens along an axis; `indices`: where each stands in the whole text.
void writeAxis(JsonWriter& json, const Axis& axis, const std::vector<std::int64_t>& indices);
/// The rows of a map as the elements of an array that is open, one a line, indented by `indent` spaces.
void writeRows(AtomicFile& file, const HeadMap& map, int indent, const CancelToken& cancel);
/// A finished document without the brace that closes it and the line break before that.
std::string withoutClosing(std::string document);

/// How heads are shown, as the member "view" of the object that is open.
void writeView(JsonWriter& json, const MapView& view);

/// The flags and numbers of a head, as members of the object that is open.
void writeHeadNumbers(JsonWriter& json, const HeadResult& head);

/// The same document on one line, without a final newline.
std::string compactJson(std::string_view indented);

/// HEADSCOPE_VERSION as JSON outputs carry it.
const char* versionText();

} // namespace headscope
