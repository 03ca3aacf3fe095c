"""A question to a class, and the answers to it."""

from __future__ import annotations

from typing import Any

from .messages import MOST_CHOICES, ClassError, text, whole


class Question:
    """A question to the class. One answer counts for each seat.

    Parameters
    ----------
    number : int
        Given by the lecturer's page. Answers name it, so that a late one does not count for the
        next question; a page that lost its connection asks with it again, and no answer is lost.
    ask : str
    choices : list of str

    Attributes
    ----------
    answers : dict of str to int
        The last choice of each seat.
    verdict : dict
        The right choice and the reason, once the lecturer has shown them.
    """

    def __init__(self, number: int, ask: str, choices: list[str]) -> None:
        self.number, self.ask, self.choices = number, ask, choices
        self.answers: dict[str, int] = {}
        self.verdict: dict[str, Any] = {}
        self._counts = [0] * len(choices)

    @classmethod
    def of(cls, message: dict[str, Any]) -> Question:
        """Return the question in a lecturer's message.

        Raises
        ------
        ClassError
            The message does not fit.
        """
        choices = message.get("choices")
        if not isinstance(choices, list) or not 2 <= len(choices) <= MOST_CHOICES:
            raise ClassError(f"a question has 2 to {MOST_CHOICES} choices")
        number = whole(message.get("number"), 1 << 53)
        return cls(number, text(message.get("ask")), [*map(text, choices)])

    def answer(self, seat: str, choice: Any) -> None:
        """Count the choice of a seat in place of its last one.

        Raises
        ------
        ClassError
            There is no such choice.
        """
        chosen = whole(choice, len(self.choices) - 1)
        before = self.answers.get(seat)
        if before is not None:
            self._counts[before] -= 1
        self.answers[seat] = chosen
        self._counts[chosen] += 1

    def show(self, message: dict[str, Any]) -> None:
        """Show the right choice; ClassError if there is no such one."""
        right = whole(message.get("right"), len(self.choices) - 1)
        self.verdict = {"right": right, "because": text(message.get("because"))}

    def counts(self) -> list[int]:
        """Return how many students chose each answer."""
        return list(self._counts)
