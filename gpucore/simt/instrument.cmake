# The instrumented build of the host executor; see instrument/ and README.md.
#
#   simt_can_instrument(<variable>)
#       whether this compiler can build it
#   simt_add_instrumented_executor(<target>)
#   simt_add_instrumented_kernels(<target> SOURCES <a.cu> ... [LEVELS 0 1 2])
#       as in executor.cmake, observed at every access

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
