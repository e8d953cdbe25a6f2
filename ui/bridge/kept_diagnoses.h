// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <filesystem>
#include <memory>

namespace headscope::ui {

/// Diagnoses that outlast the session: a file each in a folder of the user's data, found again as long as
/// the files of the model, the texts and the program are the same (diagnosisKey of the core). A diagnosis can
/// always be made again, so nothing here is an error: what cannot be read was not kept.
class KeptDiagnoses {
  public:
    static constexpr std::size_t kMost = 64; ///< the oldest go

    explicit KeptDiagnoses(std::filesystem::path folder);

    std::shared_ptr<const Diagnosis> find(const OpenModel& model) const; ///< null: none
    void keep(const OpenModel& model, const Diagnosis& diagnosis) const;

  private:
    std::filesystem::path fileOf(const std::string& key) const;
    void forgetOldest() const;

    std::filesystem::path m_folder;
};

} // namespace headscope::ui
