// SPDX-License-Identifier: GPL-3.0-or-later
// The way through an attention layer, with its sizes.
#include "tests/support/temporary_folder.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/models/layer_steps.h"
#include "ui/panels/layer_panel.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Analysis> pass(const std::string& model, const TextInput& input) {
    return analyse(
        {openModel(headscope::test::dataPath("families/" + model), {DeviceChoice::Cpu}, {}, {}), input}, {},
        {});
}

TextInput ids(std::vector<std::int64_t> source, std::optional<std::vector<std::int64_t>> target = {}) {
    TextInput input;
    input.ids = std::move(source);
    input.targetIds = std::move(target);
    return input;
}

const LayerResult& layerOf(const Analysis& analysis, AttentionKind kind) {
    for (const auto& layer : analysis.layers)
        if (layer->kind == kind) return *layer;
    ADD_FAILURE() << "no layer of this kind";
    return *analysis.layers.front();
}

/// "name shape" of every part, top down.
std::vector<std::string> partsOf(const std::vector<LayerStep>& steps) {
    std::vector<std::string> parts;
    for (const LayerStep& step : steps)
        for (const LayerStep::Part& part : step.parts)
            parts.push_back(QStringLiteral("%1 %2").arg(part.name, part.shape).toStdString());
    return parts;
}

std::string linesOf(const std::vector<LayerStep>& steps) {
    QStringList lines;
    for (const LayerStep& step : steps) lines << step.how << step.more;
    return lines.join(QLatin1Char('\n')).toStdString();
}

/// Sizes as the configuration of the model gives them.
TEST(LayerSteps, OfASingleStackGoFromTokensToOutput) {
    const auto analysis = pass("bert/plain", ids({5, 6, 7, 8, 9}));
    const ModelSpec& spec = analysis->model->spec();
    const StackSpec& stack = spec.stacks.front();
    const std::string hidden = std::to_string(spec.hiddenSize);
    const std::string heads = std::to_string(stack.heads);
    const std::string size = std::to_string(stack.headSize);
    EXPECT_THAT(
        partsOf(layerSteps(*analysis->layers[0], spec)),
        ElementsAre(fmt::format("X, token states 5 × {}", hidden), fmt::format("Q 5 × {}", hidden),
                    fmt::format("K 5 × {}", hidden), fmt::format("V 5 × {}", hidden),
                    fmt::format("q {} × 5 × {}", heads, size), fmt::format("k {} × 5 × {}", heads, size),
                    fmt::format("v {} × 5 × {}", heads, size), fmt::format("Scores {} × 5 × 5", heads),
                    fmt::format("A, the maps {} × 5 × 5", heads),
                    fmt::format("Head outputs {} × 5 × {}", heads, size),
                    fmt::format("Joined 5 × {}", hidden), fmt::format("Output 5 × {}", hidden)));
    EXPECT_THAT(linesOf(layerSteps(*analysis->layers[0], spec)),
                HasSubstr("no mask: every query sees every key"));
}

TEST(LayerSteps, SharedKeysAndValuesAreFewer) {
    const auto analysis = pass("gpt_oss/plain", ids({5, 6, 7, 8, 9, 10}));
    const ModelSpec& spec = analysis->model->spec();
    const StackSpec& stack = spec.stacks.front();
    ASSERT_LT(stack.keyValueHeads, stack.heads);
    const auto steps = layerSteps(*analysis->layers[0], spec);
    EXPECT_THAT(partsOf(steps), Contains(fmt::format("K 6 × {}", stack.keyValueHeads * stack.headSize)));
    EXPECT_THAT(partsOf(steps), Contains(fmt::format("q {} × 6 × {}", stack.heads, stack.headSize)));
    EXPECT_THAT(partsOf(steps), Contains(fmt::format("v {} × 6 × {}", stack.keyValueHeads, stack.headSize)));
    EXPECT_THAT(linesOf(steps), testing::AllOf(HasSubstr("a learned sink"), HasSubstr("causal"),
                                               HasSubstr("rotated by position"), HasSubstr("X normalised")));
}

TEST(LayerSteps, OfCrossAttentionComeFromTwoTexts) {
    const auto analysis = pass("t5/plain", ids({5, 6, 7, 8, 9}, std::vector<std::int64_t>{0, 11, 12}));
    const ModelSpec& spec = analysis->model->spec();
    const auto parts = partsOf(layerSteps(layerOf(*analysis, AttentionKind::Cross), spec));
    EXPECT_EQ(parts[0], fmt::format("X, of the decoder 3 × {}", spec.decoder->hiddenSize));
    EXPECT_EQ(parts[1], fmt::format("Y, of the encoder 5 × {}", spec.hiddenSize));
    const int heads = layerOf(*analysis, AttentionKind::Cross).maps->heads;
    EXPECT_THAT(parts, Contains(fmt::format("Scores {} × 3 × 5", heads)));
    EXPECT_EQ(parts.back(), fmt::format("Output 3 × {}", spec.decoder->hiddenSize));
    EXPECT_THAT(linesOf(layerSteps(layerOf(*analysis, AttentionKind::Encoder), spec)),
                HasSubstr("+ distance bias"));
}

TEST(LayerSteps, OfImportedMapsAreNotThere) {
    LayerResult layer;
    layer.heads.push_back(test::fakeHead(0, 0, 4));
    EXPECT_TRUE(layerSteps(layer, ModelSpec()).empty());
    LayerPanel panel;
    panel.showLayer(layer, ModelSpec());
    EXPECT_THAT(panel.lines().join(QString()).toStdString(), HasSubstr("the file holds weights only"));
}

TEST(LayerPanelTest, ShowsEveryStep) {
    const auto analysis = pass("bloom/plain", ids({5, 6, 7, 8}));
    LayerPanel panel;
    panel.showLayer(*analysis->layers[1], analysis->model->spec());
    const std::string lines = panel.lines().join(QLatin1Char('\n')).toStdString();
    EXPECT_THAT(lines, testing::AllOf(HasSubstr("softmax of each row"), HasSubstr("+ position bias"),
                                      HasSubstr("mask: causal"), HasSubstr("times W_O")));
    panel.showNothing(QStringLiteral("Nothing yet."));
    EXPECT_EQ(panel.lines(), QStringList{QStringLiteral("Nothing yet.")});
}

} // namespace
} // namespace headscope::ui
