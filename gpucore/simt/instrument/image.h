// Where the kernels' library lies in memory.
#pragma once

#include <cstdint>

namespace simt::instrument {

struct Image {
    std::uint64_t begin = 0, bytes = 0;
};

// The machine code; in WebAssembly, where it has no addresses, the numbers of places.
Image code_image();

// Addresses of code are offsets from here, as in the library's line table.
std::uint64_t library_start();

// Whether an address is in a part of the library that no kernel can write: its literals.
bool is_constant(std::uint64_t address);

}  // namespace simt::instrument
