"""Red/blue matching measured: by the chance of blue, by round, by the selection of neighbours.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012, sections 2 to 4; equation 2, figures 2, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

import gpucore
from gpucore.device import get_device
from gpucore.errors import WarplensError
from gpucore.families.matching.result import MatchingResult
from gpucore.families.redblue.coarsening import coarsen
from gpucore.families.redblue.colours import best_p, first_round_fraction
from gpucore.loading import load
from gpucore.params import is_number
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import drop_loops

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from ..kit.lines import Line, lines
from ..kit.pictures import Picture, wrap
from .runs import loaded

#: Chances of blue to try.
CHANCES = tuple(k / 20 for k in range(1, 20))
#: Tolerance of a guess: of the best chance, and of a percentage.
NEAR_P, NEAR_PERCENT = 0.025, 5

#: The page's colours, which the strip of levels uses.
_THEME = (
    "--ws-soft:color-mix(in srgb, currentColor 70%, transparent);--ws-matched:#1f9e7a;"
    "--ws-line:color-mix(in srgb, currentColor 20%, transparent);--ws-card:none"
)


def match(graph: Graph | str, *, variant: str = "fast", **params: Any) -> MatchingResult:
    """Run red/blue matching on the host executor and record nothing."""
    result = gpucore.run(
        "redblue", loaded(graph), variant=variant, device=get_device("host"), **params
    )
    assert isinstance(result, MatchingResult)
    return result


@dataclass(frozen=True)
class Sweep:
    """Share of vertices that the first round matched, for each graph and chance of blue."""

    first: Mapping[str, np.ndarray]

    def picture(self) -> Picture:
        """Return the shares beside equation 2."""
        theory = [k / 100 for k in range(100)]
        equation = Line(theory, [first_round_fraction(p) for p in theory], True)
        curves = {"theory: equation 2": equation}
        curves |= {name: Line(CHANCES, shares.tolist()) for name, shares in self.first.items()}
        return lines(curves, label="chance of blue, p", ticks=[0, 0.25, 0.5, 0.75, 1], most=0.8)


def solve(name: str, graph: Graph, **params: Any) -> MatchingResult:
    """Run a method on the processor."""
    return cast("MatchingResult", gpucore.run(name, graph, certify=False, **params))


def sweep(*graphs: str, select: str = "random", seeds: int = 6) -> Sweep:
    """Measure the first round of each graph at every chance of blue; means over seeds.

    The method on the processor finds the same matching as the kernels, but sooner. This is checked
    once for each graph.

    Raises
    ------
    WarplensError
        The two matchings differ.
    """
    first = {}
    for name in graphs:
        problem = loaded(name)
        _check_same(problem, select)
        shares = [
            [
                matched_by(solve("redblue_omp", problem, select=select, p=p, seed=seed))[0]
                for seed in range(seeds)
            ]
            for p in CHANCES
        ]
        first[name.split(":")[0]] = np.mean(shares, axis=1)
    return Sweep(first)


def _check_same(graph: Graph, select: str) -> None:
    kernels, threads = match(graph, select=select), solve("redblue_omp", graph, select=select)
    if not np.array_equal(kernels.mate, threads.mate):
        raise WarplensError("kernels and threads of the processor came to different matchings")


def matched_by(made: MatchingResult) -> np.ndarray:
    """Return the share of vertices matched after each round: float64."""
    return np.cumsum(made.figures["matched"]) / max(1, len(made.mate))


@exercise("redblue/chances-chance")
def chance(guess: Any, measured: Sweep, name: str = "gnp") -> Verdict:
    """Answer: the chance of blue at which the first round matches most; about is enough."""
    shares, best = measured.first[name], best_p()
    top = int(np.argmax(shares))
    because = (
        f"Of the chances tried, {CHANCES[top]:g} matched most: {shares[top]:.1%}. Equation 2 has "
        f"its top at {best:.5f}, {first_round_fraction(best):.1%}; at 0.5 it is "
        f"{first_round_fraction(0.5):.1%}. A few more blue ones than red ones: that proposals are "
        "in vain costs less than red vertices without a proposal."
    )
    if is_number(guess) and abs(guess - best) <= NEAR_P:
        return Verdict(True, f"About {best:.2f}. {because}")
    if not is_number(guess):
        return judge(guess, 0, because)
    if not 0 < guess < 1:
        hint = "It is a chance, between 0 and 1."
    elif guess == 0.5:
        hint = "Equal sides are nearly as good, but not the best."
    else:
        hint = "Too few propose." if guess < best else "Too few can respond."
    return Verdict(False, f"You said {guess:g}. {hint} {because}", hint=hint, reason=because)


def over_rounds(*graphs: str, select: str = "random", rounds: int = 15) -> Picture:
    """Draw the share of vertices matched after each round."""
    curves = {}
    for name in graphs:
        shares = matched_by(match(name, select=select))[:rounds]
        curves[name.split(":")[0]] = Line([0, *range(1, len(shares) + 1)], [0.0, *shares.tolist()])
    return lines(curves, label="rounds", ticks=range(0, rounds + 1, 3))


#: Rows of the table: name, method, parameters.
_METHODS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("algorithm 1, heaviest", "random", {"select": "weighted"}),
    ("algorithm 1, anyone", "random", {"select": "random"}),
    ("algorithm 2", "weighted", {}),
    ("red/blue, heaviest", "redblue", {"select": "weighted"}),
    ("red/blue, anyone", "redblue", {"select": "random"}),
    ("red/blue, first of a permuted graph", "redblue", {"select": "first", "permute": True}),
)


@dataclass(frozen=True)
class Choices:
    """Pairs, weight and rounds of several methods on a graph, means over seeds.

    Attributes
    ----------
    graph : str
        Its name.
    rows : mapping of str to ndarray of float64, shape (3,)
        Method to pairs, weight and rounds; the rounds of a serial method are NaN.
    """

    graph: str
    rows: Mapping[str, np.ndarray]

    def __str__(self) -> str:
        arbitrary, heavy = (self.rows[f"algorithm {name}"] for name in ("1, anyone", "2"))
        lines = [f"{self.graph:38}{'pairs':>8} (of alg. 1)   weight (of alg. 2)   rounds"]
        for name, (pairs, weight, rounds) in self.rows.items():
            cell = "" if np.isnan(rounds) else f"{rounds:9.1f}"
            lines.append(
                f"{name:38}{pairs:8,.0f} {pairs / arbitrary[0]:11.1%} {weight:8,.0f} "
                f"{weight / heavy[1]:11.1%} {cell}".rstrip()
            )
        return "\n".join(lines)


def choices(name: str, *, seeds: int = 3) -> Choices:
    """Match a graph by every method, with some seeds each."""
    problem = loaded(name)
    rows = {}
    for title, method, params in _METHODS:
        found = [_by(problem, method, params | {"seed": seed}) for seed in range(seeds)]
        rows[title] = np.mean(found, axis=0)
    return Choices(name, rows)


def _by(graph: Graph, method: str, params: dict[str, Any]) -> list[float]:
    if method == "weighted":
        made = solve("greedy_weighted", graph)
    else:
        made = (
            match(graph, **params)
            if method == "redblue"
            else solve("greedy_random", graph, **params)
        )
    return [made.cardinality, made.weight, made.figures.get("rounds", np.nan)]


@exercise("redblue/chances-weight-of-two")
def weight_of_two(guess: Any, measured: Choices) -> Verdict:
    """Answer: the weight of red/blue matching in per cent of algorithm 2's; about is enough."""
    serial, heavy, mine = (
        measured.rows[name]
        for name in ("algorithm 1, heaviest", "algorithm 2", "red/blue, heaviest")
    )
    truth = 100 * mine[1] / heavy[1]
    because = (
        f"Algorithm 2 sorts all edges and takes the heaviest first. Here a vertex sees only its "
        f"own, and only those to the other colour. Of algorithm 1's weight it is "
        f"{mine[1] / serial[1]:.0%}. On the paper's matrices it was 85 % of algorithm 2's and "
        "115 % of algorithm 1's: it depends on the graph."
    )
    if is_number(guess) and abs(guess - truth) <= NEAR_PERCENT:
        return Verdict(True, f"The run says {truth:.0f} %. {because}")
    return judge(guess, round(truth), because)


def levels(name: str, *, select: str = "random") -> Picture:
    """Draw a graph, coarsened level by level; every given edge weighs 1 if it has no weight."""
    from warplens.app.families.redblue.strip import strip

    graph = drop_loops(load(name))
    drawn = strip(graph, solve("redblue_omp", graph, select=select))
    wraps = "<style>.ws-levels > div { flex-wrap: wrap }</style>"
    return Picture(wrap(f'{wraps}<div class="ws-levels" style="{_THEME}">{drawn}</div>'))


@exercise("redblue/chances-contractions")
def contractions(guess: Any, name: str, *, select: str = "random") -> Verdict:
    """Answer: how often a graph's pairs are contracted until one vertex is left."""
    graph = drop_loops(load(name))
    hierarchy = coarsen(graph, matcher="redblue_omp", params={"select": select})
    sizes = [level.num_vertices for level in hierarchy.levels]
    truth, ideal = len(sizes) - 1, int(np.ceil(np.log2(sizes[0])))
    because = (
        f"Vertices, level by level: {', '.join(map(str, sizes))}. If all were matched each time, "
        f"{ideal} would do; but a maximal matching leaves some alone."
    )
    return judge(
        guess, truth, because, known={ideal: "So it would be if every vertex were matched."}
    )
