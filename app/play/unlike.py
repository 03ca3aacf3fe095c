"""What the playground says otherwise than ``gpucore.watch``, and why; all else is the same.

Both have the same executor, but other compilers: Clang in the browser, GCC on a computer.
"""

#: Reasons for readers, by name.
UNLIKE = {
    "structures": "Copies of structures: Clang reads the members that are used, each by an access "
    "of its own, and leaves a copy out that changes nothing; GCC reads the whole.",
    "without a value": "A variable without a value: Clang leaves out what is computed from it; "
    "the finding is the same.",
    "joined": "Two accesses that Clang joins, as one before a loop and one in it, count for one "
    "line.",
    "functions": "A function that two branches call and that is not inlined: which lanes run it "
    "together.",
    "empty loop": "A loop without any statement: GCC names the first line of the kernel, Clang "
    "that of the loop.",
}

#: What kernels in the browser do not have at all: the compiler names the line.
ABSENT = (
    "Functions that round otherwise than to the nearest, as __fadd_rz and __double2float_ru: "
    "WebAssembly rounds to the nearest only.",
)
