"""The charts of communities, besides the modularity."""

from __future__ import annotations

import numpy as np

from gpucore.families.communities.record import is_merging
from gpucore.record import Record, Timeline

from ...charts.spec import (
    ChartSet,
    Distribution,
    Drawing,
    Hatched,
    Series,
    changes_of,
    drawn_by,
    sums_after,
)


def communities_left(timeline: Timeline) -> np.ndarray:
    """Return how many communities there are after 0, 1, ... events; shape (events + 1,)."""
    community = timeline.fields["community"].tolist()
    size = np.bincount(timeline.fields["community"], minlength=len(community)).tolist()
    mine = np.flatnonzero(changes_of(timeline, "community"))
    growth = np.zeros(len(timeline.field), np.int64)
    steps = []
    for vertex, new in zip(timeline.index[mine].tolist(), timeline.new[mine].tolist(), strict=True):
        old = community[vertex]
        community[vertex] = new
        size[old] -= 1
        size[new] += 1
        steps.append((size[new] == 1) - (size[old] == 0))
    growth[mine] = steps
    return len(np.unique(timeline.fields["community"])) + sums_after(timeline, growth)


def community_sizes(record: Record) -> np.ndarray:
    """Return how many communities have 0, 1, 2, ... vertices at the end."""
    members = np.bincount(record.final["community"])
    return np.bincount(members[members > 0]) if len(members) else np.zeros(0, np.int64)


_DRAWINGS = (
    Drawing(
        "Hierarchy",
        "From left to right: the vertices, and the communities after each contraction; heights "
        "are numbers of vertices. Bands that join became one vertex there. The colours are those "
        "of the result, as in the player. Levels of more than 400 communities are left out.",
        drawn_by(f"{__package__}.plots", "hierarchy"),
        wide=True,
    ),
    Drawing(
        "Modularity by sweep",
        "After every sweep over the vertices; dotted lines are contractions. A hollow point is a "
        "sweep that lost modularity and was taken back.",
        drawn_by(f"{__package__}.plots", "sweeps"),
    ),
    Drawing(
        "Stages",
        "Time of moving vertices and of contracting, stage by stage, without the transfer of the "
        "graph. On the host executor it is that of a simulation.",
        drawn_by(f"{__package__}.plots", "stages"),
    ),
    Drawing(
        "Buckets",
        "The share of vertices and of edges in each bucket in the first sweep, and the share of "
        "its lanes that idle, over all sweeps.",
        drawn_by(f"{__package__}.plots", "buckets"),
    ),
)

CHARTS = ChartSet(
    hatched=Hatched(
        "Hatched columns are contractions. With the paper's kernels a warp, or from 128 edges on a "
        "block, merges a whole community, however many edges it has, one member after the other; "
        "the tuned kernels divide the same edges by vertices.",
        is_merging,
    ),
    series=(
        Series(
            "Communities",
            "Every vertex begins as a community of its own. A contraction changes nothing here: it "
            "makes a vertex of each community, and the vertices then move on together.",
            communities_left,
        ),
    ),
    distributions=(
        Distribution(
            "Sizes of communities",
            "Communities of the result by their number of vertices.",
            "vertices in the community",
            "communities",
            community_sizes,
            "There is no community: the graph has no vertices.",
        ),
    ),
    drawings=_DRAWINGS,
)
