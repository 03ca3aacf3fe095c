"""The compiler's messages in the reader's own words and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: File name of a reader's source, for the compiler and the profile.
SOURCE_NAME = "your_kernel.cu"
#: The same for what stands below it and makes the kernels known.
EXPORTS = "exports"


_PLACE = re.compile(r"^([^\s:]+):(\d+):(?:\d+:)? +(.*)$")
#: Names of ours, and what the reader calls them.
_OURS = (
    (r"^static assertion failed: ", ""),
    (r"\(anonymous namespace\)::|\{anonymous\}::|<unnamed>::|::simt::|\bsimt::", ""),
    (r"'simt_(\w+?)_t(?:[&*]|\*? const)?' \{aka ('[^']*')\}", r"\2"),
    (r"\bsimt_(\w+?)_t\b", r"decltype(\1)"),
    (r"\bDim\b", "dim3"),
    (r"\bprogram::Function<([^<>]*)>", r"a kernel of \1"),
    (r"\bLocal<([^<>]*)>", r"\1"),
)
#: A name that the compiler proposes; it may be one of a header that the reader never saw.
_GUESS = re.compile(r"; did you mean '(\w+)'\?")
#: Functions of warps that cards since Volta do not have.
_GONE = re.compile(r"'__(shfl|shfl_up|shfl_down|shfl_xor|all|any|ballot)' was not declared[^;]*")
_MOST = 5


def where(file: str, line: int) -> str:
    """Return a place in words; the reader's own file is not named.

    Examples
    --------
    >>> where("your_kernel.cu", 3), where("helper.h", 12)
    ('line 3', 'helper.h, line 12')
    """
    return f"line {line}" if is_own(file) else f"{file}, line {line}"


def is_own(file: str) -> bool:
    """Return whether a file is the reader's source itself, and not a header."""
    return file in ("", SOURCE_NAME)


def explain(message: str, source: str, dropped: tuple[str, ...] = ()) -> str:
    r"""Return the compiler's errors with the lines they are about, without its inner notes.

    Parameters
    ----------
    message : str
        What the compiler or the linker printed.
    source : str
        The reader's source.
    dropped : tuple of str
        Headers that were not found; they may be the reason.

    Examples
    --------
    >>> print(explain("your_kernel.cu:2:5: error: 'x' was not declared", "int y;\n    x = 1;"))
    the kernel does not compile:
    line 2: 'x' was not declared
        2 |     x = 1;
    """
    lines = source.splitlines()
    report = []
    for (where, number), text in list(_first_of_each_line(message).items())[:_MOST]:
        said = _in_readers_words(text, source)
        if where == EXPORTS:
            report.append(said)
            continue
        file = "" if where == SOURCE_NAME else f"{where}, "
        report.append(f"{file}line {number}: {said}")
        if not file and number <= len(lines):
            report.append(f"    {number} | {lines[number - 1]}")
    if not report:
        names = _undefined(_in_readers_words(message, source))
        report = [f"{name} is declared, but not defined" for name in names[:_MOST]]
    if not report:
        report = message.strip().splitlines()[-12:]
    if dropped:
        report.append(
            f"not found were {', '.join(dropped)}: name the folders of these headers with include="
        )
    return "\n".join(["the kernel does not compile:", *report])


def _first_of_each_line(message: str) -> dict[tuple[str, int], str]:
    """Return the errors by file and line, without those that only follow from others."""
    first: dict[tuple[str, int], str] = {}
    for where, number, text in _errors(message):
        # A parameter of an unknown type: the compiler names the type in the next error.
        if first.get((where, number), "variable or field").startswith("variable or field"):
            first[where, number] = text
    own = {place: text for place, text in first.items() if place[0] != EXPORTS}
    return own or first


def _errors(message: str) -> Iterator[tuple[str, int, str]]:
    """Return file, line and text of each error; one in a header of ours has the reader's line.

    The compiler prints the lines that lead to such an error above or below it.
    """
    led: tuple[str, int] | None = None
    waiting: str | None = None
    for line in message.replace("\u2018", "'").replace("\u2019", "'").splitlines():
        found = _PLACE.match(line)
        if not found:
            continue
        where, number, text = found[1], int(found[2]), found[3]
        own = "/" not in where
        error = re.match(r"(?:fatal )?error: (.*)", text)
        if error and own:
            yield where, number, error[1]
        elif error and led:
            yield *led, error[1]
        elif error:
            waiting = error[1]
        elif own and ("required from" in text or "in expansion" in text):
            led = where, number
            continue
        elif own and waiting and text.startswith("note:"):
            yield where, number, waiting
            waiting = None
        led = None if error else led


def _undefined(message: str) -> list[str]:
    names = re.findall(r"undefined reference to [`']([^'(]*)", message)
    return list(dict.fromkeys(names))


def _in_readers_words(text: str, source: str) -> str:
    if (guess := _GUESS.search(text)) and guess[1] not in source:
        text = text.replace(guess[0], "")
    for pattern, words in _OURS:
        text = re.sub(pattern, words, text)
    if gone := _GONE.search(text):
        now = f"__{gone[1]}_sync, whose first argument is a mask: 0xffffffff for a whole warp"
        text = f"cards since Volta have no __{gone[1]}; write {now}"
    return text
