"""What the lab on stable marriage needs: runs to watch or to count, and exercises on them.

Source of the methods: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy
matchings", CSC 2016.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, cast

import numpy as np

import gpucore
from gpucore.families.marriage.certificate import blocking_pairs
from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.result import MarriageResult
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.preferences.preferences import Preferences

from ..kit import watching
from ..kit.book import exercise
from ..kit.exercises import Verdict, judge, unanswered


@dataclass(frozen=True)
class Watched(watching.Watched):
    """A run with its instance and its record."""

    graph: PreferenceGraph
    result: MarriageResult

    def called(self, person: int) -> str:
        """Return the name of the person with this vertex number."""
        return name_of(self.graph.preferences, person)

    def couples(self) -> str:
        """Return who is married to whom."""
        men = self.graph.preferences.num_men
        pairs = zip(self.result.men.tolist(), self.result.women.tolist(), strict=True)
        return ", ".join(f"{self.called(m)} and {self.called(men + w)}" for m, w in pairs)

    def summary(self) -> str:
        """Return proposals, places considered, and the mean ranks of both sides."""
        figures = self.result.figures
        means = [f"{figures[f'{side}_mean_rank']:.2f}" for side in ("men", "women")]
        return (
            f"{self.result.variant}, {self.result.params['proposers']} propose: "
            f"{figures['proposals']} proposals, {figures['considered']} places considered; on "
            f"average men get their choice number {means[0]}, women number {means[1]}"
        )

    def rounds(self, most: int = 4) -> str:
        """Return a line for each of the first rounds: free men, and women who get a proposal."""
        events, steps = self.record.events, self.record.steps
        asked = events["kind"] == Kind.PROPOSE
        number = steps["round"][events["iteration"][asked]]
        lines = []
        for i, one in enumerate(self.record.header["rounds"][:most]):
            courted = len(np.unique(events["b"][asked][number == i]))
            lines.append(f"round {i + 1}: free men {one['free']}, women they ask {courted}")
        return "\n".join([*lines, f"{len(self.record.header['rounds'])} rounds in all"])


def watch(
    problem: Preferences | str, *, variant: str = "mw", seed: int | None = None, **params: Any
) -> Watched:
    """Run the kernels on the host executor and record every proposal.

    Parameters
    ----------
    problem : Preferences or str
        An instance, or a name that :func:`gpucore.problems.preferences.load.load_preferences`
        understands.
    variant : str
        "mw" is McVitie and Wilson's, "gs" Gale and Shapley's, "fast" ours.
    seed : int, optional
        Of a random schedule; without one, warps go one after the other.
    **params
        Of :func:`gpucore.run`: ``proposers`` is "men" or "women".
    """
    return Watched.of("marriage", loaded(problem).graph(), seed, variant=variant, **params)


def marry(problem: Preferences | PreferenceGraph | str, **params: Any) -> MarriageResult:
    """Run the kernels on an instance of any size; ``params`` are those of :func:`gpucore.run`."""
    given = loaded(problem) if isinstance(problem, str) else problem
    result = gpucore.run("marriage", cast(Graph, given), device="host", **params)
    assert isinstance(result, MarriageResult)
    return result


def loaded(problem: Preferences | str) -> Preferences:
    """Return an instance as it is, or load it by its name."""
    return load_preferences(problem) if isinstance(problem, str) else problem


def name_of(preferences: Preferences, person: int) -> str:
    """Return a person's name by vertex number; women come after the men.

    Examples
    --------
    >>> name_of(load_preferences("gale_shapley_3"), 3)
    'A'
    >>> name_of(load_preferences("classic:n=3"), 3)
    'woman 0'
    """
    if preferences.names is not None:
        return preferences.names[person]
    men = preferences.num_men
    return f"man {person}" if person < men else f"woman {person - men}"


@exercise("marriage/blocks")
def blocks(guess: Sequence[str] | None, preferences: Preferences) -> Verdict:
    """Answer: a pair that blocks the marriage of the first man with the first woman, and so on.

    Parameters
    ----------
    guess : tuple of two str, or None
        The man's name and the woman's.
    preferences : Preferences
        Complete lists of as many men as women.
    """
    n = preferences.num_men
    names = [name_of(preferences, person) for person in range(2 * n)]
    pair = guess if isinstance(guess, tuple | list) else ()
    found = sorted(names.index(one) for one in pair if one in names)
    if len(found) != 2 or len(pair) != 2 or not found[0] < n <= found[1]:
        return unanswered(guess, f"a man's and a woman's name, like ({names[0]!r}, {names[n]!r})")
    man, woman = found
    facts, wants = [], []
    for person, other in ((man, woman), (woman, man)):
        partner = person + n if person < n else person - n
        ranks = [_rank(preferences, person, one) for one in (other, partner)]
        wants.append(ranks[0] < ranks[1])
        facts.append(
            f"{names[person]} has {names[partner]}, choice number {ranks[1]}, and ranks "
            f"{names[other]} {ranks[0]}"
        )
    if man + n == woman:
        return Verdict(False, f"{names[man]} and {names[woman]} are married to each other.")
    if all(wants):
        at = np.arange(n)
        others = blocking_pairs(preferences, at, at).men.size - 1
        return Verdict(
            True,
            f"{'; '.join(facts)}. Each would rather have the other, so nothing holds this marriage "
            f"together. There are {others} more such pairs.",
        )
    content = names[woman if wants[0] else man]
    return Verdict(False, f"{'; '.join(facts)}. So {content} would not go.")


def _rank(preferences: Preferences, person: int, other: int) -> int:
    """Return a person's rank of a person of the other side, both as vertex numbers."""
    man, woman = min(person, other), max(person, other) - preferences.num_men
    ranks = preferences.rank(man, woman)
    assert ranks is not None
    return ranks[0] if person < other else ranks[1]


