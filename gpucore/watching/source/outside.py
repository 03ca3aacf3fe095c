"""What the host executor does not run, and the error that names its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gpucore.errors import KernelCompileError
from gpucore.watching.source.declarations import Declaration
from gpucore.watching.source.kernels import is_kernel
from gpucore.watching.source.lexer import Source
from gpucore.watching.source.messages import where
from gpucore.watching.source.reach import hosts


@dataclass(frozen=True)
class Outside:
    """Something of CUDA C++ that the host executor does not run.

    Attributes
    ----------
    pattern : str
        A regular expression; it is looked for in words and signs with a space between them.
    what, instead : str
        What it is, and what to write instead.
    """

    pattern: str
    what: str
    instead: str


#: All that kernels cannot have; the documentation prints these tables.
OUTSIDE = (
    Outside(r"<<<", "a launch by a kernel (dynamic parallelism)", "launch with grid= and block="),
    Outside(r"\b(?:asm|__asm__?)\b", "inline PTX", "use CUDA's functions"),
    Outside(r"\b(?:(?:tex|surf)(?:[123]D|Cubemap)\w*|cuda(?:Texture|Surface)Object_t)\b|"
            r"\btexture\s*<", "textures and surfaces", "pass an array"),
    Outside(r"\b(?:wmma|nvcuda)\b", "tensor cores", "multiply by lanes"),
    Outside(r"\b(?:cluster_group|this_cluster|__cluster_dims__|cluster_sync)\b",
            "clusters of blocks", "use one block, or a cooperative launch"),
    Outside(r"\b(?:binary|labeled)_partition\b", "partitions of a group by a value",
            "use the warp functions with a mask"),
    Outside(r"\bcoalesced_threads\b", "cooperative_groups::coalesced_threads",
            "use a tile, or the warp functions with a mask"),
    Outside(r"\bmulti_grid\w*|\bthis_multi_grid\b", "grids over several GPUs", "use one GPU"),
    Outside(r"\b(?:thrust|cub)\s*::", "thrust and cub in device code",
            "write the kernel for itself, or watch what is around it"),
    Outside(r"\bcuda\s*::\s*(?:barrier|pipeline|memcpy_async)\b|\b__pipeline_\w+",
            "asynchronous copies and their barriers", "copy, and use __syncthreads"),
    Outside(r"\b(?:malloc|free)\s*\(|\bnew\s+\w|\bdelete\b(?!\s*;)", "the device's heap",
            "pass an array"),
    Outside(r"\bcurand\w*", "cuRAND in device code", "pass random numbers in an array"),
    Outside(r"\bcuda(?:Malloc|Free|Memcpy|Memset|Device|Stream|Event|Launch)\w*\s*\(",
            "CUDA's runtime in device code", "call it from the host"),
)  # fmt: skip

#: What host code of programs cannot have.
OUTSIDE_PROGRAMS = (
    Outside(r"\bcuda(?:Graph(?!ics)\w*|StreamBeginCapture\w*)", "CUDA graphs",
            "launch the kernels one after the other"),
    Outside(r"\bcuda(?:Texture|Surface|Array|Mipmapped|MallocArray|Malloc3DArray|FreeArray|"
            r"BindTexture|BindSurface|UnbindTexture|Memcpy\w*Array|CreateChannelDesc|"
            r"CreateTexture|ChannelFormat)\w*|\btexture <", "textures, surfaces and CUDA arrays",
            "pass linear memory"),
    Outside(r"\b(?:cudaGraphics|cudaGL|cudaEGL|cudaD3D|cudaVDPAU|cudaExternal|cudaImportExternal|"
            r"glut[A-Z]|gl[A-Z][a-z]|GL[a-z]+\b|vk[A-Z]|Vk[A-Z]|egl[A-Z]|EGL|NvSci)\w*",
            "graphics, and memory of other interfaces", "watch the part without them"),
    Outside(r"\b(?:thrust|cub) ::", "thrust and cub",
            "watch the kernels around them, with --block"),
    Outside(r"\b(?:cublas|cufft|curand|cusparse|cusolver|cudnn|nvjpeg|nvrtc|nvtx|npp|nccl|MPI_|"
            r"omp_)\w+|\bcu(?:Init|Ctx|Module|Launch|Mem|Device|Link|Func)\w*",
            "CUDA's and other parallel libraries", "watch the kernels around them, with --block"),
    Outside(r"\bcuda(?:MemPool|DeviceGetDefaultMemPool|DeviceSetMemPool|MallocFromPool|Ipc|"
            r"DeviceGetMemPool)\w*", "memory pools and memory of other processes",
            "use cudaMalloc in one process"),
    Outside(r"\bcuda(?:Memcpy3D|Malloc3D|Memset3D|Extent|PitchedPtr|make_cuda)\w*",
            "copies in three dimensions", "use cudaMemcpy or cudaMemcpy2D"),
    Outside(r"\bcudaHost(?:Register|Unregister) \(", "memory of the host that is registered",
            "allocate it with cudaMallocHost"),
    Outside(r"\bcuda(?:AccessPolicy|Stream(?:Set|Get)Attribute|StreamAttr|LaunchAttribute|"
            r"LaunchConfig|LaunchKernelEx)\w*", "attributes of streams and launches",
            "launch without them"),
    Outside(r"\bsdk(?:Load|Save)P[PG]M\w*", "images of the samples' helpers",
            "fill the array by a loop"),
)  # fmt: skip


def refuse_kernels(source: Source, kept: list[Declaration]) -> None:
    """Raise an error at the first thing that kernels, or what they reach, cannot have."""
    for one in kept:
        host_made = [(member.first, member.last) for member in hosts(one)]
        inside = range(one.first, one.last + 1)
        tokens = [at for at in inside if not any(a <= at <= b for a, b in host_made)]
        _refuse(source, tokens, OUTSIDE)
        if is_kernel(one):
            _refuse_references(source, one)


def refuse_programs(source: Source) -> None:
    """Raise an error at the first thing that a program cannot have."""
    _refuse(source, range(len(source.tokens)), OUTSIDE_PROGRAMS)


def _refuse(source: Source, indices: Sequence[int], rows: Sequence[Outside]) -> None:
    tokens = [index for index in indices if source.tokens[index].kind in ("word", "sign")]
    text = " ".join(source.tokens[index].text for index in tokens)
    for row in rows:
        if hit := re.search(row.pattern, text):
            index = tokens[text.count(" ", 0, hit.start())]
            raise KernelCompileError(
                f"{named_place(source, index)}: {row.what} cannot be watched; {row.instead}"
            )


def _refuse_references(source: Source, one: Declaration) -> None:
    first, last = one.parameters
    index = first + 1
    while index < last:
        if source.is_at(index, "&"):
            raise KernelCompileError(
                f"{named_place(source, index)}: a kernel takes no references, for they would be "
                "the host's; pass a pointer or the value"
            )
        index = source.partner.get(index, index) + 1


def named_place(source: Source, index: int) -> str:
    """Return where a token is, in words."""
    return where(*source.place(index))
