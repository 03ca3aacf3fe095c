"""CUDA's atomics with a scope, and cuda::atomic, in watched kernels."""

from __future__ import annotations

import numpy as np
import pytest

SCOPES = """#include <cuda_runtime.h>
inline __device__ int atomicAdd(short* a, int v) { int old = *a; *a += v; return old; }"""
EACH = """out[0] = 5; __syncwarp();
const int lane = threadIdx.x;
atomicAdd{0}(out + 0, 2); atomicSub{0}(out + 1, 1); atomicMin{0}(out + 2, lane - 7);
atomicMax{0}(out + 3, lane); atomicAnd{0}(out + 4, ~(1 << lane)); atomicOr{0}(out + 5, 1 << lane);
atomicXor{0}(out + 6, lane); atomicExch{0}(out + 7, 9);
atomicInc{0}((unsigned*)out + 8, 9u); atomicDec{0}((unsigned*)out + 9, 9u);
if (lane == 0) atomicCAS{0}(out + 10, 0, 4);"""


@pytest.mark.parametrize("scope", ["", "_block", "_system"])
def test_atomics_of_every_scope(run, scope):
    found = run(EACH.format(scope), np.zeros(11, np.int32), parameters="int* out", top=SCOPES)
    assert found.arrays[0].tolist() == [69, -32, -7, 31, 0, -1, 0, 9, 2, 8, 4]
    assert {(race.first.line, race.second.line) for race in found.same_value} == {(5, 5)}


CHANGES = """#include <cuda/atomic>
#include <cuda/std/atomic>
typedef cuda::atomic_ref<%s, cuda::thread_scope_device> Ref;"""
CHANGE = """const int lane = threadIdx.x;
Ref sum(out[0]), low(out[1]), high(out[2]), steps(out[3]), last(out[4]);
out[8 + lane] = sum.fetch_add(2, cuda::memory_order_relaxed);
low.fetch_min(10 - lane); high.fetch_max(lane);
steps++; ++steps; steps--; steps += 3; steps -= 1;
last.exchange(lane); if (lane == 31) last = 77;
if (lane == 0) out[5] = last;
__syncwarp(); Ref flag(out[6]); %s one = 1, two = 2;
if (lane == 0) { flag.store(1, cuda::std::memory_order_release);
    out[7] = 10 * flag.compare_exchange_strong(one, 5) + flag.compare_exchange_weak(two, 6); }
if (lane == 0) out[40] = 10 * two + flag.load(cuda::memory_order_acquire);"""


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64", "float32", "float64"])
def test_a_reference_changes_words_of_every_type(run, dtype):
    name = {"int8": "signed char", "uint16": "unsigned short", "int32": "int"}
    name |= {"uint64": "unsigned long long", "float32": "float", "float64": "double"}
    kind, type_ = np.dtype(dtype), name[dtype]
    start = np.zeros(41, kind)
    start[1] = 100
    found = run(CHANGE % type_, start, parameters=f"{type_}* out", top=CHANGES % type_)
    least = 10 - 31 if kind.kind != "u" else 0  # of an unsigned type, 10 - lane may be huge
    out = found.arrays[0].tolist()
    assert out[:4] == [64, least, 31, 96]
    assert out[6:8] == [5, 10]
    assert sorted(out[8:40]) == list(range(0, 64, 2))
    assert out[40] == 55


BITS = """cuda::atomic<unsigned>& all = bits[0];
all |= 1u << threadIdx.x; bits[1] &= ~(1u << threadIdx.x); bits[2] ^= threadIdx.x;
bits[1].fetch_or(0u); if (threadIdx.x == 0) out[0] = cuda::std::atomic<int>::is_always_lock_free;"""


def test_atomics_are_elements_of_arrays(run):
    bits = np.array([0, 2**32 - 1, 0], np.uint32)
    parameters = "int* out, cuda::atomic<unsigned>* bits"
    found = run(BITS, np.zeros(1, np.int32), bits, parameters=parameters)
    assert found.arrays[1].tolist() == [2**32 - 1, 0, 0]
    assert found.arrays[0][0] == 1
    assert found.ok


PLAIN = """cuda::atomic_ref<int, cuda::thread_scope_block> word(*out);
if (threadIdx.x == 0) word.store(1, cuda::memory_order_relaxed);
if (threadIdx.x == 1) word.fetch_add(1);
if (threadIdx.x == 2) word.load();
%s"""


def test_atomic_accesses_race_with_plain_ones_only(run):
    word = np.zeros(1, np.int32)
    assert not run(PLAIN % "", word, parameters="int* out", schedules=5).races
    found = run(PLAIN % "if (threadIdx.x == 3) *out = 5;", word, parameters="int* out")
    pairs = {tuple(sorted((race.first.line, race.second.line))) for race in found.races}
    assert pairs == {(5, 8), (6, 8), (7, 8)}


SPIN = """__shared__ int data;
cuda::atomic<int, cuda::thread_scope_block>& flag = *flags;
if (threadIdx.x == 33) { out[1] = 7; flag.store(1, cuda::memory_order_release); flag.notify_all(); }
if (threadIdx.x == 1) { flag.wait(0, cuda::memory_order_acquire); out[0] = out[1]; }
cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);"""


def test_waiting_ends_when_the_value_changes(run):
    parameters = "int* out, cuda::atomic<int, cuda::thread_scope_block>* flags"
    flag = np.zeros(1, np.int32)
    found = run(SPIN, np.zeros(2, np.int32), flag, parameters=parameters, block=64, schedules=5)
    assert found.arrays[0].tolist() == [7, 7]
    assert found.results == 1


def test_an_atomic_may_be_the_value_of_another(run):
    body = """auto* a = (cuda::atomic<int>*)out;
if (threadIdx.x == 0) { a[0].fetch_min(a[1]); a[2] += a[1]; a[3].fetch_max(4.9f); }"""
    found = run(
        body, np.array([9, 5, 1, 2], np.int32), parameters="int* out", top="#include <cuda/atomic>"
    )
    assert found.arrays[0].tolist() == [5, 5, 6, 4]
