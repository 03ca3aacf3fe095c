# Kernels of a family in a folder of its own, beside the installed package.
#
#   simt_add_family(<folder>)
#       builds <folder>/_lib/libkernels.so, in which gpucore finds the kernels <folder>/kernels/*.cu

include("${CMAKE_CURRENT_LIST_DIR}/executor.cmake")

function(simt_add_family folder)
    file(GLOB sources CONFIGURE_DEPENDS "${folder}/kernels/*.cu")
    simt_add_executor(family_executor)
    simt_add_kernels(family_kernels SOURCES ${sources} LEVELS 0 1 2)
    add_library(kernels MODULE
        $<TARGET_OBJECTS:family_executor> $<TARGET_OBJECTS:family_kernels>)
    set_target_properties(kernels PROPERTIES
        PREFIX "lib" LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY "${folder}/_lib")
    target_link_libraries(kernels PRIVATE Threads::Threads)
endfunction()
