// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace headscope::test {
namespace {

std::vector<float> floatsOf(const TensorSource& source, std::string_view name) {
    const TensorInfo* tensor = source.find(name);
    std::vector<float> values(static_cast<std::size_t>(tensor->elements));
    source.readFloats(*tensor, 0, values);
    return values;
}

TEST(Safetensors, ReadsNamesTypesShapesAndValues) {
    const TemporaryFolder folder;
    const auto source = openSafetensors(folder.write(
        "model.safetensors",
        safetensorsBytes(
            R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2,2],"data_offsets":[2,18]},"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}   )",
            "\x01\x02" + bytesOf<float>({1.5F, -2.0F, 0.0F, 3.25F}))));
    ASSERT_EQ(source->tensors().size(), 2U);
    EXPECT_EQ(source->tensors()[0].name, "b"); // the header's order, which need not be that of the data
    EXPECT_EQ(source->tensors()[1].name, "a");
    const TensorInfo* b = source->find("b");
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(b->dtype, DType::F32);
    EXPECT_EQ(b->shape, (std::vector<std::int64_t>{2, 2}));
    EXPECT_EQ(b->elements, 4);
    EXPECT_EQ(source->fileName(*b), "model.safetensors");
    EXPECT_EQ(source->find("c"), nullptr);
    EXPECT_EQ(floatsOf(*source, "b"),
              (std::vector<float>{1.5F, -2.0F, 0.0F, 3.25F})); // data not aligned to 4

    std::array<float, 2> part{};
    source->readFloats(*b, 1, part);
    EXPECT_EQ(part, (std::array<float, 2>{-2.0F, 0.0F}));
    std::array<std::byte, 1> raw{};
    source->readRaw(*source->find("a"), 1, 1, raw);
    EXPECT_EQ(raw[0], std::byte{2});
}

TEST(Safetensors, ScalarsAndTensorsWithoutElementsAreLegal) {
    const TemporaryFolder folder;
    const auto source = openSafetensors(folder.write(
        "model.safetensors",
        safetensorsBytes(
            R"({"scalar":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"none":{"dtype":"F32","shape":[0,7],"data_offsets":[4,4]},"first":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})",
            bytesOf<float>({2.5F}))));
    EXPECT_EQ(source->find("scalar")->elements, 1);
    EXPECT_EQ(floatsOf(*source, "scalar"), std::vector<float>{2.5F});
    EXPECT_EQ(source->find("none")->elements, 0);
    EXPECT_EQ(floatsOf(*source, "none"), std::vector<float>{});
}

TEST(Safetensors, FileWithoutTensorsIsLegal) {
    const TemporaryFolder folder;
    EXPECT_TRUE(
        openSafetensors(folder.write("model.safetensors", safetensorsBytes("{}")))->tensors().empty());
}

TEST(Safetensors, MetadataMayBeAbsentNullEmptyOrText) {
    const TemporaryFolder folder;
    const auto metadata = [&](std::string_view header) {
        return readSafetensorsMetadata(folder.write("model.safetensors", safetensorsBytes(header)));
    };
    using Map = std::map<std::string, std::string>;
    EXPECT_EQ(metadata("{}"), Map());
    EXPECT_EQ(metadata(R"({"__metadata__":null})"), Map());
    EXPECT_EQ(metadata(R"({"__metadata__":{}})"), Map());
    EXPECT_EQ(metadata(R"({"__metadata__":{"format":"pt","é":"\u00fc\n"}})"),
              (Map{{"format", "pt"}, {"é", "ü\n"}}));
}

TEST(Safetensors, FileThatShrinksWhileOpenIsAnError) {
    const TemporaryFolder folder;
    const std::vector<float> values(1024, 1.0F);
    const auto path = folder.write(
        "model.safetensors",
        safetensorsBytes(R"({"w":{"dtype":"F32","shape":[1024],"data_offsets":[0,4096]}})", bytesOf(values)));
    const auto source = openSafetensors(path);
    EXPECT_EQ(floatsOf(*source, "w"), values);
    std::filesystem::resize_file(path, 1000);
    EXPECT_EQ(sentenceOf([&] { floatsOf(*source, "w"); }),
              "model.safetensors: the file changed while it was open; open it again when it is complete.");
    std::filesystem::remove(path);
    EXPECT_NE(sentenceOf([&] { floatsOf(*source, "w"); }), "");
}

