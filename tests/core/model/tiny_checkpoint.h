// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "tests/support/sentence_of.h"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace headscope::test {

/// A BERT in memory whose tensors and config a test can spoil: hidden 8, 2 layers, 2 heads, 12 wide, 10
/// words, 16 positions.
class TinyCheckpoint {
  public:
    TinyCheckpoint() {
        put("bert.embeddings.word_embeddings.weight", {10, 8});
        put("bert.embeddings.position_embeddings.weight", {16, 8});
        put("bert.embeddings.token_type_embeddings.weight", {2, 8});
        putBoth("bert.embeddings.LayerNorm", {8});
        for (int layer = 0; layer < 2; ++layer) {
            const std::string prefix = fmt::format("bert.encoder.layer.{}.", layer);
            for (const char* part : {"attention.self.query", "attention.self.key", "attention.self.value",
                                     "attention.output.dense"})
                putBoth(prefix + part, {8, 8});
            putBoth(prefix + "attention.output.LayerNorm", {8});
            putBoth(prefix + "intermediate.dense", {12, 8});
            putBoth(prefix + "output.dense", {8, 12});
            putBoth(prefix + "output.LayerNorm", {8});
        }
    }

    std::string config =
        R"({"model_type": "bert", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 12, "vocab_size": 10, "max_position_embeddings": 16, "type_vocab_size": 2,
        "hidden_act": "gelu"})";

    /// A tensor with values that differ from one another, between -0.5 and 0.5.
    void put(const std::string& name, std::vector<std::int64_t> shape) {
        const std::int64_t count =
            std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<std::int64_t>());
        std::vector<float> data(static_cast<std::size_t>(count));
        double phase = static_cast<double>(m_tensors.size());
        for (float& value : data) value = static_cast<float>(0.5 * std::sin(phase += 1.7));
        m_tensors[name] = {std::move(shape), std::move(data)};
    }
    void remove(const std::string& name) { m_tensors.erase(name); }
    void clear() { m_tensors.clear(); }
    std::vector<float>& values(const std::string& name) { return m_tensors.at(name).data; }
    void fill(const std::string& name, float value) {
        for (float& one : values(name)) one = value;
    }
    /// Replaces `part` in every name that has it.
    void renameAll(const std::string& part, const std::string& by) {
        std::map<std::string, Tensor> renamed;
        for (auto& [name, tensor] : m_tensors) {
            std::string other = name;
            if (const std::size_t at = other.find(part); at != std::string::npos)
                other.replace(at, part.size(), by);
            renamed[other] = tensor;
        }
        m_tensors = std::move(renamed);
    }
    std::int64_t elements() const {
        std::int64_t count = 0;
        for (const auto& [name, tensor] : m_tensors) count += static_cast<std::int64_t>(tensor.data.size());
        return count;
    }

    Checkpoint checkpoint() const {
        Checkpoint result;
        result.folder = "memory";
        result.config = parseJson(config, "config.json", {.allowNonFinite = true});
        auto source = std::make_shared<MemoryTensorSource>();
        for (const auto& [name, tensor] : m_tensors) source->add(name, tensor.shape, tensor.data);
        result.weights = source;
        return result;
    }

  private:
    struct Tensor {
        std::vector<std::int64_t> shape;
        std::vector<float> data;
    };
    void putBoth(const std::string& name, const std::vector<std::int64_t>& shape) {
        put(name + ".weight", shape);
        put(name + ".bias", {shape[0]});
    }

    std::map<std::string, Tensor> m_tensors;
};

} // namespace headscope::test
