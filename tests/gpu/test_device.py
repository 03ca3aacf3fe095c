"""The CUDA device on a real GPU: compiling, launching, errors, timing, grid barriers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.device.cuda import CudaDevice
from gpucore.device.cuda_compile import cache_folder, compiled_file
from gpucore.device.cuda_kernel import CudaKernel
from gpucore.device.signature import Parameter, Signature
from gpucore.errors import Cancelled, DeviceError, KernelCompileError, KernelError, ParameterError

pytestmark = pytest.mark.gpu

SOURCE = r"""
#include "simt.h"

SIMT_KERNEL(scale)(int n, float factor, const float* in, float* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * factor + SHIFT;
}

// Sum of the block's elements by a butterfly and shared memory; every collective has a part.
SIMT_KERNEL(block_sums)(const unsigned* in, unsigned* out)
{
    SIMT_SHARED(unsigned[32], partial);
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (__any_sync(0xffffffffu, lane == 3)) partial[warp] = sum;
    const int threads = __syncthreads_count(1);
    sum = threadIdx.x < blockDim.x / 32 ? partial[lane] : 0;
    if (warp == 0) {
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (lane == 0) atomicAdd(out + blockIdx.x, threads == blockDim.x ? sum : 0u);
    }
}

SIMT_KERNEL(rotate)(int n, int* values)
{
    SIMT_DYN_SHARED(int, tile);
    for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = values[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = tile[(i + 1) % n];
}

// Every block adds in turn what all blocks wrote in the round before.
SIMT_KERNEL(rounds)(int count, unsigned* values, unsigned* state)
{
    for (int r = 0; r < count; ++r) {
        unsigned sum = 0;
        if (threadIdx.x == 0)
            for (unsigned b = 0; b < gridDim.x; ++b) sum += simt_load(values + b);
        simt_grid_sync(state);
        if (threadIdx.x == 0) simt_store(values + blockIdx.x, sum % 1000003u + blockIdx.x);
        simt_grid_sync(state);
    }
}

// The same where the blocks keep their caches.
SIMT_KERNEL(rounds_met)(int count, unsigned* values, unsigned* state)
{
    for (int r = 0; r < count; ++r) {
        unsigned sum = 0;
        if (threadIdx.x == 0)
            for (unsigned b = 0; b < gridDim.x; ++b) sum += simt_load(simt_global(values) + b);
        simt_grid_meet(state);
        if (threadIdx.x == 0) simt_store(values + blockIdx.x, sum % 1000003u + blockIdx.x);
        simt_grid_meet(state);
    }
}

SIMT_KERNEL(out_of_bounds)(int* values)
{
    values[(long long)threadIdx.x << 42] = 1;
}
"""

INT = Parameter(np.dtype(np.int32), False, False, 4)
FLOAT = Parameter(np.dtype(np.float32), False, False, 4)


def array_of(dtype: type, *, const: bool = False) -> Parameter:
    return Parameter(np.dtype(dtype), True, const, np.dtype(dtype).itemsize)


SIGNATURES = {
    "scale": (INT, FLOAT, array_of(np.float32, const=True), array_of(np.float32)),
    "block_sums": (array_of(np.uint32, const=True), array_of(np.uint32)),
    "rotate": (INT, array_of(np.int32)),
    "rounds": (INT, array_of(np.uint32), array_of(np.uint32)),
    "rounds_met": (INT, array_of(np.uint32), array_of(np.uint32)),
    "out_of_bounds": (array_of(np.int32),),
}


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kernels") / "scratch.cu"
    path.write_text(SOURCE)
    return path


def load(cuda: CudaDevice, path: Path, name: str, **constants: int) -> CudaKernel:
    code = compiled_file(path, 0, {"SHIFT": 0} | constants)
    return CudaKernel(cuda, name, Signature(SIGNATURES[name]), str(code))


def test_description_is_complete(cuda: CudaDevice) -> None:
    facts = cuda.describe()
    assert facts["name"] == "cuda"
    assert facts["multiprocessors"] == cuda.multiprocessors > 0
    assert facts["memory_bytes"] == cuda.total_memory() > 1 << 30
    assert facts["l2_bytes"] > 0
    assert float(str(facts["compute_capability"])) >= 7.5
    assert {"cupy", "cuda_runtime", "nvrtc"} <= set(facts["versions"])
    assert cuda.max_threads_per_block == 1024
    assert cuda.shared_memory_per_block >= 48 << 10


def test_auto_takes_the_gpu() -> None:
    assert get_device("auto").name == "cuda"
    with pytest.raises(ParameterError, match="no option 'seed'"):
        get_device("cuda", seed=1)


def test_launch_and_constants(cuda: CudaDevice, scratch: Path) -> None:
    values = np.arange(1000, dtype=np.float32)
    given, out = cuda.asarray(values), cuda.xp.zeros(1000, np.float32)
    for shift in (0, 5):
        kernel = load(cuda, scratch, "scale", SHIFT=shift)
        kernel(4, 256, (1000, 2.0, given, out))
        assert np.array_equal(cuda.to_host(out), values * 2 + np.float32(shift))


def test_denormals_and_products_are_those_of_the_host(cuda: CudaDevice, scratch: Path) -> None:
    values = np.float32([1e-40, 3e-42, 1.0000001, 0.1])
    out = cuda.xp.zeros(4, np.float32)
    load(cuda, scratch, "scale", SHIFT=1)(1, 32, (4, 0.5, cuda.asarray(values), out))
    assert np.array_equal(cuda.to_host(out), values * np.float32(0.5) + np.float32(1))
    load(cuda, scratch, "scale")(1, 32, (4, 0.5, cuda.asarray(values), out))
    assert np.array_equal(cuda.to_host(out), values * np.float32(0.5))


@pytest.mark.parametrize("block", [32, 256, 1024])
def test_collectives(cuda: CudaDevice, scratch: Path, block: int) -> None:
    values = np.arange(7 * block, dtype=np.uint32) ** 2
    out = cuda.xp.zeros(7, np.uint32)
    load(cuda, scratch, "block_sums")(7, block, (cuda.asarray(values), out))
    wanted = values.reshape(7, block).sum(axis=1, dtype=np.uint32)
    assert np.array_equal(cuda.to_host(out), wanted)


def test_arguments_are_checked(cuda: CudaDevice, scratch: Path) -> None:
    kernel = load(cuda, scratch, "scale")
    good = cuda.xp.zeros(8, np.float32)
    with pytest.raises(KernelError, match="takes 4 arguments, 3 were given"):
        kernel(1, 32, (8, 1.0, good))
    with pytest.raises(KernelError, match="argument 3 must be a cupy array"):
        kernel(1, 32, (8, 1.0, good, np.zeros(8, np.float32)))
    with pytest.raises(KernelError, match="not of float64"):
        kernel(1, 32, (8, 1.0, good, cuda.xp.zeros(8)))
    with pytest.raises(KernelError, match="not contiguous"):
        kernel(1, 32, (8, 1.0, good, cuda.xp.zeros(16, np.float32)[::2]))
    with pytest.raises(KernelError, match="does not fit into int32"):
        kernel(1, 32, (2**31, 1.0, good, good))
    with pytest.raises(KernelError, match="block of 2048 threads"):
        kernel(1, (1024, 2), (8, 1.0, good, good))
    with pytest.raises(KernelError, match=r"grid\.x is 0"):
        kernel(0, 32, (8, 1.0, good, good))


def test_much_dynamic_shared_memory(cuda: CudaDevice, scratch: Path) -> None:
    kernel = load(cuda, scratch, "rotate")
    for nbytes in (4 << 10, cuda.shared_memory_per_block, 16 << 10):
        count = nbytes // 4
        values = np.arange(count, dtype=np.int32)
        on_gpu = cuda.asarray(values)
        kernel(1, 512, (count, on_gpu), shared_mem=nbytes)
        assert np.array_equal(cuda.to_host(on_gpu), np.roll(values, -1))
    with pytest.raises(KernelError, match="bytes of dynamic shared memory"):
        kernel(1, 32, (1, on_gpu), shared_mem=cuda.shared_memory_per_block + 1)


@pytest.mark.parametrize("name", ["rounds", "rounds_met"])
def test_grid_meets_in_a_cooperative_launch(name: str, cuda: CudaDevice, scratch: Path) -> None:
    kernel = load(cuda, scratch, name)
    blocks = kernel.max_resident_blocks(64)
    assert blocks >= cuda.multiprocessors
    values = cuda.xp.arange(blocks, dtype=np.uint32)
    state = cuda.xp.zeros(2, np.uint32)
    wanted = np.arange(blocks, dtype=np.uint64)
    for rounds in (10, 3):  # the barrier serves the next launch too
        kernel(blocks, 64, (rounds, values, state), cooperative=True)
        for _ in range(rounds):
            wanted = wanted.sum() % 2**32 % 1000003 + np.arange(blocks, dtype=np.uint64)
        assert np.array_equal(cuda.to_host(values), wanted.astype(np.uint32))


def test_too_large_a_cooperative_grid_is_refused(cuda: CudaDevice, scratch: Path) -> None:
    kernel = load(cuda, scratch, "rounds")
    blocks = kernel.max_resident_blocks(64) + 1
    values, state = cuda.xp.zeros(blocks, np.uint32), cuda.xp.zeros(2, np.uint32)
    with pytest.raises(KernelError, match=f"cooperative grid of {blocks} blocks"):
        kernel(blocks, 64, (1, values, state), cooperative=True)


def test_timer_measures_the_gpu(cuda: CudaDevice, scratch: Path) -> None:
    kernel = load(cuda, scratch, "rounds")
    values, state = cuda.xp.zeros(8, np.uint32), cuda.xp.zeros(2, np.uint32)
    seconds = []
    for count in (1, 20000):
        with cuda.timer() as timer:
            kernel(8, 64, (count, values, state), cooperative=True)
        seconds.append(timer.seconds)
    assert 0 < seconds[0] < seconds[1]


def test_memory_is_counted_and_refused(cuda: CudaDevice) -> None:
    cuda.xp.get_default_memory_pool().free_all_blocks()
    before = cuda.free_memory()
    held = cuda.xp.zeros(64 << 20, np.uint8)
    assert cuda.free_memory() <= before - held.nbytes
    del held
    assert cuda.free_memory() >= before - (8 << 20)  # what the pool keeps is free
    with pytest.raises(DeviceError, match=r"the graph needs .* has only"):
        cuda.require_memory(2 * cuda.total_memory(), "the graph")
    with (
        pytest.raises(DeviceError, match="ran out of memory"),
        cuda.cancel_with(None, None),
    ):
        cuda.xp.zeros(2 * cuda.total_memory(), np.uint8)


def test_compile_error_names_file_and_line(cuda: CudaDevice, tmp_path: Path) -> None:
    path = tmp_path / "broken.cu"
    path.write_text('#include "simt.h"\nSIMT_KERNEL(broken)(int* p)\n{\n    *p = missing;\n}\n')
    with pytest.raises(KernelCompileError, match=r'broken\.cu\(4\).*"missing" is undefined'):
        compiled_file(path, 0, {})


def test_compiled_kernels_are_kept(
    cuda: CudaDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path))
    path = tmp_path / "one.cu"
    path.write_text('#include "simt.h"\nSIMT_KERNEL(one)(int* p)\n{\n    *p = N;\n}\n')
    first = compiled_file(path, 0, {"N": 1})
    stamp = first.stat().st_mtime_ns
    assert compiled_file(path, 0, {"N": 1}) == first
    assert first.stat().st_mtime_ns == stamp
    assert compiled_file(path, 0, {"N": 2}) != first
    assert {file.suffix for file in cache_folder().iterdir()} == {".cubin"}


def test_unknown_names_are_errors(cuda: CudaDevice) -> None:
    with pytest.raises(KernelError, match="no kernel source 'nonesuch'"):
        cuda.kernel("nonesuch", "f")
    with pytest.raises(KernelError, match="has no kernel 'f'"):
        cuda.kernel("suitor", "f")
    with pytest.raises(KernelError, match="no constant 'NONESUCH'"):
        cuda.kernel("suitor", "suitor_nosync", NONESUCH=1)


def test_a_cancelled_run_launches_nothing(cuda: CudaDevice, scratch: Path) -> None:
    class Now:
        def is_set(self) -> bool:
            return True

    out = cuda.xp.zeros(8, np.float32)
    with cuda.cancel_with(Now(), None), pytest.raises(Cancelled):
        load(cuda, scratch, "scale")(1, 32, (8, 1.0, out, out))


def test_a_kernel_that_fails_is_reported() -> None:
    """In another process: after an invalid write CUDA is unusable in the process."""
    import subprocess
    import sys

    script = f"""
import sys, tempfile, pathlib
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_device as t
from gpucore.device.cuda import CudaDevice
cuda = CudaDevice()
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "scratch.cu")
    path.write_text(t.SOURCE)
    kernel = t.load(cuda, path, "out_of_bounds")
    values = cuda.xp.zeros(4, "int32")
    try:
        kernel(1, 32, (values,))
        cuda.synchronize()
    except t.KernelError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "a kernel failed on the GPU" in done.stdout, done.stderr
    assert "must be restarted" in done.stdout
