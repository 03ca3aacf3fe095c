"""Plain CUDA C++ in the form that the host executor compiles, line by line the same.

What the kernels do not reach is left out: host code, launches, and what only they use. The rest
changes in four places: how a kernel begins, shared variables, variables of the device, and local
arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpucore.errors import KernelCompileError
from gpucore.watching.source.declarations import Declaration, Declared, declared
from gpucore.watching.source.kernels import choose, is_kernel, parameter_names
from gpucore.watching.source.lexer import Source
from gpucore.watching.source.local_arrays import local_edits
from gpucore.watching.source.outside import named_place, refuse_kernels
from gpucore.watching.source.preprocess import preprocess
from gpucore.watching.source.reach import hosts, reached
from gpucore.watching.source.shared import Shared, shared_statements

_VARIABLE = "__attribute__((used))"


@dataclass(frozen=True)
class Translated:
    """A source in the executor's form.

    Attributes
    ----------
    text : str
        C++ of the executor; every line keeps its number.
    headers, dropped : tuple of str
        What the compiler has to include, and headers that were not found.
    source : str
        As the reader wrote it.
    parameters : dict of str to tuple of str
        The names of the kernels' parameters.
    """

    text: str
    headers: tuple[str, ...]
    dropped: tuple[str, ...]
    source: str
    parameters: dict[str, tuple[str, ...]]

    @property
    def kernels(self) -> tuple[str, ...]:
        """What may be launched; templates with their arguments, as ``k<float, 256>``."""
        return tuple(self.parameters)


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
    text, parameters = rewrite(plain.text, name)
    return Translated(text, plain.headers, plain.dropped, source, parameters)


def rewrite(text: str, name: str | None = None) -> tuple[str, dict[str, tuple[str, ...]]]:
    r"""Return a source without macros in the executor's form, and its kernels' parameters.

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
    refuse_kernels(source, kept)
    edits = [edit for first, last in found.braces for edit in source.blank(first, last)]
    edits += [e for one in found.all if one not in kept for e in source.blank(one.first, one.last)]
    edits += [edit for one in kept for edit in _host_members(one)]
    edits += [edit for one in kept for edit in _qualified(one)]
    edits += _shared(source, kept)
    edits += local_edits(kept)
    return source.edited(edits), {call: parameter_names(one) for one, call in chosen}


def _host_members(one: Declaration) -> list[tuple[int, int, str]]:
    return [e for member in hosts(one) for e in one.source.blank(member.first, member.last)]


def _refuse_members(found: Declared) -> None:
    for one in found.all:
        for member in one.members:
            if member.has("__global__"):
                raise KernelCompileError(
                    f"{named_place(found.source, member.first)}: a kernel is no member of a class"
                )


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
