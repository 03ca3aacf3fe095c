# simt_asyncify(OUTPUT TARGET [arguments of the pass]...): the module of a target, made ready for the
# switches of context.cpp by WASM_OPT, the command of binaryen's optimiser, a list.
#
# Asyncify goes first: the optimiser would inline the functions of context.cpp in which it has to
# end.  Features are named one by one: with all that binaryen knows, engines refuse the module.
set(WASM_OPT "wasm-opt" CACHE STRING "Binaryen's optimiser")
set(SIMT_FEATURES bulk-memory bulk-memory-opt multivalue mutable-globals nontrapping-float-to-int sign-ext)

function(simt_asyncify output target)
    list(TRANSFORM SIMT_FEATURES PREPEND "--enable-" OUTPUT_VARIABLE features)
    list(TRANSFORM ARGN PREPEND "--pass-arg=" OUTPUT_VARIABLE arguments)
    add_custom_command(OUTPUT ${output} DEPENDS ${target} VERBATIM
        COMMAND ${WASM_OPT} ${features} --asyncify --pass-arg=asyncify-ignore-imports ${arguments} -O2
            "$<TARGET_FILE:${target}>" -o ${output})
    get_filename_component(name ${output} NAME_WE)
    add_custom_target(${name} ALL DEPENDS ${output})
endfunction()
