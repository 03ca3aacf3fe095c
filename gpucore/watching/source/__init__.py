"""CUDA C++ as a reader writes it, in the form that the host executor compiles.

`lexer` and `declarations` read it, `preprocess` expands macros, `reach` leaves out what kernels do
not use; `translate` rewrites kernels (`shared`, `local_arrays`), and `hosted` whole programs.
"""
