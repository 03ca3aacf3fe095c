"""A recorded run, to watch or to read; each lab adds the attributes of its own runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import gpucore
from gpucore.device import get_device
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record
from gpucore.record.words import describe
from gpucore.result import Result

if TYPE_CHECKING:
    from warplens.app.widgets import Player


@dataclass(frozen=True)
class Watched:
    """A run with its graph and its record."""

    graph: Graph
    result: Result
    record: Record

    @classmethod
    def of(cls, runner: str, problem: Any, schedule: int | None = None, /, **params: Any) -> Self:
        """Run kernels on the host executor and record every event.

        Parameters
        ----------
        runner : str
        problem
            Prepared for the family.
        schedule : int, optional
            Seed of a random schedule; without one, warps go one after the other.
        **params
            Of :func:`gpucore.run`.
        """
        device = get_device("host", **random_order(schedule))
        result: Any = gpucore.run(runner, problem, device=device, record="events", **params)
        return cls(problem, result, result.record)

    def player(self) -> Player:
        """Return the widget that plays the record."""
        from warplens.app.layout.positions import positions_of
        from warplens.app.pages import get_view
        from warplens.app.widgets import Player, player_payload

        family, positions = self.record.header["family"], positions_of(self.graph)
        payload = player_payload(get_view(family), self.graph, self.record, positions=positions)
        return Player((family,), payload)

    def quiz(self) -> Any:
        """Return the player with questions about the record: guess before you look."""
        from warplens.app.stories.quiz import with_questions

        return with_questions(self.player(), self.record, self.graph.names)

    def story(self) -> str:
        """Return all events as numbered sentences."""
        lines = (self.sentence(event) for event in range(self.record.num_events))
        return "\n".join(f"{number:3}  {line}" for number, line in enumerate(lines, 1))

    def sentence(self, event: int) -> str:
        """Return one event as a sentence."""
        return describe(self.record, event, self.graph.names)

    def count(self, kind: int) -> int:
        """Return how many events are of a kind."""
        return int((self.record.events["kind"] == kind).sum())


def random_order(seed: int | None) -> dict[str, Any]:
    """Return the host executor's options for a random schedule; without a seed, its usual one."""
    if seed is None:
        return {}
    return {"policy": "random", "seed": seed, "resident": 4, "yield_atomic": 0.5}
