// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/model/model.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace headscope {

bool hasCudaDevice() {
    return at::hasCUDA() && at::getNumGPUs() > 0;
}

DeviceChoice resolveDevice(DeviceChoice choice) {
    if (choice == DeviceChoice::Auto) return hasCudaDevice() ? DeviceChoice::Cuda : DeviceChoice::Cpu;
    if (choice == DeviceChoice::Cuda && !hasCudaDevice())
        fail("cuda", at::hasCUDA() ? "no CUDA device was found" : "this build of LibTorch has no CUDA", {},
             "use --device cpu");
    // Weights equal the reference in full float32 only.
    if (choice == DeviceChoice::Cuda) at::globalContext().setAllowTF32CuBLAS(false);
    return choice;
}

void setTorchThreads(int threads) {
    const int all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    at::set_num_threads(threads > 0 ? threads : all);
}

int torchThreads() {
    return at::get_num_threads();
}

std::string torchVersionText() {
    return fmt::format("{}.{}.{} ({}, {}, {})", TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR, TORCH_VERSION_PATCH,
                       at::hasMKL() ? "MKL" : "no MKL", at::get_cpu_capability(),
                       at::hasCUDA() ? "CUDA" : "no CUDA");
}

} // namespace headscope