@exercise("marriage/partner-{who}")
def partner(guess: str | None, who: str, made: Watched) -> Verdict:
    """Answer: the name of a person's partner after the run."""
    names = [made.called(person) for person in range(made.graph.num_vertices)]
    truth = names[made.result.mate[names.index(who)]]
    if guess not in names:
        return unanswered(guess, f"a name, like {names[0]!r}")
    events = made.record.events
    about = (events["a"] == names.index(who)) | (events["c"] == names.index(who))
    mine = np.flatnonzero(about & (events["kind"] != Kind.PROPOSE))
    story = "; then ".join(made.sentence(int(event)) for event in mine)
    if guess == truth:
        return Verdict(True, f"The record: {story}.")
    hint = f"{guess} is not who {who} has in the end: note after each round who holds whom."
    why = f"You said {guess}; the run says {truth}. The record: {story}."
    return Verdict(False, why, hint=hint, reason=f"The record: {story}.")


@exercise("marriage/different-marriages")
def different_marriages(guess: Any, runs: Iterable[Watched]) -> Verdict:
    """Answer: how many different marriages the runs of one instance end in."""
    every = list(runs)
    truth = len({made.result.mate.tobytes() for made in every})
    proposals = sorted({made.result.figures["proposals"] for made in every})
    considered = sorted({made.result.figures["considered"] for made in every})
    because = (
        f"The {len(every)} ways there differ (proposals made: {', '.join(map(str, proposals))}), "
        "the end does not. A woman only ever changes for a better man, so she refuses the same "
        "men sooner or later; and the places that men had to consider are the same "
        f"{', '.join(map(str, considered))} each time."
    )
    known = {len(every): "The order of events differs in each run, but not where they end."}
    return judge(guess, truth, because, known=known)


def all_stable(preferences: Preferences) -> list[tuple[int, ...]]:
    """Return the wives of the men in every stable marriage, the best for the men first.

    It tries all permutations, so it is for a few couples with complete lists.

    Examples
    --------
    >>> all_stable(Preferences.from_lists([[0, 1], [1, 0]], [[1, 0], [0, 1]]))
    [(0, 1), (1, 0)]
    """
    at = np.arange(preferences.num_men)
    found = [
        wives
        for wives in permutations(range(preferences.num_women))
        if not blocking_pairs(preferences, at, np.array(wives), limit=1).men.size
    ]
    return sorted(found, key=lambda wives: _men_rank(preferences, wives))


def _men_rank(preferences: Preferences, wives: Sequence[int]) -> int:
    """Return the sum of the men's ranks of their wives."""
    men = preferences.num_men
    return sum(_rank(preferences, man, men + woman) for man, woman in enumerate(wives))


@exercise("marriage/stable-marriages")
def stable_marriages(guess: Any, preferences: Preferences) -> Verdict:
    """Answer: how many of all the ways to marry a few couples are stable."""
    found, n = all_stable(preferences), preferences.num_men
    facts = [
        ", ".join(
            f"{name_of(preferences, m)} and {name_of(preferences, n + w)}"
            for m, w in enumerate(one)
        )
        for one in found
    ]
    because = (
        f"Tried one by one: {'; '.join(facts)}. With the first all men are happiest, with the last "
        "all women, and those between are between for both."
    )
    return judge(guess, len(found), because, known={1: "There is one for whoever proposes."})


@exercise("marriage/considered")
def considered(guess: Any, made: Watched) -> Verdict:
    """Answer: how many places of their lists the men consider on a hard instance."""
    n, truth = made.graph.preferences.num_men, int(made.result.figures["considered"])
    because = (
        "The best man gets the woman at the top of the list. The second best gets the second, but "
        f"looks at the first one before, and so on: 1 + 2 + ... + {n} = {n} · {n + 1} / 2. No "
        "order of proposals can save him that."
    )
    known = {
        n * n: "Those are all places of all lists; most men need not go to the end.",
        round(n * np.log(n)): "That is what random lists take; these are not.",
        n: "That would do if everybody knew at once where to go.",
    }
    return judge(guess, truth, because, known=known)
