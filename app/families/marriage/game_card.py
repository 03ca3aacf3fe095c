"""The card of the blocking-pair game on the marriage page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.families.marriage.result import MarriageResult
from gpucore.format import counted
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.record.words import short_name
from gpucore.result import Result

from ...cards.run_card import RunCard
from ...fields import show
from .game import LEVELS, Couples, Judge, Round, new_round
from .pair_game import PairGame

if TYPE_CHECKING:
    from ...view import Services

#: Largest number of people on a side.
MOST = 14

_ABOUT = (
    "A marriage is stable if no man and woman both prefer each other to their partners. The "
    "marriage of this run is stable; here couples exchanged partners, and now it is not. Choose "
    "a man and a woman who prefer each other: a blocking pair."
)
_TOO_LARGE = (
    f"The game takes up to {MOST} men and {MOST} women who may have one partner each: choose a "
    "smaller instance, and run it."
)
_NO_COUPLE = "There is no couple in this marriage, so no partners can be exchanged."


class GamePanel(RunCard[PreferenceGraph]):
    """The game of one page.

    Parameters
    ----------
    services : Services
        Services of the page, see :mod:`app.view`.

    Attributes
    ----------
    game : PairGame
        The widget with the cards.
    round : Round or None
        The current round.
    """

    def __init__(self, services: Services) -> None:
        self.game = PairGame(LEVELS, services.guard(self._act))
        self.round: Round | None = None
        self._couples: Couples = ()
        self._names: tuple[str, ...] = ()
        self._number = self._won = 0
        self._level = next(iter(LEVELS))
        super().__init__(services, "Find the blocking pair", _ABOUT, [self.game])
        self.title = "Blocking pair"
        self.clear()

    def clear(self) -> None:
        """Hide the card."""
        self.round = None
        self.game.clear()
        super().clear()

    def show(self, graph: Graph, result: Result) -> None:
        """Start the game with the marriage of a run."""
        assert isinstance(graph, PreferenceGraph)
        assert isinstance(result, MarriageResult)
        self.clear()
        show(self.widget, True)
        if max(graph.shape) > MOST or graph.preferences.has_capacities:
            self.game.clear(_TOO_LARGE)
            return
        self._appear(graph)
        pairs = zip(result.men.tolist(), result.women.tolist(), strict=True)
        self._couples = tuple(pairs)
        self._names = distinct_names(graph)
        self._number = self._won = 0
        self._begin()

    def _begin(self) -> None:
        """Start a new round."""
        graph = self._subject
        assert graph is not None
        self._number += 1
        self.round = new_round(graph, self._couples, self._level, self._number)
        if self.round is None:
            self.game.clear(_NO_COUPLE)
            return
        self._judge = Judge(graph, self._names, self.round.couples)
        self._tries = self._hints = 0
        self._tried: dict[tuple[int, int], bool] = {}
        self._shown = False
        men_lists, women_lists = graph.preferences.lists()
        self.game.deal(
            names=[short_name(name) for name in self._names],
            men=graph.num_rows,
            lists=[*men_lists, *women_lists],
            couples=self.round.couples,
            number=self._number,
        )
        count = len(self.round.blocking)
        pairs = "One pair blocks" if count == 1 else f"{count} pairs block"
        self._say("", f"{pairs} this marriage. Choose a man and a woman.")

    def _act(self, content: dict[str, Any]) -> None:
        """Handle an action of the visitor."""
        if self.round is None or self._subject is None:
            return
        kind, men = content.get("kind"), self._subject.num_rows
        if kind == "pick":
            man, woman = int(content.get("man", -1)), int(content.get("woman", -1))
            if man in range(men) and woman in range(self._subject.num_columns):
                self._try(man, woman)
        elif kind == "hint":
            self._hint()
        elif kind == "all":
            self._show_all()
        elif kind == "round":
            self._begin()
        elif kind == "level" and content.get("value") in LEVELS:
            self._level = content["value"]
            self._begin()

    def _try(self, man: int, woman: int) -> None:
        assert self.round is not None
        answer = self._judge.judge(man, woman)
        pair = man, woman
        again = pair in self._tried
        self._tries += not again and not self._shown
        self._tried[pair] = answer.blocks
        left = self._left()
        text = answer.text
        if answer.blocks and not self._shown and not again:
            text += f" {self._praise(len(left))}"
            self._won += len(left) == len(self.round.blocking) - 1
        self._say("good" if answer.blocks else "other", text, pair=pair)

    def _praise(self, left: int) -> str:
        tries = counted(self._tries, "try")
        if left:
            return f"Found, after {tries}; {left} more {'blocks' if left == 1 else 'block'} it."
        return f"No other pair blocks it; {tries}."

    def _left(self) -> Couples:
        """Return the blocking pairs that have not been found."""
        assert self.round is not None
        return tuple(pair for pair in self.round.blocking if not self._tried.get(pair))

    def _hint(self) -> None:
        """Name one person of a blocking pair: the man, then the woman."""
        assert self._subject is not None
        left = self._left()
        if not left or self._shown:
            self._say("", "All pairs that block the marriage are found; go on with a new round.")
            return
        side = self._hints % 2
        self._hints += 1
        person = left[0][side] + side * self._subject.num_rows
        name = self._names[person]
        self._say("", f"{name} is one person of a blocking pair.", hint=person)

    def _show_all(self) -> None:
        assert self.round is not None
        self._shown = True
        for pair in self.round.blocking:
            self._tried[pair] = True
        every = [self._judge.judge(*pair).text for pair in self.round.blocking]
        self._say("", "\n".join(every))

    def _say(
        self, style: str, text: str, pair: tuple[int, int] | None = None, hint: int = -1
    ) -> None:
        assert self.round is not None
        found = [pair for pair in self.round.blocking if self._tried.get(pair)]
        score = (
            f"Round {self._number} · tries: {self._tries} · "
            f"found: {0 if self._shown else len(found)} of {len(self.round.blocking)} · "
            f"rounds won: {self._won}"
        )
        self.game.status = {
            "style": style,
            "text": text,
            "pair": list(pair) if pair else None,
            "hint": hint,
            "found": [list(one) for one in found],
            "score": score,
            "over": bool(found),
        }


def distinct_names(graph: PreferenceGraph) -> tuple[str, ...]:
    """Return distinct names of men and women."""
    men, women = graph.shape
    numbers = tuple(map(str, [*range(men), *range(women)]))
    names = graph.names or numbers
    if not set(names[:men]) & set(names[men:]):
        return names
    sides = ["man"] * men + ["woman"] * women
    return tuple(f"{side} {name}" for side, name in zip(sides, names, strict=True))
