"""The reader's book: tries of every exercise, what a verdict may show, and the score.

A check is a function that returns a :class:`~labs.kit.exercises.Verdict` with everything it knows.
:func:`exercise` gives it an id and lets the reader see it in stages: a hint after the first wrong
try, the reason after the second, the answer when :func:`answer` asks for it.
"""

from __future__ import annotations

import functools
import inspect
import json
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, ParamSpec

from gpucore.errors import KernelCompileError, KernelError, ParameterError

from .exercises import Verdict
from .pictures import Picture, wrap

P = ParamSpec("P")

#: Wrong tries after which the reason is shown.
REASON_AFTER = 2
LABS = Path(__file__).parents[1]


@dataclass
class Entry:
    """One exercise in the book.

    Attributes
    ----------
    tries : list of str
        What was given, each once, in order; running a cell again is no new try.
    solved, asked : bool
        Whether a try was right; whether the answer was asked for before that.
    last : Verdict or None
        The last verdict, whole.
    """

    tries: list[str] = field(default_factory=list)
    solved: bool = False
    asked: bool = False
    last: Verdict | None = None

    @property
    def result(self) -> str:
        """The entry in words."""
        if self.solved:
            return "solved, with the answer shown" if self.asked else "solved"
        return "not yet" if self.tries else "not tried"


_BOOK: dict[str, Entry] = {}
#: The ids of the checks, by module and name.
_TEMPLATES: dict[tuple[str, str], str] = {}


def exercise(
    name: str, *, hint: str = "", start: tuple[Any, ...] = ()
) -> Callable[[Callable[P, Verdict]], Callable[P, Verdict]]:
    """Give a check an id, and show its verdict in stages.

    Parameters
    ----------
    name : str
        The id; ``{vertex}`` stands for the argument `vertex`.
    hint : str
        Shown after the first wrong try, where the check has no hint of its own.
    start : tuple
        The arguments in the cell as it came, where they are data; kernels and functions are found
        in the notebooks.
    """

    def wrapped(check: Callable[P, Verdict]) -> Callable[P, Verdict]:
        signature = inspect.signature(check)

        @functools.wraps(check)
        def staged(*args: P.args, **kwargs: P.kwargs) -> Verdict:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = next(iter(bound.arguments.values()))
            try:
                verdict = check(*args, **kwargs)
            except (KernelCompileError, KernelError) as error:  # in the reader's kernel
                verdict = Verdict(False, str(error))
            except Exception as error:
                sentence = _stopped(given, error)
                if sentence is None:
                    raise
                verdict = Verdict(False, sentence, hint=sentence)
            text = repr(args[: len(start)]) if start else text_of(given)
            came = text == repr(start) if start else untouched(text)
            return _enter(name.format_map(bound.arguments), text, verdict, hint, came=came)

        _TEMPLATES[check.__module__, check.__qualname__] = name
        return staged

    return wrapped


def template_of(check: Any) -> str | None:
    """Return the id of a check, with ``{argument}`` in it; None for what is no check."""
    place = (getattr(check, "__module__", ""), getattr(check, "__qualname__", ""))
    return _TEMPLATES.get(place)


def _enter(name: str, text: str, verdict: Verdict, hint: str, *, came: bool) -> Verdict:
    """Write a verdict into the book, and return it with its stage."""
    entry = _BOOK.setdefault(name, Entry())
    if verdict.ok is None:
        return replace(verdict, id=name)
    entry.last = replace(verdict, id=name, hint=verdict.hint or hint or first_sentence(verdict.why))
    if verdict.ok is False and came:
        return replace(entry.last, ok=None, stage="as it came")
    if text not in entry.tries:
        entry.tries.append(text)
    if verdict.ok:
        entry.solved = True
        return replace(entry.last, stage="all")
    tries = len(entry.tries)
    return replace(entry.last, stage="reason" if tries >= REASON_AFTER else "hint")


def first_sentence(text: str) -> str:
    """Return the first sentence: what was seen stands before why it is so.

    Examples
    --------
    >>> first_sentence("Vertex 1.5 is alone. It should not be.")
    'Vertex 1.5 is alone.'
    >>> first_sentence("In the order r2 ... a walk stops. Why?")
    'In the order r2 ... a walk stops.'
    """
    return re.split(r"(?<!\.)\. ", text, maxsplit=1)[0].rstrip(".") + "."


def text_of(given: Any) -> str:
    """Return what a reader gave as text: the source of a function, a kernel, or a value."""
    if callable(given):
        try:
            return inspect.getsource(given)
        except (OSError, TypeError):
            return repr(given)
    return given if isinstance(given, str) else repr(given)


def untouched(text: str) -> bool:
    """Return whether a kernel or a function is one of the labs' own, as it came."""
    return "\n" in text.strip() and any(text.strip() in cell for cell in _cells())


@cache
def _cells() -> tuple[str, ...]:
    books = [json.loads(path.read_text("utf-8")) for path in sorted(LABS.glob("*/*.ipynb"))]
    cells = [cell for book in books for cell in book["cells"] if cell["cell_type"] == "code"]
    return tuple("".join(cell["source"]) for cell in cells)


def _stopped(given: Any, error: Exception) -> str | None:
    """Return an exception in the reader's function as a sentence; None if it is not theirs."""
    code = getattr(given, "__code__", None)
    trace, line = error.__traceback__, None
    while code is not None and trace is not None:
        if trace.tb_frame.f_code is code:
            line = trace.tb_lineno
        trace = trace.tb_next
    if line is None or code is None:
        return None
    text = linecache.getline(code.co_filename, line).strip()
    place = f"line {line - code.co_firstlineno + 1}" + (f", `{text}`" if text else "")
    return f"Your function stopped in its {place}: {type(error).__name__}, {error}."


def answer(name: str) -> Verdict:
    """Return the answer of an exercise whose cell was run, and note that it was shown.

    Raises
    ------
    ParameterError
        There is no such exercise in the book, or no guess that counts.
    """
    entry = _BOOK.get(name)
    if entry is not None and entry.last is None:
        raise ParameterError(f"exercise {name!r} has no guess yet; put one there and run its cell")
    if entry is None or entry.last is None:
        known = ", ".join(sorted(_BOOK)) or "none yet"
        raise ParameterError(
            f"no exercise {name!r} was run; run its cell first (in the book: {known})"
        )
    entry.asked = entry.asked or not entry.solved
    return replace(entry.last, stage="all")


def passed(name: str) -> bool:
    """Return whether an exercise was solved before its answer was shown."""
    entry = _BOOK.get(name, Entry())
    return entry.solved and not entry.asked


def score() -> Picture:
    """Return a table of the exercises that were run in this notebook."""
    solved = sum(entry.solved and not entry.asked for entry in _BOOK.values())
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{len(entry.tries)}</td>"
        f"<td>{entry.result}</td></tr>"
        for name, entry in _BOOK.items()
    )
    return Picture(
        wrap(
            f"<b>{solved} of {len(_BOOK)} exercises solved</b><table><thead><tr><th>exercise</th>"
            f"<th>tries</th><th>result</th></tr></thead><tbody>{rows}</tbody></table>"
        )
    )


def forget() -> None:
    """Empty the book."""
    _BOOK.clear()
