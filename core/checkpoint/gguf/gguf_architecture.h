// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/config_reader.h"
#include "core/checkpoint/gguf/gguf_model.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What becomes of a stored tensor.
struct GgufRule {
    std::string name; ///< in the family's files
    RowOrder rows = nullptr;
    float shift = 0.0F;
    /// The first of three dimensions, where each of its matrices is a tensor of the family's: {} in the name
    /// stands for its number. 0: the tensor is one.
    std::int64_t parts = 0;
    bool row = false; ///< a matrix of one row, which the format keeps without that dimension
};

/// Builds the description of one file: an architecture's function asks for the keys that it understands, sets
/// the fields of config.json and names the tensors. All methods throw Error by the name of the key.
class GgufDescription {
  public:
    explicit GgufDescription(const GgufSource& source);

    const std::string& architecture() const { return m_architecture; }

    // Keys below the architecture's name.
    bool has(std::string_view key) const { return m_fields.has(std::string_view(own(key))); }
    std::int64_t integer(std::string_view key, std::int64_t most) const; ///< from 1, must be there
    std::int64_t integer(std::string_view key, std::int64_t most, std::int64_t fallback) const;
    double real(std::string_view key) const; ///< must be there
    double real(std::string_view key, double fallback) const;
    bool boolean(std::string_view key, bool fallback) const;
    std::string text(std::string_view key, std::string_view fallback) const;
    const Json* value(std::string_view key) const { return m_fields.value(std::string_view(own(key))); }
    /// The key, if it is there, says what is computed anyway, or does not matter.
    void ignore(std::initializer_list<std::string_view> keys) const;
    /// Refuses the value that a key has.
    [[noreturn]] void refuse(std::string_view key, const std::string& expected) const;
    /// The same for a whole number, if the key is there.
    void require(std::string_view key, std::int64_t expected) const;

    // Sizes that all architectures have; each is checked when it is asked for first.
    std::int64_t layers() const { return integer("block_count", 1024); }
    std::int64_t width() const { return integer("embedding_length", 65536); }
    std::int64_t heads() const { return integer("attention.head_count", 1024); }
    std::int64_t keyValueHeads() const { return integer("attention.head_count_kv", 1024, heads()); }
    std::int64_t headSize() const;   ///< attention.key_length, else width / heads; must be value_length too
    std::int64_t vocabulary() const; ///< rows of the word table

    /// A whole number of the keys below tokenizer.ggml.
    std::optional<std::int64_t> tokenizerInteger(std::string_view key, std::int64_t most) const;

    // config.json.
    void set(std::string_view field, Json value);
    void set(std::string_view field, std::string_view text) { set(field, Json(std::string(text))); }
    void set(std::string_view field, const char* text) { set(field, std::string_view(text)); }

    // Tensors. NAME stands for NAME.weight and NAME.bias, whichever are there; {} for the layer's number.
    bool hasTensor(std::string_view name) const { return m_source.find(name) != nullptr; }
    void tensor(std::string_view stored, std::string_view name) {
        tensor(stored, GgufRule{std::string(name), {}, 0});
    }
    void tensor(std::string_view stored, GgufRule rule);
    void layerTensor(std::string_view stored, std::string_view name) {
        layerTensor(stored, GgufRule{std::string(name), {}, 0});
    }
    void layerTensor(std::string_view stored, const GgufRule& rule);
    /// All numbers of a small tensor that becomes a field; nullopt where it is not there.
    std::optional<std::vector<float>> numbers(std::string_view stored);
    void ignoreTensors(std::string_view ending) { m_ignored.emplace_back(ending); }

    void note(std::string text) { m_model.notes.push_back(std::move(text)); }
    void keepLinearsOutIn() { m_model.linearsAreOutIn = true; }
    /// Throws Error for keys and tensors that nobody asked for.
    GgufModel finish();

  private:
    std::string own(std::string_view key) const;
    [[noreturn]] void missing(std::string_view key, const std::string& expected) const;
    void refuseUnreadKeys() const;
    TensorView viewOf(const TensorInfo& tensor, const GgufRule& rule) const;
    void addParts(const TensorInfo& tensor, const GgufRule& rule);
    void addView(TensorView view);

    const GgufSource& m_source;
    std::string m_subject;
    ConfigReader m_fields;
    std::string m_architecture;
    GgufModel m_model;
    std::map<std::string, GgufRule, std::less<>> m_rules; ///< by stored name, endings included
    std::map<std::string, std::string> m_storedFor;       ///< by the family's name
    std::vector<std::string> m_ignored;
};

/// Row order of queries or keys that the format keeps as pairs: d/2 pairs of each head become two halves.
RowOrder halvesOfPairs(std::int64_t heads, std::int64_t headSize);
/// Row order of queries, keys and values that stand one after the other and belong together by key/value
/// head: the queries of a group, its key, its value.
RowOrder groupedByHead(std::int64_t heads, std::int64_t keyValueHeads, std::int64_t headSize);

/// Where the relatives of Llama differ in their files.
struct LlamaTensors {
    const char* modelType;
    bool pairs = false; ///< queries and keys are stored in pairs
    float normShift = 0.0F;
    const char* epsilonKey = "attention.layer_norm_rms_epsilon";
    const char* epsilonField = "rms_norm_eps";
    bool dense = true; ///< one feed-forward part a layer, not several
};
/// The fields that they share, and their tensors: sizes, rotary embedding, norms, gated feed-forward part.
/// What is called otherwise is told again afterwards.
void describeLlamaLike(GgufDescription& file, const LlamaTensors& tensors);
/// context_length, embedding_length, block_count, feed_forward_length and heads, as most families call them.
void describeSizes(GgufDescription& file, bool causal = true);
/// rope.freq_base, rope.scaling.* and the tensor rope_freqs as rope_theta (or `theta`) and rope_scaling.
void describeRotary(GgufDescription& file, std::string_view theta = "rope_theta");
/// rope.dimension_count as the part of a head that is turned.
void describePartialRotary(GgufDescription& file, std::string_view field = "partial_rotary_factor");
/// rope.dimension_count must be the whole head.
void requireWholeRotary(GgufDescription& file);
/// tie_word_embeddings, vocab_size and pad_token_id.
void describeVocabulary(GgufDescription& file);

/// A file of the architecture llama with experts: Mixtral.
void describeMixtral(GgufDescription& file);

// One function an architecture, for the table in gguf_model.cpp.
void describeBert(GgufDescription& file);
void describeBloom(GgufDescription& file);
void describeCohere(GgufDescription& file);
void describeCohere2(GgufDescription& file);
void describeFalcon(GgufDescription& file);
void describeGemma(GgufDescription& file);
void describeGemma2(GgufDescription& file);
void describeGemma3(GgufDescription& file);
void describeGpt2(GgufDescription& file);
void describeGptNeoX(GgufDescription& file);
void describeGranite(GgufDescription& file);
void describeLlama(GgufDescription& file);
void describeOlmo2(GgufDescription& file);
void describePhi2(GgufDescription& file);
void describePhi3(GgufDescription& file);
void describeQwen2(GgufDescription& file);
void describeQwen2Moe(GgufDescription& file);
void describeQwen3(GgufDescription& file);
void describeQwen3Moe(GgufDescription& file);
void describeSmolLm3(GgufDescription& file);
void describeStableLm(GgufDescription& file);
void describeStarcoder2(GgufDescription& file);
void describeT5(GgufDescription& file);
void describeT5Encoder(GgufDescription& file);

} // namespace headscope
