"""Run a plain CUDA kernel on the host executor under many schedules, and explain what it does."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gpucore import native
from gpucore.device.base import Device
from gpucore.device.host import HostDevice
from gpucore.device.signature import Signature
from gpucore.errors import ParameterError
from gpucore.params import check_flag, is_whole
from gpucore.watching.compiling.compiler import compile_kernel, said_of
from gpucore.watching.launches import paths
from gpucore.watching.launches.seen import Seen, scheduled
from gpucore.watching.memory.arena import Fixed, Held, Memory, hold, is_array
from gpucore.watching.memory.variables import fixed_variables
from gpucore.watching.reports.explain import remarks
from gpucore.watching.reports.findings import uninitialised
from gpucore.watching.reports.gather import handed_out
from gpucore.watching.reports.watched import Watched
from gpucore.watching.source.kernels import chosen_kernel
from gpucore.watching.source.messages import SOURCE_NAME
from gpucore.watching.source.translate import translate

#: Threads of one launch: every access of each is observed.
MOST_THREADS = 1 << 16
#: Schedules of one call.
MOST_SCHEDULES = 1000
#: Steps (accesses and basic blocks) of one launch, by default.
STEPS = 100_000_000

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
    cooperative: bool = False,
    schedules: int = 20,
    seed: int = 0,
    empty: Sequence[int] = (),
    constants: Mapping[str, Any] | None = None,
    include: Sequence[str | Path] = (),
    steps: int = STEPS,
    device: Device | None = None,
) -> Watched:
    """Run a kernel on the host executor under many schedules, and report what it does.

    No GPU is needed: the same source runs lane by lane on the processor, every access to memory is
    observed, and each schedule interleaves the threads in another random order.

    Parameters
    ----------
    kernel : str or cupy.RawKernel
        CUDA C++ as for a GPU; :mod:`gpucore.watching.source.translate` lists what is outside the
        subset.
    grid, block : int or sequence of int
        Blocks, and threads a block; up to three dimensions.
    args : sequence
        Arguments of the kernel: NumPy or CuPy arrays, and NumPy or Python numbers of the
        parameters' types. They are copied, not changed. A kernel gets a pointer to the first
        element of an array and not its strides, as from CuPy.
    name : str, optional
        Which kernel, if the source has several; a template with its arguments: ``k<float, 256>``.
    shared_mem : int
        Bytes of dynamic shared memory.
    cooperative : bool
        Whether it is a cooperative launch, in which all blocks can meet.
    schedules, seed : int
        How many orders of the threads, and the seed of the first.
    empty : sequence of int
        Numbers of the arguments that begin without content, as ``cupy.empty`` gives them: reading
        them before they are written is a finding.
    constants : mapping, optional
        Arrays or numbers for ``__constant__`` and ``__device__`` variables, by name; the others
        begin with their value in the source.
    include : sequence of path
        Folders of the headers that the source includes.
    steps : int
        Accesses and basic blocks after which a launch is ended; one in which nothing changes is
        ended after a twentieth of them.
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
        There is no such kernel or variable, or arguments, a block or its shared memory do not fit
        the kernel.
    MissingDependency
        There is no compiler.
    ParameterError
        Too many threads or schedules, or a value of another type.

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
    sizes = _sizes(grid, block)
    check_orders(schedules, seed, steps)
    check_flag("cooperative", cooperative)
    plain = translate(source, name, include)
    chosen = chosen_kernel(plain.kernels)
    library = compile_kernel(plain)
    if not isinstance(args, Sequence):
        raise ParameterError(f"args are a sequence of arguments, not {type(args).__name__}")
    given = hold(args, empty, plain.parameters[chosen])
    fixed = fixed_variables(native.library(library), constants or {})
    launch = _Launch(chosen, sizes, given, fixed, shared_mem, cooperative, steps)
    seen = Seen()
    paths.forget(native.library(library))
    for number in range(schedules):
        if not seen.launch(scheduled(library, number, seed), launch):
            break
    profile = seen.profile
    assert profile is not None
    on_gpu = None
    if device is not None:
        on_gpu = seen.has(_on_gpu(device, source, chosen, sizes, args, shared_mem))
    watched = Watched(
        source,
        chosen,
        seen.first,
        seen.launches,
        seen.results,
        tuple(race for race in seen.races if not race.same_value),
        tuple(race for race in seen.races if race.same_value),
        (*uninitialised(said_of(library)), *seen.findings),
        tuple(remarks(profile, source)),
        (*_warnings(given, sizes, source), *_unseen(library, seen, source)),
        profile,
        on_gpu,
        seen.output,
        seen.steps,
    )
    return handed_out(watched)


