// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/spec_facts.h"

#include <fmt/format.h>
#include <functional>
#include <type_traits>
#include <variant>

namespace headscope {

namespace {

/// "layers 0-3, 7" of those for which `holds`; "all layers", or nothing.
std::string layersText(const std::vector<BlockSpec>& blocks,
                       const std::function<bool(const BlockSpec&)>& holds) {
    std::string text;
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < blocks.size();) {
        if (!holds(blocks[begin])) {
            ++begin;
            continue;
        }
        std::size_t end = begin;
        while (end + 1 < blocks.size() && holds(blocks[end + 1])) ++end;
        count += end - begin + 1;
        text += (text.empty() ? "" : ", ") +
                (begin == end ? fmt::format("{}", begin) : fmt::format("{}-{}", begin, end));
        begin = end + 1;
    }
    if (count == blocks.size()) return "all layers";
    return count == 0 ? std::string() : (count == 1 ? "layer " : "layers ") + text;
}

std::string scalingText(const RotarySpec& rotary) {
    switch (rotary.scaling) {
    case RotaryScaling::None:
        return {};
    case RotaryScaling::Linear:
        return fmt::format(", linear scaling x {:g}", rotary.factor);
    case RotaryScaling::Dynamic:
        return fmt::format(", dynamic scaling x {:g} beyond {} tokens", rotary.factor,
                           rotary.originalPositions);
    case RotaryScaling::Llama3:
        return fmt::format(", llama3 scaling x {:g}", rotary.factor);
    case RotaryScaling::Yarn:
        return fmt::format(", yarn scaling x {:g}", rotary.factor);
    case RotaryScaling::LongRope:
        return fmt::format(", longrope, long factors beyond {} tokens", rotary.originalPositions);
    }
    return {};
}

std::string positionText(const PositionSpec& position) {
    return std::visit(
        [](const auto& kind) -> std::string {
            using Kind = std::decay_t<decltype(kind)>;
            if constexpr (std::is_same_v<Kind, BucketBias>)
                return fmt::format("a bias for each of {} buckets of distances", kind.buckets);
            else if constexpr (std::is_same_v<Kind, Alibi>)
                return "linear biases (ALiBi)";
            else if constexpr (std::is_same_v<Kind, RelativeKey>)
                return kind.withKey ? "relative positions of query and key" : "relative positions";
            else if constexpr (std::is_same_v<Kind, Disentangled>)
                return "disentangled content and positions";
            else if constexpr (std::is_same_v<Kind, XlnetRelative>)
                return "relative positions and segments (XLNet)";
            else
                return {};
        },
        position);
}

std::string embeddedPositions(const PositionEmbeddingSpec& positions) {
    switch (positions.source) {
    case PositionEmbeddingSpec::Source::None:
        return {};
    case PositionEmbeddingSpec::Source::Table:
        return positions.paddingId ? "a table of absolute positions, counted from the padding id"
                                   : "a table of absolute positions";
    case PositionEmbeddingSpec::Source::Marian:
    case PositionEmbeddingSpec::Source::M2m:
        return "sinusoidal absolute positions";
    }
    return {};
}

/// Adds the facts of one stack under names that begin with `stack` ("decoder ").
class FactList {
  public:
    void addStack(const TransformerSpec& stack, const std::string& prefix) {
        m_prefix = prefix;
        m_blocks = &stack.blocks;
        add("positions", embeddedPositions(stack.embedding.positions));
        add("score terms", positionText(stack.blocks.front().attention.position));
        for (std::size_t i = 0; i < stack.rotaries.size(); ++i) addRotary(stack.rotaries[i], i);
        addWindows();
        addWhere("learned sinks", [](const BlockSpec& block) { return !block.attention.sinks.empty(); });
        addWhere("normalised queries and keys",
                 [](const BlockSpec& block) { return block.attention.headNorm.has_value(); });
        addWhere("parallel branches", [](const BlockSpec& block) { return block.parallel; });
        if (const auto& cap = stack.blocks.front().attention.softCap)
            add("soft cap", fmt::format("scores within +-{:g}", *cap));
        addMixture();
    }
    void addGeneral(const ModelSpec& spec) {
        m_prefix.clear();
        if (spec.trainedPositions) add("made for", fmt::format("{} tokens", *spec.trainedPositions));
        if (spec.head)
            add("output head", spec.head->weight.empty() ? "tied to the word table" : spec.head->weight);
    }
    void add(const std::string& name, const std::string& value) {
        if (!value.empty()) m_facts.push_back({m_prefix + name, value});
    }
    std::vector<SpecFact> take() { return std::move(m_facts); }

  private:
    void addWhere(const std::string& name, const std::function<bool(const BlockSpec&)>& holds) {
        add(name, layersText(*m_blocks, holds));
    }
    void addRotary(const RotarySpec& rotary, std::size_t index) {
        const std::string layers =
            layersText(*m_blocks, [&](const BlockSpec& block) { return block.attention.rotary == index; });
        if (layers.empty()) return;
        const std::int64_t size = m_blocks->front().attention.headSize;
        const std::string part =
            rotary.dims < size ? fmt::format(", {} of {} dimensions", rotary.dims, size) : std::string();
        add("rotary positions",
            fmt::format("{}: theta {:g}{}{}", layers, rotary.theta, part, scalingText(rotary)));
    }
    void addWindows() {
        for (std::size_t i = 0; i < m_blocks->size(); ++i) {
            const AttentionSpec& attention = (*m_blocks)[i].attention;
            if (!attention.window || isListed(i)) continue;
            const std::string layers = layersText(*m_blocks, [&](const BlockSpec& block) {
                return block.attention.window == attention.window;
            });
            add("window", attention.causal
                              ? fmt::format("{}: the last {} keys", layers, *attention.window)
                              : fmt::format("{}: keys fewer than {} away", layers, *attention.window));
        }
    }
    /// An earlier layer has the same window.
    bool isListed(std::size_t index) const {
        for (std::size_t i = 0; i < index; ++i)
            if ((*m_blocks)[i].attention.window == (*m_blocks)[index].attention.window) return true;
        return false;
    }
    void addMixture() {
        for (const BlockSpec& block : *m_blocks) {
            if (!block.feedForward.mixture) continue;
            const MixtureSpec& mixture = *block.feedForward.mixture;
            addWhere(fmt::format("{} of {} experts", mixture.chosen, mixture.experts),
                     [](const BlockSpec& one) { return one.feedForward.mixture.has_value(); });
            return;
        }
    }

    std::vector<SpecFact> m_facts;
    std::string m_prefix;
    const std::vector<BlockSpec>* m_blocks = nullptr;
};

} // namespace

std::vector<SpecFact> specFacts(const ModelSpec& spec) {
    FactList facts;
    if (spec.main.blocks.empty()) return {};
    facts.addStack(spec.main, spec.decoder ? "encoder " : "");
    if (spec.decoder) facts.addStack(*spec.decoder, "decoder ");
    facts.addGeneral(spec);
    return facts.take();
}

} // namespace headscope
