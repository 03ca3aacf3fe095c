"""Words, strings and punctuation of a C++ source, each with its place.

A lexer and not libclang: its wheel weighs more than this package, it has no headers of CUDA, and a
text that is rewritten in place needs places of words and matching brackets, no types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_TOKEN = re.compile(
    r"""
      (?P<comment> //(?:[^\\\n]|\\.|\\\n)* | /\*.*?(?:\*/|\Z) )
    | (?P<directive> ^[ \t]*\#(?:[^\\\n/]|\\\n|\\.|/\*.*?\*/|//(?:[^\\\n]|\\\n|\\.)*|/)* )
    | (?P<string> (?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"
                | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)+' )
    | (?P<number> \.?\d(?:[eEpP][+-]|'?[\w.])* )
    | (?P<word> [A-Za-z_$]\w* )
    | (?P<sign> <<< | :: | -> | \.\.\. | [^\s\w] )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_CLOSES = {"(": ")", "[": "]", "{": "}"}


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of source; kind is "directive", "string", "number", "word" or "sign"."""

    kind: str
    text: str
    start: int
    end: int


class Source:
    """A source with its tokens; comments are none.

    Attributes
    ----------
    text : str
    tokens : list of Token
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            Token(str(found.lastgroup if found.lastgroup != "mark" else "string"), found[0],
                  *found.span())
            for found in _TOKEN.finditer(text)
            if found.lastgroup != "comment"
        ]  # fmt: skip

    @cached_property
    def partner(self) -> dict[int, int]:
        """The index of the bracket that closes each opening one; the last token if none does."""
        found: dict[int, int] = {}
        waiting: list[int] = []
        for index, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in _CLOSES:
                waiting.append(index)
            elif waiting and token.text == _CLOSES[self.tokens[waiting[-1]].text]:
                found[waiting.pop()] = index
        return found | dict.fromkeys(waiting, len(self.tokens) - 1)

    @cached_property
    def opener(self) -> dict[int, int]:
        """The index of the bracket that each closing one closes."""
        return {closing: opening for opening, closing in self.partner.items()}

    def is_at(self, index: int, text: str) -> bool:
        """Return whether a token is there and is this text."""
        return 0 <= index < len(self.tokens) and self.tokens[index].text == text

    def angle_end(self, index: int) -> int:
        """Return the index of the ``>`` that closes the ``<`` at an index."""
        depth = 0
        while index < len(self.tokens):
            text = self.tokens[index].text
            depth += (text == "<") - (text == ">")
            if depth == 0 or text in (";", "{"):
                break
            index = self.partner[index] if text in ("(", "[") else index
            index += 1
        return min(index, len(self.tokens) - 1)

    def angle_begin(self, index: int) -> int:
        """Return the index of the ``<`` that the ``>`` at an index closes."""
        depth = 0
        while index > 0:
            depth += self.is_at(index, ">") - self.is_at(index, "<")
            if depth == 0:
                break
            index -= 1
        return index

    def place(self, index: int) -> tuple[str, int]:
        """Return the file and the line of a token; "" is the reader's own file."""
        name, line, since = "", 1, 0
        start = self.tokens[index].start
        for token in self.tokens[:index]:
            if token.kind == "directive" and (found := _LINE.match(token.text)):
                name, line, since = found[2], int(found[1]), token.end + 1
        return name, line + self.text.count("\n", since, start)

    def blank(self, first: int, last: int) -> list[tuple[int, int, str]]:
        """Return the edits that empty tokens first to last; directives stay, but for pragmas."""
        pieces: list[tuple[int, int, str]] = []
        start = self.tokens[first].start
        for token in self.tokens[first : last + 1]:
            if token.kind == "directive" and not _PRAGMA.match(token.text):
                pieces.append((start, token.start, ""))
                start = token.end
        return [*pieces, (start, self.tokens[last].end, "")]

    def edited(self, edits: Iterable[tuple[int, int, str]]) -> str:
        """Return the text with each range replaced; every line keeps its number."""
        parts, done = [], 0
        for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
            if start < done:  # inside of a range that is gone
                continue
            parts += [self.text[done:start], text, "\n" * self.text.count("\n", start, end)]
            done = end
        return "".join([*parts, self.text[done:]])


#: They are about the code that follows; Clang refuses one that has lost it.
_PRAGMA = re.compile(r"\s*#\s*pragma\b")
_LINE = re.compile(r'[ \t]*#line (\d+) "([^"]*)"')
