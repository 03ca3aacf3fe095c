"""Shared code of methods on the processor: calls into the native library, in C++ and Python."""
