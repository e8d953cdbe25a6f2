// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/probe_battery.h"

#include "core/analysis/fixed_random.h"
#include "core/analysis/probe_fit.h"
#include "core/analysis/probe_repeats.h"
#include "core/analysis/probe_sources.h"
#include "core/base/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

constexpr std::uint64_t kSeeds[] = {3, 4, 6}; ///< whose blocks and gaps differ well

/// What stands before and after the tokens of a text.
struct Frame {
    std::vector<std::int64_t> before;
    std::vector<std::int64_t> after;

    std::int64_t size() const { return static_cast<std::int64_t>(before.size() + after.size()); }
    std::vector<std::int64_t> around(const std::vector<std::int64_t>& ids) const {
        std::vector<std::int64_t> all = before;
        all.insert(all.end(), ids.begin(), ids.end());
        all.insert(all.end(), after.begin(), after.end());
        return all;
    }
};

Frame frameOf(const std::vector<Token>& tokens) {
    const auto isText = [](const Token& token) { return token.text >= 0; };
    const auto first = std::ranges::find_if(tokens, isText);
    const auto last = std::find_if(tokens.rbegin(), tokens.rend(), isText).base();
    Frame frame;
    for (auto token = tokens.begin(); token != first; ++token) frame.before.push_back(token->id);
    if (first != tokens.end())
        for (auto token = last; token != tokens.end(); ++token) frame.after.push_back(token->id);
    return frame;
}

std::vector<std::int64_t> textIdsOf(const std::vector<Token>& tokens) {
    std::vector<std::int64_t> ids;
    for (const Token& token : tokens)
        if (token.text >= 0) ids.push_back(token.id);
    return ids;
}

/// How one side of a model takes random tokens.
struct Side {
    Frame frame;
    std::vector<std::int64_t> vocabulary;
    std::int64_t limit = kMostProbeTokens;

    std::int64_t room() const { return limit - frame.size(); }
};

/// The repeats of a model, for encoder and decoder.
class RepeatMaker {
  public:
    explicit RepeatMaker(const OpenModel& model) : m_model(model) {
        m_sample.text = probeSources().front().text;
        m_source.limit = sourceLimit(model);
        m_source.vocabulary = contentIds(model.tokenizer.get(), model.spec().vocabularySize);
        if (model.tokenizer) m_source.frame = frameOf(tokenizeText(model, m_sample).tokens);
        if (model.spec().decoder) m_target = targetSide();
    }

    /// Throws Error where there is no room.
    TextInput make(std::uint64_t seed) const {
        TextInput input;
        // One row of random tokens for both sides where they have one vocabulary, so that the decoder can
        // look its own up in the source.
        const bool shared = m_target && m_target->vocabulary == m_source.vocabulary;
        const std::int64_t room = shared ? std::min(m_source.room(), m_target->room()) : m_source.room();
        input.ids = m_source.frame.around(repeats(m_source, room, seed));
        requireEnough(*input.ids);
        if (m_target) {
            input.targetIds =
                m_target->frame.around(repeats(*m_target, shared ? room : m_target->room(), seed));
            requireEnough(*input.targetIds);
        }
        return input;
    }

  private:
    Side targetSide() const {
        Side side;
        side.limit = targetLimit(m_model);
        const std::int64_t size = m_model.spec().decoder->embedding.vocabularySize;
        bool shared = size == m_model.spec().vocabularySize;
        if (m_model.tokenizer) {
            TextInput sample = m_sample;
            sample.target = sample.text;
            const std::vector<Token> tokens = tokenizeTarget(m_model, sample)->tokens;
            const std::vector<std::int64_t> ids = textIdsOf(tokens);
            shared = shared && ids == textIdsOf(tokenizeText(m_model, m_sample).tokens);
            side.frame.before = frameOf(tokens).before;
        } else if (m_model.spec().decoderStart) {
            side.frame.before = {*m_model.spec().decoderStart};
        }
        // What a second vocabulary spells is not known.
        side.vocabulary = shared ? m_source.vocabulary : contentIds(nullptr, size);
        return side;
    }
    static std::vector<std::int64_t> repeats(const Side& side, std::int64_t room, std::uint64_t seed) {
        if (auto ids = repeatedIds(side.vocabulary, room, seed)) return *std::move(ids);
        fail("random repeats",
             fmt::format("there is room for {} tokens of {} that could stand in them", room,
                         side.vocabulary.size()),
             "expected at least 30 of 12");
    }
    static void requireEnough(const std::vector<std::int64_t>& ids) {
        if (ids.size() < kLeastProbeTokens)
            fail("random repeats", fmt::format("there is room for {} tokens", ids.size()),
                 fmt::format("expected at least {}", kLeastProbeTokens));
    }

    const OpenModel& m_model;
    TextInput m_sample;
    Side m_source;
    std::optional<Side> m_target;
};

void addWritten(ProbeBattery& battery, const OpenModel& model, const ProbeSource& source) {
    try {
        ProbeFit fit = fitProbe(model, source);
        battery.texts.push_back({source.name, source.kind, std::move(fit.input)});
        if (fit.targetProblem) battery.leftOut.push_back({source.name + " (target)", *fit.targetProblem});
    } catch (const Error& error) {
        battery.leftOut.push_back({source.name, error.sentence()});
    }
}

void addRepeats(ProbeBattery& battery, const OpenModel& model) {
    const auto nameOfSeed = [](std::uint64_t seed) {
        return fmt::format("{}/{}", nameOf(ProbeKind::Repeats), seed);
    };
    std::optional<RepeatMaker> maker;
    for (const std::uint64_t seed : kSeeds) {
        try {
            if (!maker) maker.emplace(model);
            battery.texts.push_back({nameOfSeed(seed), ProbeKind::Repeats, maker->make(seed)});
        } catch (const Error& error) {
            battery.leftOut.push_back({nameOfSeed(seed), error.sentence()});
        }
    }
}

/// The ids of an axis, those of special tokens and the first `fixed` ones in their places.
std::vector<std::int64_t> shuffledIds(const Axis& axis, std::size_t fixed, FixedRandom& random) {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> moving;
    const auto moves = [&](std::size_t i) { return i >= fixed && !axis.entries[i].special; };
    for (std::size_t i = 0; i < axis.entries.size(); ++i) {
        ids.push_back(axis.entries[i].id);
        if (moves(i)) moving.push_back(ids.back());
    }
    random.draw(moving, moving.size());
    auto next = moving.cbegin();
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (moves(i)) ids[i] = *next++;
    return ids;
}

} // namespace

std::string_view nameOf(ProbeKind kind) {
    switch (kind) {
    case ProbeKind::Natural:
        return "natural";
    case ProbeKind::Duplicates:
        return "duplicates";
    case ProbeKind::Pair:
        return "pair";
    case ProbeKind::Roles:
        return "roles";
    case ProbeKind::Repeats:
        break;
    }
    return "repeats";
}

ProbeBattery probeBattery(const OpenModel& model) {
    ProbeBattery battery;
    for (const ProbeSource& source : probeSources()) addWritten(battery, model, source);
    addRepeats(battery, model);
    return battery;
}

std::string probeBatteryVersion() {
    return fingerprintOf(probeSources());
}

TextInput shuffled(const TokenizedText& text, const std::optional<TokenizedText>& target,
                   std::uint64_t seed) {
    FixedRandom random(seed);
    TextInput input;
    input.ids = shuffledIds(*text.axis, 0, random);
    if (target) input.targetIds = shuffledIds(*target->axis, 1, random);
    return input;
}

} // namespace headscope
