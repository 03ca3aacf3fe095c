# Kernels of a family in a folder of its own, beside the installed package.
#
#   simt_add_family(<folder>)
#       builds <folder>/_lib/libkernels.so, in which gpucore finds the kernels <folder>/kernels/*.cu,
#       and libinstrumented.so with the same kernels under observation (profile, race detector),
#       where the compiler can
#
# SIMT_OBSERVED_EXECUTOR may name object files of the instrumented executor, which takes half of the
# time; without it the executor is compiled.

set(SIMT_OBSERVED_EXECUTOR "" CACHE STRING "Object files of the instrumented executor")
include("${CMAKE_CURRENT_LIST_DIR}/executor.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/instrument.cmake")

# Asserts are out, and the optimisation is that of executor.cmake.
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-DNDEBUG")

function(simt_add_family folder)
    file(GLOB sources CONFIGURE_DEPENDS "${folder}/kernels/*.cu")
    simt_add_executor(family_executor)
    simt_add_kernels(family_kernels SOURCES ${sources} LEVELS 0 1 2)
    simt_family_library(kernels "${folder}" family_executor family_kernels)
    simt_can_instrument(can_instrument)
    if(can_instrument)
        if(SIMT_OBSERVED_EXECUTOR)
            add_library(observed_executor OBJECT IMPORTED)
            set_target_properties(
                observed_executor PROPERTIES IMPORTED_OBJECTS "${SIMT_OBSERVED_EXECUTOR}")
        else()
            simt_add_instrumented_executor(observed_executor)
        endif()
        simt_add_instrumented_kernels(observed_kernels SOURCES ${sources} LEVELS 0 1 2)
        simt_family_library(instrumented "${folder}" observed_executor observed_kernels)
        target_link_libraries(instrumented PRIVATE ${CMAKE_DL_LIBS})
    endif()
endfunction()

function(simt_family_library name folder executor kernels)
    add_library(${name} MODULE $<TARGET_OBJECTS:${executor}> $<TARGET_OBJECTS:${kernels}>)
    set_target_properties(${name} PROPERTIES
        PREFIX "lib" LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY "${folder}/_lib")
    target_link_libraries(${name} PRIVATE Threads::Threads)
endfunction()
