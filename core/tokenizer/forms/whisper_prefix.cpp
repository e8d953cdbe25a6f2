// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/forms/whisper_prefix.h"

#include "core/base/error.h"
#include "core/tokenizer/forms/piece_map.h"
#include "core/tokenizer/language_codes.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

/// The number of a language that is given by its code or its name, in lower case.
std::int64_t languageNumber(std::string language) {
    std::ranges::transform(language, language.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const languages::LanguageName& alias : languages::kWhisperAliases)
        if (alias.name == language) language = alias.code;
    const auto* at = std::ranges::find_if(languages::kWhisper, [&](const languages::LanguageName& known) {
        return known.code == language || known.name == language;
    });
    if (at == std::end(languages::kWhisper))
        fail(ClassSettings::subjectOf("language"), fmt::format("\"{}\"", escapeForMessage(language, 40)),
             "expected a language of Whisper, such as \"en\" or \"english\"");
    return at - std::begin(languages::kWhisper);
}

std::string pieceOf(const WhisperVocabulary& vocabulary, std::int64_t id) {
    if (const NamedToken* named = vocabulary.added.find(id)) return named->token.content;
    for (const auto& [piece, value] : vocabulary.vocab.members())
        if (value.isInteger() && value.asInteger() == id) return piece;
    return {};
}

} // namespace

Json whisperTemplate(const FormInputs& form, const WhisperVocabulary& vocabulary) {
    const ClassSettings settings = form.settings();
    const std::int64_t start = vocabulary.idOf("<|startoftranscript|>");
    std::vector<std::int64_t> ids = {start};
    // A class that rebuilds keeps these settings to itself.
    const bool isTold = !form.inputs.isRebuilt;
    const std::optional<std::string> language = settings.text("language");
    const std::optional<std::string> task = settings.text("task");
    if (isTold && language) ids.push_back(start + 1 + languageNumber(*language));
    if (isTold && task) {
        if (*task != "translate" && *task != "transcribe")
            fail(ClassSettings::subjectOf("task"), fmt::format("\"{}\"", escapeForMessage(*task, 40)),
                 "expected \"translate\" or \"transcribe\"");
        ids.push_back(vocabulary.idOf(fmt::format("<|{}|>", *task)));
    }
    if (!(isTold && settings.loose("predict_timestamps", false)))
        ids.push_back(vocabulary.idOf("<|notimestamps|>"));

    std::vector<TemplatePlace> single;
    PieceMap<std::int64_t> placed;
    for (const std::int64_t id : ids) {
        single.push_back({pieceOf(vocabulary, id)});
        placed[single.back().token] = id;
    }
    std::vector<TemplatePlace> pair = single;
    const TemplatePlace end = {form.special.content("eos_token")};
    single.insert(single.end(), {{"$A"}, end});
    pair.insert(pair.end(), {{"$A"}, {"$B", 1}, {end.token, 1}});
    return templateStage(single, pair, [&](const std::string& token) {
        const auto at = placed.find(token);
        return at != placed.end() ? at->second : vocabulary.idOf(token);
    });
}

} // namespace headscope
