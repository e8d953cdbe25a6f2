// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/checkpoint/safetensors.h"
#include "tests/app/command_line.h"
#include "tests/app/json_schema.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace headscope::test {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kTokens = 15; // of kSentence, with its special tokens
constexpr std::size_t kHeads = 4;
constexpr std::size_t kLayers = 3;

/// One CSV record taken apart as RFC 4180 says.
std::vector<std::string> fieldsOf(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += line[i++];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += line[i];
    }
    return fields;
}

std::vector<std::vector<std::string>> recordsOf(const std::filesystem::path& file) {
    std::istringstream lines(readBytes(file));
    std::vector<std::vector<std::string>> records;
    for (std::string line; std::getline(lines, line);) records.push_back(fieldsOf(line));
    return records;
}

/// What `run` writes for the sentence: the numbers that every export must repeat.
class ExportData : public testing::Test {
  protected:
    void SetUp() override {
        const std::string maps = file("maps.safetensors");
        ASSERT_EQ(headscope({"run", tinyBert(), "--text", kSentence, "--out", maps, "--quiet"}).code, 0);
        const auto source = openSafetensors(maps);
        for (std::size_t layer = 0; layer < kLayers; ++layer) {
            const TensorInfo* tensor = source->find("attentions." + std::to_string(layer));
            ASSERT_EQ(tensor->shape, (std::vector<std::int64_t>{kHeads, kTokens, kTokens}));
            m_maps.emplace_back(static_cast<std::size_t>(tensor->elements));
            source->readFloats(*tensor, 0, m_maps.back());
        }
    }

    float weight(std::size_t layer, std::size_t head, std::size_t query, std::size_t key) const {
        return m_maps[layer][(head * kTokens + query) * kTokens + key];
    }
    std::string file(const std::string& name) const { return (m_place / name).string(); }
    ProcessResult exportTo(const std::string& name, std::vector<std::string> more) const {
        more.insert(more.begin(),
                    {"export", tinyBert(), "--text", kSentence, "--quiet", "--out", file(name)});
        return headscope(more);
    }

    TemporaryFolder m_place;
    std::vector<std::vector<float>> m_maps;
};

TEST_F(ExportData, CsvOfOneHeadIsAMatrixWithTokens) {
    ASSERT_EQ(exportTo("head.csv", {"--head", "1.2"}).code, 0);
    const auto records = recordsOf(file("head.csv"));
    ASSERT_EQ(records.size(), kTokens + 1);
    ASSERT_EQ(records[0].size(), kTokens + 1);
    EXPECT_EQ(records[0][0], "");
    EXPECT_EQ(records[0][1], "[CLS]");
    EXPECT_EQ(records[0][3], "animal");
    EXPECT_EQ(records[3][0], "animal");
    for (std::size_t i = 0; i < kTokens; ++i)
        for (std::size_t j = 0; j < kTokens; ++j)
            EXPECT_EQ(std::stof(records[i + 1][j + 1]), weight(1, 2, i, j)) << i << ' ' << j;
}

TEST_F(ExportData, CsvOfSeveralHeadsIsLong) {
    ASSERT_EQ(exportTo("heads.csv", {"--head", "2.3,0.1"}).code, 0);
    const auto records = recordsOf(file("heads.csv"));
    ASSERT_EQ(records.size(), 1 + 2 * kTokens * kTokens);
    EXPECT_EQ(records[0], (std::vector<std::string>{"kind", "layer", "head", "query", "key", "weight",
                                                    "query_token", "key_token"}));
    for (std::size_t r = 1; r < records.size(); ++r) {
        const auto& record = records[r];
        ASSERT_EQ(record.size(), 8U);
        const bool second = r > kTokens * kTokens;
        EXPECT_EQ(record[0], "attentions");
        EXPECT_EQ(record[1] + "." + record[2], second ? "0.1" : "2.3");
        EXPECT_EQ(std::stof(record[5]),
                  weight(second ? 0 : 2, second ? 1 : 3, std::stoul(record[3]), std::stoul(record[4])));
    }
    EXPECT_EQ(records[2 + kTokens][6], "the"); // query 1
}

