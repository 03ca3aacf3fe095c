"""Cooperative groups in watched kernels, against values from CUDA's guide."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device.host import HostDevice
from gpucore.errors import KernelCompileError
from gpucore.watching.compiling.compiler import compile_kernel
from gpucore.watching.source.translate import translate

TOP = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;"""


def lanes(run, expressions, block=64, top="", grid=1):
    """Return a row for each expression of the groups, with a value for each thread."""
    body = """cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    auto pair = cg::tiled_partition<2>(tile); int equal = -1;
    const int all = grid.size(), t = grid.thread_rank(), lane = threadIdx.x & 31;\n"""
    body += "\n".join(f"out[{i} * all + t] = {text};" for i, text in enumerate(expressions))
    count = int(np.prod(block)) * grid
    out = np.zeros(len(expressions) * count, np.int64)
    sizes = {"grid": (grid, 1, 1), "block": block if isinstance(block, tuple) else (block, 1, 1)}
    found = run(body, out, parameters="long long* out", top=TOP + top, schedules=3, **sizes)
    assert found.ok
    return found.arrays[0].reshape(len(expressions), count)


def test_blocks_and_the_grid_know_their_threads(run):
    texts = ["block.thread_rank()", "block.size() + 1000 * block.num_threads()"]
    texts += ["block.thread_index().y + 10 * block.group_index().x + 100 * block.dim_threads().y"]
    texts += ["grid.block_rank() + 10 * grid.num_blocks() + 100 * grid.dim_blocks().x"]
    texts += ["grid.thread_rank()", "cg::group_size(grid)"]
    t = np.arange(120)
    want = [t % 60, 60060, t % 60 // 6 + 10 * (t // 60) + 1000, t // 60 + 220, t, 120]
    for row, one in zip(lanes(run, texts, block=(6, 10, 1), grid=2), want, strict=True):
        assert np.array_equal(row, np.broadcast_to(one, 120))


def test_tiles_know_their_threads(run):
    texts = ["tile.thread_rank() + 100 * tile.size() + 10000 * decltype(tile)::size()"]
    texts += ["tile.meta_group_rank() + 100 * tile.meta_group_size()"]
    texts += ["pair.thread_rank() + 10 * pair.meta_group_rank() + 100 * pair.meta_group_size()"]
    t = np.arange(64)
    want = [t % 8 + 80800, t // 8 + 800, t % 2 + 10 * (t % 8 // 2) + 400]
    assert np.array_equal(lanes(run, texts), want)


def test_collectives_of_a_tile(run):
    texts = ["tile.shfl(lane, 3)", "tile.shfl_up(lane, 2u)", "tile.shfl_down(lane, 2u)"]
    texts += ["tile.shfl_xor(lane, 5)", "tile.any(lane == 9)", "tile.all(lane > 7)"]
    texts += ["tile.ballot(lane % 3 == 0)", "tile.match_any(lane / 2)"]
    texts += [
        "tile.match_all(lane / 8, equal) + 1000 * equal",
        "tile.match_all(lane, equal) + equal",
    ]
    texts += ["tile.shfl(make_double3(lane, 2 * lane, 3 * lane), 1).z"]
    lane = np.arange(64) % 32
    first, rank = lane // 8 * 8, lane % 8
    ballots = [sum(1 << i for i in range(8) if (f + i) % 3 == 0) for f in first]
    want = [first + 3, np.where(rank >= 2, lane - 2, lane), np.where(rank < 6, lane + 2, lane)]
    want += [lane ^ 5, first == 8, first > 0, ballots, 3 << rank // 2 * 2]
    want += [np.full(64, 1255), np.zeros(64), 3 * (first + 1)]
    assert np.array_equal(lanes(run, texts), want)


def test_reductions_and_scans(run):
    top = "\nstruct Sum { int operator()(int a, int b) const { return a + b; } };"
    texts = [
        f"cg::reduce(tile, lane, {f})" for f in ("cg::plus<int>()", "cg::less<int>()", "Sum()")
    ]
    texts += [
        "cg::reduce(tile, lane, cg::greater<int>())",
        "cg::reduce(pair, 2.5, cg::plus<double>())",
    ]
    texts += [f"cg::reduce(tile, lane, cg::bit_{f}<int>())" for f in ("and", "or", "xor")]
    texts += ["cg::inclusive_scan(tile, lane, cg::plus<int>())", "cg::exclusive_scan(tile, lane)"]
    lane = np.arange(64) % 32
    first, rank = lane // 8 * 8, lane % 8
    inclusive = (rank + 1) * first + rank * (rank + 1) // 2
    want = [8 * first + 28, first, 8 * first + 28, first + 7, np.full(64, 5)]
    want += [first, first + 7, np.zeros(64), inclusive, inclusive - lane]
    assert np.array_equal(lanes(run, texts, top=top), want)


def test_the_last_warp_may_have_fewer_lanes(run):
    texts = ["cg::tiled_partition<32>(block).ballot(1)", "tile.ballot(1)"]
    whole, part = lanes(run, texts, block=44)
    assert whole.tolist() == [2**32 - 1] * 32 + [2**12 - 1] * 12
    assert part.tolist() == [255] * 40 + [15] * 4


COPY = """__shared__ int part[64];
auto block = cg::this_thread_block();
cg::memcpy_async(block, part, %s);
%s
out[blockIdx.x * 64 + threadIdx.x] = part[63 - threadIdx.x];"""


BYTES = "in + 64 * blockIdx.x, sizeof(int) * 64"
ALIGNED = "in + 64 * blockIdx.x, cuda::aligned_size_t<4>(256)"
ELEMENTS = "64, in + 64 * blockIdx.x, 80"


@pytest.mark.parametrize(
    ("what", "wait"),
    [
        (BYTES, "cg::wait(block);"),
        (BYTES, "cg::wait_prior<0>(block);"),
        (ALIGNED, "block.sync();"),
        (ELEMENTS, "cg::sync(block);"),
        (BYTES, ""),
    ],
)
def test_copies_end_when_the_group_waits(run, what, wait):
    out, numbers = np.zeros(128, np.int32), np.arange(128, dtype=np.int32)
    call = {"parameters": "int* out, const int* in", "top": TOP, "grid": 2, "block": 64}
    found = run(COPY % (what, wait), out, numbers, schedules=3, **call)
    assert found.ok == bool(wait)
    if wait:
        assert np.array_equal(found.arrays[0], numbers.reshape(2, 64)[:, ::-1].ravel())
    else:
        assert {(r.first.line, r.second.line) for r in found.races} <= {(10, 12), (12, 10)}


GRID = f"""{TOP}
__global__ void k(int* out)
{{
    cg::grid_group grid = cg::this_grid();
    out[grid.thread_rank()] = 1;
    grid.sync();
    if (grid.thread_rank() == 0) for (int i = 1; i < grid.size(); ++i) out[0] += out[i];
}}"""


def test_the_grid_meets_in_a_cooperative_launch(lab_compiler):
    library = compile_kernel(translate(GRID))
    device, out = HostDevice(library=library, instrumented=True), np.zeros(96, np.int32)
    device.kernel("lab", "k")(3, 32, (out,), cooperative=True)
    assert out[0] == 96
    assert not device.profile().races


GROUPS = """__device__ int sum(cg::thread_group g, int* x, int value)
{
    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[g.thread_rank()] = value;
        g.sync();
        if (g.thread_rank() < i) value += x[g.thread_rank() + i];
        g.sync();
    }
    return value;
}"""


def test_a_function_takes_any_group(run):
    body = """__shared__ int x[64];
    auto block = cg::this_thread_block();
    const int whole = sum(block, x, threadIdx.x);
    const cg::thread_group tile = cg::tiled_partition(block, 16);
    const int part = sum(tile, x + threadIdx.x / 16 * 16, threadIdx.x);
    if (threadIdx.x == 0) out[4] = whole;
    if (tile.thread_rank() == 0) out[threadIdx.x / 16] = part;"""
    call = {"parameters": "int* out", "top": f"{TOP}\n{GROUPS}", "block": 64, "schedules": 5}
    found = run(body, np.zeros(5, np.int32), **call)
    sums = np.arange(64).reshape(4, 16).sum(axis=1).tolist()
    assert found.arrays[0].tolist() == [*sums, sum(sums)]
    assert found.ok


def test_what_groups_cannot_do_is_named(run):
    call = {"parameters": "int* out", "top": TOP}
    with pytest.raises(
        KernelCompileError,
        match="line 8: cooperative_groups::coalesced_threads cannot be watched; ",
    ):
        run("auto g = cg::coalesced_threads();", np.zeros(1, np.int32), **call)
    with pytest.raises(
        KernelCompileError, match=r"^the.*:\nline 8: a tile of more than 32 threads"
    ):
        run("cg::tiled_partition<64>(cg::this_thread_block());", np.zeros(1, np.int32), **call)
    report = run("cg::this_grid().sync();", np.zeros(1, np.int32), **call)
    assert "line 8: " in str(report)
    assert "of the grid needs a cooperative launch" in str(report)
