// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/model/model.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
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

double multiplyAddsPerSecond() {
    static const double rate = [] {
        const c10::InferenceMode inference;
        constexpr std::int64_t kSize = 384;
        constexpr int kRounds = 12; // the least of them, since other programs may run
        const at::Tensor left = at::ones({kSize, kSize}, at::kFloat);
        const at::Tensor right = at::ones({kSize, kSize}, at::kFloat);
        double least = std::numeric_limits<double>::infinity();
        for (int round = 0; round < kRounds; ++round) {
            const auto start = std::chrono::steady_clock::now();
            at::mm(left, right);
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            least = std::min(least, taken.count());
        }
        return static_cast<double>(kSize * kSize * kSize) / std::max(least, 1e-9);
    }();
    return rate;
}

std::string torchVersionText() {
    return fmt::format("{}.{}.{} ({}, {}, {})", TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR, TORCH_VERSION_PATCH,
                       at::hasMKL() ? "MKL" : "no MKL", at::get_cpu_capability(),
                       at::hasCUDA() ? "CUDA" : "no CUDA");
}

} // namespace headscope