TEST_F(ExportData, CsvQuotesTokensThatNeedIt) {
    ASSERT_EQ(headscope({"export", tinyBert(), "--text", "a, \"b\"", "--quiet", "--head", "0.0", "--out",
                         file("q.csv")})
                  .code,
              0);
    EXPECT_EQ(firstLine(readBytes(file("q.csv"))), R"(,[CLS],a,",","""",b,"""",[SEP])");
}

TEST_F(ExportData, NpyHoldsTheMatrixOrAllHeads) {
    const auto floatsAfterHeader = [&](const std::string& name, const std::string& shape) {
        const std::string bytes = readBytes(file(name));
        EXPECT_EQ(bytes.substr(0, 6), "\x93NUMPY");
        EXPECT_NE(bytes.find("'<f4'"), std::string::npos);
        EXPECT_NE(bytes.find(shape), std::string::npos) << bytes.substr(0, 128);
        const std::size_t header =
            10 + static_cast<unsigned char>(bytes[8]) + 256 * static_cast<unsigned char>(bytes[9]);
        EXPECT_EQ(header % 64, 0U);
        std::vector<float> values((bytes.size() - header) / sizeof(float));
        std::memcpy(values.data(), bytes.data() + header, values.size() * sizeof(float));
        return values;
    };
    ASSERT_EQ(exportTo("head.npy", {"--head", "0.3"}).code, 0);
    const std::vector<float> one = floatsAfterHeader("head.npy", "(15, 15)");
    EXPECT_EQ(one, std::vector<float>(m_maps[0].end() - kTokens * kTokens, m_maps[0].end()));
    ASSERT_EQ(exportTo("layer.npy", {"--layer", "1"}).code, 0);
    EXPECT_EQ(floatsAfterHeader("layer.npy", "(4, 15, 15)"), m_maps[1]);
    ASSERT_EQ(exportTo("grid.npy", {"--grid"}).code, 0);
    std::vector<float> all;
    for (const auto& layer : m_maps) all.insert(all.end(), layer.begin(), layer.end());
    EXPECT_EQ(floatsAfterHeader("grid.npy", "(12, 15, 15)"), all);
}

TEST_F(ExportData, JsonIsWhatTheHelpPageSays) {
    JsonSchema schema(readBytes(std::string(HEADSCOPE_SOURCE_DIR) + "/resources/help/export-json.md"));
    ASSERT_GT(schema.size(), 30U);
    ASSERT_EQ(exportTo("heads.json", {"--layer", "2"}).code, 0);
    const Json json = parseJson(readBytes(file("heads.json")), "heads.json");
    EXPECT_EQ(schema.problems(json), "");
    ASSERT_EQ(json.find("heads")->items().size(), kHeads);
    for (std::size_t h = 0; h < kHeads; ++h) {
        const Json& head = json.find("heads")->items()[h];
        EXPECT_EQ(head.find("layer")->asInteger(), 2);
        EXPECT_EQ(head.find("head")->asInteger(), static_cast<std::int64_t>(h));
        EXPECT_EQ(head.find("hidden_cells")->asInteger(), 0);
        EXPECT_EQ(head.find("labels")->items().at(0).asString(), "insufficient_evidence"); // 15 tokens
        const auto& rows = head.find("weights")->items();
        ASSERT_EQ(rows.size(), kTokens);
        for (std::size_t i = 0; i < kTokens; ++i)
            for (std::size_t j = 0; j < kTokens; ++j)
                EXPECT_EQ(static_cast<float>(rows[i].items().at(j).asReal()), weight(2, h, i, j));
    }
}

