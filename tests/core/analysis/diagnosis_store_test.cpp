// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagnosis_json.h"
#include "core/analysis/diagnosis_store.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

std::shared_ptr<const OpenModel> open(const std::filesystem::path& folder) {
    return openModel(folder, {DeviceChoice::Cpu}, {}, {});
}

std::shared_ptr<const Diagnosis> someDiagnosis(const std::shared_ptr<const OpenModel>& model) {
    TextInput input;
    input.text =
        "The animal did not cross the street because it was too tired. A dog sat in the sun and looked at "
        "the street, and a cat looked at the dog; then it was dark, and all of them went home.";
    return diagnose({model, {{"one", input}, {"two", input}}}, {}, {});
}

TEST(DiagnosisStore, GivesBackWhatWasStored) {
    const auto model = open(dataPath("models/flagged-bert"));
    const auto diagnosis = someDiagnosis(model);
    const std::string key = diagnosisKey(*model);
    const auto restored = restoredDiagnosis(storedDiagnosis(*diagnosis, key), key);
    ASSERT_NE(restored, nullptr);
    EXPECT_EQ(diagnosisJson(*restored), diagnosisJson(*diagnosis));
    ASSERT_EQ(restored->heads.size(), diagnosis->heads.size());
    for (std::size_t h = 0; h < restored->heads.size(); ++h) {
        const HeadDiagnosis& one = restored->heads[h].diagnosis;
        const HeadDiagnosis& other = diagnosis->heads[h].diagnosis;
        ASSERT_EQ(one.unlisted.size(), other.unlisted.size());
        for (std::size_t l = 0; l < one.labels.size(); ++l) {
            ASSERT_EQ(one.labels[l].onTexts.size(), other.labels[l].onTexts.size());
            for (std::size_t t = 0; t < one.labels[l].onTexts.size(); ++t)
                EXPECT_EQ(one.labels[l].onTexts[t].score, other.labels[l].onTexts[t].score);
        }
    }
}

TEST(DiagnosisStore, AnotherKeyOrADamagedTextIsNothing) {
    const auto model = open(dataPath("models/flagged-bert"));
    const std::string key = diagnosisKey(*model);
    const std::string stored = storedDiagnosis(*someDiagnosis(model), key);
    EXPECT_EQ(restoredDiagnosis(stored, "another key"), nullptr);
    EXPECT_EQ(restoredDiagnosis("", key), nullptr);
    EXPECT_EQ(restoredDiagnosis("[1]", key), nullptr);
    EXPECT_EQ(restoredDiagnosis("{\"key\": 5}", key), nullptr);
    for (std::size_t cut = 0; cut < stored.size(); cut += stored.size() / 97 + 1)
        EXPECT_EQ(restoredDiagnosis(std::string_view(stored).substr(0, cut), key), nullptr) << cut;
    // Each member spoiled in turn: nothing, or a diagnosis, and no crash.
    int changed = 0;
    for (std::size_t at = stored.find("\":"); at != std::string::npos; at = stored.find("\":", at + 1)) {
        if (++changed % 41 != 0) continue;
        std::string spoiled = stored;
        spoiled.insert(at, 1, '_');
        EXPECT_EQ(restoredDiagnosis(spoiled, key), nullptr) << at;
    }
    EXPECT_GT(changed, 1000);
}

TEST(DiagnosisStore, TheKeyFollowsTheFiles) {
    const TemporaryFolder place;
    std::filesystem::copy(dataPath("models/flagged-bert"), place / "model",
                          std::filesystem::copy_options::recursive);
    const std::string before = diagnosisKey(*open(place / "model"));
    EXPECT_EQ(diagnosisKey(*open(place / "model")), before);
    std::filesystem::last_write_time(place / "model" / "model.safetensors",
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(5));
    EXPECT_NE(diagnosisKey(*open(place / "model")), before);
}

TEST(DiagnosisStore, AModelThatLooksTheSameInAnotherPlaceIsAnother) {
    const TemporaryFolder place;
    const std::filesystem::path original = dataPath("models/flagged-bert");
    for (const char* name : {"one", "two"}) {
        std::filesystem::copy(original, place / name, std::filesystem::copy_options::recursive);
        for (const auto& file : std::filesystem::directory_iterator(original))
            std::filesystem::last_write_time(place / name / file.path().filename(), file.last_write_time());
    }
    const std::string one = diagnosisKey(*open(place / "one"));
    EXPECT_NE(one, diagnosisKey(*open(place / "two")));
    // An unpacked archive puts back names, sizes and times of writing.
    std::filesystem::remove_all(place / "one");
    std::filesystem::rename(place / "two", place / "one");
    EXPECT_NE(one, diagnosisKey(*open(place / "one")));
}

} // namespace
} // namespace headscope::test
