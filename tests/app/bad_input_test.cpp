// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/refused.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headscope::test {
namespace {

namespace fs = std::filesystem;

class BadInput : public testing::Test {
  protected:
    /// `run` with a short text; --quiet, so that the sentence stands alone.
    ProcessResult runModel(const fs::path& model,
                           std::vector<std::string> more = {"--text", "the cat"}) const {
        more.insert(more.begin(), {"run", model.string(), "--quiet", "--out", out()});
        return headscope(more);
    }
    std::string out() const { return (m_outputs / "maps.npz").string(); }
    void TearDown() override { EXPECT_EQ(namesIn(m_outputs.path()), std::vector<std::string>()); }

    TemporaryFolder m_place;
    TemporaryFolder m_outputs;
};

TEST_F(BadInput, MissingFolder) {
    expectRefused(runModel(m_place / "nowhere"), {"nowhere", "there is no such folder"});
    expectRefused(headscope({"inspect", (m_place / "nowhere").string()}),
                  {"nowhere", "there is no such folder"});
}

TEST_F(BadInput, FileInsteadOfAFolder) {
    expectRefused(runModel(m_place.write("file", "x")), {"file"});
}

TEST_F(BadInput, EmptyFolder) {
    fs::create_directory(m_place / "empty");
    expectRefused(runModel(m_place / "empty"), {"empty"});
}

TEST_F(BadInput, FolderWithoutWeights) {
    const fs::path model = copyOf(tinyBert(), m_place);
    fs::remove(model / "model.safetensors");
    expectRefused(runModel(model), {"model.safetensors"});
}

TEST_F(BadInput, FolderWithoutConfig) {
    const fs::path model = copyOf(tinyBert(), m_place);
    fs::remove(model / "config.json");
    expectRefused(runModel(model), {"config.json"});
}

TEST_F(BadInput, UnsupportedFamilyIsNamedWithTheSupportedOnes) {
    const fs::path model = copyOf(tinyBert(), m_place);
    std::string config = readBytes(model / "config.json");
    config.replace(config.find("\"bert\""), 6, "\"mamba\"");
    m_place.write("model/config.json", config);
    expectRefused(runModel(model), {"mamba", "bert"});
    expectRefused(headscope({"inspect", model.string()}), {"mamba", "bert"});
}

TEST_F(BadInput, MissingTensorIsNamed) {
    const fs::path model = copyOf(tinyBert(), m_place);
    std::string bytes = readBytes(model / "model.safetensors");
    const std::string name = "encoder.layer.1.attention.self.key.weight";
    const std::size_t at = bytes.find(name);
    ASSERT_NE(at, std::string::npos);
    bytes[at + name.size() - 1] = 'X';
    m_place.write("model/model.safetensors", bytes);
    expectRefused(runModel(model), {name});
}

TEST_F(BadInput, MisshapenTensorIsNamedWithBothShapes) {
    const fs::path model = copyOf(tinyBert(), m_place);
    std::string bytes = readBytes(model / "model.safetensors");
    const std::size_t at = bytes.find("encoder.layer.1.attention.self.key.weight");
    const std::size_t shape = bytes.find("[32,32]", at);
    ASSERT_NE(shape, std::string::npos);
    bytes.replace(shape, 7, "[16,64]"); // as many elements
    m_place.write("model/model.safetensors", bytes);
    expectRefused(runModel(model), {"encoder.layer.1.attention.self.key.weight", "[16, 64]", "[32, 32]"});
}

TEST_F(BadInput, TruncatedWeights) {
    const fs::path model = copyOf(tinyBert(), m_place);
    fs::resize_file(model / "model.safetensors", 100'000);
    expectRefused(runModel(model), {"model.safetensors"});
}

TEST_F(BadInput, TextLongerThanTheModelReads) {
    std::string words;
    for (int i = 0; i < 200; ++i) words += "the ";
    expectRefused(runModel(tinyBert(), {"--text", words}), {"202", "128", "--truncate", "--piece"});
}

TEST_F(BadInput, PieceBeyondTheLast) {
    expectRefused(runModel(tinyBert(), {"--text", "the", "--piece", "7"}), {"7"});
}

TEST_F(BadInput, IdOutsideTheVocabulary) {
    expectRefused(runModel(tinyBert(), {"--ids", "203"}), {"203", "202"});
}

TEST_F(BadInput, HeadOutOfRangeIsSaidWithTheCounts) {
    const auto exported = [&](const std::string& option, const std::string& value) {
        return headscope({"export", tinyBert(), "--quiet", "--text", "a", option, value, "--out",
                          (m_outputs / "a.csv").string()});
    };
    expectRefused(exported("--head", "0.4"), {"head 0.4", "layers 0 to 2", "heads 0 to 3"});
    expectRefused(exported("--head", "0.0,3.0"), {"head 3.0", "layers 0 to 2", "heads 0 to 3"});
    expectRefused(exported("--layer", "3"), {"layer 3", "layers 0 to 2"});
}

TEST_F(BadInput, RangeBeyondTheTextIsSaidWithItsLength) {
    const ProcessResult result = headscope({"export", tinyBert(), "--quiet", "--text", "a", "--head", "0.0",
                                            "--rows", "0:9", "--out", (m_outputs / "a.csv").string()});
    expectRefused(result, {"rows", "0:9", "3 tokens"});
}

TEST_F(BadInput, InvalidUtf8InATextFileIsSaidWithItsByte) {
    const fs::path file = m_place.write("text.txt", "good \xff bad");
    expectRefused(runModel(tinyBert(), {"--text-file", file.string()}), {"text.txt", "byte 5"});
    expectRefused(headscope({"tokens", tinyBert(), "--text-file", file.string()}), {"text.txt", "byte 5"});
    expectRefused(runModel(tinyBert(), {"--text", "\xc3("}), {"byte 0"});
}

TEST_F(BadInput, TextFileThatCannotBeRead) {
    expectRefused(runModel(tinyBert(), {"--text-file", (m_place / "none.txt").string()}), {"none.txt"});
    expectRefused(runModel(tinyBert(), {"--text-file", m_place.path().string()}), {"regular file"});
    const fs::path huge = m_place.write("huge.txt", "");
    fs::resize_file(huge, 64'000'001);
    expectRefused(runModel(tinyBert(), {"--text-file", huge.string()}), {"64000001", "64000000"});
}

TEST_F(BadInput, NoCudaDevice) {
    if (headscope({"--version"}).out.find("device present") != std::string::npos)
        GTEST_SKIP() << "skipped: there is a CUDA device";
    expectRefused(runModel(tinyBert(), {"--text", "a", "--device", "cuda"}), {"cuda: "});
}

TEST_F(BadInput, OutputThatMayNotBeWritten) {
    const auto runTo = [&](const fs::path& target, const fs::path& text) {
        return headscope({"run", (m_place / "model").string(), "--quiet", "--text-file", text.string(),
                          "--out", target.string()});
    };
    const fs::path model = copyOf(tinyBert(), m_place);
    const fs::path text = m_place.write("text.npz", "the cat");
    const fs::path inside = m_place.write("model/text.npz", "the cat");
    fs::create_directory(m_place / "folder.npz");
    expectRefused(runTo(m_place / "no" / "a.npz", text), {"does not exist"});
    expectRefused(runTo(m_place / "folder.npz", text), {"folder"});
    expectRefused(runTo(text, text), {"input"});
    fs::create_symlink(text, m_place / "link.npz");
    expectRefused(runTo(m_place / "link.npz", text), {"input"});
    expectRefused(runTo(model / "a.npz", text), {"model folder"});
    expectRefused(runTo(m_place / "model" / ".." / "model" / "a.npz", text), {"model folder"});
    EXPECT_EQ(readBytes(text), "the cat");
    fs::remove(inside);
    EXPECT_EQ(namesIn(model), namesIn(tinyBert()));
}

TEST_F(BadInput, FolderWithoutPermission) {
    if (::geteuid() == 0) GTEST_SKIP() << "skipped: root may write everywhere";
    fs::create_directory(m_place / "closed");
    fs::permissions(m_place / "closed", fs::perms::owner_read | fs::perms::owner_exec);
    expectRefused(headscope({"run", tinyBert(), "--quiet", "--text", "a", "--out",
                             (m_place / "closed" / "a.npz").string()}),
                  {"permission"});
}

/// A file system of 64 kB of its own.
class SmallDisk {
  public:
    explicit SmallDisk(const fs::path& folder) : m_folder(folder) {
        fs::create_directory(folder);
        m_mounted = ::mount("none", folder.c_str(), "tmpfs", 0, "size=64k") == 0;
    }
    ~SmallDisk() {
        if (m_mounted) ::umount(m_folder.c_str());
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    bool mounted() const { return m_mounted; }

  private:
    fs::path m_folder;
    bool m_mounted = false;
};

TEST_F(BadInput, FullDiskLeavesNothing) {
    const SmallDisk disk(m_place / "disk");
    if (!disk.mounted()) GTEST_SKIP() << "skipped: a small file system cannot be mounted here";
    std::string words;
    for (int i = 0; i < 100; ++i) words += "the ";
    const auto on = [&](const std::string& name) { return (m_place / "disk" / name).string(); };
    // The tensors' size is known beforehand: refused with both numbers, before the pass.
    expectRefused(headscope({"run", tinyBert(), "--quiet", "--text", words, "--out", on("maps.npz")}),
                  {"499 kB", "65.5 kB free"});
    // That of text is not: it is written until the disk is full.
    expectRefused(
        headscope({"export", tinyBert(), "--quiet", "--text", words, "--head", "1.0", "--out", on("a.csv")}),
        {"the disk is full"});
    EXPECT_EQ(namesIn(m_place / "disk"), std::vector<std::string>());
}

} // namespace
} // namespace headscope::test
