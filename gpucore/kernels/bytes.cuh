// Arrays of bytes that atomics reach by words of four.
#pragma once

// The word of a vertex's byte, and the byte's place in it.
__device__ inline unsigned* word_of(unsigned char* bytes, int u)
{
    return reinterpret_cast<unsigned*>(bytes) + u / 4;
}
__device__ inline int bit_of(int u) { return 8 * (u % 4); }
