// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/bart_like.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr double kEpsilon = 1e-5; ///< of every LayerNorm, whatever the file says
constexpr const char* kTying = "tie_word_embeddings";
constexpr const char* kEncoderWords = "encoder.embed_tokens.weight";
constexpr const char* kDecoderWords = "decoder.embed_tokens.weight";
constexpr std::int64_t kTableOffset = 2; ///< rows before position 0 in BART's and mBART's tables

/// Where the relatives differ.
struct Differences {
    std::string family;
    std::int64_t vocabulary = 50265;
    std::int64_t paddingId = 1;
    std::optional<std::int64_t> start; ///< decoder_start_token_id
    const char* activation = "gelu";
    bool preNorm = false;          ///< norms before each part and at the end, instead of after each sum
    bool embeddingNorm = false;    ///< layernorm_embedding
    bool scaled = false;           ///< scale_embedding
    const char* sharing = nullptr; ///< the switch that, where false, gives each stack a word table of its own
    /// Where the table that both stacks read may stand instead of in shared.weight. Two places: the stacks
    /// have it in common as one module; else it is copied from there.
    std::vector<std::string> elsewhere{};
    PositionEmbeddingSpec::Source positions = PositionEmbeddingSpec::Source::Table;
    std::int64_t positionOffset = 0;
    bool lengthEnds = true; ///< positions end at max_position_embeddings
};

/// One of the two stacks.
class StackBuilder {
  public:
    StackBuilder(const Checkpoint& checkpoint, const ConfigReader& config, const Differences& differences,
                 bool decoder)
        : m_checkpoint(checkpoint), m_config(config), m_differences(differences), m_decoder(decoder),
          m_name(decoder ? "decoder" : "encoder") {}

    TransformerSpec build() const {
        TransformerSpec stack;
        stack.prefixes = {"model.", ""};
        stack.hiddenSize = hiddenSizeOf(m_config, {"d_model", "hidden_size"}, 1024);
        addEmbedding(stack);
        const int layers = layersOf(m_config, own("layers"), 12);
        for (int layer = 0; layer < layers; ++layer) {
            stack.blocks.push_back(blockSpec(stack.hiddenSize, fmt::format("{}.layers.{}.", m_name, layer)));
            stack.blocks.back().weightsOf = static_cast<std::size_t>(layer);
        }
        if (m_differences.preNorm) stack.finalNorm = layerNormSpec(m_name + ".layer_norm", kEpsilon);
        return stack;
    }

  private:
    FieldName own(const char* part) const {
        const std::string field = m_name + "_" + part;
        if (field == "encoder_attention_heads") return {"encoder_attention_heads", "num_attention_heads"};
        return field == "encoder_layers"            ? FieldName("encoder_layers")
               : field == "decoder_layers"          ? FieldName("decoder_layers")
               : field == "decoder_attention_heads" ? FieldName("decoder_attention_heads")
               : field == "encoder_ffn_dim"         ? FieldName("encoder_ffn_dim")
                                                    : FieldName("decoder_ffn_dim");
    }

    bool readsOwnWords() const {
        return m_differences.sharing != nullptr && !flagOf(m_config, m_differences.sharing, true);
    }

    std::string sharedWords(std::span<const std::string> prefixes) const {
        std::vector<std::string> names{"shared.weight"};
        names.insert(names.end(), m_differences.elsewhere.begin(), m_differences.elsewhere.end());
        const bool oneModule = m_differences.elsewhere.size() > 1;
        return oneModule ? sharedTensor(m_checkpoint, prefixes, names)
                         : firstTensor(m_checkpoint, prefixes, names);
    }

    void addEmbedding(TransformerSpec& stack) const {
        EmbeddingSpec& embedding = stack.embedding;
        const std::string own = m_name + ".embed_tokens.weight";
        embedding.words = readsOwnWords() ? own : sharedWords(stack.prefixes);
        embedding.vocabularySize = vocabularySizeOf(m_config, m_differences.vocabulary);
        embedding.width = stack.hiddenSize;
        paddingIdOf(m_config, m_differences.paddingId, embedding.vocabularySize); // refused where no such row
        if (flagOf(m_config, "scale_embedding", m_differences.scaled))
            embedding.scale = std::sqrt(static_cast<double>(stack.hiddenSize));
        if (m_differences.embeddingNorm)
            embedding.norm = layerNormSpec(m_name + ".layernorm_embedding", kEpsilon);
        addPositions(stack);
    }

    void addPositions(TransformerSpec& stack) const {
        PositionEmbeddingSpec& positions = stack.embedding.positions;
        const std::int64_t length = positionsOf(m_config, "max_position_embeddings", 1024);
        if (m_differences.lengthEnds) stack.maxPositions = length;
        positions.source = m_differences.positions;
        positions.offset = m_differences.positionOffset;
        positions.table = m_name + ".embed_positions.weight";
        positions.rows = length + positions.offset;
        // A sinusoidal table that stands in the file is used as it is.
        if (positions.source == PositionEmbeddingSpec::Source::Marian &&
            hasTensor(m_checkpoint, stack.prefixes, positions.table))
            positions.source = PositionEmbeddingSpec::Source::Table;
        if (positions.source == PositionEmbeddingSpec::Source::M2m) {
            refuseNull(m_config, "pad_token_id");            // positions are counted from it
            const std::int64_t rows = length + kTableOffset; // of the sinusoids
            const std::int64_t last = std::min(stack.embedding.vocabularySize, rows) - 1;
            positions.paddingId = m_config.integer("pad_token_id", m_differences.paddingId, 0, last);
        }
    }

