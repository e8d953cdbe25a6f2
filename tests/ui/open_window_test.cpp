// SPDX-License-Identifier: GPL-3.0-or-later
// What is opened in the window, and how: files whose axes somebody has to say, adapters, GGUF files.
#include "core/imported/attention_reader.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/encoder_decoder.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/main_window.h"
#include "ui/panels/axes_form.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/map_card.h"
#include "ui/panels/model_panel.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

using headscope::test::dataPath;
using testing::EndsWith;
using testing::HasSubstr;

class OpenWindow : public testing::Test {
  protected:
    headscope::test::TemporaryFolder folder;
    std::unique_ptr<MainWindow> window;

    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{Engine::real(), false, {}});
        window->resize(1440, 900);
        window->show();
        window->start(ViewState());
        settle();
    }
    /// A copy, since what was said of a file is kept by its name.
    QString mapsFile(const char* form) const {
        const auto copy = folder / form;
        std::filesystem::copy_file(dataPath(std::string("attention/forms/") + form), copy,
                                   std::filesystem::copy_options::overwrite_existing);
        return QString::fromStdString(copy.string());
    }
    QString wordModel() const {
        std::filesystem::create_directory(folder / "base");
        return modelOfWords(folder / "base", "gpt2/plain", 40);
    }
    static QString adapter() { return QString::fromStdString(dataPath("adapters/gpt2").string()); }
    void settle() const {
        ASSERT_TRUE(waitFor([this] { return window->controller().isSettled(); }, 60000));
    }
    void open(const QString& path) const {
        window->openPath(path);
        settle();
    }
    void choose(std::size_t dimension, ArrayAxis axis) const {
        QComboBox* choice = window->axesForm().choices()[dimension];
        choice->setCurrentIndex(choice->findData(static_cast<int>(axis)));
    }
    void answer() const {
        window->axesForm().openButton()->click();
        settle();
    }
    void trigger(const char* id) const {
        window->actions().action(QString::fromLatin1(id))->trigger();
        settle();
    }
    std::string sentence() const { return window->banner().sentence().toStdString(); }
    const ViewState& state() const { return window->store().state(); }
    bool isShown() const { return window->controller().shown().analysis != nullptr; }
    std::string modelName() const { return window->controller().model()->name; }
    float cell() const { return window->controller().shown().analysis->layers[0]->heads[1].map->cell(4, 2); }
};

TEST_F(OpenWindow, AxesAreAskedForOnce) {
    const QString file = mapsFile("fortran.npy");
    open(file);
    EXPECT_FALSE(isShown());
    EXPECT_TRUE(sentence().empty()) << "a question, and no error";
    ASSERT_FALSE(window->axesForm().isHidden());
    choose(0, ArrayAxis::Layers);
    choose(1, ArrayAxis::Heads);
    answer();
    EXPECT_TRUE(window->axesForm().isHidden());
    ASSERT_TRUE(isShown());
    EXPECT_EQ(window->controller().model()->spec().stacks[0].layers, 2);
    EXPECT_EQ(state().model.reading.axes, parseArrayAxes("layers,heads,q,k", ""));

    open(QString::fromStdString(dataPath("models/tiny-bert").string()));
    EXPECT_FALSE(state().model.reading.axes) << "they are that file's alone";
    open(file);
    EXPECT_TRUE(window->axesForm().isHidden());
    EXPECT_TRUE(window->controller().hasMaps());
    trigger("edit.undo");
    EXPECT_FALSE(window->controller().hasMaps());
    trigger("edit.redo");
    EXPECT_TRUE(window->controller().hasMaps()) << "a step says how the file is read";
}

TEST_F(OpenWindow, ASampleOfABatchIsAskedForToo) {
    open(mapsFile("layers_batch_heads.npy"));
    ASSERT_FALSE(window->axesForm().isHidden());
    choose(0, ArrayAxis::Layers);
    choose(1, ArrayAxis::Batch);
    choose(2, ArrayAxis::Heads);
    window->axesForm().sample()->setValue(1);
    answer();
    ASSERT_TRUE(isShown()) << sentence();
    const ImportedAttention expected =
        readAttentionFile(dataPath("attention/forms/expected.safetensors"), {}, {});
    EXPECT_EQ(cell(), expected.layers[0].heads[1]->cell(4, 2));
}

