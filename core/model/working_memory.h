// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope {

/// Gives LibTorch's large tensors on the CPU pages of their own, and keeps those that are freed for the next
/// ones of the same size. On the heap they do not fit again into the room they left (what is kept lies
/// between them, and aligned blocks ask for more than they leave), so that resident memory grew by twice what
/// an analysis keeps. May be called more than once.
void useWorkingMemory();

/// Returns to the system what is kept for later tensors: after a pass.
void releaseWorkingMemory();

} // namespace headscope
