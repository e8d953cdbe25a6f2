// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// Most tokens that a model writes as its own target.
inline constexpr std::int64_t kMostWrittenTokens = 256;

/// A target text by an encoder-decoder itself.
struct WrittenTarget {
    /// What its decoder read on the way: the start token, then all that it wrote but the last token.
    std::vector<std::int64_t> ids;
    std::int64_t last = -1;         ///< the token written last, which no query stands for
    bool ended = false;             ///< by the token that ends a text, not by the limit
    std::vector<std::string> notes; ///< one sentence each
};

/// Greedy decoding: the likeliest token follows, until the end token, kMostWrittenTokens or the end of the
/// decoder's position table; of equally likely ones that of the lower id. Every token takes a plain forward
/// pass over both texts. Follows `generate(do_sample=False, num_beams=1)` of transformers with the settings
/// of generation_config.json, else config.json: start, end and forced first tokens, and single tokens that
/// are never written, max_new_tokens; settings that change more (repetition_penalty, no_repeat_ngram_size,
/// min_length, ...) are left out and noted. Throws Error for models without a decoder or an output head, for
/// what forward() and tokenizeText() refuse, and when cancelled.
WrittenTarget writeTarget(const OpenModel& model, const TextInput& input, const CancelToken& cancel,
                          const ProgressSink& progress);

} // namespace headscope
