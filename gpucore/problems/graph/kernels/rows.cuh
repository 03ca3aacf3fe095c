// What the generators of rows share: random numbers by counters, so that every rank draws the same
// ones, and the weight of an edge, which both its ends compute alike.
#pragma once

typedef unsigned long long Word;

// The mixing function of SplitMix64, one-to-one (Steele, Lea, Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014, figure 16).
__device__ inline Word mixed(Word z)
{
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// Number `counter` of the stream `key`.
__device__ inline Word drawn(Word key, Word counter)
{
    return mixed(key ^ mixed(counter));
}

enum WeightKind { UNIT, UNIFORM, INTEGER };

// 1; or uniform in (0, 1], a multiple of 2^-24; or a whole number from 1 to 100.
__device__ inline float weight_of(Word key, int kind, int u, int v)
{
    if (kind == UNIT) return 1.0f;
    const Word number = drawn(key, (Word)min(u, v) << 32 | (unsigned)max(u, v));
    if (kind == INTEGER) return (float)(1 + ((number >> 32) * 100 >> 32));
    return (float)((unsigned)(number >> 40) + 1) * 5.9604644775390625e-8f;
}

// Thread number and number of threads of the launch.
__device__ inline long long thread_number()
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ inline long long thread_count()
{
    return (long long)gridDim.x * blockDim.x;
}
