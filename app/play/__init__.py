"""The playground: CUDA C++ that is written, run and watched in a browser."""
