"""The race of the paper's figure 1, by hand: two walks of ALTERNATE, a step at a time.

Source: Deveci, Kaya, Uçar, Çatalyürek, "GPU accelerated maximum cardinality matching algorithms for
bipartite graphs", Euro-Par 2013, algorithm 3 and figure 1.

A walk begins at an unmatched row that the search has found.  It has two kinds of steps: it *reads*
which row its next column has, and it *writes* the pair.  Nothing orders the steps of two walks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType
from typing import Any

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge

#: A reader's rule: the column, the row that it has (or None), and the predecessors of the rows.
Stop = Callable[[str, str | None, Mapping[str, str]], Any]

#: What the search has found in figure 1: by which column it came to each row.
PREDECESSOR: Mapping[str, str] = MappingProxyType({"r1": "c1", "r2": "c2", "r3": "c2"})
#: The rows at which an augmenting path ends; each begins a walk.
ENDS = ("r2", "r3")
#: A walk ends after four steps. A walk that takes this many goes in a circle.
MOST_STEPS = 10


@dataclass
class Race:
    """Two walks on figure 1, and the matching that they change.

    Attributes
    ----------
    row_of, column_of : dict
        The row of each column, and the column that each row believes it has, or None.
    lines : list of str
        What happened.
    endless : bool
        A walk had to be stopped.
    """

    row_of: dict[str, str | None] = field(default_factory=lambda: {"c1": None, "c2": "r1"})
    column_of: dict[str, str | None] = field(
        default_factory=lambda: {"r1": "c2", "r2": None, "r3": None}
    )
    lines: list[str] = field(default_factory=list)
    endless: bool = False

    def believers(self, column: str) -> list[str]:
        """Return the rows that believe they have a column."""
        return [row for row, believed in self.column_of.items() if believed == column]

    def repair(self) -> None:
        """FIXMATCHING: a row whose column has another row is unmatched."""
        for row, column in self.column_of.items():
            if column is not None and self.row_of[column] != row:
                self.lines.append(f"repair: {column} has {self.row_of[column]}, so {row} lets go")
                self.column_of[row] = None

    @property
    def pairs(self) -> int:
        """Number of pairs on which row and column agree."""
        return sum(self.row_of[c] == r for r, c in self.column_of.items() if c is not None)

    def __str__(self) -> str:
        end = "stopped: this would go on for ever" if self.endless else f"{self.pairs} pairs"
        return "\n".join([*self.lines, end])


def check(column: str, row: str | None, predecessor: Mapping[str, str]) -> bool:
    """Return whether a walk must stop: line 8 of algorithm 3, the predecessor check."""
    return row is not None and predecessor[row] == column


def no_check(column: str, row: str | None, predecessor: Mapping[str, str]) -> bool:
    """Never stop."""
    return False


def _walk(race: Race, start: str, stop: Stop) -> Iterator[None]:
    row: str | None = start
    while row is not None:
        column = PREDECESSOR[row]
        before = race.row_of[column]
        has = f"has {before}" if before else "is free"
        if stop(column, before, PREDECESSOR):
            race.lines.append(f"walk of {start}: {column} {has}; it stops")
            return
        race.lines.append(f"walk of {start}: {column} {has}")
        yield
        race.row_of[column], race.column_of[row] = row, column
        race.lines.append(f"walk of {start}: writes the pair {row}, {column}")
        row = before
        if row is not None:
            yield


def play(order: str, stop: Stop = check) -> Race:
    """Run the steps of two walks in an order; a walk that is left over then runs alone.

    Parameters
    ----------
    order : str
        Whose turn it is, for example "r2 r3 r2 r3".
    stop : callable
        The check that a walk makes after it has read a column's row.

    Examples
    --------
    >>> play("r2 r2").pairs
    2
    >>> play("r2 r2", no_check).endless
    True
    """
    return _play(tuple(order.split()), stop)[0]


def _play(order: tuple[str, ...], stop: Stop) -> tuple[Race, tuple[str, ...]]:
    """Return the race, and the steps that were taken."""
    race = Race()
    walks = {row: _walk(race, row, stop) for row in ENDS}
    taken = []
    for turn in (*order, *(row for row in ENDS for _ in range(MOST_STEPS))):
        if turn in walks:
            taken.append(turn)
            try:
                next(walks[turn])
            except StopIteration:
                del walks[turn]
    race.endless = bool(walks)
    if not race.endless:
        race.repair()
    return race, tuple(taken)


@exercise("bipartite/speculation-believers-{order}")
def believers(guess: Any, order: str) -> Verdict:
    """Answer: how many rows believe that they have c2, before anything is repaired."""
    race = play(order)
    repaired = [line for line in race.lines if line.startswith("repair")]
    truth = len(race.believers("c2")) + len(repaired)
    because = (
        "Both walks have read that c2 has r1 before either wrote. Both go on, both write; c2 can "
        f"hold one row only. So there is a {'; '.join(repaired)}. The last word is what c2 says."
        if repaired
        else "The second walk reads what the first one wrote, and stops: nothing is to be repaired."
    )
    return judge(guess, truth, because)


@exercise("bipartite/speculation-rule")
def rule(stop: Stop) -> Verdict:
    """Try a reader's check under every order of the steps of the two walks."""
    seen: dict[tuple[str, ...], Race] = {}
    for order in product(ENDS, repeat=8):
        try:
            race, taken = _play(order, stop)
        except Exception as error:  # shown to the reader, not raised
            return Verdict(False, f"your rule raised {type(error).__name__}: {error}")
        if race.endless:
            return Verdict(
                False,
                f"In the order {' '.join(taken[:6])} ... a walk goes in a circle: it takes the end "
                "of the other path for the next row of its own, and c2 is given from r2 to r3 and "
                "back, for ever. When it reads the row of c2, how can it see that another walk was "
                "here?",
            )
        if race.pairs < 2:
            return Verdict(
                False,
                f"In the order {' '.join(taken)} only {race.pairs} pair is left, as before: no "
                "walk came through to c1. Then the next search finds the same two paths, and so on "
                "for ever. Stop only where another walk has been.",
            )
        seen[taken] = race
    repaired = sum("repair" in str(race) for race in seen.values())
    return Verdict(
        True,
        f"In all {len(seen)} orders there are 2 pairs at the end. In {repaired} of them both walks "
        "passed your check at the same time, and a repair was needed; in the others the second one "
        "stopped. No lock, no atomic: speculate, check, repair.",
    )
