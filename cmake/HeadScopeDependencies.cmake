# SPDX-License-Identifier: GPL-3.0-or-later
# Others' libraries, each as an imported target: their headers are system headers to us.
include(FeatureSummary)

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ICU 72 REQUIRED COMPONENTS uc i18n data)
pkg_check_modules(ONIGURUMA REQUIRED IMPORTED_TARGET oniguruma)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
set_package_properties(fmt PROPERTIES PURPOSE "text formatting")
set_package_properties(nlohmann_json PROPERTIES PURPOSE "JSON parsing")
set_package_properties(ICU PROPERTIES PURPOSE "Unicode normalisation and properties")

if(HEADSCOPE_WITH_TORCH)
    find_package(CLI11 REQUIRED)
    find_package(Torch 2.4 REQUIRED)
    # The threads that LibTorch works with; see core/attention/thread_team.cpp.
    find_package(OpenMP REQUIRED COMPONENTS CXX)
    # LibTorch's config sets a C++11 ABI flag on its own target; everything that meets its types goes through this one.
    add_library(headscope_torch INTERFACE)
    target_link_libraries(headscope_torch INTERFACE ${TORCH_LIBRARIES})
    target_include_directories(headscope_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
    separate_arguments(_torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
    target_compile_options(headscope_torch INTERFACE ${_torch_flags})
    # LibTorch from pip carries headers of another fmt than the system's library: whoever sees them must not link to it.
    target_compile_definitions(headscope_torch INTERFACE FMT_HEADER_ONLY=1)
endif()

if(HEADSCOPE_WITH_QT)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg PrintSupport Concurrent Charts)
    if(HEADSCOPE_BUILD_TESTS)
        find_package(Qt6 6.4 REQUIRED COMPONENTS Test)
    endif()
endif()
add_feature_info(window HEADSCOPE_WITH_QT "the Qt 6 window and picture exports")
add_feature_info(computation HEADSCOPE_WITH_TORCH "LibTorch: models, forward pass, commands")
