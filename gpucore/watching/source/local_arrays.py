"""Local arrays in the executor's form: each between guards, and known while its scope lasts.

``float acc[4] = {0}, sum;`` becomes a typedef of the declarator, an object with the array inside,
and a reference of its name. The executor then sees every access; see simt/host/local.h.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gpucore.watching.source.declarations import Declaration
from gpucore.watching.source.lexer import Source, words
from gpucore.watching.source.shared import ALIGNMENTS

_Edit = tuple[int, int, str]

#: Words of a statement that declares no local array, or one that is no lane's own.
_OTHERS = words(
    "return else do if for while switch case default goto break continue throw delete new using "
    "typedef static extern constexpr thread_local template operator asm try catch namespace public "
    "private protected __shared__ __constant__ __device__ sizeof friend static_assert co_return"
)
#: What stands before the brace of a block; before others stands a value or a type.
_BEFORE_BLOCK = words(") { } ; else do try : ] mutable noexcept")


@dataclass(frozen=True)
class _Declarator:
    """One declared name; all are indices of tokens, -1 where there is none."""

    first: int
    last: int
    name: int
    bounds: int  # the last bracket of an array
    is_open: bool  # an array whose initial value decides its length
    value: int  # where the initial value begins


def local_edits(functions: list[Declaration]) -> Iterator[_Edit]:
    """Return the edits of the local arrays of functions that run on the device."""
    for one in functions:
        if one.function and one.has("__global__", "__device__"):
            yield from _of_body(one.source, *one.body)
        yield from local_edits(one.members)


def _of_body(source: Source, first: int, last: int) -> Iterator[_Edit]:
    if any(source.is_at(index, "goto") for index in range(first, last)):
        return  # a jump past a declaration with an initial value is an error
    blocks: list[bool] = []  # the brackets around a token: whether statements begin in each
    index = first
    while index < last:
        token = source.tokens[index]
        if token.text in ("(", "[", "{") and token.kind == "sign":
            blocks.append(token.text == "{" and (index == first or _opens_block(source, index)))
        elif token.text in (")", "]", "}") and token.kind == "sign":
            blocks.pop()
        elif blocks and blocks[-1] and token.kind == "word" and _begins(source, index):
            end, edits = _statement(source, index)
            yield from edits
            if edits:
                index = end
        index += 1


def _opens_block(source: Source, index: int) -> bool:
    """Return whether a brace opens a block of statements, and not the labels of a switch."""
    if source.tokens[index - 1].text not in _BEFORE_BLOCK:
        return False
    if not source.is_at(index - 1, ")"):
        return True
    return not source.is_at(source.opener[index - 1] - 1, "switch")


def _begins(source: Source, index: int) -> bool:
    before = source.tokens[index - 1]
    return before.kind == "directive" or before.text in ("{", "}", ";")


def _statement(source: Source, first: int) -> tuple[int, list[_Edit]]:
    """Return the semicolon of a declaration, and its edits: none if it has no local array."""
    alignments: list[tuple[int, int]] = []
    kind: list[str] = []
    index = first
    while source.tokens[index].kind == "word" or source.is_at(index, "::"):
        text = source.tokens[index].text
        if text in _OTHERS:
            return first, []
        if text in ALIGNMENTS and source.is_at(index + 1, "("):
            end = source.partner[index + 1]
            alignments.append((index, end))
            index = end + 1
            continue
        if kind and not source.is_at(index, "::") and not source.is_at(index - 1, "::"):
            after = source.tokens[index + 1].text
            if after in ("[", "=", ",", ";", "{", "("):
                break
        kind.append(text)
        index += 1
        if source.is_at(index, "<"):
            end = source.angle_end(index)
            kind += [token.text for token in source.tokens[index : end + 1]]
            index = end + 1
    end, declarators = _declarators(source, index)
    if not kind or not any(one.bounds >= 0 for one in declarators):
        return first, []
    aligned = "".join(
        source.text[source.tokens[a].start : source.tokens[b].end] + " " for a, b in alignments
    )
    return end, list(_edits(source, first, " ".join(kind), alignments, aligned, declarators))


def _declarators(source: Source, index: int) -> tuple[int, list[_Declarator]]:
    """Return the semicolon behind declarators, and them; none if they are something else."""
    found: list[_Declarator] = []
    while index < len(source.tokens):
        first = index
        while source.tokens[index].text in ("*", "&", "const", "volatile", "__restrict__"):
            index += 1
        name = index
        if source.tokens[name].kind != "word":
            break
        index += 1
        bounds, is_open = -1, False
        while source.is_at(index, "["):
            bounds = source.partner[index]
            is_open = is_open or bounds == index + 1
            index = bounds + 1
        value = index if source.tokens[index].text in ("=", "{", "(") else -1
        while not (source.is_at(index, ",") or source.is_at(index, ";")):
            if index >= len(source.tokens) - 1 or (value < 0):
                return index, []
            if source.is_at(index, "<") and source.tokens[index - 1].kind == "word":
                closing = source.angle_end(index)
                index = closing if source.is_at(closing, ">") else index
            index = source.partner.get(index, index) + 1
        found.append(_Declarator(first, index - 1, name, bounds, is_open, value))
        if source.is_at(index, ";"):
            return index, found
        index += 1
    return index, []


def _edits(
    source: Source,
    first: int,
    kind: str,
    alignments: list[tuple[int, int]],
    aligned: str,
    declarators: list[_Declarator],
) -> Iterator[_Edit]:
    tokens = source.tokens
    for number, one in enumerate(declarators):
        is_array = one.bounds >= 0
        begin = f"typedef {kind} " if is_array else f"{aligned}{kind} "
        if number > 0:
            comma = tokens[one.first - 1]
            yield comma.start, comma.end, f"; {begin}"
        elif is_array:
            yield tokens[first].start, tokens[first].start, "typedef "
            for a, b in alignments:
                yield tokens[a].start, tokens[b].end, ""
        if is_array:
            yield from _array(source, one, aligned)


def _array(source: Source, one: _Declarator, aligned: str) -> Iterator[_Edit]:
    tokens = source.tokens
    name = tokens[one.name].text
    yield tokens[one.name].start, tokens[one.name].end, f"simt_{name}_{'u' if one.is_open else 't'}"
    made = "; "
    if one.is_open:
        value = source.text[tokens[one.value].start : tokens[one.last].end]
        value = " ".join(value.removeprefix("=").split("\n")).strip()
        value = value if value.startswith("{") else f"{{{value}}}"
        made += f"typedef decltype(simt_{name}_u{value}) simt_{name}_t; "
    made += f"{aligned}::simt::Local<simt_{name}_t> simt_{name}_l"
    end = tokens[one.bounds].end
    if one.value >= 0:
        equals = source.is_at(one.value, "=")
        yield (
            end,
            tokens[one.value].end if equals else tokens[one.value].start,
            f"{made} = {{{{}}, ",
        )
        end, made = tokens[one.last].end, ", {}}"
    is_written = "true" if one.value >= 0 else "false"
    made += f'; ::simt::LocalArray simt_{name}_g(simt_{name}_l.value, "{name}", {is_written})'
    yield end, end, f"{made}; simt_{name}_t& {name} = simt_{name}_l.value"
