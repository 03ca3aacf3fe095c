# The host executor as CMake targets, for the product and for the tests' own kernels.
#
#   simt_add_executor(<target> [DEFINITIONS ...])
#       object library with the executor's core
#   simt_add_kernels(<target> SOURCES <a.cu> ... [LEVELS 0 1 2] [OPTIONS ...])
#       object library with the kernels, one translation unit for every source and record level

set(SIMT_DIR "${CMAKE_CURRENT_LIST_DIR}")

set(SIMT_CORE_SOURCES
    api.cpp atomics.cpp barrier.cpp block.cpp launch.cpp output.cpp report.cpp schedule.cpp warp.cpp
    worker.cpp)
list(TRANSFORM SIMT_CORE_SOURCES PREPEND "${SIMT_DIR}/core/")
# What the machine decides: WebAssembly has neither threads nor signals nor protected pages.
set(SIMT_MACHINE_SOURCES context.cpp crash.cpp stacks.cpp team.cpp)
if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
    add_library(Threads::Threads INTERFACE IMPORTED)
    list(APPEND SIMT_MACHINE_SOURCES memory.cpp)
    list(TRANSFORM SIMT_MACHINE_SOURCES PREPEND "${SIMT_DIR}/wasm/")
else()
    find_package(Threads REQUIRED)
    list(TRANSFORM SIMT_MACHINE_SOURCES PREPEND "${SIMT_DIR}/core/")
endif()

# Hidden symbols: two builds of the same kernels can be loaded into one process.
# Lanes change stacks, which a processor's shadow stack would take for an attack.
function(simt_common_options target)
    set_target_properties(${target} PROPERTIES
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS ON
        POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    target_link_libraries(${target} PUBLIC Threads::Threads)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        target_compile_options(${target} PRIVATE -fcf-protection=none)
    endif()
endfunction()

function(simt_add_executor target)
    cmake_parse_arguments(ARG "" "" "DEFINITIONS" ${ARGN})
    add_library(${target} OBJECT ${SIMT_CORE_SOURCES} ${SIMT_MACHINE_SOURCES})
    simt_common_options(${target})
    target_compile_options(${target} PRIVATE -O2 -Wall -Wextra)
    target_compile_definitions(${target} PRIVATE ${ARG_DEFINITIONS})
endfunction()

# -ffp-contract=off and -fno-math-errno: the same bits as on a GPU, where fused multiply-adds are
# switched off as well.  -fno-strict-aliasing: kernels look at one shared buffer as several types.
function(simt_add_kernels target)
    cmake_parse_arguments(ARG "" "" "SOURCES;LEVELS;OPTIONS" ${ARGN})
    set(units "")
    foreach(SIMT_SOURCE IN LISTS ARG_SOURCES)
        get_filename_component(SIMT_STEM "${SIMT_SOURCE}" NAME_WE)
        get_filename_component(SIMT_SOURCE "${SIMT_SOURCE}" ABSOLUTE)
        foreach(SIMT_RECORD IN LISTS ARG_LEVELS)
            set(unit "${CMAKE_CURRENT_BINARY_DIR}/${target}/${SIMT_STEM}_${SIMT_RECORD}.cpp")
            configure_file("${SIMT_DIR}/kernel_unit.cpp.in" "${unit}" @ONLY)
            list(APPEND units "${unit}")
        endforeach()
    endforeach()
    add_library(${target} OBJECT ${units})
    simt_common_options(${target})
    target_include_directories(${target} PRIVATE "${SIMT_DIR}" "${SIMT_DIR}/../kernels")
    # The standard headers of simt.h take a third of a unit's time. Compiler caches keep no unit with
    # a precompiled header.
    if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
        target_precompile_headers(${target} PRIVATE <cmath> <cstdint> <cstring> <type_traits> <utility>)
    endif()
    target_compile_options(${target} PRIVATE
        -O2 -ffp-contract=off -fno-math-errno -fno-strict-aliasing -Wall -Wno-unused-function -Wno-unknown-pragmas
        ${ARG_OPTIONS})
endfunction()
