// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// What a model and the battery it is judged by are recognised by: its folder, name and
/// identity (fileIdentity()) of every file of the checkpoint, this program's version and the battery's.
/// Differs wherever the diagnosis may differ.
std::string diagnosisKey(const OpenModel& model);

/// A diagnosis as text, to be kept beside the user's data.
std::string storedDiagnosis(const Diagnosis& diagnosis, std::string_view key);

/// The same again. Null where the text was not stored under `key`, is damaged, or is not ours at all: then
/// there is nothing kept, and the model is judged anew.
std::shared_ptr<const Diagnosis> restoredDiagnosis(std::string_view text, std::string_view key);

} // namespace headscope
