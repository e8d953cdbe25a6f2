// SPDX-License-Identifier: GPL-3.0-or-later
// What is pinned is undone and redone like every other change of the view.
#include "tests/ui/compare_support.h"
#include "tests/ui/print_qt.h"
#include "ui/panels/status_strip.h"
#include "ui/session_keeper.h"

#include <QAction>

namespace headscope::ui::test {
namespace {

class PinUndo : public CompareWindow {
  protected:
    std::vector<HeadRef> pinned() {
        std::vector<HeadRef> heads;
        for (const PinnedHead& pin : now().pins) heads.push_back(pin.side.head);
        return heads;
    }
    std::string undoWords() { return window->store().undoStack().undoText().toStdString(); }
    /// 0.0 and 0.1 pinned, 0.2 shown.
    void pinTwo() {
        pinAndMove();
        trigger("head.pin");
        trigger("head.next");
        ASSERT_TRUE(settled());
    }
};

TEST_F(PinUndo, PinningIsAStep) {
    start();
    trigger("head.pin");
    EXPECT_EQ(undoWords(), "Pin head 0.0");
    trigger("edit.undo");
    EXPECT_TRUE(pinned().empty());
    trigger("edit.redo");
    EXPECT_EQ(pinned(), std::vector<HeadRef>{head(0, 0)});
    EXPECT_EQ(now().stage, ComparingStage::Same) << "with its run";
    // What pins nothing is no step.
    trigger("head.pin");
    EXPECT_EQ(undoWords(), "Pin head 0.0");
    trigger("edit.undo");
    EXPECT_TRUE(pinned().empty());
}

TEST_F(PinUndo, UnpinnedHeadsComeBackWhereTheyWere) {
    pinTwo();
    press(1, "choose");
    EXPECT_EQ(now().chosen, 1U);
    window->keeper().setNote(head(0, 0), QStringLiteral("reads the first"));
    press(0, "remove");
    EXPECT_EQ(window->status().currentMessage(),
              QStringLiteral("Unpinned head 0.0: Undo (Ctrl+Z) brings it back"));
    EXPECT_EQ(window->keeper().notes().of(state().model.path, head(0, 0)), QStringLiteral("reads the first"));
    EXPECT_EQ(pinned(), std::vector<HeadRef>{head(0, 1)});
    trigger("edit.undo");
    EXPECT_EQ(pinned(), (std::vector<HeadRef>{head(0, 0), head(0, 1)}));
    EXPECT_EQ(now().chosen, 1U);
    trigger("edit.undo"); // the note
    trigger("edit.undo");
    EXPECT_EQ(now().chosen, 0U) << "which one is compared is a step too";
    trigger("head.unpin_all");
    EXPECT_TRUE(pinned().empty());
    trigger("edit.undo");
    EXPECT_EQ(pinned(), (std::vector<HeadRef>{head(0, 0), head(0, 1)}));
    ASSERT_TRUE(settled());
    EXPECT_EQ(now().stage, ComparingStage::Compared);
}

TEST_F(PinUndo, ASwapIsOneStep) {
    pinAndMove();
    press(0, "swap");
    ASSERT_TRUE(settled());
    EXPECT_EQ(pinned(), std::vector<HeadRef>{head(0, 1)});
    EXPECT_EQ(state().headRef(), head(0, 0));
    trigger("edit.undo");
    EXPECT_EQ(pinned(), std::vector<HeadRef>{head(0, 0)});
    EXPECT_EQ(state().headRef(), head(0, 1));
    trigger("edit.redo");
    EXPECT_EQ(pinned(), std::vector<HeadRef>{head(0, 1)});
    EXPECT_EQ(state().headRef(), head(0, 0));
}

TEST_F(PinUndo, APinOfAnotherTextComesBackWithItsRun) {
    pinAndMove();
    setText(words(19));
    ASSERT_TRUE(settled());
    press(0, "remove");
    ASSERT_TRUE(settled());
    trigger("edit.undo");
    ASSERT_TRUE(waitFor([this] { return now().pins.size() == 1 && now().pins[0].side.analysis; }));
    EXPECT_EQ(now().pins[0].side.analysis->input.text, words(20).toStdString());
    EXPECT_EQ(now().pins[0].run, PinRun::Done);
}

} // namespace
} // namespace headscope::ui::test