TEST(Safetensors, FileThatIsRewrittenOrReplacedWhileOpenIsAnError) {
    const TemporaryFolder folder;
    const std::string bytes =
        safetensorsBytes(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", bytesOf<float>({1.0F}));
    const auto path = folder.write("model.safetensors", bytes);
    std::filesystem::last_write_time(path,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const auto rewritten = openSafetensors(path);
    folder.write("model.safetensors", bytes); // in place, same size
    EXPECT_NE(sentenceOf([&] { floatsOf(*rewritten, "w"); }).find("changed while it was open"),
              std::string::npos);

    const auto replaced = openSafetensors(path);
    std::filesystem::rename(folder.write("other", bytes), path);
    EXPECT_NE(sentenceOf([&] { floatsOf(*replaced, "w"); }).find("changed while it was open"),
              std::string::npos);
}

TEST(Safetensors, SeveralThreadsMayRead) {
    const TemporaryFolder folder;
    std::vector<float> values(100'000);
    std::iota(values.begin(), values.end(), 0.0F);
    const auto source = openSafetensors(
        folder.write("model.safetensors",
                     safetensorsBytes(R"({"w":{"dtype":"F32","shape":[100000],"data_offsets":[0,400000]}})",
                                      bytesOf(values))));
    std::vector<std::vector<float>> read(4);
    std::vector<std::thread> threads;
    for (auto& out : read) threads.emplace_back([&] { out = floatsOf(*source, "w"); });
    for (auto& thread : threads) thread.join();
    for (const auto& out : read) EXPECT_EQ(out, values);
}

using Entries = std::vector<SafetensorsWriter::Entry>;

TEST(SafetensorsWriter, WritesWhatTheReaderReads) {
    const TemporaryFolder folder;
    const auto path = folder / "out.safetensors";
    SafetensorsWriter writer(path,
                             Entries{{"odd", DType::U8, {3}},
                                     {"attentions.0", DType::F32, {2, 1, 2}},
                                     {"none", DType::F32, {0}},
                                     {"input_ids", DType::I64, {2}},
                                     {"causal", DType::Bool, {}}},
                             {{"tokens", "[\"caf\u00e9\", \"\\n\", \"\x01\"]"}, {"causal", "true"}});
    const std::vector<float> weights{0.25F, 0.75F, 1.0F, 0.0F};
    const std::vector<std::int64_t> ids{101, -5};
    const auto write = [&](std::string_view bytes) { writer.write(std::as_bytes(std::span(bytes))); };
    write("\x01\x02\x03");
    for (const float weight : weights) writer.write(std::as_bytes(std::span(&weight, 1)));
    writer.write(std::as_bytes(std::span(ids)));
    EXPECT_FALSE(std::filesystem::exists(path)); // not before it is complete
    write("\x01");
    writer.commit();

    const auto source = openSafetensors(path);
    ASSERT_EQ(source->tensors().size(), 5U);
    EXPECT_EQ(source->tensors()[1].name, "attentions.0");
    EXPECT_EQ(source->tensors()[1].shape, (std::vector<std::int64_t>{2, 1, 2}));
    EXPECT_EQ(floatsOf(*source, "attentions.0"), weights);
    std::vector<std::int64_t> readIds(2);
    source->readRaw(*source->find("input_ids"), 0, 2, std::as_writable_bytes(std::span(readIds)));
    EXPECT_EQ(readIds, ids);
    EXPECT_EQ((source->tensors()[0].offset) % 8, 0U); // the header is padded
    EXPECT_EQ(readSafetensorsMetadata(path),
              (std::map<std::string, std::string>{{"tokens", "[\"café\", \"\\n\", \"\x01\"]"},
                                                  {"causal", "true"}}));
}

TEST(SafetensorsWriter, UnfinishedFileLeavesNothing) {
    const TemporaryFolder folder;
    {
        SafetensorsWriter writer(folder / "out.safetensors", Entries{{"w", DType::U8, {4}}}, {});
        writer.write(std::as_bytes(std::span("ab", 2)));
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SafetensorsWriter, HeaderBeyondTheFormatsLimitIsRefused) {
    const TemporaryFolder folder;
    const std::string huge(100'000'000, 'x');
    EXPECT_EQ(sentenceOf([&] {
                  SafetensorsWriter(folder / "out.safetensors", {}, {{"tokens", huge}});
              }),
              "out.safetensors: the header would have 100000048 bytes, the format holds at most 100000000; "
              "write an "
              ".npz file instead.");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SafetensorsWriterDeathTest, WrongNumberOfBytesIsAProgrammersError) {
    const TemporaryFolder folder;
    SafetensorsWriter writer(folder / "out.safetensors", Entries{{"w", DType::U8, {4}}}, {});
    writer.write(std::as_bytes(std::span("ab", 2)));
    EXPECT_DEATH(writer.commit(), "this should hold");
    EXPECT_DEATH(writer.write(std::as_bytes(std::span("abc", 3))), "this should hold");
}

TEST(Safetensors, MiniLmIsRead) {
    const auto folder = minilmFolder();
    if (folder.empty()) GTEST_SKIP() << "skipped: no MiniLM checkpoint";
    const auto source = openSafetensors(folder / "model.safetensors");
    const TensorInfo* words = source->find("embeddings.word_embeddings.weight");
    ASSERT_NE(words, nullptr);
    EXPECT_EQ(words->shape, (std::vector<std::int64_t>{30522, 384}));
    std::int64_t bytes = 0;
    for (const TensorInfo& tensor : source->tensors()) bytes += tensor.elements * sizeOf(tensor.dtype);
    EXPECT_GT(bytes, 90'000'000);
    EXPECT_EQ(floatsOf(*source, "embeddings.word_embeddings.weight").size(), 30522U * 384U);
}

} // namespace
} // namespace headscope::test
