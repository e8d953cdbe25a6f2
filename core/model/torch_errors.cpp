// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/torch_errors.h"

#include "core/base/error.h"

#include <c10/util/Exception.h>

#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>

namespace headscope {

namespace {

[[noreturn]] void failMemory() {
    fail("memory", "there is not enough of it for this step", {},
         "close other programs, use a shorter text or a smaller model");
}

[[noreturn]] void failDeviceMemory() {
    fail("cuda", "the device has not enough free memory for this step", {},
         "use a shorter text, a smaller model or --device cpu");
}

} // namespace

void translatingTorchErrors(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error&) {
        throw;
    } catch (const c10::OutOfMemoryError&) {
        failDeviceMemory();
    } catch (const c10::Error& error) {
        // The CPU allocator has no exception type of its own.
        const std::string_view text = error.what_without_backtrace();
        if (text.find("DefaultCPUAllocator") != std::string_view::npos) failMemory();
        if (text.find("CUDA") != std::string_view::npos)
            fail("cuda", "the device failed while computing", {}, "try again, or use --device cpu");
        fail("LibTorch", "it failed while computing", {}, "try again with --device cpu or another text");
    } catch (const std::bad_alloc&) {
        failMemory();
    } catch (const std::length_error&) {
        failMemory();
    } catch (const std::filesystem::filesystem_error& error) {
        fail(escapeForMessage(error.path1().string()), "the file system refused: " + error.code().message());
    } catch (const std::exception&) {
        fail("HeadScope", "something failed that should not have", {}, "please report what you were doing");
    }
}

} // namespace headscope
