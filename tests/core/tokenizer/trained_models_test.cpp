// SPDX-License-Identifier: GPL-3.0-or-later
// Small tokenizers with a model of each kind and many of their options, on every line of the corpus
// (tests/tools/tokenizer_model_fixtures.py).
#include "tests/core/tokenizer/corpus_hashes.h"

namespace headscope {
namespace {

class TrainedModel : public ::testing::TestWithParam<const char*> {};

TEST_P(TrainedModel, GivesTheReferenceTokensOnEveryLine) {
    const std::string name = std::string("models/") + GetParam();
    const std::string json = test::readBytes(test::dataPath("tokenizer/" + name + ".json"));
    test::expectCorpusHashes(*parseTokenizer(json, name, {}), name);
}

INSTANTIATE_TEST_SUITE_P(Models, TrainedModel,
                         ::testing::Values("bpe_no_unk", "bpe_whole_no_unk", "bpe_unk", "bpe_whole_fused",
                                           "bpe_bytes", "bpe_some_bytes", "bpe_some_bytes_apart",
                                           "bpe_some_bytes_no_unk", "bpe_merging_bytes", "bpe_suffix",
                                           "bpe_suffix_bytes", "bpe_prefix", "bpe_prefix_bytes",
                                           "bpe_shuffled", "bpe_ignore_merges", "unigram", "unigram_whole",
                                           "unigram_bytes", "unigram_some_bytes", "unigram_no_unk",
                                           "unigram_ties", "unigram_twice", "unigram_plain_unk", "word_level",
                                           "word_level_no_unk"),
                         [](const auto& parameter) { return std::string(parameter.param); });

} // namespace
} // namespace headscope
