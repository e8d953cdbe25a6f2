# SPDX-License-Identifier: GPL-3.0-or-later
# headscope_embed(TARGET FUNCTION FOLDER)
# Puts every file of FOLDER's folders into TARGET as it is, with FUNCTION() that lists them. The assembler does it, which
# copies megabytes in no time where a compiler would take minutes for an array of numbers. For ELF systems, any processor,
# gcc and clang.
function(headscope_embed target function folder)
    file(GLOB_RECURSE paths CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*/*")
    list(SORT paths)
    set(code "")
    set(declarations "")
    set(rows "")
    set(files "")
    set(number 0)
    foreach(path IN LISTS paths)
        set(symbol "headscope_${function}_${number}")
        string(APPEND code ".balign 16\\n.hidden ${symbol}\\n.global ${symbol}\\n${symbol}:\\n.incbin \\\"${folder}/${path}\\\"\\n"
               ".hidden ${symbol}_end\\n.global ${symbol}_end\\n${symbol}_end:\\n")
        string(APPEND declarations "extern const std::byte ${symbol}[];\nextern const std::byte ${symbol}_end[];\n")
        string(APPEND rows "    EmbeddedFile{\"${path}\", {${symbol}, ${symbol}_end}},\n")
        list(APPEND files "${folder}/${path}")
        math(EXPR number "${number} + 1")
    endforeach()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
// Written by cmake/EmbeddedFiles.cmake.
#include "core/checkpoint/embedded_file.h"

#include <array>

__asm__(".section .rodata.@function@,\"a\",%progbits\n@code@.previous\n");

#pragma GCC visibility push(hidden)
extern "C" {
@declarations@}
#pragma GCC visibility pop

namespace headscope {

std::span<const EmbeddedFile> @function@() {
    static const std::array files{
@rows@    };
    return files;
}

} // namespace headscope
]])
    set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${files}")
    target_sources(${target} PRIVATE "${source}")
endfunction()
