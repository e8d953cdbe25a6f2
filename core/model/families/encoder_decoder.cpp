// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/encoder_decoder.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <map>

namespace headscope {

namespace {

/// The tensors whose names begin with `prefix`, without it: what one of the two models would have alone.
class InnerSource final : public TensorSource {
  public:
    InnerSource(std::shared_ptr<const TensorSource> whole, const std::string& prefix)
        : m_whole(std::move(whole)) {
        for (const TensorInfo& info : m_whole->tensors()) {
            if (!info.name.starts_with(prefix)) continue;
            m_tensors.push_back(info);
            m_tensors.back().name.erase(0, prefix.size());
        }
        for (std::size_t i = 0; i < m_tensors.size(); ++i) m_numberOf.emplace(m_tensors[i].name, i);
    }

    const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    const TensorInfo* find(std::string_view name) const override {
        const auto found = m_numberOf.find(name);
        return found == m_numberOf.end() ? nullptr : &m_tensors[found->second];
    }
    std::string fileName(const TensorInfo& tensor) const override { return m_whole->fileName(tensor); }
    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        m_whole->readRaw(tensor, first, count, out);
    }

  private:
    std::shared_ptr<const TensorSource> m_whole;
    std::vector<TensorInfo> m_tensors;
    std::map<std::string, std::size_t, std::less<>> m_numberOf;
};

/// One of the two models as if it were alone in its folder. Errors name the part of config.json.
ModelSpec innerSpec(const Checkpoint& checkpoint, const std::string& part) {
    const Json* config = checkpoint.config.find(part);
    if (config == nullptr || !config->isObject())
        fail("config.json: " + part, config == nullptr ? "it is missing" : "it is no object",
             "expected the configuration of a model");
    Checkpoint inner;
    inner.config = *config;
    if (checkpoint.weights) inner.weights = std::make_shared<InnerSource>(checkpoint.weights, part + ".");
    try {
        const Family& family = familyOf(inner);
        ModelSpec spec;
        if (family.spec != encoderDecoderSpec) spec = family.spec(inner);
        if (spec.main.blocks.empty() || spec.decoder)
            fail("config.json", fmt::format("\"{}\" is an encoder and a decoder itself", family.modelType),
                 "expected a single stack");
        return spec;
    } catch (const Error& error) {
        ErrorParts parts = error.parts();
        const std::string file = "config.json";
        if (parts.subject.starts_with(file)) parts.subject.insert(file.size(), ": " + part);
        throw Error(std::move(parts));
    }
}

void prependTo(LinearSpec& linear, const std::string& prefix) {
    for (std::string* name : {&linear.weight, &linear.bias})
        if (!name->empty()) name->insert(0, prefix);
}

OutputHeadSpec headUnder(OutputHeadSpec head, const std::string& prefix) {
    prependTo(head.transform, prefix);
    std::vector<std::string*> names{&head.weight, &head.bias};
    if (head.transformNorm)
        names.insert(names.end(), {&head.transformNorm->weight, &head.transformNorm->bias});
    for (std::string* name : names)
        if (!name->empty()) name->insert(0, prefix);
    return head;
}

void checkParts(const ModelSpec& encoder, const ModelSpec& decoder) {
    if (encoder.main.blocks.front().attention.causal)
        fail("config.json: encoder", fmt::format("\"{}\" sees only earlier tokens", encoder.family),
             "expected an encoder that sees the whole text");
    if (!decoder.main.blocks.front().cross)
        fail("config.json: decoder", fmt::format("\"{}\" has no cross-attention", decoder.family),
             "expected is_decoder and add_cross_attention to be true in a family that knows them");
}

} // namespace

ModelSpec encoderDecoderSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    // The decoder's layers are the encoder's then, and stand in the file once.
    config.requireFalse("tie_encoder_decoder");
    ModelSpec spec = innerSpec(checkpoint, "encoder");
    ModelSpec decoder = innerSpec(checkpoint, "decoder");
    checkParts(spec, decoder);
    spec.family = "encoder-decoder";
    spec.notes.clear();
    // The encoder was saved without a head, the decoder with one.
    spec.main.prefixes = {"encoder." + spec.main.prefixes.back()};
    decoder.main.prefixes = {"decoder." + decoder.main.prefixes.front()};
    if (spec.main.outputSize != decoder.hiddenSize) spec.encoderToDecoder = linearSpec("enc_to_dec_proj");
    if (const auto inner = config.object("decoder"))
        if (const auto size =
                inner->optionalInteger("cross_attention_hidden_size", 1, spec_limits::kHiddenSize))
            if (*size != spec.main.outputSize || spec.encoderToDecoder.exists())
                inner->refuse(
                    "cross_attention_hidden_size",
                    fmt::format("none, or {} in a decoder as wide as the encoder", spec.main.outputSize));
    spec.head.reset();
    if (decoder.head) spec.head = headUnder(*std::move(decoder.head), "decoder.");
    spec.decoder = std::move(decoder.main);
    spec.decoderStart =
        config.optionalInteger("decoder_start_token_id", 0, spec.decoder->embedding.vocabularySize - 1);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
