// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/renamed_source.h"

#include <array>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using Strings = std::vector<std::string>;

/// A source of tensors of one float each, 0, 1, 2, ...
std::shared_ptr<const TensorSource> sourceOf(const Strings& names) {
    auto source = std::make_shared<MemoryTensorSource>();
    for (std::size_t i = 0; i < names.size(); ++i) source->add(names[i], {1}, {static_cast<float>(i)});
    return source;
}

struct Unwrapped {
    Strings names;
    Strings notes;
};

Unwrapped unwrap(const Strings& names) {
    Unwrapped result;
    const auto source = withoutWrapperPrefixes(sourceOf(names), result.notes);
    for (const TensorInfo& tensor : source->tensors()) result.names.push_back(tensor.name);
    return result;
}

TEST(RenamedSource, ReadsUnderTheNewNames) {
    const auto source = renameTensors(sourceOf({"a", "b"}), {"x", "y"});
    EXPECT_EQ(source->find("b"), nullptr);
    const TensorInfo* tensor = source->find("y");
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(tensor->name, "y");
    EXPECT_EQ(source->fileName(*tensor), "memory");
    std::array<float, 1> out{};
    source->readFloats(*tensor, 0, out);
    EXPECT_EQ(out[0], 1.0F);
    source->dropPages(*tensor);
}

TEST(WrapperPrefixes, AreTakenAway) {
    const Unwrapped module = unwrap({"module.bert.a", "module.cls.b"});
    EXPECT_EQ(module.names, (Strings{"bert.a", "cls.b"}));
    EXPECT_EQ(
        module.notes,
        Strings{"the tensors were saved from inside another module: \"module.\" in their names is left out"});
    EXPECT_EQ(unwrap({"_orig_mod.a", "_orig_mod.b"}).names, (Strings{"a", "b"}));
    const Unwrapped both = unwrap({"module._orig_mod.a.w", "module._orig_mod.b.w"});
    EXPECT_EQ(both.names, (Strings{"a.w", "b.w"}));
    EXPECT_EQ(both.notes,
              Strings{"the tensors were saved from inside another module: \"module.\" and \"_orig_mod.\" in "
                      "their names are left out"});
}

TEST(WrapperPrefixes, AreTakenAwayInsideNamesAndBesideOtherTensors) {
    // A compiled member, compiled layers, an averaged model with its counter.
    EXPECT_EQ(unwrap({"model._orig_mod.bert.a", "loss.weight"}).names, (Strings{"bert.a", "loss.weight"}));
    EXPECT_EQ(unwrap({"model.module.bert.a"}).names, Strings{"bert.a"});
    EXPECT_EQ(unwrap({"model.layers.0._orig_mod.q.w", "model.norm.weight"}).names,
              (Strings{"model.layers.0.q.w", "model.norm.weight"}));
    EXPECT_EQ(unwrap({"n_averaged", "module.wte.weight"}).names, (Strings{"n_averaged", "wte.weight"}));
}

TEST(WrapperPrefixes, MayBeMany) {
    std::string name;
    for (int i = 0; i < 2'000'000; ++i) name += "module.";
    EXPECT_EQ(unwrap({name + "wte.weight"}).names, Strings{"wte.weight"});
    EXPECT_EQ(unwrap({name}).names, Strings{"module."});
}

TEST(WrapperPrefixes, OtherNamesStay) {
    for (const Strings& names : {Strings{"modules.a"}, Strings{"module."}, Strings{"a.module"},
                                 Strings{"a.submodule.b"}, Strings{}}) {
        EXPECT_EQ(unwrap(names).names, names);
        EXPECT_TRUE(unwrap(names).notes.empty());
    }
}

TEST(WrapperPrefixes, ModelIsTakenAwayBeforeAnotherBasePrefix) {
    EXPECT_EQ(unwrap({"model.bert.a", "model.classifier.b", "loss.weight"}).names,
              (Strings{"bert.a", "classifier.b", "loss.weight"}));
    EXPECT_EQ(unwrap({"model.transformer.h.0.w", "model.lm_head.weight"}).names,
              (Strings{"transformer.h.0.w", "lm_head.weight"}));
    EXPECT_EQ(unwrap({"model.model.layers.0.w", "model.lm_head.weight"}).names,
              (Strings{"model.layers.0.w", "lm_head.weight"}));
    EXPECT_EQ(unwrap({"model.model.layers.0.w", "loss.weight"}).names,
              (Strings{"model.layers.0.w", "loss.weight"}));
    EXPECT_EQ(unwrap({"module.model.bert.a"}).names, Strings{"bert.a"});
}

TEST(WrapperPrefixes, ModelIsTakenAwayBeforeModelsWithoutAHead) {
    for (const std::string name :
         {"embeddings.word_embeddings.weight", "wte.weight", "embed_in.weight", "word_embeddings.weight",
          "word_embedding.weight", "encoder.block.0.layer.0.w", "encoder.embeddings.word_embeddings.weight"})
        EXPECT_EQ(unwrap({"model." + name, "model.encoder.x", "head.bias"}).names,
                  (Strings{name, "encoder.x", "head.bias"}));
}

TEST(WrapperPrefixes, ModelStaysWhereItIsTheBasePrefix) {
    for (const Strings& names :
         {Strings{"model.embed_tokens.weight", "model.layers.0.w", "lm_head.weight"},
          Strings{"model.embed_tokens.weight", "model.layers.0.w"}, Strings{"model.decoder.layers.0.w"},
          Strings{"model.shared.weight", "model.encoder.layers.0.w"}, Strings{"bert.a", "model.bert.a"}})
        EXPECT_EQ(unwrap(names).names, names);
}

TEST(WrapperPrefixes, StayWhereTwoNamesWouldBecomeOne) {
    for (const Strings& names : {Strings{"model.bert.a", "model.a", "a"}, Strings{"module.a", "a"}}) {
        EXPECT_EQ(unwrap(names).names, names);
        EXPECT_TRUE(unwrap(names).notes.empty());
    }
}

} // namespace
} // namespace headscope::test
