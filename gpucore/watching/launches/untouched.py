"""Lines that never ran, in words: with the condition that an input would have to meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gpucore.watching.source.lexer import Source
from gpucore.watching.source.messages import where

#: Places that are named; more are counted.
_MOST = 5


def sentences(
    passed: set[tuple[str, int]], places: set[tuple[str, int]], sources: Mapping[str, str]
) -> list[str]:
    """Return sentences about places that no launch has run.

    Parameters
    ----------
    passed, places : set of tuple
        File and line of what ran, and of what did not in functions that did.
    sources : mapping of str to str
        The texts of the files, as far as they are known.
    """
    found = list(_sentences(sorted(places), passed, sources))
    more = len(found) - _MOST
    if more > 0:
        found[_MOST:] = [f"{more} more place{'s' * (more > 1)} never ran."]
    return found


def _sentences(
    places: list[tuple[str, int]], passed: set[tuple[str, int]], sources: Mapping[str, str]
) -> Iterator[str]:
    read = {file: Source(sources.get(file, "")) for file, _ in places}
    conditions = {file: list(_conditions(source)) for file, source in read.items()}
    for file, first, last in _runs(places, passed):
        lines = read[file].text.splitlines()[first - 1 : last]
        if lines and not any(map(_has_word, lines)):
            continue
        place = where(file, first)
        if last > first:
            place = f"{place.replace('line ', 'lines ')} to {last}"
        around = [one for one in conditions[file] if one.first <= first <= one.last]
        asked = around[-1].text if around else "that reaches it"
        yield f"{place} never ran, so nothing was checked there: watch an input {asked}, too."


def _has_word(line: str) -> bool:
    return any(token.kind == "word" and token.text != "else" for token in Source(line).tokens)


def _runs(
    places: list[tuple[str, int]], passed: set[tuple[str, int]]
) -> Iterator[tuple[str, int, int]]:
    """Yield file, first and last line of places with no line between them that ran."""
    begin: tuple[str, int] | None = None
    for at, (file, line) in enumerate(places):
        begin = begin or (file, line)
        after = places[at + 1] if at + 1 < len(places) else ("", 0)
        between = range(line + 1, after[1])
        if after[0] != file or any((file, number) in passed for number in between):
            yield *begin, line
            begin = None


@dataclass(frozen=True)
class _Condition:
    """Lines that run under a condition, and what it asks of an input."""

    first: int
    last: int
    text: str


def _conditions(source: Source) -> Iterator[_Condition]:
    """Yield the bodies of conditions and loops, outer ones first."""
    for index, token in enumerate(source.tokens):
        if token.text not in ("if", "while", "for") or not source.is_at(index + 1, "("):
            continue
        closing = source.partner[index + 1]
        asked = source.text[source.tokens[index + 1].end : source.tokens[closing].start]
        if token.text == "for":
            asked = [*asked.split(";"), ""][1]
        asked = f"for which `{' '.join(asked.split())}`"
        end = _statement_end(source, closing + 1)
        yield _Condition(_line(source, closing), _line(source, end), f"{asked} holds")
        if token.text == "if" and source.is_at(end + 1, "else"):
            last = _statement_end(source, end + 2)
            first = _line(source, end + 1)
            yield _Condition(first, _line(source, last), f"{asked} does not hold")


def _line(source: Source, index: int) -> int:
    index = min(index, len(source.tokens) - 1)
    return source.text.count("\n", 0, source.tokens[index].start) + 1


def _statement_end(source: Source, index: int) -> int:
    """Return the last token of the statement that begins at an index."""
    tokens = source.tokens
    while index < len(tokens) and tokens[index].kind == "directive":
        index += 1
    if index >= len(tokens) or source.is_at(index, "{"):
        return source.partner.get(index, index)
    if tokens[index].text in ("if", "while", "for", "switch") and source.is_at(index + 1, "("):
        end = _statement_end(source, source.partner[index + 1] + 1)
        if tokens[index].text == "if" and source.is_at(end + 1, "else"):
            return _statement_end(source, end + 2)
        return end
    while index < len(tokens) - 1 and not source.is_at(index, ";"):
        index = source.partner.get(index, index) + 1
    return index
