// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "tests/core/checkpoint/safetensors_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

namespace fs = std::filesystem;

const std::string kWhatIsRead = "expected a folder with config.json and weights (model.safetensors or "
                                "pytorch_model.bin), or a .gguf file";

class ModelFolderTest : public testing::Test {
  protected:
    /// What openCheckpoint says about the folder, without its path.
    std::string sentence() const { return sentenceFor(m_folder.path()); }
    static std::string sentenceFor(const fs::path& path) {
        std::string text = sentenceOf([&] { openCheckpoint(path); });
        const std::string prefix = path.string() + ": ";
        return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
    }
    void makeFolder(const std::string& name) const { fs::create_directories(m_folder / name); }
    /// config.json and model.safetensors in a folder of that name, "" for the outer one.
    void writeModel(const std::string& name = "") const {
        makeFolder(name);
        const std::string inside = name.empty() ? "" : name + "/";
        m_folder.write(inside + "config.json", R"({"model_type":"bert"})");
        m_folder.write(inside + "model.safetensors",
                       safetensorsBytes(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "abcd"));
    }
    /// A repository folder of the hub cache with the model in one snapshot, its files as links to blobs.
    fs::path writeRepository(const std::string& name, const std::string& commit) const {
        makeFolder(name + "/snapshots/" + commit);
        makeFolder(name + "/refs");
        writeModel(name + "/blobs");
        fs::rename(m_folder / (name + "/blobs/config.json"), m_folder / (name + "/blobs/0a"));
        fs::rename(m_folder / (name + "/blobs/model.safetensors"), m_folder / (name + "/blobs/0b"));
        const fs::path snapshot = m_folder / (name + "/snapshots/" + commit);
        fs::create_symlink("../../blobs/0a", snapshot / "config.json");
        fs::create_symlink("../../blobs/0b", snapshot / "model.safetensors");
        m_folder.write(name + "/refs/main", commit);
        return m_folder / name;
    }

    TemporaryFolder m_folder;
};

TEST_F(ModelFolderTest, PlainFoldersHaveTheirOwnName) {
    writeModel("plain");
    EXPECT_EQ(openCheckpoint(m_folder / "plain").name, "plain");
    EXPECT_EQ(openCheckpoint(m_folder / "plain/").name, "plain");
    EXPECT_EQ(openCheckpoint(m_folder / "plain/.").name, "plain");
    EXPECT_TRUE(openCheckpoint(m_folder / "plain").notes.empty());
}

TEST_F(ModelFolderTest, LinkedFilesAreFollowed) {
    writeModel();
    makeFolder("blobs");
    fs::rename(m_folder / "model.safetensors", m_folder / "blobs/0a");
    fs::create_symlink("blobs/0a", m_folder / "model.safetensors");
    EXPECT_EQ(sentence(), "");
    fs::remove(m_folder / "blobs/0a");
    EXPECT_EQ(sentence(), "model.safetensors is a link to a file that is not there; finish the download.");
    fs::rename(m_folder / "model.safetensors", m_folder / "config.json");
    EXPECT_EQ(sentence(), "config.json is a link to a file that is not there; finish the download.");
}

TEST_F(ModelFolderTest, MissingAndEmptyFoldersAreRefused) {
    EXPECT_EQ(sentenceFor(m_folder / "none"), "there is no such folder; check the path.");
    EXPECT_EQ(sentence(), "the folder is empty, " + kWhatIsRead + ".");
}

TEST_F(ModelFolderTest, FilesAreNoFolders) {
    for (const char* name : {"model.safetensors", "pytorch_model.bin", "model.pt", "weights.pth"})
        EXPECT_EQ(sentenceFor(m_folder.write(name, "")),
                  "this is a file of weights, expected the folder it stands in, with its config.json; give " +
                      m_folder.path().string() + ".");
    EXPECT_EQ(sentenceFor(m_folder.write("notes.txt", "")), "this is a file, " + kWhatIsRead + ".");
}

TEST_F(ModelFolderTest, FoldersWithoutConfigSayWhatTheyAre) {
    m_folder.write("README.md", "x");
    EXPECT_EQ(sentence(), "the folder has no config.json, " + kWhatIsRead + ".");
    m_folder.write("params.json", "{}");
    EXPECT_EQ(sentence(), "the folder has params.json but no config.json, " + kWhatIsRead +
                              "; convert the original weights to the Hugging Face layout first.");
    m_folder.write("model.gguf", "GGUF");
    EXPECT_EQ(sentence(), "the folder has model.gguf but no config.json, " + kWhatIsRead +
                              "; give the .gguf file itself.");
    m_folder.write("model_index.json", "{}");
    EXPECT_EQ(sentence(), "this is a diffusers pipeline of several models, " + kWhatIsRead +
                              "; give the folder of one of them, such as text_encoder.");
}

TEST_F(ModelFolderTest, AdaptersNameTheirBaseModel) {
    const std::string start = "this is an adapter only, without the model's own weights, " + kWhatIsRead;
    m_folder.write("adapter_model.safetensors", "");
    m_folder.write("adapter_config.json", R"({"base_model_name_or_path":"org/base"})");
    EXPECT_EQ(sentence(),
              start + "; open its base model \"org/base\" with --adapter " + m_folder.path().string() + ".");
    m_folder.write("adapter_config.json", "not JSON");
    EXPECT_EQ(sentence(), start + "; open its base model with --adapter " + m_folder.path().string() + ".");
    m_folder.write("config.json", "{}");
    EXPECT_EQ(sentence(),
              "adapter_model.safetensors is an adapter only, without the model's own weights, expected "
              "model.safetensors or pytorch_model.bin; open its base model and add it with --adapter.");
}

