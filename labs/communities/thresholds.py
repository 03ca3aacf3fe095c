"""The threshold that ends a stage: sweeps against modularity.

Source: Naim, Manne, Halappanavar, Tumeo, IPDPS 2017, sections IV and V (two thresholds).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from .runs import Watched, watch


@dataclass(frozen=True)
class Tried:
    """Runs of one graph, by the threshold of all their stages."""

    runs: dict[float, Watched]

    def sweeps(self, threshold: float) -> int:
        """Return how many sweeps a run made, over all stages."""
        steps = self.runs[threshold].record.steps
        return len(np.unique(np.stack([steps["stage"], steps["sweep"]]), axis=1).T)

    def __str__(self) -> str:
        return "\n".join(
            f"threshold {threshold:g}: {self.sweeps(threshold)} sweeps, modularity "
            f"{made.result.modularity:.4f}, {made.result.num_communities} communities"
            for threshold, made in self.runs.items()
        )


def thresholds(name: str, values: Sequence[float]) -> Tried:
    """Run Louvain on a graph with each threshold."""
    return Tried({value: watch(name, t_bin=value, t_final=value) for value in values})


@exercise("communities/thresholds", hint="Compare the first line of the table with the last.")
def more_sweeps(guess: Any, tried: Tried) -> Verdict:
    """Answer: how many more sweeps the smallest threshold takes than the largest."""
    small, large = min(tried.runs), max(tried.runs)
    truth = tried.sweeps(small) - tried.sweeps(large)
    gain = tried.runs[small].result.modularity - tried.runs[large].result.modularity
    because = (
        f"They gain {gain:.4f} of modularity. The early sweeps gain most; what the late ones "
        "gain is small, but they take as long."
    )
    return judge(guess, truth, because, rough=0.3)
