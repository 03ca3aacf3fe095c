"""Whole programs of CUDA C++ in the executor's form: host code stays, launches become calls."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from gpucore.errors import GraphError, KernelCompileError
from gpucore.watching.source.declarations import Declaration, declared
from gpucore.watching.source.kernels import is_kernel, parameter_names
from gpucore.watching.source.lexer import Source
from gpucore.watching.source.local_arrays import local_edits
from gpucore.watching.source.messages import SOURCE_NAME
from gpucore.watching.source.outside import named_place, refuse_kernels, refuse_programs
from gpucore.watching.source.preprocess import preprocess
from gpucore.watching.source.reach import QUALIFIERS, reached
from gpucore.watching.source.translate import (
    Translated,
    _qualified,
    _shared,
)

#: The program's main function, under a name that is free.
MAIN = "simt_main"
_LAUNCH = "::simt::program::launch"
_LAUNCH_CALLS = {"cudaLaunchKernel": "false", "cudaLaunchCooperativeKernel": "true"}
_BUILT_IN = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_LEAVE = "::simt::program::leave"


def translate_program(files: Sequence[Path], include: Sequence[str | Path] = ()) -> Translated:
    """Return a whole program for the host executor; every line keeps its number.

    Several files become one unit, in which each header is once, and what one declares the others
    have.

    Parameters
    ----------
    files : sequence of path
        CUDA C++; one of them has a main function.
    include : sequence of path
        Folders of the headers that they include; those beside the files are found.

    Raises
    ------
    GraphError
        A file cannot be read.
    KernelCompileError
        There is no main function, or a kernel has something outside of the subset.
    """
    texts = list(sources_of(files).values())
    source = texts[0] if len(files) == 1 else "".join(f'#include "{p.absolute()}"\n' for p in files)
    folders = [*dict.fromkeys(path.parent for path in files), *include]
    plain = preprocess(source, folders, hosted=True)
    text, parameters = rewrite_program(plain.text)
    return Translated(text, plain.headers, plain.dropped, source, parameters)


def sources_of(files: Sequence[Path]) -> dict[str, str]:
    """Return the texts of a program's files, by the names that they have in reports."""
    try:
        texts = [source_text(path) for path in files]
    except OSError as error:
        raise GraphError(f"{error.filename} cannot be read: {error.strerror}") from None
    names = [SOURCE_NAME] if len(files) == 1 else [path.name for path in files]
    return dict(zip(names, texts, strict=True))


def source_text(path: Path) -> str:
    """Return the text of a file of CUDA C++, or raise GraphError if it is none."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if "\0" in text:
        raise GraphError(f"{path} holds zero bytes; name a text file of CUDA C++")
    if not text.strip():
        raise GraphError(f"{path} is empty; name a text file of CUDA C++")
    return text


def rewrite_program(text: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    r"""Return a program without macros in the executor's form, and its kernels' parameters.

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
    refuse_programs(source)
    refuse_kernels(source, reached(found, [(one, one.name) for one in kernels if is_kernel(one)]))
    edits = [edit for one in found.all for edit in _qualified(one)]
    edits += _shared(source, found.all)
    edits += local_edits(found.all)
    edits += _main(source, main)
    edits += _launches(source, _open_names(found.all))
    edits += [edit for one in found.all for edit in _host_variables(one)]
    edits += _launch_calls(source)
    edits += _exits(source)
    names = {"::".join((*one.scope, one.name)): parameter_names(one) for one in kernels}
    return source.edited(edits) + "\n", names


def _open_names(every: list[Declaration]) -> set[str]:
    """Return the functions whose name alone gives no address, or not all that a call knows.

    Such are templates, overloaded functions, and those with values for parameters left out.
    """
    named = [one for one in every if one.parameters[0] >= 0]
    times = Counter(one.name for one in named if one.function)
    return {
        one.name
        for one in named
        if one.source.is_at(one.first, "template")
        or times[one.name] > 1
        or any(one.source.is_at(at, "=") for at in range(*one.parameters))
    }


def _host_variables(one: Declaration) -> Iterator[tuple[int, int, str]]:
    """Return the edits of a host function's own variables that have names of CUDA's."""
    if one.function and not one.has(*QUALIFIERS):
        for token in one.source.tokens[one.first : one.last + 1]:
            if token.text in _BUILT_IN:
                yield token.start, token.end, f"simt_host_{token.text}"


def _main(source: Source, main: Declaration) -> Iterator[tuple[int, int, str]]:
    name = source.tokens[main.parameters[0] - 1]
    yield name.start, name.end, MAIN
    end = source.tokens[main.body[1]].start
    yield end, end, "return 0; "


def _launches(source: Source, is_open: set[str]) -> Iterator[tuple[int, int, str]]:
    for index, token in enumerate(source.tokens):
        if token.kind != "sign" or not (opened := _opening(source, index)):
            continue
        first = _callee(source, index)
        start = source.tokens[first].start
        called = source.text[start : token.start].strip()
        name = re.sub(r"\s+", " ", called)
        shown = _literal(name)
        line = source.place(index)[1]
        if re.sub(r"<.*", "", name).split("::")[-1].strip() in is_open:
            function = f"[](auto... simt_a) SIMT_UNSEEN {{ {name}(simt_a...); }}"
            begin = f"{_LAUNCH}_open({shown}, {line}, {function}, "
        else:
            begin = f"{_LAUNCH}({shown}, {line}, {name}, "
        end = _closing(source, opened)
        yield start, source.tokens[opened].end, begin
        yield source.tokens[end].start, source.tokens[end + 2].end, ")"


def _launch_calls(source: Source) -> Iterator[tuple[int, int, str]]:
    """Return the edits of launches by functions, whose kernel may be cast to an address."""
    for index, token in enumerate(source.tokens):
        if token.text not in _LAUNCH_CALLS or not source.is_at(index + 1, "("):
            continue
        first = _behind_cast(source, index + 2)
        last = first
        while last < source.partner[index + 1] and not source.is_at(last, ","):
            last = source.angle_end(last) if source.is_at(last, "<") else last
            last = source.partner.get(last, last) + 1
        name = source.text[source.tokens[first].start : source.tokens[last].start]
        line, cooperative = source.place(index)[1], _LAUNCH_CALLS[token.text]
        begin = f"{_LAUNCH}_array({_literal(name)}, {line}, {cooperative}, "
        yield token.start, source.tokens[first].start, begin


def _literal(name: str) -> str:
    """Return a name of the source as a string of C++."""
    return json.dumps(" ".join(name.split()), ensure_ascii=False)


def _behind_cast(source: Source, index: int) -> int:
    """Return the first token behind ``(void*)``, ``(const void*)`` and an ``&``."""
    if source.is_at(index, "(") and source.is_at(source.partner[index] - 1, "*"):
        index = source.partner[index] + 1
    return index + source.is_at(index, "&")


def _opening(source: Source, index: int) -> int:
    """Return the last token of a ``<<<`` that begins here, also of ``<< <``; 0 if none does."""
    if source.is_at(index, "<<<"):
        return index
    is_apart = all(source.is_at(index + i, "<") for i in range(3))
    return index + 2 if is_apart and source.tokens[index - 1].text != "<" else 0


def _callee(source: Source, index: int) -> int:
    """Return the first token of what is launched: a name with its namespaces and arguments."""
    at = index - 1
    while True:
        if source.is_at(at, ">"):
            at = source.angle_begin(at) - 1
        if source.is_at(at, ")"):
            at = source.opener[at]
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
    raise KernelCompileError(f"{named_place(source, index)}: the launch has no >>>( after its <<<")


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