TEST_F(ExportData, CombinedHeadsAreOneMapWithoutNumbersOfItsOwn) {
    JsonSchema schema(readBytes(std::string(HEADSCOPE_SOURCE_DIR) + "/resources/help/export-json.md"));
    ASSERT_EQ(exportTo("mean.json", {"--head", "0.1,2.3", "--combine", "mean"}).code, 0);
    const Json json = parseJson(readBytes(file("mean.json")), "mean.json");
    EXPECT_EQ(schema.problems(json), "");
    EXPECT_EQ(json.find("view")->find("combine")->asString(), "mean");
    EXPECT_EQ(json.find("view")->find("heads")->items().at(1).asString(), "2.3");
    ASSERT_EQ(json.find("heads")->items().size(), 1U);
    const Json& only = json.find("heads")->items()[0];
    EXPECT_TRUE(only.find("layer")->isNull());
    EXPECT_TRUE(only.find("metrics")->isNull());
    for (std::size_t i = 0; i < kTokens; ++i)
        for (std::size_t j = 0; j < kTokens; ++j)
            EXPECT_NEAR(only.find("weights")->items()[i].items().at(j).asReal(),
                        (static_cast<double>(weight(0, 1, i, j)) + static_cast<double>(weight(2, 3, i, j))) /
                            2.0,
                        1e-7);
}

TEST_F(ExportData, ViewsThatThereAreNotAreRefused) {
    const auto error = [this](std::vector<std::string> what) {
        return exportTo("none.json", std::move(what)).err;
    };
    EXPECT_THAT(exportTo("none.png", {"--grid", "--words"}).err,
                HasSubstr("--words: given for a picture of the grid"));
    EXPECT_THAT(error({"--head", "0.1,1.1", "--combine", "rollout"}),
                HasSubstr("rollout: heads of several layers were given, expected one layer"));
    EXPECT_THAT(error({"--layer", "1", "--combine", "rollout", "--value-weighted"}),
                HasSubstr("rollout: it was to be weighted by values"));
    EXPECT_THAT(error({"--layer", "1", "--combine", "median"}), HasSubstr("--combine"));
}

TEST_F(ExportData, RowsColumnsAndHiddenSpecialTokensCutThePart) {
    ASSERT_EQ(
        exportTo("part.json", {"--head", "0.0", "--rows", "1:3", "--columns", "0:5", "--hide-special"}).code,
        0);
    const Json json = parseJson(readBytes(file("part.json")), "part.json");
    const auto& keys = json.find("keys")->items();
    ASSERT_EQ(keys.size(), 4U); // [CLS] is left out
    EXPECT_EQ(keys[0].find("index")->asInteger(), 1);
    EXPECT_EQ(json.find("queries")->items().at(1).find("piece")->asString(), "animal");
    const auto& rows = json.find("heads")->items().at(0).find("weights")->items();
    ASSERT_EQ(rows.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            EXPECT_EQ(static_cast<float>(rows[i].items().at(j).asReal()), weight(0, 0, i + 1, j + 1));
}

TEST(ExportFlags, FlaggedModelShowsItsFlags) {
    std::string words;
    for (const char* word :
         {"the", "animal", "did", "not", "cross", "street", "because", "it", "was", "too", "tired"})
        words += std::string(word) + " a small house by water, ";
    const TemporaryFolder place;
    const std::string out = (place / "all.json").string();
    const ProcessResult result =
        headscope({"export", flaggedBert(), "--text", words, "--grid", "--out", out, "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json json = parseJson(readBytes(out), "all.json");
    std::map<std::string, int> counts;
    for (const Json& head : json.find("heads")->items())
        for (const Json& label : head.find("labels")->items()) ++counts[label.asString()];
    EXPECT_GE(counts["uniform"], 1);
    EXPECT_GE(counts["stuck"], 1);
    EXPECT_GE(counts["sink"], counts["stuck"]);
    EXPECT_EQ(counts["insufficient_evidence"], 0);
}

} // namespace
} // namespace headscope::test
