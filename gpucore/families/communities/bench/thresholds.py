"""What results say of figures 1 and 2 of the Louvain paper: the grid of thresholds, by both rules.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017, section V.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpucore.bench.papers.charts import Chart, Series
from gpucore.bench.papers.declare import Finding
from gpucore.bench.papers.measures import between, times, values
from gpucore.bench.suite import Case, Data
from gpucore.families.communities.bench.cases import (
    SEQUENTIAL,
    SEQUENTIAL_RELATIVE,
    T_BIN,
    T_FINAL,
)

#: Thresholds t_bin and t_final.
Pair = tuple[float, float]


@dataclass(frozen=True)
class Pairs:
    """The grid of thresholds of figures 1 and 2, for one rule.

    Attributes
    ----------
    rule : {"paper", "ours"}
        What ends a phase, see :mod:`gpucore.families.communities.rules`.
    sequential : Case
        The sequential method with thresholds of the same meaning.
    """

    rule: str
    sequential: Case

    @property
    def cases(self) -> dict[Pair, Case]:
        """The cases by thresholds."""
        return {
            (t_bin, t_final): self._case(t_bin, t_final) for t_bin in T_BIN for t_final in T_FINAL
        }

    def _case(self, t_bin: float, t_final: float) -> Case:
        label = f"{self.rule}, t_bin {t_bin:.0e}, t_final {t_final:.0e}"
        params = {"variant": "buckets", "t_bin": t_bin, "t_final": t_final, "rule": self.rule}
        return Case(label, "louvain", params, study=True)


PAPER_PAIRS, OUR_PAIRS = Pairs("paper", SEQUENTIAL), Pairs("ours", SEQUENTIAL_RELATIVE)
#: How charts name the rules.
RULE_WORDS = {"paper": "the paper's rule", "ours": "our rule"}
#: The paper's choice.
CHOICE = (1e-2, 1e-6)


def both_grids(
    measure: Callable[[Data, Pairs], dict[Pair, float]], words: str
) -> Callable[[Data], list[Chart]]:
    """Return charts with a line for each t_bin over t_final, one for each rule."""

    def charts(data: Data) -> list[Chart]:
        drawn = []
        for pairs in (PAPER_PAIRS, OUR_PAIRS):
            means = measure(data, pairs)
            series = [
                Series(f"t_bin {t_bin:.0e}", list(T_FINAL), [means[t_bin, t] for t in T_FINAL])
                for t_bin in T_BIN
                if all((t_bin, t) in means for t in T_FINAL)
            ]
            count = len(_graphs(data, pairs))
            graphs = f"mean of {count} graph{'s' * (count > 1)}"
            title = f"{words}, {RULE_WORDS[pairs.rule]}, {graphs}"
            if series:
                drawn.append(Chart(title, "t_final", words, series, x_log=True))
        return drawn

    return charts


def _graphs(data: Data, pairs: Pairs) -> list[str]:
    """Return the graphs that were measured with all thresholds."""
    keys = {case.key for case in pairs.cases.values()}
    return [name for name, found in data["measurements"].items() if keys <= set(found)]


def relative_modularity(data: Data, pairs: Pairs = PAPER_PAIRS) -> dict[Pair, float]:
    """Return the mean modularity by that of the sequential method (or of the best pair)."""
    base = values(data, [pairs.sequential], "modularity").get(pairs.sequential.label)
    found = values(data, pairs.cases.values(), "modularity")
    rows = {pair: found[case.label] for pair, case in pairs.cases.items() if case.label in found}
    # In order: sums of floats depend on it.
    names = sorted(set.intersection(*map(set, rows.values())) if rows else set())
    if not base or not set(names) <= set(base):
        base = {n: max(row[n] for row in rows.values()) for n in names}
    return {
        pair: sum(row[n] / base[n] for n in names) / len(names)
        for pair, row in rows.items()
        if names and all(base[n] for n in names)
    }


def speeds(data: Data, pairs: Pairs = PAPER_PAIRS) -> dict[Pair, float]:
    """Return the mean over the graphs of the best time by the time of a pair."""
    found = {pair: times(data, [case]).get(case.label, {}) for pair, case in pairs.cases.items()}
    rows = {pair: row for pair, row in found.items() if row}
    # In order: sums of floats depend on it.
    names = sorted(set.intersection(*map(set, rows.values())) if rows else set())
    best = {n: min(row[n] for row in rows.values()) for n in names}
    return {
        pair: sum(best[n] / row[n] for n in names) / len(names)
        for pair, row in rows.items()
        if names
    }


def at_the_choice(
    measure: Callable[[Data, Pairs], dict[Pair, float]], pairs: Pairs = PAPER_PAIRS
) -> Callable[[Data], str | None]:
    """Return a mean at the thresholds that the paper chose."""

    def words(data: Data) -> str | None:
        found = measure(data, pairs).get(CHOICE)
        return None if found is None else f"{found:.1%}"

    return words


def never_far_below(data: Data) -> Finding | None:
    """Return whether no pair of thresholds loses more than 2 %."""
    found = relative_modularity(data)
    least = min(found.values(), default=None)
    return between(least, 0.98, 9.0, f"{least:.2%} at least" if least else "")


def bin_matters(data: Data) -> Finding | None:
    """Return whether a larger t_bin is faster."""
    found = speeds(data)
    if len(found) < len(PAPER_PAIRS.cases):
        return None
    means = {t: sum(found[t, f] for f in T_FINAL) / len(T_FINAL) for t in T_BIN}
    words = ", ".join(f"t_bin {t:.0e}: {mean:.0%}" for t, mean in means.items())
    return Finding(means[T_BIN[0]] > means[T_BIN[-1]], words)
