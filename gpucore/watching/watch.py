"""Run a plain CUDA kernel on the host executor under many schedules, and explain what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.device.base import Device
from gpucore.device.host import HostDevice
from gpucore.device.profile import Profile, Race
from gpucore.errors import KernelError, ParameterError
from gpucore.watching.compiler import compile_kernel, kernel_names
from gpucore.watching.explain import remarks
from gpucore.watching.translate import translate
from gpucore.watching.watched import Watched

#: Threads of one launch: every access of each is observed.
MOST_THREADS = 1 << 16
#: Bytes before and after each array that are checked after a launch, and what they hold.
GUARD, _FILL = 1 << 16, 0xA5
#: Schedules of one call.
MOST_SCHEDULES = 1000

#: A size of a grid or a block: one number, or up to three.
Size = int | Sequence[int]


def watch(
    kernel: Any,
    grid: Size,
    block: Size,
    args: Sequence[Any],
    *,
    name: str | None = None,
    shared_mem: int = 0,
    schedules: int = 20,
    seed: int = 0,
    device: Device | None = None,
) -> Watched:
    """Run a kernel on the host executor under many schedules, and report what it does.

    No GPU is needed: the same source runs lane by lane on the processor, every access to memory is
    observed, and each schedule interleaves the threads in another random order.

    Parameters
    ----------
    kernel : str or cupy.RawKernel
        CUDA C++ as for a GPU; :mod:`gpucore.watching.translate` lists what is outside the subset.
    grid, block : int or sequence of int
        Blocks, and threads a block; up to three dimensions.
    args : sequence
        Arguments of the kernel: NumPy or CuPy arrays, and NumPy or Python numbers of the
        parameters' types. They are copied, not changed.
    name : str, optional
        Which kernel, if the source has several.
    shared_mem : int
        Bytes of dynamic shared memory.
    schedules, seed : int
        How many orders of the threads, and the seed of the first.
    device : Device, optional
        A GPU (``gpucore.device.get_device("cuda")``) on which the kernel runs once, too.

    Returns
    -------
    Watched
        Prints as a report; in a notebook it shows the source with remarks beside the lines.

    Raises
    ------
    KernelCompileError
        The source has a mistake, or something outside of the subset; the message names the line.
    KernelError
        The arguments do not match, a thread writes up to 64 KiB beside an array or accesses memory
        that does not exist, or threads wait for each other for ever. A write farther away may
        damage this Python process: the kernel runs in it.
    MissingDependency
        There is no compiler.
    ParameterError
        Too many threads or schedules.

    Examples
    --------
    >>> import gpucore, numpy as np
    >>> found = gpucore.watch('''
    ... __global__ void total(const int* x, int* sum) {
    ...     sum[0] += x[threadIdx.x];
    ... }''', 1, 64, (np.arange(64, dtype=np.int32), np.zeros(1, np.int32)))  # doctest: +SKIP
    >>> found.ok  # doctest: +SKIP
    False
    """
    source, name = _source_of(kernel, name)
    sizes = [_size(grid), _size(block)]
    threads = int(np.prod(sizes))
    if not 1 <= threads <= MOST_THREADS:
        raise ParameterError(
            f"grid={grid}, block={block} are {threads:,} threads; 1 to {MOST_THREADS:,} can be "
            "watched: take a smaller problem with the same shape"
        )
    if not 1 <= schedules <= MOST_SCHEDULES:
        raise ParameterError(f"schedules is {schedules}; take 1 to {MOST_SCHEDULES:,}")
    plain = translate(source)
    library = compile_kernel(plain, cuda=True)
    chosen = _choose(kernel_names(plain), name)
    races: dict[tuple[int, int], Race] = {}
    results: dict[bytes, tuple[np.ndarray, ...]] = {}
    profile: Profile | None = None
    for number in range(schedules):
        host = HostDevice(library=library, instrumented=True, **_schedule(number, seed))
        arrays = _launch(host, chosen, sizes, args, shared_mem)
        results.setdefault(_digest(arrays), arrays)
        observed = host.profile()
        profile = profile or observed
        for race in observed.races:
            races.setdefault((race.first.line, race.second.line), race)
    assert profile is not None
    on_gpu = None
    if device is not None:
        on_gpu = _digest(_on_gpu(device, source, chosen, sizes, args, shared_mem)) in results
    return Watched(
        source,
        chosen,
        next(iter(results.values())),
        schedules,
        len(results),
        tuple(races.values()),
        profile,
        tuple(remarks(profile, source)),
        on_gpu,
    )


def _source_of(kernel: Any, name: str | None) -> tuple[str, str | None]:
    """Return source and name of what was given: text, or CuPy's raw kernel."""
    if isinstance(kernel, str):
        return kernel, name
    code = getattr(kernel, "code", None)
    if isinstance(code, str):
        return code, name or getattr(kernel, "name", None)
    raise ParameterError(
        f"a kernel is CUDA C++ as text, or a cupy.RawKernel, not {type(kernel).__name__}"
    )