def check_orders(schedules: int, seed: int, steps: int) -> None:
    """Raise ParameterError unless launches can be watched with these options of :func:`watch`."""
    if not is_whole(schedules) or not 1 <= schedules <= MOST_SCHEDULES:
        raise ParameterError(f"schedules is {schedules!r}; take 1 to {MOST_SCHEDULES:,}")
    if not is_whole(steps) or not 1 <= steps < 1 << 63:
        raise ParameterError(f"steps is {steps!r}; take a whole number of at least 1")
    if not is_whole(seed):
        raise ParameterError(f"seed is {seed!r}; take a whole number")


def signature_of(
    source: str, name: str | None = None, include: Sequence[str | Path] = ()
) -> Signature:
    """Return the parameters of a kernel; `source`, `name` and `include` are those of `watch`."""
    plain = translate(source, name, include)
    library = native.library(compile_kernel(plain))
    return library.kernel("lab", chosen_kernel(plain.kernels)).signature


@dataclass(frozen=True)
class _Launch:
    """A kernel with arguments."""

    name: str
    sizes: tuple[tuple[int, ...], tuple[int, ...]]
    given: Sequence[Any]
    fixed: Sequence[Fixed]
    shared_mem: int
    cooperative: bool
    steps: int

    @property
    def held(self) -> list[Held]:
        """The arrays."""
        return [one for one in self.given if isinstance(one, Held)]

    @property
    def memory(self) -> Sequence[Memory]:
        """All that the kernel may touch."""
        return [*self.held, *self.fixed]

    @property
    def arrays(self) -> Sequence[np.ndarray]:
        """Those of the arguments."""
        return [one.array for one in self.held]

    def run(self, host: HostDevice) -> None:
        """Launch once on a device."""
        args = [one.argument if isinstance(one, Held) else one for one in self.given]
        host.kernel("lab", self.name)(
            *self.sizes, args, shared_mem=self.shared_mem, cooperative=self.cooperative
        )


def _warnings(
    given: Sequence[Any], sizes: tuple[tuple[int, ...], tuple[int, ...]], source: str
) -> Iterator[str]:
    """Yield what the report should say before anything else."""
    for one in given:
        if isinstance(one, Held) and not one.array.flags.c_contiguous:
            yield (
                f"{one.name} is not contiguous: a kernel gets its first element's "
                "address and not its strides, so it reads the memory as it lies there; pass "
                "ascontiguousarray(...) if it is to see the array's order."
            )
    if math.prod(sizes[0]) == 1 and "blockIdx" in source:
        yield "there is one block: races between blocks show with two, so watch grid=2 as well."


def _unseen(library: Path, seen: Seen, source: str) -> list[str]:
    """Return what the report should say of paths; where no launch came to its end, nothing."""
    return paths.unseen(native.library(library), {SOURCE_NAME: source}) if seen.results else []


def _sizes(grid: Size, block: Size) -> tuple[tuple[int, ...], tuple[int, ...]]:
    sizes = _size("grid", grid), _size("block", block)
    threads = math.prod(sizes[0]) * math.prod(sizes[1])
    if not 1 <= threads <= MOST_THREADS:
        raise ParameterError(
            f"grid={grid}, block={block} are {threads:,} threads; 1 to {MOST_THREADS:,} can be "
            "watched: take a smaller problem with the same shape"
        )
    return sizes


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


def _size(what: str, size: Size) -> tuple[int, ...]:
    try:
        numbers = (
            tuple(operator.index(part) for part in size)
            if isinstance(size, Sequence | np.ndarray) and not isinstance(size, str)
            else (operator.index(size),)
        )
    except TypeError:
        numbers = ()
    if not 1 <= len(numbers) <= 3 or min(numbers) < 1:
        raise ParameterError(f"{what} is {size!r}; it is one to three numbers from 1")
    return numbers


def _on_gpu(
    device: Device,
    source: str,
    name: str,
    sizes: tuple[tuple[int, ...], tuple[int, ...]],
    args: Sequence[Any],
    shared_mem: int,
) -> tuple[np.ndarray, ...]:
    """Run the source as it is on a GPU; return the arrays after it."""
    xp = device.xp
    if not hasattr(xp, "RawModule"):
        raise ParameterError(f"{device.name} is no GPU; pass get_device('cuda')")
    module = xp.RawModule(code=source, options=("--std=c++17",), name_expressions=(name,))
    function = module.get_function(name)
    given = [
        xp.asarray(one.get() if hasattr(one, "get") else one).copy() if is_array(one) else one
        for one in args
    ]
    function(*sizes, tuple(given), shared_mem=shared_mem)
    return tuple(one.get() for one in given if hasattr(one, "get") and one.ndim)
