// Numbers that look random, without a state.
#pragma once

// The finaliser of MurmurHash3 (Appleby; public domain).
__device__ inline unsigned scatter(unsigned value, unsigned salt)
{
    value ^= salt * 0x9e3779b9u;
    value = (value ^ value >> 16) * 0x85ebca6bu;
    value = (value ^ value >> 13) * 0xc2b2ae35u;
    return value ^ value >> 16;
}