TEST_F(ModelFolderTest, HubRepositoryOpensTheSnapshotOfMain) {
    const std::string commit(40, 'a');
    const fs::path repository = writeRepository("models--org--tiny--x", commit);
    makeFolder("models--org--tiny--x/snapshots/" + std::string(40, 'b'));
    for (const fs::path& given : {repository, repository / "snapshots" / commit}) {
        const Checkpoint checkpoint = openCheckpoint(given);
        EXPECT_EQ(checkpoint.folder, repository / "snapshots" / commit);
        EXPECT_EQ(checkpoint.name, "org/tiny--x");
        EXPECT_TRUE(checkpoint.notes.empty());
        EXPECT_NE(checkpoint.weights->find("w"), nullptr);
    }
    m_folder.write("models--org--tiny--x/refs/main", commit + "\n");
    EXPECT_TRUE(openCheckpoint(repository).notes.empty());
}

TEST_F(ModelFolderTest, HubRepositoryWithoutMainOpensTheNewestSnapshot) {
    const std::string newest(40, 'a');
    const std::string older(40, 'b');
    const fs::path repository = writeRepository("models--tiny", newest);
    makeFolder("models--tiny/snapshots/" + older);
    fs::last_write_time(repository / "snapshots" / older,
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
    const std::vector<std::string> expected{"refs/main names no snapshot that is there: the newest, " +
                                            newest + ", is read"};
    m_folder.write("models--tiny/refs/main", "../../elsewhere");
    EXPECT_EQ(openCheckpoint(repository).notes, expected);
    fs::remove_all(repository / "refs");
    const Checkpoint checkpoint = openCheckpoint(repository);
    EXPECT_EQ(checkpoint.notes, expected);
    EXPECT_EQ(checkpoint.name, "tiny");
}

TEST_F(ModelFolderTest, PartialSnapshotsAskForTheRest) {
    const std::string commit(40, 'a');
    const fs::path repository = writeRepository("models--org--tiny", commit);
    const std::string snapshot = (repository / "snapshots" / commit).string();
    fs::remove(repository / "blobs/0b");
    EXPECT_EQ(sentenceFor(repository),
              snapshot + ": model.safetensors is a link to a file that is not there; finish the download.");
    fs::remove(repository / "snapshots" / commit / "model.safetensors");
    EXPECT_EQ(sentenceFor(repository), snapshot +
                                           ": the folder has no weights, expected model.safetensors or "
                                           "pytorch_model.bin; finish the download.");
    fs::remove(repository / "snapshots" / commit / "config.json");
    EXPECT_EQ(sentenceFor(repository),
              snapshot + ": the folder has no config.json, " + kWhatIsRead + "; finish the download.");
    fs::remove(repository / "snapshots" / commit);
    EXPECT_EQ(sentenceFor(repository),
              "this is a repository folder of the hub cache without a snapshot; finish the download.");
}

TEST_F(ModelFolderTest, TheHubCacheItselfNamesOneOfItsModels) {
    writeRepository("models--org--tiny", std::string(40, 'a'));
    EXPECT_EQ(sentence(), "this is the hub cache with all its models, expected one of them; give " +
                              (m_folder / "models--org--tiny").string() + ".");
}

TEST_F(ModelFolderTest, SentenceTransformersKeepTheModelInAFolderOfItsOwn) {
    const std::vector<std::string> expected{
        "the model of this sentence-transformers folder stands in 0_Transformer"};
    writeModel("0_Transformer");
    EXPECT_EQ(openCheckpoint(m_folder.path()).notes, expected);
    // Old ones have a config.json of another kind beside it.
    m_folder.write("config.json", R"({"__version__":"0.2.0"})");
    m_folder.write("modules.json", R"([{"idx":0,"path":"0_Transformer"},{"idx":1,"path":"1_Pooling"}])");
    const Checkpoint checkpoint = openCheckpoint(m_folder.path());
    EXPECT_EQ(checkpoint.notes, expected);
    EXPECT_EQ(checkpoint.folder, m_folder / "0_Transformer");
    EXPECT_EQ(checkpoint.name, m_folder.path().filename().string());
    EXPECT_EQ(checkpoint.config.find("model_type")->asString(), "bert");
}

TEST_F(ModelFolderTest, SentenceTransformersWithTheModelAtTheRootArePlain) {
    writeModel();
    makeFolder("0_Transformer");
    for (const char* modules : {"[]", "{}", R"([{"idx":0,"path":""},{"idx":1,"path":"1_Pooling"}])"}) {
        m_folder.write("modules.json", modules);
        EXPECT_EQ(openCheckpoint(m_folder.path()).folder, m_folder.path()) << modules;
    }
}

TEST_F(ModelFolderTest, ModulesOutsideTheFolderAreRefused) {
    writeModel();
    const auto withPath = [&](std::string_view path) {
        m_folder.write("modules.json", "[{\"path\":\"" + std::string(path) + "\"}]");
        return sentence();
    };
    for (const char* path : {"../x", "..", "/etc", "a/b"})
        EXPECT_EQ(withPath(path), "modules.json: its first module stands in \"" + std::string(path) +
                                      "\", expected the plain name of a folder beside it.");
    EXPECT_EQ(
        withPath("0_BERT"),
        "modules.json: its first module stands in \"0_BERT\", which is not there; finish the download.");
    m_folder.write("modules.json", "[");
    EXPECT_EQ(sentence(), "modules.json: the JSON is malformed (at byte 1).");
}

TEST_F(ModelFolderTest, NamesWithControlCharactersAreEscaped) {
    EXPECT_EQ(sentenceOf([&] { openCheckpoint(m_folder / "a\nb"); }),
              (m_folder / "a\\x0ab").string() + ": there is no such folder; check the path.");
}

} // namespace
} // namespace headscope::test
