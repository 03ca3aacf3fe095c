"""A game on a stable marriage: couples exchange partners, and the visitor looks for blocking pairs.

A man and a woman block a marriage if they list each other, are not married to each other, and each
of them has no partner or one further down the list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gpucore.families.marriage.certificate import blocking_pairs
from gpucore.problems.preferences.graph import PreferenceGraph

Couples = tuple[tuple[int, int], ...]

#: Number of exchanges that are tried before one is chosen.
CANDIDATES = 40

#: The levels: from marriages that many pairs block to ones that few pairs block.
LEVELS = {"easy": "Easy", "medium": "Medium", "hard": "Hard"}


@dataclass(frozen=True)
class Round:
    """A marriage that is not stable.

    Attributes
    ----------
    couples : tuple of (int, int)
        Man and woman, both counted from 0, by man.
    blocking : tuple of (int, int)
        The pairs that block it; at least one.
    """

    couples: Couples
    blocking: Couples


@dataclass(frozen=True)
class Answer:
    """Whether a man and a woman block the marriage.

    Attributes
    ----------
    blocks : bool
        Whether the two block the marriage.
    text : str
        The reason, with their ranks.
    """

    blocks: bool
    text: str


def new_round(graph: PreferenceGraph, couples: Couples, level: str, seed: int) -> Round | None:
    """Exchange couples of a stable marriage so that it is not stable any more.

    Parameters
    ----------
    graph : PreferenceGraph
        Each person has one partner at most.
    couples : tuple of (int, int)
        A stable marriage.
    level : str
        One of :data:`LEVELS`: "easy" takes the exchange of two couples that most pairs block,
        "medium" any, "hard" exchanges twice and takes the marriage that fewest pairs block.
    seed : int
        Seed of the random choices.

    Returns
    -------
    Round or None
        None if there is no couple.  Where no two couples can exchange partners, one is parted.
    """
    rng = np.random.default_rng(seed)
    once = list(_exchanged(graph, couples)) or list(_parted(couples))
    found = _rounds(graph, _some(once, rng))
    if level == "hard":
        again = (more for one in _some(once, rng)[:8] for more in _exchanged(graph, one))
        found += _rounds(graph, _some(list(again), rng))
    if not found:  # the marriage after an exchange can be stable, too
        found = _rounds(graph, list(_parted(couples)))
    if not found:
        return None
    counts = [len(one.blocking) for one in found]
    wanted = {"easy": max(counts), "hard": min(counts)}.get(level)
    choice = [one for one, count in zip(found, counts, strict=True) if wanted in (None, count)]
    return choice[int(rng.integers(len(choice)))]


def _some(every: list[Couples], rng: np.random.Generator) -> list[Couples]:
    return [every[i] for i in rng.permutation(len(every))[:CANDIDATES]]


def _exchanged(graph: PreferenceGraph, couples: Couples) -> Iterator[Couples]:
    """Yield all marriages in which two couples have exchanged partners whom they list."""
    rank = graph.preferences.rank
    for (one, his), (other, hers) in combinations(couples, 2):
        if rank(one, hers) is not None and rank(other, his) is not None:
            swapped = {one: hers, other: his}
            yield tuple((man, swapped.get(man, woman)) for man, woman in couples)


def _parted(couples: Couples) -> Iterator[Couples]:
    for couple in couples:
        yield tuple(one for one in couples if one != couple)


def _rounds(graph: PreferenceGraph, marriages: list[Couples]) -> list[Round]:
    """Return the marriages that are not stable."""
    found = []
    for couples in marriages:
        pairs = np.array(couples, np.int32).reshape(-1, 2)
        blocking = blocking_pairs(graph, pairs[:, 0], pairs[:, 1])
        if len(blocking.men):
            both = zip(blocking.men.tolist(), blocking.women.tolist(), strict=True)
            found.append(Round(couples, tuple(both)))
    return found


class Judge:
    """Decides whether a pair blocks a marriage, and explains why.

    Parameters
    ----------
    graph : PreferenceGraph
        The preference lists.
    names : tuple of str
        Names: the men, then the women.
    couples : tuple of (int, int)
        The marriage.
    """

    def __init__(self, graph: PreferenceGraph, names: tuple[str, ...], couples: Couples) -> None:
        self._lists = graph.preferences
        self._men, self._women = names[: graph.num_rows], names[graph.num_rows :]
        self._wife = dict(couples)
        self._husband = {woman: man for man, woman in couples}

    def judge(self, man: int, woman: int) -> Answer:
        """Say whether a man and a woman block the marriage, and why."""
        he, she = self._men[man], self._women[woman]
        both = f"{he} and {she}"
        if self._wife.get(man) == woman:
            return Answer(False, f"{both} are married to each other, so they do not block it.")
        ranks = self._lists.rank(man, woman)
        if ranks is None:
            return Answer(False, f"{both} do not list each other, so they cannot block it.")
        his, her = ranks
        he_wants, his_words = self._feels(he, she, his, self._wife.get(man), "his wife", man)
        she_wants, her_words = self._feels(
            she, he, her, self._husband.get(woman), "her husband", woman
        )
        if he_wants and she_wants:
            return Answer(True, f"{both} block the marriage: {his_words}, and {her_words}.")
        if he_wants or she_wants:
            eager, other = (his_words, her_words) if he_wants else (her_words, his_words)
            return Answer(False, f"{both} do not block it: {eager}, but {other}.")
        return Answer(False, f"{both} do not block it: {his_words}, and {her_words}.")

    def _feels(
        self, who: str, whom: str, rank: int, partner: int | None, spouse: str, number: int
    ) -> tuple[bool, str]:
        """Return whether `who` prefers `whom` to the own partner, and a sentence about it."""
        if partner is None:
            return True, f"{who} has no partner and lists {whom} {ordinal(rank)}"
        man = spouse == "his wife"
        pair = self._lists.rank(number, partner) if man else self._lists.rank(partner, number)
        assert pair is not None
        own = pair[0] if man else pair[1]
        name = (self._women if man else self._men)[partner]
        if rank < own:
            return (
                True,
                f"{who} prefers {whom} ({ordinal(rank)}) to {spouse} {name} ({ordinal(own)})",
            )
        return False, f"{who} prefers {spouse} {name} ({ordinal(own)}) to {whom} ({ordinal(rank)})"


def ordinal(number: int) -> str:
    """Return a rank as display text.

    Examples
    --------
    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
