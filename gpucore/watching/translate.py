"""Plain CUDA C++ in the form that the host executor compiles, line by line the same.

What the kernels do not reach is left out: host code, launches, and what only they use. The rest
changes in three places: how a kernel begins, shared variables, and variables of the device.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpucore.errors import KernelCompileError
from gpucore.watching.declarations import Declaration, Declared, declared
from gpucore.watching.kernels import choose, is_kernel
from gpucore.watching.lexer import Source
from gpucore.watching.preprocess import preprocess
from gpucore.watching.reach import hosts, reached
from gpucore.watching.shared import Shared, shared_statements


@dataclass(frozen=True)
class Outside:
    """Something of CUDA C++ that the host executor does not run.

    Attributes
    ----------
    pattern : str
        A regular expression; it is looked for in what the kernels reach.
    what, instead : str
        What it is, and what to write instead.
    """

    pattern: str
    what: str
    instead: str


#: All that cannot be watched; the documentation prints this table.
OUTSIDE = (
    Outside(r"<<<", "a launch by a kernel (dynamic parallelism)", "launch with grid= and block="),
    Outside(r"\b(?:asm|__asm__?)\b", "inline PTX", "use CUDA's functions"),
    Outside(r"\b(?:(?:tex|surf)(?:[123]D|Cubemap)\w*|cuda(?:Texture|Surface)Object_t)\b|"
            r"\btexture\s*<", "textures and surfaces", "pass an array"),
    Outside(r"\b(?:wmma|nvcuda)\b", "tensor cores", "multiply by lanes"),
    Outside(r"\b(?:cluster_group|this_cluster|__cluster_dims__|cluster_sync)\b",
            "clusters of blocks", "use one block, or a cooperative launch"),
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

_VARIABLE = "__attribute__((used))"


@dataclass(frozen=True)
class Translated:
    """A source in the executor's form.

    Attributes
    ----------
    text : str
        C++ of the executor; every line keeps its number.
    kernels : tuple of str
        What may be launched; templates with their arguments, as ``k<float, 256>``.
    headers, dropped : tuple of str
        What the compiler has to include, and headers that were not found.
    source : str
        As the reader wrote it.
    """

    text: str
    kernels: tuple[str, ...]
    headers: tuple[str, ...]
    dropped: tuple[str, ...]
    source: str


def translate(
    source: str, name: str | None = None, include: Sequence[str | Path] = ()
) -> Translated:
    r"""Return the source for the host executor; every line keeps its number.

    Parameters
    ----------
    source : str
        CUDA C++ as in a file, with host code or without.
    name : str, optional
        The kernel; a template with its arguments, as ``k<float, 256>``. Other kernels are left out.
    include : sequence of path
        Folders of the headers that it includes.

    Raises
    ------
    KernelCompileError
        The source has something outside of the subset, or has no kernel. The message names the
        line.
    KernelError
        There is no kernel of this name, or a template has no arguments.
    """
    plain = preprocess(source, include)
    text, kernels = rewrite(plain.text, name)
    return Translated(text, kernels, plain.headers, plain.dropped, source)


def rewrite(text: str, name: str | None = None) -> tuple[str, tuple[str, ...]]:
    r"""Return a source without macros in the executor's form, and its kernels.

    Examples
    --------
    >>> print(rewrite("__global__ void add(int* x)\n{ x[0] = 1; }\nint main() {}")[0])
    SIMT_APART void add(int* x)
    { x[0] = 1; }
    <BLANKLINE>
    """
    source = Source(text)
    found = declared(source)
    kernels = [one for one in found.all if is_kernel(one)]
    _refuse_members(found)
    chosen = choose(kernels, name)
    kept = reached(found, chosen)
    _refuse_outside(source, kept)
    edits = [edit for first, last in found.braces for edit in source.blank(first, last)]
    edits += [e for one in found.all if one not in kept for e in source.blank(one.first, one.last)]
    edits += [edit for one in kept for edit in _host_members(one)]
    edits += [edit for one in kept for edit in _qualified(one)]
    edits += _shared(source, kept)
    return source.edited(edits), tuple(dict.fromkeys(call for _, call in chosen))


def _host_members(one: Declaration) -> list[tuple[int, int, str]]:
    return [e for member in hosts(one) for e in one.source.blank(member.first, member.last)]


def _refuse_members(found: Declared) -> None:
    for one in found.all:
        for member in one.members:
            if member.has("__global__"):
                raise KernelCompileError(
                    f"{_at(found.source, member.first)}: a kernel is no member of a class"
                )


def _refuse_outside(source: Source, kept: list[Declaration]) -> None:
    """Raise an error at the first thing that the executor does not run."""
    for one in kept:
        host_made = [(member.first, member.last) for member in hosts(one)]
        tokens = [
            index
            for index in range(one.first, one.last + 1)
            if source.tokens[index].kind in ("word", "sign")
            and not any(first <= index <= last for first, last in host_made)
        ]
        text = " ".join(source.tokens[index].text for index in tokens)
        for outside in OUTSIDE:
            if hit := re.search(outside.pattern, text):
                index = tokens[text.count(" ", 0, hit.start())]
                raise KernelCompileError(
                    f"{_at(source, index)}: {outside.what} cannot be watched; {outside.instead}"
                )
        if is_kernel(one):
            _refuse_references(source, one)


def _refuse_references(source: Source, one: Declaration) -> None:
    first, last = one.parameters
    index = first + 1
    while index < last:
        if source.is_at(index, "&"):
            raise KernelCompileError(
                f"{_at(source, index)}: a kernel takes no references, for they would be the "
                "host's; pass a pointer or the value"
            )
        index = source.partner.get(index, index) + 1


def _at(source: Source, index: int) -> str:
    name, line = source.place(index)
    return f"{name + ', ' if name and not name.startswith('your_kernel') else ''}line {line}"


def _qualified(one: Declaration) -> Iterator[tuple[int, int, str]]:
    """Return the edits of CUDA's words before a function, a variable or a parameter.

    Variables are marked as used: otherwise the compiler would take those that no kernel writes for
    constants, while Python writes them.
    """
    source = one.source
    for index in range(one.first, one.last + 1):
        token = source.tokens[index]
        new = None
        if token.text in ("__global__", "__noinline__"):
            new = "SIMT_APART"
        elif token.text in ("__constant__", "__managed__") or (
            token.text == "__device__" and _is_of_variable(one, index)
        ):
            new = _VARIABLE
        elif token.text == "__grid_constant__":
            new = ""
        elif (
            token.text == "extern"
            and source.tokens[index + 1].kind == "string"
            and not source.is_at(index + 2, "{")
        ):
            yield (token.start, source.tokens[index + 1].end, "")
        if new is not None:
            yield (token.start, token.end, new)


def _is_of_variable(one: Declaration, index: int) -> bool:
    """Return whether ``__device__`` stands before a variable, also a static one in a function."""
    if one.function:
        return index > one.body[0] and one.source.is_at(index - 1, "static")
    return one.parameters[0] < 0 and (one.body[0] < 0 or index < one.body[0])


def _shared(source: Source, kept: list[Declaration]) -> list[tuple[int, int, str]]:
    """Return the edits of shared variables, in functions and at file scope."""
    edits: list[tuple[int, int, str]] = []
    outer: list[Shared] = []
    for one in kept:
        for each in shared_statements(source, one.first, one.last):
            local = each.first > one.first  # in a body, also that of a member function
            after = "".join(each.references.values()) if local else ""
            end = source.tokens[each.last].end
            edits += [*each.typedef, (end, end, each.keys + after)]
            outer += [] if local else [each]
    for one in kept:
        if not one.function:
            continue
        inside = {t.text for t in source.tokens[one.body[0] : one.body[1]]}
        given = {t.text for t in source.tokens[one.parameters[0] : one.parameters[1]]}
        for each in outer:
            for name, reference in each.references.items():
                if name in inside and name not in given:
                    end = source.tokens[one.body[0]].end
                    edits.append((end, end, reference))
    return edits
