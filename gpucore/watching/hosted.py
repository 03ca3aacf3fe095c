"""Whole programs of CUDA C++ in the executor's form: host code stays, launches become calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from gpucore.errors import KernelCompileError
from gpucore.watching.declarations import Declaration, declared
from gpucore.watching.kernels import is_kernel
from gpucore.watching.lexer import Source
from gpucore.watching.preprocess import preprocess
from gpucore.watching.reach import reached
from gpucore.watching.translate import (
    Translated,
    _at,
    _qualified,
    _refuse_outside,
    _shared,
)

#: The program's main function, under a name that is free.
MAIN = "simt_main"
_LAUNCH = "::simt::program::launch"
_LEAVE = "::simt::program::leave"


def translate_program(source: str, include: Sequence[str | Path] = ()) -> Translated:
    """Return a whole program for the host executor; every line keeps its number.

    Parameters
    ----------
    source : str
        One file of CUDA C++ with a main function.
    include : sequence of path
        Folders of the headers that it includes.

    Raises
    ------
    KernelCompileError
        There is no main function, or a kernel has something outside of the subset.
    """
    plain = preprocess(source, include, hosted=True)
    text, kernels = rewrite_program(plain.text)
    return Translated(text, kernels, plain.headers, plain.dropped, source)


def rewrite_program(text: str) -> tuple[str, tuple[str, ...]]:
    r"""Return a program without macros in the executor's form, and its kernels.

    Examples
    --------
    >>> print(rewrite_program("__global__ void k(int* x) {}\nint main() { k<<<1, 2>>>(0); }")[0])
    SIMT_APART void k(int* x) {}
    int simt_main() { ::simt::program::launch("k", 2, k, 1, 2)(0); return 0; }
    <BLANKLINE>
    """
    source = Source(text)
    found = declared(source)
    kernels = [one for one in found.all if one.function and one.has("__global__")]
    main = next((one for one in found.all if one.function and one.name == "main"), None)
    if main is None:
        raise KernelCompileError("there is no main function; name a launch with --block")
    _refuse_outside(source, reached(found, [(one, one.name) for one in kernels if is_kernel(one)]))
    edits = [edit for one in found.all for edit in _qualified(one)]
    edits += _shared(source, found.all)
    edits += _main(source, main)
    edits += _launches(source, _open_names(kernels))
    edits += _exits(source)
    names = dict.fromkeys("::".join((*one.scope, one.name)) for one in kernels)
    return source.edited(edits) + "\n", tuple(names)


def _open_names(kernels: list[Declaration]) -> set[str]:
    """Return the kernels of which a name alone gives no address: templates, and overloaded ones."""
    times = Counter(one.name for one in kernels)
    return {
        one.name
        for one in kernels
        if one.source.is_at(one.first, "template") or times[one.name] > 1
    }


def _main(source: Source, main: Declaration) -> Iterator[tuple[int, int, str]]:
    name = source.tokens[main.parameters[0] - 1]
    yield name.start, name.end, MAIN
    end = source.tokens[main.body[1]].start
    yield end, end, "return 0; "


def _launches(source: Source, is_open: set[str]) -> Iterator[tuple[int, int, str]]:
    for index, token in enumerate(source.tokens):
        if token.text != "<<<" or token.kind != "sign":
            continue
        first = _callee(source, index)
        start = source.tokens[first].start
        called = source.text[start : token.start].strip()
        name = re.sub(r"\s+", " ", called)
        shown = name.replace("\\", "\\\\").replace('"', '\\"')
        line = source.place(index)[1]
        if re.sub(r"<.*", "", name).split("::")[-1].strip() in is_open:
            function = f"[](auto... simt_a) SIMT_UNSEEN {{ {name}(simt_a...); }}"
            begin = f'{_LAUNCH}_open("{shown}", {line}, {function}, '
        else:
            begin = f'{_LAUNCH}("{shown}", {line}, {name}, '
        end = _closing(source, index)
        yield start, token.end, begin
        yield source.tokens[end].start, source.tokens[end + 2].end, ")"


def _callee(source: Source, index: int) -> int:
    """Return the first token of what is launched: a name with its namespaces and arguments."""
    at = index - 1
    while True:
        if source.is_at(at, ">"):
            depth = 0
            while at > 0:
                depth += source.is_at(at, ">") - source.is_at(at, "<")
                at -= 1
                if depth == 0:
                    break
        if source.is_at(at, ")"):
            at = next(open_ for open_, close in source.partner.items() if close == at)
            at -= source.tokens[at - 1].kind == "word"
            return at
        if source.is_at(at - 1, "::"):
            at -= 1
            if source.tokens[at - 1].kind != "word" and not source.is_at(at - 1, ">"):
                return at
            at -= 1
            continue
        return at


def _closing(source: Source, index: int) -> int:
    """Return the first of the three signs that end the launch's sizes."""
    at = index + 1
    while at + 2 < len(source.tokens):
        if all(source.is_at(at + i, ">") for i in range(3)) and source.is_at(at + 3, "("):
            return at
        at = source.partner.get(at, at) + 1
    raise KernelCompileError(f"{_at(source, index)}: the launch has no >>>( after its <<<")


def _exits(source: Source) -> Iterator[tuple[int, int, str]]:
    """Return the edits of ``exit(code)``, which would end the process before its report."""
    for index, token in enumerate(source.tokens):
        if token.text != "exit" or token.kind != "word" or not source.is_at(index + 1, "("):
            continue
        before = source.tokens[index - 1]
        is_declared = before.kind == "word" and before.text not in ("return", "else", "do")
        if is_declared or before.text in (".", "->"):
            continue
        start = token.start
        if before.text == "::":
            is_std = source.is_at(index - 2, "std")
            start = source.tokens[index - 2].start if is_std else before.start
        yield start, token.end, _LEAVE
