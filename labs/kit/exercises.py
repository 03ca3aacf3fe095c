"""Verdicts on the answers of the labs: every answer, right or wrong, gets a reason.

The right answers are not written down here: they are read from the run that the reader just made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from gpucore.params import is_number

from .pictures import wrap

_MARKS = {
    True: ("#1f9e7a", "Yes."),
    False: ("#d98a1c", "Not yet."),
    None: ("#3d8fd1", "Guess first."),
}
_UNCOUNTED = {"as it came": "Your turn.", "other form": "Not counted."}


@dataclass(frozen=True)
class Verdict:
    """Verdict of an exercise.

    Attributes
    ----------
    ok : bool or None
        Whether the answer is right; None: no answer yet, or none in the form that is asked.
    why : str
        All of it: what was measured, and why.
    hint, reason : str
        What helps without the answer; why the answer is wrong. An empty reason is `why`.
    id : str
        Of the exercise, see :func:`labs.kit.book.exercise`.
    stage : {"all", "hint", "reason", "as it came", "other form"}
        How much is shown; for the last two, why the guess is not counted.
    """

    ok: bool | None
    why: str
    hint: str = ""
    reason: str = ""
    id: str = ""
    stage: str = "all"

    @property
    def shown(self) -> str:
        """What the reader sees at this stage."""
        if self.ok is None and self.stage == "as it came":
            return f"The cell is as it came. Now: {self.hint} Change it and run it again."
        if self.ok is not False or self.stage == "all":
            return self.why
        if self.stage == "hint":
            return f"{self.hint} Another wrong try shows the reason."
        return f'{self.reason or self.why} The answer: labs.answer("{self.id}").'

    @property
    def mark(self) -> str:
        """The word in front."""
        return _UNCOUNTED.get(self.stage, _MARKS[self.ok][1])

    def __str__(self) -> str:
        return f"{self.mark} {self.shown}"

    def _repr_html_(self) -> str:
        return wrap(
            f'<div class="ws-verdict" style="border-color:{_MARKS[self.ok][0]}">'
            f"<b>{self.mark}</b> {escape(self.shown)}</div>"
        )


def unanswered(guess: Any, form: str) -> Verdict:
    """Return the verdict on no guess, or on one in another form; neither counts as a try.

    Parameters
    ----------
    guess : object
        None, or what the reader gave.
    form : str
        What is asked: "a number".

    Examples
    --------
    >>> print(unanswered("many", "a number"))
    Not counted. 'many' is not a number. Put a number there, and run both cells again.
    """
    if guess is None:
        return Verdict(None, f"Put {form} where it says None, and run both cells again.")
    why = f"{guess!r:.60} is not {form}. Put {form} there, and run both cells again."
    return Verdict(None, why, stage="other form")


def judge(
    guess: Any,
    truth: int,
    because: str,
    *,
    known: Mapping[int, str] | None = None,
    rough: float = 0.0,
) -> Verdict:
    """Compare a guess with what was measured.

    Parameters
    ----------
    guess : int or None
        The reader's.
    truth : int
        Measured.
    because : str
        Why it is so.
    known : mapping of int to str, optional
        Common wrong answers, each with the error behind it; the hint of the first try. An entry
        for the truth is left out.
    rough : float
        A guess that is off by no more than this share of the truth is accepted.

    Examples
    --------
    >>> print(judge(3, 4, "Two and two."))
    Not yet. You said 3; the run says 4. Two and two.
    >>> print(judge(None, 4, "Two and two."))
    Guess first. Put a number where it says None, and run both cells again.
    >>> print(judge(11, 12, "A rough guess will do.", rough=0.25))
    Yes. Near enough: you said 11; the run says 12. A rough guess will do.
    """
    if not is_number(guess):
        quotes = " without quotation marks" if isinstance(guess, str) else ""
        return unanswered(guess, f"a number{quotes}")
    if guess == truth:
        return Verdict(True, f"The run says {truth}. {because}")
    if abs(guess - truth) <= rough * abs(truth):
        return Verdict(True, f"Near enough: you said {guess}; the run says {truth}. {because}")
    error = "" if int(guess) == truth else (known or {}).get(int(guess), "")
    hint = error or f"The run says {'more' if truth > guess else 'fewer'} than {guess}."
    reason = " ".join(f"{error} {because}".split())
    why = " ".join(f"You said {guess}; the run says {truth}. {error} {because}".split())
    return Verdict(False, why, hint=hint, reason=reason)
