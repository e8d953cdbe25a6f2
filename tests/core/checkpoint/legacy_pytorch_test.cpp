// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pytorch_file.h"
#include "tests/core/checkpoint/pickle_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using namespace pickle;

const std::string kMagic{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15};

/// The parts of a file of PyTorch before 1.6; what is not given is as it should be.
struct Parts {
    std::string protocol = program(integer(1001));
    std::string system = program(dict({{"little_endian", "\x88"}}));
    std::string object = oneTensor(pair("a"));
    std::string keys = program("]" + text("a") + "a");
    std::string storages = raw<std::int64_t>(2) + raw(1.5F) + raw(-2.5F);

    std::string bytes() const { return joined({kMagic, protocol, system, object, keys, storages}); }
};

class LegacyPytorch : public testing::Test {
  protected:
    /// Without "x.bin: ".
    std::string sentence(const Parts& parts) const {
        const std::string text = sentenceOf([&] { openPytorch(m_folder.write("x.bin", parts.bytes())); });
        return text.starts_with("x.bin: ") ? text.substr(7) : text;
    }

    TemporaryFolder m_folder;
};

TEST_F(LegacyPytorch, ReadsStoragesBehindThePickles) {
    const auto source = openPytorch(m_folder.write("x.bin", Parts().bytes())).tensors;
    std::array<float, 2> out{};
    source->readFloats(*source->find("w"), 0, out);
    EXPECT_EQ(out, (std::array<float, 2>{1.5F, -2.5F}));
}

TEST_F(LegacyPytorch, StoragesOfWhatIsNotReadArePassedOver) {
    Parts parts;
    const std::string other = tensor(storage("b", 3, "HalfStorage"), 0, counts({3}), counts({1}));
    parts.object = program(dict({{"optimizer", other}, {"state_dict", dict({{"w", pair("a")}})}}));
    parts.keys = program("](" + text("b") + text("a") + "e");
    parts.storages = raw<std::int64_t>(3) + "xxxxxx" + parts.storages;
    const auto source = openPytorch(m_folder.write("x.bin", parts.bytes())).tensors;
    std::array<float, 2> out{};
    source->readFloats(*source->find("w"), 0, out);
    EXPECT_EQ(out, (std::array<float, 2>{1.5F, -2.5F}));
}

TEST_F(LegacyPytorch, ContradictionsAreRefused) {
    const std::string damaged = "; the file is damaged or was made to mislead.";
    const auto with = [&](std::string Parts::*part, const std::string& bytes) {
        Parts parts;
        parts.*part = bytes;
        return sentence(parts);
    };
    EXPECT_EQ(with(&Parts::protocol, program(integer(1002))),
              "the version of the file format is unknown, expected 1001" + damaged);
    EXPECT_EQ(with(&Parts::protocol, program("]")),
              "the version of the file format is unknown, expected 1001" + damaged);
    EXPECT_EQ(with(&Parts::system, program("]")), "the file does not say its byte order" + damaged);
    EXPECT_EQ(with(&Parts::system, program("}")), "the file does not say its byte order" + damaged);
    EXPECT_EQ(with(&Parts::system, program(dict({{"little_endian", "\x89"}}))),
              "its byte order is \"big\", expected \"little\"; save it again on a machine of today.");
    EXPECT_EQ(with(&Parts::object, oneTensor(pair("b"))),
              "the storage \"a\" is listed but not described" + damaged);
    EXPECT_EQ(with(&Parts::object, program("cos\nsystem\n")),
              "the pickle refers to \"os.system\", expected plain tensors (at byte 55); nothing in the file "
              "was run; where "
              "you trust it, save its tensors alone: a model with save_pretrained, maps with torch.save as a "
              "list of tensors.");
    EXPECT_EQ(with(&Parts::keys, program("}")),
              "the list of storages is a dictionary, expected a list" + damaged);
    EXPECT_EQ(with(&Parts::keys, program("]Na")),
              "the key of a storage is None, expected a string" + damaged);
    EXPECT_EQ(with(&Parts::keys, program("]")), "the storage \"a\" is not in the file" + damaged);
    EXPECT_EQ(with(&Parts::storages, raw<std::int64_t>(3) + "12345678"),
              "the storage \"a\" has 3 elements, expected 2" + damaged);
}

TEST_F(LegacyPytorch, KeysListedTwiceAreRefused) {
    Parts parts;
    parts.keys = program("](" + text("a") + text("a") + "e");
    parts.storages += parts.storages;
    EXPECT_EQ(sentence(parts),
              "the storage \"a\" is listed twice; the file is damaged or was made to mislead.");
}

TEST_F(LegacyPytorch, FilesThatEndEarlyAreRefused) {
    Parts parts;
    parts.storages.pop_back();
    EXPECT_EQ(sentence(parts),
              "the file ends inside the storage \"a\", expected 8 bytes of it; the download is incomplete: "
              "get the file again.");
    parts.storages = "1234567";
    EXPECT_EQ(sentence(parts),
              "the file ends inside the storage \"a\", expected 8 bytes of it; the download is incomplete: "
              "get the file again.");
    const std::string whole = Parts().bytes();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto path = m_folder.write("x.bin", whole.substr(0, length));
        EXPECT_NE(sentenceOf([&] { openPytorch(path); }), "") << "cut to " << length << " bytes";
    }
}

} // namespace
} // namespace headscope::test
