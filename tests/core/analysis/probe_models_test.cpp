// SPDX-License-Identifier: GPL-3.0-or-later
// The models of the tests of probe texts.
#include "tests/core/analysis/probe_models.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::test {

namespace {

class WeightlessModel : public Model {
  public:
    explicit WeightlessModel(ModelSpec spec) : m_spec(std::move(spec)) {}
    const ModelSpec& spec() const override { return m_spec; }
    DeviceChoice device() const override { return DeviceChoice::Cpu; }
    std::int64_t parameters() const override { return 0; }
    WeightMemory weightMemory() const override { return {}; }
    ModelOutput forward(const ModelInput&, const ForwardHooks&) const override {
        ADD_FAILURE() << "there is nothing to run";
        return {};
    }
    std::vector<float> logits(std::span<const float>, const CancelToken&) const override { return {}; }

  private:
    ModelSpec m_spec;
};

std::string part(const std::string& name) {
    return readBytes(dataPath("tokenizer/forms/" + name));
}

} // namespace

std::string byteLevelTokenizer() {
    return fmt::format(
        R"({{"added_tokens":[{{"id":0,"content":"<|endoftext|>","single_word":false,"lstrip":false,"rstrip":false,)"
        R"("normalized":false,"special":true}}],"normalizer":null,"pre_tokenizer":{{"type":"ByteLevel",)"
        R"("add_prefix_space":false,"trim_offsets":true,"use_regex":true}},"post_processor":null,)"
        R"("decoder":{{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true}},"model":{}}})",
        part("byte_level.model.json"));
}

std::string sentencePieceTokenizer() {
    return fmt::format(
        R"({{"added_tokens":[{{"id":1,"content":"</s>","single_word":false,"lstrip":false,"rstrip":false,)"
        R"("normalized":false,"special":true}}],"normalizer":null,"pre_tokenizer":{{"type":"Metaspace",)"
        R"("replacement":"▁","prepend_scheme":"always","split":true}},"post_processor":{{"type":"TemplateProcessing",)"
        R"("single":[{{"Sequence":{{"id":"A","type_id":0}}}},{{"SpecialToken":{{"id":"</s>","type_id":0}}}}],)"
        R"("pair":[{{"Sequence":{{"id":"A","type_id":0}}}},{{"SpecialToken":{{"id":"</s>","type_id":0}}}},)"
        R"({{"Sequence":{{"id":"B","type_id":0}}}},{{"SpecialToken":{{"id":"</s>","type_id":0}}}}],)"
        R"("special_tokens":{{"</s>":{{"id":"</s>","ids":[1],"tokens":["</s>"]}}}}}},"decoder":null,"model":{}}})",
        part("unigram.model.json"));
}

std::string readTokenizer(const std::string& folder) {
    return readBytes(dataPath(folder + "/tokenizer.json"));
}

std::shared_ptr<const OpenModel> ProbeModel::open() const {
    auto opened = std::make_shared<OpenModel>();
    opened->name = "probe";
    ModelSpec spec;
    if (!tokenizer.empty()) opened->tokenizer = parseTokenizer(tokenizer, "tokenizer.json", {});
    spec.vocabularySize = opened->tokenizer ? opened->tokenizer->idLimit() : 48;
    spec.maxPositions = maxPositions;
    spec.trainedPositions = trainedPositions;
    StackSpec stack;
    stack.causal = causal;
    spec.stacks = {stack};
    if (decoderPositions || decoderStart || decoderVocabulary) {
        spec.decoder.emplace();
        spec.decoder->maxPositions = decoderPositions;
        spec.decoder->embedding.vocabularySize = decoderVocabulary.value_or(spec.vocabularySize);
        spec.decoderStart = decoderStart;
    }
    opened->model = std::make_shared<WeightlessModel>(spec);
    return opened;
}

} // namespace headscope::test
