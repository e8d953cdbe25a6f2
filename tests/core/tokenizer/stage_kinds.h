// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/utf8.h"
#include "core/tokenizer/pipeline.h"
#include "core/tokenizer/tokenizer_file.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace headscope::test {

/// The small tokenizers of stages.json (tests/tools/tokenizer_stage_fixtures.py).
class StageKinds {
  public:
    explicit StageKinds(const std::string& json) : m_file(parseJson(json, "stages.json")) {
        for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}) addPiece(special);
        for (const char32_t c : toCodePoints(m_file.find("vocab")->asString()))
            addPiece(c < 0x20 || c == '"' || c == '\\'
                         ? fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c))
                         : toUtf8(std::u32string_view(&c, 1)));
    }

    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const Json::Member& kind : m_file.find("kinds")->members()) result.push_back(kind.first);
        return result;
    }

    std::unique_ptr<Pipeline> tokenizer(const std::string& name) const {
        const Json& kind = *m_file.find("kinds")->find(name);
        Json file = Json::object();
        for (const Json::Member& stage : kind.members())
            if (stage.first != "prefix") file.members().push_back(stage);
        file.members().emplace_back(
            "model", parseJson(fmt::format(R"({{"type":"WordPiece","unk_token":"[UNK]","vocab":{{{}}},)"
                                           R"("continuing_subword_prefix":"{}",)"
                                           R"("max_input_chars_per_word":1000000000}})",
                                           m_vocabulary, kind.find("prefix")->asString()),
                               name));
        return std::make_unique<Pipeline>(readStages(file, name, {}));
    }

    /// The second text of those kinds that have a post-processor.
    std::optional<std::string_view> pair(const std::string& name) const {
        if (m_file.find("kinds")->find(name)->find("post_processor") == nullptr) return std::nullopt;
        return m_file.find("pair")->asString();
    }

  private:
    /// `piece` is written as JSON has it.
    void addPiece(const std::string& piece) {
        m_vocabulary += fmt::format("{}\"{}\":{}", m_count == 0 ? "" : ",", piece, m_count);
        ++m_count;
    }

    Json m_file;
    std::string m_vocabulary; ///< the members of its JSON object
    int m_count = 0;
};

} // namespace headscope::test
