"""The declarations of the code card: pseudo-code with its events, kernel files, and why lines cost.

A family describes its algorithms in these data (see ``app/families/matching/code.py``); the panes,
the clock and the profile lens know no family.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pygments.lexers.c_like import CudaLexer
from pygments.token import Token

from gpucore.device.source import files
from gpucore.errors import ParameterError

#: Kinds of text that are coloured, the narrower token type before the wider one.
_CLASSES = (
    (Token.Comment.Preproc, "p"),
    (Token.Comment, "c"),
    (Token.Keyword.Type, "t"),
    (Token.Keyword, "k"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "n"),
    (Token.Name.Builtin, "b"),
    (Token.Name.Variable, "b"),
    (Token.Name.Function, "f"),
)

Line = list[tuple[str, str]]


@dataclass(frozen=True)
class Step:
    """The line at which an event happens.

    Attributes
    ----------
    line : int
        Line of the pseudo-code, from 1.
    why : str
        A sentence that explains it.
    places : mapping of str to str
        For each kernel file, a piece of text of the line that does this.
    """

    line: int
    why: str
    places: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Listing:
    """Pseudo-code of an algorithm.

    Attributes
    ----------
    title, source : str
        Heading, and the paper it comes from.
    lines : tuple of str
        Lines, indented by blanks.
    steps : mapping of int to Step
        By kind of event.
    """

    title: str
    source: str
    lines: tuple[str, ...]
    steps: Mapping[int, Step]


@dataclass(frozen=True)
class Reason:
    """Why measures of the profile are high or low at a line of a kernel.

    Attributes
    ----------
    file, text : str
        The line: its file, and a piece of text that only this line has.
    lanes, sectors, banks, cas, atomic : str
        By measure (:data:`app.code.lens.REASONED`), the clause that follows "because"; or empty.
    """

    file: str
    text: str
    lanes: str = ""
    sectors: str = ""
    banks: str = ""
    cas: str = ""
    atomic: str = ""


@dataclass(frozen=True)
class CodeBook:
    """Everything that a family declares about its code.

    Attributes
    ----------
    listings : mapping to Listing
        By algorithm, or by algorithm and variant where variants differ.
    files : mapping of (str, str) to tuple of str
        Kernel files by algorithm and variant, the main one first; none of a method without
        kernels, whose variant is empty.
    reasons : tuple of Reason
    notes : mapping of str to str
        How a variant differs from the pseudo-code.
    """

    listings: Mapping[str | tuple[str, str], Listing]
    files: Mapping[tuple[str, str], tuple[str, ...]]
    reasons: tuple[Reason, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

    def because(self, file: str, line: int, measure: str) -> str:
        """Return the reason for a measure at a line, "" if none is declared."""
        reason = _reasons(self.reasons).get((file, line))
        return getattr(reason, measure) if reason else ""

    def listing(self, algorithm: str, variant: str) -> dict[str, Any]:
        """Return pseudo-code and steps in the form that the browser reads."""
        listing = self.listings.get((algorithm, variant)) or self.listings[algorithm]
        files = self.files[algorithm, variant]
        return {
            "title": listing.title,
            "source": listing.source,
            "note": self.notes.get(variant, ""),
            "lines": list(listing.lines),
            "steps": {
                str(kind): {
                    "line": step.line,
                    "why": step.why,
                    "places": {
                        file: line_of(file, text)
                        for file, text in step.places.items()
                        if file in files
                    },
                }
                for kind, step in listing.steps.items()
            },
        }

    def sources(self, algorithm: str, variant: str) -> list[dict[str, Any]]:
        """Return the kernel files of a variant, in coloured pieces, line by line."""
        return [{"name": name, "lines": coloured(name)} for name in self.files[algorithm, variant]]


@cache
def source_lines(file: str) -> tuple[str, ...]:
    """Return the lines of a kernel file."""
    return tuple(files()[file].read_text(encoding="utf-8").splitlines())


def line_of(file: str, text: str) -> int:
    """Return the number of the first line of a kernel file that holds a text.

    Raises
    ------
    ParameterError
        No line does.
    """
    for number, line in enumerate(source_lines(file), 1):
        if text in line:
            return number
    raise ParameterError(f"{file} has no line with {text!r}")


@cache
def _reasons(reasons: tuple[Reason, ...]) -> dict[tuple[str, int], Reason]:
    return {(r.file, line_of(r.file, r.text)): r for r in reasons}


@cache
def coloured(file: str) -> list[Line]:
    """Return the lines of a kernel file, each as pairs of a class and a piece of text."""
    lines: list[Line] = [[]]
    text = "\n".join(source_lines(file))
    for token, value in CudaLexer(stripnl=False, ensurenl=False).get_tokens(text):
        name = next((name for wide, name in _CLASSES if token in wide), "")
        for i, piece in enumerate(value.split("\n")):
            if i:
                lines.append([])
            if piece:
                _add(lines[-1], name, piece)
    return lines


def _add(line: Line, name: str, piece: str) -> None:
    """Append a piece, to the last one if it has the same class."""
    if line and line[-1][0] == name:
        line[-1] = (name, line[-1][1] + piece)
    else:
        line.append((name, piece))
