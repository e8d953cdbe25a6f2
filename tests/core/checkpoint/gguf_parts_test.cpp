// SPDX-License-Identifier: GPL-3.0-or-later
// A GGUF model in three files, and sets of files that are none.
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/gguf/gguf_source.h"
#include "tests/core/checkpoint/gguf_bytes_builder.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

std::string countedFrom(int first, int count) {
    std::string bytes;
    for (int i = first; i < first + count; ++i) bytes.append(raw(static_cast<float>(i)));
    return bytes;
}

void number(GgufBuilder& file, std::uint16_t place, std::uint16_t count, std::int32_t tensors) {
    file.keys.push_back(ggufKey("split.no", 2, raw(place)));
    file.keys.push_back(ggufKey("split.count", 2, raw(count)));
    file.keys.push_back(ggufKey("split.tensors.count", 5, raw(tensors)));
}

class GgufParts : public ::testing::Test {
  protected:
    GgufParts() {
        GgufBuilder& first = m_parts[0];
        first.text("general.architecture", "llama");
        first.number("llama.block_count", 1);
        first.number("llama.context_length", 64);
        first.number("llama.embedding_length", 8);
        first.number("llama.feed_forward_length", 12);
        first.number("llama.attention.head_count", 2);
        first.real("llama.attention.layer_norm_rms_epsilon", 1e-5F);
        for (std::uint16_t place = 0; place < 3; ++place) number(m_parts[place], place, 3, 3);
        first.tensor("token_embd.weight", {8, 5}, 0, countedFrom(0, 40));
        m_parts[1].tensor("blk.0.attn_v.weight", {8, 8}, 0, countedFrom(100, 64));
        m_parts[2].tensor("blk.0.attn_output.weight", {8, 8}, 0, countedFrom(200, 64));
    }

    void write() const {
        for (int i = 0; i < 3; ++i)
            m_folder.write(fmt::format("tiny-{:05}-of-00003.gguf", i + 1), m_parts[i].bytes());
    }
    std::filesystem::path part(int place) const {
        return m_folder / fmt::format("tiny-{:05}-of-00003.gguf", place);
    }
    /// Of what opening one of the parts says.
    std::string sentence(int place = 1) const {
        write();
        return sentenceOf([&] { openCheckpoint(part(place)); });
    }

    TemporaryFolder m_folder;
    GgufBuilder m_parts[3];
};

TEST_F(GgufParts, AnyPartOpensTheWholeModel) {
    write();
    for (int place = 1; place <= 3; ++place) {
        const Checkpoint checkpoint = openCheckpoint(part(place));
        EXPECT_EQ(checkpoint.name, "tiny");
        EXPECT_EQ(checkpoint.folder, part(1));
        ASSERT_EQ(checkpoint.files.size(), 3U);
        EXPECT_EQ(checkpoint.files[1].path, part(2));
        EXPECT_EQ(checkpoint.files[2].bytes, m_parts[2].bytes().size());
        const auto valueOf = [&](const char* name, std::int64_t at) {
            float value = -1.0F;
            checkpoint.weights->readFloats(*checkpoint.weights->find(name), at, {&value, 1});
            return value;
        };
        EXPECT_EQ(checkpoint.weights->tensors().size(), 3U);
        EXPECT_EQ(valueOf("model.embed_tokens.weight", 39), 39.0F);
        EXPECT_EQ(valueOf("model.layers.0.self_attn.v_proj.weight", 1), 101.0F);
        EXPECT_EQ(valueOf("model.layers.0.self_attn.o_proj.weight", 63), 263.0F);
    }
}

/// As llama-gguf-split --no-tensor-first-split makes them.
TEST_F(GgufParts, TheFirstMayHaveKeysAlone) {
    m_parts[1].tensor("token_embd.weight", {8, 5}, 0, countedFrom(0, 40));
    m_parts[0].tensors.clear();
    m_parts[0].data.clear();
    write();
    EXPECT_EQ(openCheckpoint(part(1)).weights->tensors().size(), 3U);
}

TEST_F(GgufParts, AllAreNeeded) {
    write();
    std::filesystem::remove(part(2));
    EXPECT_EQ(
        sentenceOf([&] { openCheckpoint(part(3)); }),
        "tiny-00003-of-00003.gguf: the part tiny-00002-of-00003.gguf is missing beside it, expected all "
        "3 parts in one folder; finish the download.");
}

TEST_F(GgufParts, NamesSayWhichPartAFileIs) {
    write();
    std::filesystem::rename(part(2), m_folder / "other.gguf");
    EXPECT_EQ(
        sentenceOf([&] { openCheckpoint(m_folder / "other.gguf"); }),
        "other.gguf: the file is part 2 of 3, expected a name that ends in -00002-of-00003.gguf; name the "
        "parts as they were, or join them with llama-gguf-split --merge.");
    std::filesystem::copy_file(part(3), part(2));
    EXPECT_EQ(
        sentenceOf([&] { openCheckpoint(part(1)); }),
        "tiny-00002-of-00003.gguf: the file is part 3 of 3, expected part 2 of 3; the files belong to two "
        "models: get them again.");
}

TEST_F(GgufParts, PartsOfOtherModelsAreRefused) {
    const GgufBuilder second = m_parts[1];
    m_parts[1].keys.clear();
    EXPECT_EQ(sentence(),
              "tiny-00002-of-00003.gguf: the file is part 1 of 1, expected part 2 of 3; the files "
              "belong to two models: get them again.");
    number(m_parts[1], 1, 4, 3);
    EXPECT_EQ(sentence(),
              "tiny-00002-of-00003.gguf: the file is part 2 of 4, expected part 2 of 3; the files "
              "belong to two models: get them again.");
    m_parts[1].keys.clear();
    number(m_parts[1], 1, 3, 7);
    EXPECT_EQ(sentence(), "tiny-00002-of-00003.gguf: it is of a model of 7 tensors, the first part is of one "
                          "of 3; the files belong to two models: get them again.");
    m_parts[1] = second;
    m_parts[1].text("general.architecture", "qwen2");
    EXPECT_EQ(sentence(),
              "tiny-00002-of-00003.gguf: it is of a model of the architecture \"qwen2\", the first "
              "part is of one of \"llama\"; the files belong to two models: get them again.");
    m_parts[1] = second;
    m_parts[1].number("llama.block_count", 1);
    EXPECT_EQ(sentence(),
              "tiny-00002-of-00003.gguf: llama.block_count: the key stands in another part than the "
              "first, expected the keys of the model in the first part alone.");
}

TEST_F(GgufParts, EachTensorStandsOnce) {
    m_parts[2].tensors[0].name = "token_embd.weight";
    EXPECT_EQ(sentence(2), "tiny-00003-of-00003.gguf: the tensor \"token_embd.weight\" stands here, and in "
                           "tiny-00001-of-00003.gguf too; the files belong to two models: get them again.");
    m_parts[2].tensors.clear();
    m_parts[2].data.clear();
    EXPECT_EQ(sentence(), "tiny-00001-of-00003.gguf: the parts hold 2 tensors together, expected 3, as "
                          "split.tensors.count says; the file is damaged or was made to mislead.");
}

} // namespace
} // namespace headscope::test
