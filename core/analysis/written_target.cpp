// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/written_target.h"

#include "core/analysis/model_input.h"
#include "core/base/byte_text.h"
#include "core/base/check.h"
#include "core/base/file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace headscope {

namespace {

constexpr std::uint64_t kConfigBytes = 1'000'000;
constexpr const char* kGenerationFile = "generation_config.json";

/// What decides how a model writes.
struct Settings {
    std::vector<std::int64_t> endIds;
    std::optional<std::int64_t> forcedFirst;
    std::vector<std::int64_t> neverIds;
    std::int64_t most = kMostWrittenTokens;
    std::vector<std::string> leftOut; ///< names of settings that would change the text
};

/// The settings of generation_config.json, each else of config.json.
class SettingsReader {
  public:
    explicit SettingsReader(const Checkpoint& checkpoint) : m_config(&checkpoint.config) {
        if (!checkpoint.has(kGenerationFile)) return;
        const InputFile file = checkpoint.open(kGenerationFile);
        if (file.size() > kConfigBytes)
            fail(kGenerationFile, fmt::format("it has {}", byteText(file.size())),
                 fmt::format("at most {} are read", byteText(kConfigBytes)));
        std::string text(file.size(), '\0');
        file.readAt(0, std::as_writable_bytes(std::span(text)));
        m_generation = parseJson(text, kGenerationFile, {.allowByteOrderMark = true});
        if (!m_generation->isObject())
            fail(kGenerationFile, fmt::format("found {}", m_generation->typeName()), "expected an object");
    }

    Settings read() const {
        Settings settings;
        settings.endIds = ids("eos_token_id");
        const std::vector<std::int64_t> first = ids("forced_bos_token_id");
        if (!first.empty()) settings.forcedFirst = first.front();
        settings.neverIds = ids("suppress_tokens");
        readBadWords(settings);
        if (const Json* most = find("max_new_tokens");
            most != nullptr && most->isInteger() && most->asInteger() > 0)
            settings.most = std::min(settings.most, most->asInteger());
        constexpr std::array<std::pair<std::string_view, double>, 8> kNeutral = {
            {{"repetition_penalty", 1.0},
             {"encoder_repetition_penalty", 1.0},
             {"no_repeat_ngram_size", 0.0},
             {"encoder_no_repeat_ngram_size", 0.0},
             {"min_length", 0.0},
             {"min_new_tokens", 0.0},
             {"guidance_scale", 1.0},
             {"num_beams", 1.0}}};
        for (const auto& [name, neutral] : kNeutral)
            if (const Json* value = find(name);
                value != nullptr && value->isNumber() && value->asReal() != neutral)
                settings.leftOut.emplace_back(name);
        return settings;
    }

  private:
    void readBadWords(Settings& settings) const {
        const Json* words = find("bad_words_ids");
        if (words == nullptr || !words->isArray()) return;
        for (const Json& word : words->items()) {
            if (word.isArray() && word.items().size() == 1 && word.items().front().isInteger())
                settings.neverIds.push_back(word.items().front().asInteger());
            else if (!std::count(settings.leftOut.begin(), settings.leftOut.end(), "bad_words_ids"))
                settings.leftOut.emplace_back("bad_words_ids");
        }
    }

    const Json* find(std::string_view name) const {
        if (m_generation)
            if (const Json* value = m_generation->find(name); value != nullptr && !value->isNull())
                return value;
        const Json* value = m_config->find(name);
        return value == nullptr || value->isNull() ? nullptr : value;
    }

    /// A number, or a list of them; nothing where there is none. What is neither is refused.
    std::vector<std::int64_t> ids(std::string_view name) const {
        const Json* value = find(name);
        if (value == nullptr) return {};
        std::vector<std::int64_t> numbers;
        const auto add = [&](const Json& one) {
            if (!one.isInteger())
                fail(std::string(name), fmt::format("found {}", one.typeName()), "expected a token id");
            numbers.push_back(one.asInteger());
        };
        if (value->isArray())
            for (const Json& one : value->items()) add(one);
        else
            add(*value);
        return numbers;
    }

    const Json* m_config;
    std::optional<Json> m_generation;
};

bool holds(const std::vector<std::int64_t>& ids, std::int64_t id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::int64_t likeliest(std::vector<float> scores, const Settings& settings) {
    for (const std::int64_t id : settings.neverIds)
        if (id >= 0 && id < static_cast<std::int64_t>(scores.size()))
            scores[static_cast<std::size_t>(id)] = -std::numeric_limits<float>::infinity();
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

void requireWriter(const OpenModel& model) {
    if (!model.spec().decoder)
        fail("target", "the model has no decoder that could write one", {}, "leave it out");
    if (!model.model->hasOutputHead())
        fail("target", "the checkpoint has no output head, so it cannot write one",
             "expected weights that score the words", "give a target (--target)");
}

std::string pieceText(const OpenModel& model, std::int64_t id) {
    const auto piece = model.tokenizer ? model.tokenizer->piece(id) : std::nullopt;
    return piece ? fmt::format("\"{}\"", escapeForMessage(*piece, 40)) : fmt::format("id {}", id);
}

void addNotes(const OpenModel& model, const Settings& settings, WrittenTarget& written) {
    const std::size_t count = written.ids.size(); // without the start token, and with the last
    written.notes.push_back(fmt::format("the target was written by the model, {} token{}{}; the last one, "
                                        "{}, is only predicted and has no row",
                                        count, count == 1 ? "" : "s",
                                        written.ended ? "" : ", where the limit ended it",
                                        pieceText(model, written.last)));
    if (!settings.leftOut.empty())
        written.notes.push_back(fmt::format("the model's settings for writing were not applied: {}",
                                            fmt::join(settings.leftOut, ", ")));
}

} // namespace

WrittenTarget writeTarget(const OpenModel& model, const TextInput& input, const CancelToken& cancel,
                          const ProgressSink& progress) {
    requireWriter(model);
    const Settings settings = SettingsReader(model.checkpoint).read();
    TextInput bare = input;
    bare.target.reset();
    bare.targetIds.reset();
    const std::optional<TokenizedText> start = tokenizeTarget(model, bare);
    HS_CHECK(start.has_value());
    ModelInput read = modelInput(model, tokenizeText(model, bare), start);
    const std::int64_t limit =
        std::min(settings.most, model.spec().decoder->maxPositions.value_or(kMostWrittenTokens));
    const auto width = static_cast<std::size_t>(model.spec().decoder->outputSize);
    ForwardHooks hooks;
    hooks.cancel = cancel;
    WrittenTarget written;
    for (std::int64_t count = 1; !written.ended; ++count) {
        cancel.throwIfCancelled();
        std::int64_t next = 0;
        if (count == 1 && settings.forcedFirst) {
            next = *settings.forcedFirst;
        } else {
            const ModelOutput output = model.model->forward(read, hooks);
            next = likeliest(model.model->logits(std::span(output.hidden).last(width), cancel), settings);
        }
        written.last = next;
        written.ended = holds(settings.endIds, next);
        if (progress) progress({"written token", count, limit});
        if (count == limit) break;
        if (!written.ended) read.decoderIds.push_back(next);
    }
    written.ids = std::move(read.decoderIds);
    addNotes(model, settings, written);
    return written;
}

} // namespace headscope
