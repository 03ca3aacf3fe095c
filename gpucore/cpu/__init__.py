"""What methods on the processor share: calls into the native library, in C++ and Python."""
