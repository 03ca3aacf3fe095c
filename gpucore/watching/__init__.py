"""Finds bugs of CUDA kernels on the host executor, without a GPU.

`watch` is where a kernel comes in. The rooms, from bottom to top:

source
    The text: from CUDA C++ to C++ that the executor runs, every line where it was.
compiling
    The library: the translated text, compiled with the compiler that `toolchain` finds.
memory
    What a launch may touch, with guards around it.
reports
    What was found, in words.
launches
    The launches under all schedules, and the lines that none of them ran.
programs
    Whole programs with their host code, and folders of them.
"""
