# The compiler of the PyPI wheel `ziglang`: clang, lld and their C and C++ libraries for WebAssembly.
# ZIG is the program; tools/wasm.py passes it.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER "${ZIG}" c++)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_WORKS TRUE)   # CMake's own test needs an archiver, which nothing else does
