"""Why our figures of paper IV differ: sentences whose numbers come from the results.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
section 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from gpucore.bench.papers.measures import number
from gpucore.bench.suite import Data
from gpucore.bench.summary import sets_of
from gpucore.families.marriage.bench.figure_numbers import PARALLEL, on_count, size_means

#: Why times on the card are shorter.
CARD = "A K40 had at most 288 GB/s; below is what this card copies."


#: Sizes of the paper, by set.
PAPERS = {"easy": "5 to 25, 50, 75, 100 and 125 million", "hard": "100,000 to 500,000"}
COUNTS = {1: "one instance", 5: "five instances"}


def sizes(kind: str, more: str = "") -> Callable[[Data], str]:
    """Say which sizes of a set were measured, and how many instances of each."""

    def words(data: Data) -> str:
        men = Counter(
            data["graphs"][name]["men"]
            for name, cases in data["measurements"].items()
            if kind in sets_of(data, name) and any("seconds" in found for found in cases.values())
        )
        found = "; ".join(
            f"{COUNTS.get(count, f'{count} instances')} of "
            + ", ".join(f"{n:,}" for n in sorted(men) if men[n] == count)
            for count in sorted(set(men.values()), reverse=True)
        )
        paper = f"The paper has five instances of {PAPERS[kind]} men"
        return f"{paper}; measured here: {found}.{more}"

    return words


def half_the_threads(data: Data) -> str:
    """Say what half of the threads take on the easy set, by the time of all of them."""
    cores = data["setup"]["cores"]
    found = [
        half[men] / whole[men]
        for runner in PARALLEL
        for half, whole in [
            [size_means(data, on_count(runner, count), "easy") for count in (cores // 2, cores)]
        ]
        for men in half
        if men in whole
    ]
    words = "The paper had 36 cores of two processors. Short lists are random accesses"
    if not found:
        return f"{words}."
    span = f"{number(min(found))} to {number(max(found))} times"
    return f"{words}: {cores // 2} threads take {span} as long as {cores} here."


def card_and_threads(data: Data) -> str:
    """Return both reasons, the card's and the processor's."""
    return f"{CARD} {half_the_threads(data)}"
