"""Shared variables in the executor's form: references into the block's own memory.

``__shared__ T a[32], *b;`` becomes a typedef of the same declarators and a reference for each,
which works for every type that C++ can declare. At file scope the references are declared in the
functions that use them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from gpucore.errors import KernelCompileError
from gpucore.watching.source.lexer import Source
from gpucore.watching.source.messages import where

ALIGNMENTS = ("__align__", "alignas", "__attribute__")
_DROPPED = ("extern", "static", "__shared__", "__device__")
_TYPES = ("struct", "union", "class", "enum")


@dataclass(frozen=True)
class Shared:
    """One statement with ``__shared__``.

    Attributes
    ----------
    first, last : int
        Its tokens; the last one is the semicolon.
    names : tuple of str
        The variables.
    typedef : list of tuple
        Edits that make types of it.
    keys : str
        Declarations of what the executor knows the variables by.
    references : dict of str to str
        The declaration of each variable, once its type and its key are there.
    """

    first: int
    last: int
    names: tuple[str, ...]
    typedef: list[tuple[int, int, str]]
    keys: str
    references: dict[str, str]


def shared_statements(source: Source, first: int, last: int) -> list[Shared]:
    """Return the statements with ``__shared__`` among tokens first to last."""
    found: list[Shared] = []
    for index in range(first, last + 1):
        if source.is_at(index, "__shared__") and not (found and index <= found[-1].last):
            found.append(_statement(source, _start(source, first, index), index))
    return found


def _start(source: Source, first: int, index: int) -> int:
    """Return the first token of the statement around an index."""
    tokens = source.tokens
    while index > first and (
        tokens[index - 1].text not in (";", "{", "}", ":") and tokens[index - 1].kind != "directive"
    ):
        if tokens[index - 1].text == ")" and not _closes_alignment(source, first, index - 1):
            break
        index -= 1
    return index


def _closes_alignment(source: Source, first: int, index: int) -> bool:
    """Return whether a parenthesis ends ``__align__(16)``."""
    opening = next((a for a in range(index - 1, first, -1) if source.partner.get(a) == index), -1)
    return opening > first and (
        source.tokens[opening - 1].text in ALIGNMENTS or _closes_inner(source, opening - 1)
    )


def _closes_inner(source: Source, index: int) -> bool:
    """Return whether an opening parenthesis is the inner one of ``__attribute__((...))``."""
    return source.is_at(index, "(") and source.tokens[index - 1].text == "__attribute__"


def _statement(source: Source, first: int, at: int) -> Shared:
    tokens, partner = source.tokens, source.partner
    parts: list[list[int]] = [[]]
    alignments: list[str] = []
    typedef = [(tokens[first].start, tokens[first].start, "typedef ")]
    dynamic = False
    index = first
    while not source.is_at(index, ";") and index < len(tokens) - 1:
        text = tokens[index].text
        if text in ALIGNMENTS:
            end = partner[index + 1]
            alignments.append(_alignment(source, index, end))
            typedef.append((tokens[index].start, tokens[end].end, ""))
            index = end
        elif text in _DROPPED:
            dynamic = dynamic or text == "extern"
            typedef.append((tokens[index].start, tokens[index].end, ""))
        elif text == ",":
            parts.append([])
        elif text in ("=", "{") and not _is_type_body(source, first, index):
            _refuse(source, at, "a shared variable has no initial value on a GPU; assign it")
        else:
            parts[-1].append(index)
            if text in ("(", "[", "{"):
                index = partner[index]
            elif text == "<":
                index = source.angle_end(index)
        index += 1
    names: list[str] = []
    references: dict[str, str] = {}
    for part in parts:
        name_at = _name(source, part)
        if name_at is None:
            _refuse(source, at, "a name is missing in this declaration of a shared variable")
        name = tokens[name_at].text
        names.append(name)
        if dynamic:
            typedef += _without_first_bound(source, name_at)
        typedef.append((tokens[name_at].start, tokens[name_at].end, f"simt_{name}_t"))
        references[name] = _reference(name, dynamic)
    keys = "" if dynamic else "".join(_key(name, alignments) for name in names)
    return Shared(first, index, tuple(names), typedef, keys, references)


def _key(name: str, alignments: list[str]) -> str:
    asked = "".join(f" alignas({one})" for one in alignments if one)
    return f" struct{asked} simt_{name}_align {{}}; static char simt_{name}_key;"


def _reference(name: str, dynamic: bool) -> str:
    kind = f"simt_{name}_t"
    if dynamic:
        return f" {kind}* const {name} = ::simt::dynamic_shared<{kind}>();"
    return (
        f" {kind}& {name} = "
        f'::simt::static_shared<{kind}>(&simt_{name}_key, alignof(simt_{name}_align), "{name}");'
    )


def _is_type_body(source: Source, first: int, index: int) -> bool:
    return source.is_at(index, "{") and any(
        source.tokens[i].text in _TYPES for i in range(first, index)
    )


def _alignment(source: Source, index: int, end: int) -> str:
    """Return what ``alignas(x)``, ``__align__(x)`` or ``__attribute__((aligned(x)))`` asks for."""
    text = source.text[source.tokens[index + 1].end : source.tokens[end].start]
    return text.partition("aligned")[2].strip(" ()") if "aligned" in text else text


def _name(source: Source, part: list[int]) -> int | None:
    """Return the declared name among the tokens of a declarator at depth 0."""
    found: int | None = None
    for index in part:
        token = source.tokens[index]
        if token.text == "(" and source.is_at(index + 1, "*"):
            inside = range(index, source.partner[index])
            return max((i for i in inside if source.tokens[i].kind == "word"), default=None)
        if token.text in ("[", "(", ":"):
            break
        found = index if token.kind == "word" else found
    return found


def _without_first_bound(source: Source, name_at: int) -> list[tuple[int, int, str]]:
    """Return the edit that makes the element type of ``name[]``."""
    if not source.is_at(name_at + 1, "["):
        return []
    end = source.partner[name_at + 1]
    return [(source.tokens[name_at + 1].start, source.tokens[end].end, "")]


def _refuse(source: Source, index: int, reason: str) -> NoReturn:
    raise KernelCompileError(f"{where(*source.place(index))}: {reason}")
