// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/safetensors.h"
#include "core/model/model.h"
#include "tests/core/model/capturing_observer.h"
#include "tests/core/model/golden.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace headscope::test {

/// Written so that NaN counts as a difference.
inline double largestDifference(std::span<const float> ours, std::span<const float> theirs) {
    if (ours.size() != theirs.size()) return INFINITY;
    double largest = 0.0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const double difference = std::fabs(static_cast<double>(ours[i]) - static_cast<double>(theirs[i]));
        if (!(difference <= largest)) largest = std::isnan(difference) ? INFINITY : difference;
    }
    return largest;
}

/// What is expected of one checkpoint: maps of every kind, hidden states and logits, as tests/tools/families
/// writes them.
class FamilyFixture {
  public:
    explicit FamilyFixture(const std::filesystem::path& folder)
        : m_expected(openSafetensors(folder / "expected.safetensors")),
          m_metadata(readSafetensorsMetadata(folder / "expected.safetensors")) {}

    void compare(const Checkpoint& checkpoint, std::uint64_t residentLimit) const {
        const std::shared_ptr<const Model> model =
            loadModel(checkpoint, DeviceChoice::Cpu, {}, {}, residentLimit);
        EXPECT_EQ(model->weightMemory().streamed == 0, residentLimit > 0);
        CapturingObserver observer;
        ForwardHooks hooks;
        hooks.observer = &observer;
        const ModelOutput output =
            model->forward({golden_detail::integersOf(*m_expected, "input_ids"),
                            golden_detail::integersOf(*m_expected, "token_types"),
                            golden_detail::integersOf(*m_expected, "decoder_input_ids")},
                           hooks);
        compareMaps(observer, model->spec());
        compareValues(output.hidden, "last_hidden_state", "hidden_bound");
        compareValues(output.encoderHidden, "encoder_last_hidden_state", "encoder_hidden_bound");
        if (m_expected->find("logits") == nullptr) return;
        ASSERT_TRUE(model->hasOutputHead());
        compareValues(model->logits(output.hidden, {}), "logits", "logits_bound");
    }

  private:
    void compareMaps(const CapturingObserver& observer, const ModelSpec& spec) const {
        std::map<AttentionKind, std::size_t> seen;
        const double bound = std::stod(m_metadata.at("bound"));
        for (std::size_t n = 0; n < observer.layers.size(); ++n) {
            const LayerMaps& layer = *observer.layers[n];
            const std::size_t number = seen[observer.kinds[n]]++;
            EXPECT_EQ(observer.begun[n], LayerIndex(static_cast<std::int64_t>(number)));
            EXPECT_LT(observer.checks[n].rowSumError, 1e-5);
            const std::string name = std::string(nameOf(observer.kinds[n])) + "." + std::to_string(number);
            const std::vector<float> expected = golden_detail::floatsOf(*m_expected, name);
            const Extent extent = layer.extent();
            const auto size = static_cast<std::size_t>(extent.rows * extent.columns);
            ASSERT_EQ(expected.size(), size * static_cast<std::size_t>(layer.heads)) << name;
            for (int head = 0; head < layer.heads; ++head) {
                std::vector<float> ours(size);
                recomputedMap(observer.layers[n], HeadIndex(head))
                    ->tile({0, extent.rows}, {0, extent.columns}, {ours.data(), extent.rows, extent.columns});
                EXPECT_LE(largestDifference(ours, std::span(expected).subspan(head * size, size)), bound)
                    << name << ", head " << head;
            }
        }
        for (const StackSpec& stack : spec.stacks) {
            EXPECT_EQ(seen[stack.kind], static_cast<std::size_t>(stack.layers)) << nameOf(stack.kind);
            EXPECT_EQ(m_expected->find(std::string(nameOf(stack.kind)) + "." + std::to_string(stack.layers)),
                      nullptr);
        }
    }

    void compareValues(std::span<const float> ours, const std::string& name, const std::string& bound) const {
        if (m_expected->find(name) == nullptr) return;
        EXPECT_LE(largestDifference(ours, golden_detail::floatsOf(*m_expected, name)),
                  std::stod(m_metadata.at(bound)))
            << name;
    }

    std::shared_ptr<const TensorSource> m_expected;
    std::map<std::string, std::string> m_metadata;
};

} // namespace headscope::test
