# SPDX-License-Identifier: GPL-3.0-or-later
# Settings shared by all targets, and the functions that make them.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

add_library(headscope_options INTERFACE)
target_include_directories(headscope_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(headscope_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wimplicit-fallthrough
    # A fused multiply-add where the source has none would give other bits on other instruction sets.
    -ffp-contract=off)
if(HEADSCOPE_WERROR)
    target_compile_options(headscope_options INTERFACE -Werror)
endif()
if(HEADSCOPE_SANITIZE)
    string(REPLACE "," ";" _list "${HEADSCOPE_SANITIZE}")
    foreach(_one IN LISTS _list)
        target_compile_options(headscope_options INTERFACE -fsanitize=${_one} -fno-omit-frame-pointer)
        target_link_options(headscope_options INTERFACE -fsanitize=${_one})
        if(_one STREQUAL "undefined")
            target_compile_options(headscope_options INTERFACE -fno-sanitize-recover=undefined)
        endif()
    endforeach()
endif()

# headscope_room(NAME [TORCH] [LINK targets...])
# A room of the core: every .cpp of core/NAME becomes the static library headscope_NAME. TORCH rooms share the
# precompiled header of ATen, which alone takes longer to parse than any of our files.
function(headscope_room name)
    cmake_parse_arguments(ROOM "TORCH" "" "LINK" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/core/${name}/*.cpp" "${CMAKE_SOURCE_DIR}/core/${name}/*.h"
         "${CMAKE_SOURCE_DIR}/core/${name}/*/*.cpp" "${CMAKE_SOURCE_DIR}/core/${name}/*/*.h")
    add_library(headscope_${name} STATIC ${sources})
    set_target_properties(headscope_${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(headscope_${name} PUBLIC headscope_options ${ROOM_LINK})
    if(ROOM_TORCH)
        target_link_libraries(headscope_${name} PRIVATE headscope_torch)
        if(TARGET headscope_aten_pch)
            target_precompile_headers(headscope_${name} REUSE_FROM headscope_aten_pch)
        endif()
    endif()
endfunction()

# headscope_test(NAME SOURCES... [LINK targets...] [TORCH])
# A GoogleTest executable; every TEST becomes a ctest case.
function(headscope_test name)
    cmake_parse_arguments(T "TORCH" "" "SOURCES;LINK" ${ARGN})
    if(NOT T_SOURCES)
        return()
    endif()
    add_executable(${name} ${T_SOURCES})
    target_link_libraries(${name} PRIVATE headscope_test_support ${T_LINK})
    if(T_TORCH)
        target_link_libraries(${name} PRIVATE headscope_torch)
        target_precompile_headers(${name} REUSE_FROM headscope_aten_pch)
    endif()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 120 DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600
                         ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