def _choose(names: list[str], wanted: str | None) -> str:
    if wanted is None and len(names) == 1:
        return names[0]
    if wanted not in names:
        which = f"there is no kernel {wanted!r}" if wanted else "which kernel is meant"
        raise KernelError(f"{which}; the source has {', '.join(names)}: name one with name=")
    return str(wanted)


def _size(size: Size) -> tuple[int, ...]:
    return (int(size),) if np.isscalar(size) else tuple(int(part) for part in size)  # type: ignore[arg-type, union-attr]


def _schedule(number: int, seed: int) -> dict[str, Any]:
    """Return the options of a schedule; the first one is the executor's usual order."""
    if number == 0:
        return {}
    return {"policy": "random", "seed": seed + number, "resident": 4, "yield_access": 0.3}


def _launch(
    host: HostDevice, name: str, sizes: list[tuple[int, ...]], args: Sequence[Any], shared_mem: int
) -> tuple[np.ndarray, ...]:
    """Launch on copies of the arguments; return the arrays after it.

    Raises KernelError if a thread wrote beside an array.
    """
    copies = [_Guarded.of(one) if _is_array(one) else one for one in args]
    given = [one.array if isinstance(one, _Guarded) else one for one in copies]
    grid, block = sizes
    host.kernel("lab", name)(grid, block, given, shared_mem=shared_mem)
    for number, one in enumerate(copies):
        if isinstance(one, _Guarded) and not one.whole:
            raise KernelError(
                f"{name}: a thread wrote outside of argument {number}, an array of shape "
                f"{one.array.shape}; check the index against its length"
            )
    return tuple(one for one in given if isinstance(one, np.ndarray))


@dataclass(frozen=True)
class _Guarded:
    """A copy of an array between two guards, which show whether something wrote beside it."""

    array: np.ndarray
    buffer: np.ndarray

    @classmethod
    def of(cls, value: Any) -> _Guarded:
        """Copy an array of NumPy or CuPy."""
        source = _copied(value)
        buffer = np.full(source.nbytes + 2 * GUARD, _FILL, np.uint8)
        array = buffer[GUARD : GUARD + source.nbytes].view(source.dtype).reshape(source.shape)
        array[...] = source
        return cls(array, buffer)

    @property
    def whole(self) -> bool:
        """Whether both guards are as they were."""
        ends = self.buffer[:GUARD], self.buffer[self.buffer.size - GUARD :]
        return all(bool((end == _FILL).all()) for end in ends)


def _is_array(value: Any) -> bool:
    return hasattr(value, "dtype") and value.ndim > 0


def _copied(value: Any) -> Any:
    """Return an array's copy on the host; numbers as they are."""
    if hasattr(value, "get") and hasattr(value, "dtype"):  # CuPy's
        return value.get()
    return value.copy() if isinstance(value, np.ndarray) else value


def _digest(arrays: Sequence[np.ndarray]) -> bytes:
    return b"".join(array.tobytes() for array in arrays)


def _on_gpu(
    device: Device,
    source: str,
    name: str,
    sizes: list[tuple[int, ...]],
    args: Sequence[Any],
    shared_mem: int,
) -> tuple[np.ndarray, ...]:
    """Run the source as it is on a GPU; return the arrays after it."""
    xp = device.xp
    if not hasattr(xp, "RawModule"):
        raise ParameterError(f"{device.name} is no GPU; pass get_device('cuda')")
    code = (
        source if 'extern "C"' in source else source.replace("__global__", 'extern "C" __global__')
    )
    function = xp.RawModule(code=code).get_function(name)
    given = [
        xp.asarray(_copied(one)) if hasattr(one, "dtype") and one.ndim else one for one in args
    ]
    function(*sizes, tuple(given), shared_mem=shared_mem)
    return tuple(one.get() for one in given if hasattr(one, "get") and one.ndim)
