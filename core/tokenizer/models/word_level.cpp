// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tokenizer/models/vocabulary_model.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Every piece of text is one token, known or not.
class WordLevel : public VocabularyModel {
  public:
    explicit WordLevel(const StageFields& fields)
        : VocabularyModel(fields), m_unknown(fields.string("unk_token")) {}

    void encode(const Pieces& pieces, const TokenSink& sink) const override {
        ModelToken token;
        encodeEach(pieces, sink, [&](std::string_view word) {
            const Vocabulary::Entry& entry = find(word);
            token = {entry.id, entry.piece, 0, word.size()};
            return std::span(&token, 1);
        });
    }

  private:
    const Vocabulary::Entry& find(std::string_view word) const {
        const Vocabulary::Entry* entry = vocabulary().find(word);
        if (entry == nullptr) entry = vocabulary().find(m_unknown);
        if (entry == nullptr)
            fail(subject(),
                 fmt::format("the word \"{}\" is not in the vocabulary, and neither is the unknown "
                             "token \"{}\"",
                             escapeForMessage(word, 40), escapeForMessage(m_unknown, 40)));
        return *entry;
    }

    std::string m_unknown;
};

} // namespace

ModelPtr parseWordLevel(const Json& json, const std::string& subject) {
    return std::make_unique<WordLevel>(StageFields(json, subject));
}

} // namespace headscope
