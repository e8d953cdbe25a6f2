// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/models/model.h"
#include "core/tokenizer/models/vocabulary.h"
#include "core/tokenizer/stage_fields.h"

#include <string>

namespace headscope {

/// A model whose field "vocab" is an object of pieces and ids.
class VocabularyModel : public Model {
  public:
    explicit VocabularyModel(const StageFields& fields)
        : m_subject(fields.subject()), m_vocabulary(fields.required("vocab"), fields.subjectOf("vocab")) {}

    std::optional<std::int64_t> id(std::string_view piece) const override {
        const Vocabulary::Entry* entry = m_vocabulary.find(piece);
        return entry == nullptr ? std::nullopt : std::optional(entry->id);
    }
    std::optional<std::string_view> piece(std::int64_t id) const override {
        const Vocabulary::Entry* entry = m_vocabulary.findId(id);
        return entry == nullptr ? std::nullopt : std::optional(entry->piece);
    }
    std::int64_t size() const override { return static_cast<std::int64_t>(m_vocabulary.size()); }
    std::int64_t largestId() const override { return m_vocabulary.largestId(); }

  protected:
    const std::string& subject() const { return m_subject; }
    const Vocabulary& vocabulary() const { return m_vocabulary; }

  private:
    std::string m_subject;
    Vocabulary m_vocabulary;
};

} // namespace headscope
