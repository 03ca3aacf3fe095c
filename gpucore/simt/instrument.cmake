# The instrumented build of the host executor; see instrument/ and README.md.
#
#   simt_can_instrument(<variable>)
#       whether this compiler can build it
#   simt_add_instrumented_executor(<target>)
#   simt_add_instrumented_kernels(<target> SOURCES <a.cu> ... [LEVELS 0 1 2])
#       as in executor.cmake, observed at every access
#   simt_add_watched_executor(<target> <variable>)
#       the executor as one object file for kernels that are compiled later (gpucore/watching); the
#       variable becomes its path, with a digest of the sources

file(GLOB SIMT_INSTRUMENT_SOURCES CONFIGURE_DEPENDS "${SIMT_DIR}/instrument/*.cpp")

# Volatile accesses are not races; GCC distinguishes them from plain ones since version 11.
function(simt_can_instrument variable)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 11
       AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
        set(${variable} TRUE PARENT_SCOPE)
    else()
        set(${variable} FALSE PARENT_SCOPE)
        message(STATUS "No instrumented library (profile, race detector): it needs GCC 11 on Linux")
    endif()
endfunction()

function(simt_add_instrumented_executor target)
    simt_add_executor(${target} DEFINITIONS SIMT_INSTRUMENT)
    target_sources(${target} PRIVATE ${SIMT_INSTRUMENT_SOURCES})
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()

# -O1 and -fno-reorder-blocks keep the code in the order of the source, which lockstep.h relies on.
# -g1 is the line table alone.  The sanitizer is only compiled in, its run time is not linked.
set(SIMT_INSTRUMENT_OPTIONS
    -O1 -fno-reorder-blocks -g1 "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/="
    -fsanitize=thread "SHELL:--param tsan-distinguish-volatile=1"
    "SHELL:--param tsan-instrument-func-entry-exit=0" -fsanitize-coverage=trace-pc)

function(simt_add_instrumented_kernels target)
    simt_add_kernels(${target} ${ARGN} OPTIONS ${SIMT_INSTRUMENT_OPTIONS})
    target_compile_definitions(${target} PRIVATE SIMT_INSTRUMENT)
endfunction()

# __thread: the room for "initial-exec" is small, and many such libraries may be loaded; as in
# gpucore/watching/toolchain.py, which also computes the digest.
function(simt_add_watched_executor target variable)
    simt_add_executor(${target}_parts DEFINITIONS SIMT_INSTRUMENT SIMT_TLS=__thread)
    target_sources(${target}_parts PRIVATE ${SIMT_INSTRUMENT_SOURCES})
    file(GLOB files RELATIVE "${SIMT_DIR}" CONFIGURE_DEPENDS
        "${SIMT_DIR}/core/*.cpp" "${SIMT_DIR}/core/*.h" "${SIMT_DIR}/host/*.h"
        "${SIMT_DIR}/instrument/*.cpp" "${SIMT_DIR}/instrument/*.h")
    set(digests "")
    foreach(name IN LISTS files)
        file(SHA256 "${SIMT_DIR}/${name}" digest)
        string(APPEND digests ${digest})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${SIMT_DIR}/${name}")
    endforeach()
    string(SHA256 digest "${digests}")
    string(SUBSTRING ${digest} 0 16 digest)
    set(made "${CMAKE_CURRENT_BINARY_DIR}/watched-${digest}.o")
    add_custom_command(OUTPUT "${made}"
        COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib $<TARGET_OBJECTS:${target}_parts> -o "${made}"
        DEPENDS $<TARGET_OBJECTS:${target}_parts> COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${target} ALL DEPENDS "${made}")
    set(${variable} "${made}" PARENT_SCOPE)
endfunction()