    AttentionSpec attentionSpec(std::int64_t hidden, const std::string& prefix) const {
        AttentionSpec attention;
        attention.heads = attention.keyValueHeads = headsOf(m_config, own("attention_heads"), 16);
        attention.headSize = evenHeadSize(hidden, attention.heads);
        attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
        attention.projections.query = linearSpec(prefix + "q_proj");
        attention.projections.key = linearSpec(prefix + "k_proj");
        attention.projections.value = linearSpec(prefix + "v_proj");
        attention.projections.output = linearSpec(prefix + "out_proj");
        return attention;
    }

    BranchSpec branch(const std::string& norm) const {
        BranchSpec branch;
        (m_differences.preNorm ? branch.before : branch.after) = layerNormSpec(norm, kEpsilon);
        return branch;
    }

    BlockSpec blockSpec(std::int64_t hidden, const std::string& prefix) const {
        BlockSpec block;
        block.attention = attentionSpec(hidden, prefix + "self_attn.");
        block.attention.causal = m_decoder;
        block.attentionBranch = branch(prefix + "self_attn_layer_norm");
        if (m_decoder)
            block.cross = CrossSpec{branch(prefix + "encoder_attn_layer_norm"),
                                    attentionSpec(hidden, prefix + "encoder_attn.")};
        block.feedForward.intermediateSize = intermediateSizeOf(m_config, own("ffn_dim"), 4096);
        block.feedForward.activation =
            activationOf(m_config, "activation_function", m_differences.activation);
        block.feedForward.up = linearSpec(prefix + "fc1");
        block.feedForward.down = linearSpec(prefix + "fc2");
        block.feedForwardBranch = branch(prefix + "final_layer_norm");
        return block;
    }

    const Checkpoint& m_checkpoint;
    const ConfigReader& m_config;
    const Differences& m_differences;
    bool m_decoder;
    std::string m_name;
};

/// Words that the output head scores. Where the stacks have tables of their own (Marian) both are of
/// vocab_size, but a head of its own is of decoder_vocab_size.
std::int64_t scoredWords(const ConfigReader& config, std::int64_t words, bool tied) {
    if (flagOf(config, "share_encoder_decoder_embeddings", true)) return words;
    if (tied) config.requireInteger("decoder_vocab_size", words);
    const char* field = "decoder_vocab_size"; // null means the same as none
    return config.has(field) ? vocabularySizeOf(config, words, field) : words;
}

ModelSpec likeBart(const Checkpoint& checkpoint, const Differences& differences) {
    const ConfigReader config(checkpoint.config, "config.json");
    refuseNull(config, "is_encoder_decoder");
    config.requireTrue("is_encoder_decoder");   // a decoder saved alone is another class
    config.requireFalse("tie_encoder_decoder"); // upstream it replaces weights as they are loaded, or fails
    refusePrunedHeads(config);
    ModelSpec spec;
    spec.family = differences.family;
    spec.normEpsilon = kEpsilon;
    spec.initializerRange = config.real("init_std", 0.02, 0.0, 1e6);
    spec.main = StackBuilder(checkpoint, config, differences, false).build();
    spec.decoder = StackBuilder(checkpoint, config, differences, true).build();
    const std::int64_t words = spec.decoder->embedding.vocabularySize;
    spec.decoderStart = config.optionalInteger("decoder_start_token_id", 0, words - 1);
    if (!spec.decoderStart) spec.decoderStart = differences.start;
    const bool tied = flagOf(config, "tie_word_embeddings", true);
    spec.head = languageHead(checkpoint, tied, scoredWords(config, words, tied));
    const std::vector<std::string> noPrefix{""};
    if (spec.head && hasTensor(checkpoint, noPrefix, "final_logits_bias")) {
        spec.head->bias = "final_logits_bias";
        spec.head->biasIsRow = true;
    }
    completeSpec(spec);
    return spec;
}

} // namespace

ModelSpec bartSpec(const Checkpoint& checkpoint) {
    return likeBart(checkpoint, {.family = "bart",
                                 .start = 2,
                                 .embeddingNorm = true,
                                 .sharing = kTying,
                                 .elsewhere = {kDecoderWords},
                                 .positionOffset = kTableOffset});
}

ModelSpec mbartSpec(const Checkpoint& checkpoint) {
    ModelSpec spec = likeBart(checkpoint, {.family = "mbart",
                                           .start = std::nullopt,
                                           .preNorm = true,
                                           .embeddingNorm = true,
                                           .sharing = kTying,
                                           .positionOffset = kTableOffset});
    spec.decoderStartsWithLast = true;
    return spec;
}

ModelSpec marianSpec(const Checkpoint& checkpoint) {
    return likeBart(checkpoint, {.family = "marian",
                                 .vocabulary = 58101,
                                 .paddingId = 58100,
                                 .start = 58100,
                                 .sharing = "share_encoder_decoder_embeddings",
                                 .elsewhere = {kEncoderWords, kDecoderWords},
                                 .positions = PositionEmbeddingSpec::Source::Marian});
}

ModelSpec pegasusSpec(const Checkpoint& checkpoint) {
    return likeBart(checkpoint, {.family = "pegasus",
                                 .paddingId = 0,
                                 .start = 0,
                                 .preNorm = true,
                                 .elsewhere = {kEncoderWords, kDecoderWords},
                                 .positions = PositionEmbeddingSpec::Source::Marian});
}

/// Also NLLB.
ModelSpec m2m100Spec(const Checkpoint& checkpoint) {
    return likeBart(checkpoint, {.family = "m2m_100",
                                 .vocabulary = 128112,
                                 .start = 2,
                                 .activation = "relu",
                                 .preNorm = true,
                                 .scaled = true,
                                 .sharing = kTying,
                                 .positions = PositionEmbeddingSpec::Source::M2m,
                                 .lengthEnds = false});
}

} // namespace headscope