TEST_F(OpenWindow, AnAnswerThatDoesNotFitCanBeGivenAnew) {
    const QString file = mapsFile("fortran.npy");
    open(file);
    choose(0, ArrayAxis::Queries);
    choose(1, ArrayAxis::Keys);
    choose(2, ArrayAxis::Layers);
    choose(3, ArrayAxis::Heads);
    answer();
    EXPECT_FALSE(isShown());
    EXPECT_THAT(sentence(), HasSubstr("2 queries and 3 keys"));
    window->banner().button()->click();
    settle();
    ASSERT_FALSE(window->axesForm().isHidden());
    EXPECT_TRUE(sentence().empty());
    choose(0, ArrayAxis::Layers);
    choose(1, ArrayAxis::Heads);
    answer();
    EXPECT_TRUE(isShown());
}

TEST_F(OpenWindow, SwappedMapsAreOfferedTheOtherWayRound) {
    open(mapsFile("keys_first.npy"));
    choose(0, ArrayAxis::Layers);
    choose(1, ArrayAxis::Heads);
    answer();
    EXPECT_FALSE(isShown());
    ASSERT_FALSE(window->axesForm().isHidden()) << sentence();
    EXPECT_EQ(window->axesForm().explanation(), "2 layers · 3 heads · 5 queries, each reading 5 keys");
    answer();
    ASSERT_TRUE(isShown()) << sentence();
    EXPECT_EQ(state().model.reading.axes, parseArrayAxes("layers,heads,k,q", ""));
}

TEST_F(OpenWindow, WhatWasOpenStaysWhileAFileIsAskedAbout) {
    open(QString::fromStdString(dataPath("models/tiny-bert").string()));
    const auto former = window->controller().model();
    open(mapsFile("fortran.npy"));
    EXPECT_EQ(window->controller().model(), former);
    EXPECT_TRUE(window->actions().action(QStringLiteral("text.dismiss_error"))->isEnabled());
    trigger("text.dismiss_error");
    EXPECT_TRUE(window->axesForm().isHidden());
    EXPECT_EQ(window->controller().model(), former);
}

TEST_F(OpenWindow, AnAdapterIsAddedToTheOpenModel) {
    EXPECT_FALSE(window->actions().action(QStringLiteral("file.add_adapter"))->isEnabled());
    const QString base = wordModel();
    window->store().change(QString(), MergeGroup::None,
                           [](ViewState& s) { s.text = QStringLiteral("w1 w5 w9 w13 w2 w30"); });
    open(base);
    ASSERT_TRUE(isShown()) << sentence();
    const float plain = cell();
    EXPECT_TRUE(window->actions().action(QStringLiteral("file.add_adapter"))->isEnabled());
    EXPECT_FALSE(window->actions().action(QStringLiteral("file.remove_adapter"))->isEnabled());

    open(adapter()); // as if it were dropped
    ASSERT_TRUE(isShown()) << sentence();
    EXPECT_EQ(modelName(), "base + gpt2");
    EXPECT_EQ(state().model.path, base);
    const float adapted = cell();
    EXPECT_NE(adapted, plain);

    trigger("file.remove_adapter");
    EXPECT_EQ(modelName(), "base");
    EXPECT_EQ(cell(), plain);
    trigger("edit.undo");
    EXPECT_EQ(modelName(), "base + gpt2");
    EXPECT_EQ(cell(), adapted);
    EXPECT_EQ(viewStateFromJson(toJson(state()), QStringLiteral("view")), state()) << "sessions have it";

    open(base);
    EXPECT_EQ(modelName(), "base") << "an adapter is not kept for what is opened next";
}

TEST_F(OpenWindow, AnAdapterThatDoesNotFitLeavesTheModel) {
    const QString base = wordModel();
    open(base);
    window->openPath(QString::fromStdString(dataPath("adapters/llama-root").string()));
    settle();
    EXPECT_THAT(sentence(), HasSubstr("adapter"));
    EXPECT_EQ(modelName(), "base");
    EXPECT_TRUE(state().model.adapter.isEmpty());
}

TEST_F(OpenWindow, AnAdapterAloneNamesItsBaseModel) {
    open(adapter());
    EXPECT_THAT(sentence(), HasSubstr("this is an adapter only"));
    EXPECT_EQ(window->controller().model(), nullptr);
}

TEST_F(OpenWindow, AGgufFileOpensAsAModel) {
    open(QString::fromStdString(dataPath("gguf/llama-plain.gguf").string()));
    ASSERT_NE(window->controller().model(), nullptr) << sentence();
    EXPECT_EQ(modelName(), "llama-plain");
    EXPECT_EQ(window->controller().model()->spec().family, "llama");
}

} // namespace
} // namespace headscope::ui::test
