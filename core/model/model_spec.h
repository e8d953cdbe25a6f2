// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/attention_kind.h"
#include "core/model/spec/block_spec.h"
#include "core/model/spec/rotary_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// The maps of one kind of attention, as they are shown.
struct StackSpec {
    AttentionKind kind = AttentionKind::Self;
    int layers = 0;
    int heads = 0;
    int keyValueHeads = 0;
    std::int64_t headSize = 0;
    bool causal = false;
};

/// Absolute positions added to the embeddings.
struct PositionEmbeddingSpec {
    enum class Source {
        None,
        Table,  ///< learned, or stored, [rows, width]
        Marian, ///< sin of the first half of the dimensions, then cos: p / 10000^(2i/width)
        M2m     ///< exp(-i ln 10000 / (width/2 - 1)); the row of the padding id is 0
    };
    Source source = Source::None;
    std::string table;     ///< name, for Table
    std::int64_t rows = 0; ///< of the table
    /// Row of token n: n + offset; or, counted from the padding id p, (tokens so far that are not p) + p, and
    /// p for the padding id itself (RoBERTa).
    std::int64_t offset = 0;
    std::optional<std::int64_t> paddingId;
};

struct EmbeddingSpec {
    enum class ProjectionPlace { AfterWords, AfterSum, AfterNorm };
    std::string words; ///< [vocabularySize, width]
    std::int64_t vocabularySize = 0;
    std::int64_t width = 0; ///< the model size where there is no projection
    double scale = 1.0;     ///< multiplies the word's row
    std::string types;      ///< [typeCount, width]; empty: none
    std::int64_t typeCount = 0;
    PositionEmbeddingSpec positions;
    std::optional<NormSpec> norm;
    LinearSpec projection; ///< width -> model size
    ProjectionPlace place = ProjectionPlace::AfterNorm;
};

/// DeBERTa's table of relative positions, which every layer of the stack reads.
struct RelativeTableSpec {
    std::string table;        ///< [2 * span, model size], of which the middle is used for short texts in v1
    std::int64_t span = 0;    ///< distances are clamped to [-span, span)
    std::int64_t buckets = 0; ///< > 0: logarithmic buckets (v2)
    std::int64_t maxPositions = 0;  ///< for the buckets
    bool spanFollowsLength = false; ///< v1: the span is at most the text's length
    std::optional<NormSpec> norm;
};

/// DeBERTa v2: after layer 0, y = LN(y + act(conv(embeddings))).
struct ConvolutionSpec {
    std::string weight; ///< [model size, model size / groups, kernel]
    std::string bias;
    std::int64_t kernel = 0; ///< odd
    std::int64_t groups = 1;
    Activation activation = Activation::Tanh;
    NormSpec norm;
};

/// A stack of blocks with its embeddings. All tensor names are without the base prefix.
struct TransformerSpec {
    /// Tried in order; the one under which the word table is found holds for all names.
    std::vector<std::string> prefixes;
    std::int64_t hiddenSize = 0;
    EmbeddingSpec embedding;
    std::vector<RotarySpec> rotaries;
    std::optional<RelativeTableSpec> relativeTable;
    std::optional<ConvolutionSpec> convolution;
    std::vector<BlockSpec> blocks;
    std::optional<NormSpec> finalNorm;
    LinearSpec outputProjection;              ///< after the final norm (OPT); changes the width of the output
    std::int64_t outputSize = 0;              ///< width of the last hidden state
    std::optional<std::int64_t> maxPositions; ///< tokens at which a position table ends
};

/// From the last hidden state to a score for each word of the vocabulary. Names are those in the file,
/// without any prefix added.
struct OutputHeadSpec {
    LinearSpec transform; ///< exists: norm(act(dense(x))) first (masked language models)
    Activation transformActivation = Activation::GeluErf;
    std::optional<NormSpec> transformNorm;
    std::string weight;     ///< [vocabularySize, width]; empty: the word table of the (last) stack
    std::string bias;       ///< [vocabularySize]; empty: none
    bool biasIsRow = false; ///< the bias is kept as [1, vocabularySize]
    std::int64_t vocabularySize = 0;
    std::int64_t width = 0;    ///< of `weight` where it is not that of the hidden state
    double inputScale = 1.0;   ///< multiplies the hidden state (T5, tied)
    double scale = 1.0;        ///< multiplies the scores
    std::optional<double> cap; ///< c tanh(x / c)
};

/// Everything in which the supported families differ, in one vocabulary. Family files translate config.json
/// into it; blocks read it. Sizes have been checked against the limits of spec_limits in families.h.
struct ModelSpec {
    std::string family;            ///< model_type
    std::vector<StackSpec> stacks; ///< what is shown: one, or encoder, decoder and cross
    std::int64_t hiddenSize = 0;   ///< of the (first) stack; so are the following
    std::int64_t intermediateSize = 0;
    std::int64_t vocabularySize = 0;
    std::optional<std::int64_t> maxPositions;     ///< main.maxPositions
    std::optional<std::int64_t> trainedPositions; ///< where nothing ends but training did
    std::int64_t tokenTypes = 0;                  ///< 0: takes none
    Activation activation = Activation::GeluErf;
    double normEpsilon = 1e-12;
    double initializerRange = 0.02;

    TransformerSpec main; ///< the single stack, or the encoder
    std::optional<TransformerSpec> decoder;
    LinearSpec encoderToDecoder;              ///< where their widths differ
    std::optional<std::int64_t> decoderStart; ///< decoder_start_token_id
    /// A target text's last token, a language, comes first instead of the start token (mBART).
    bool decoderStartsWithLast = false;
    std::optional<OutputHeadSpec> head;
    std::vector<std::string> notes; ///< what of the folder is not used or read otherwise, one sentence each
};

} // namespace headscope
