"""Communities as files, and the properties that anybody's communities may have."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.reported import with_reported
from gpucore.families.communities.certificate import (
    GAIN_TOLERANCE,
    MODULARITY_TOLERANCE,
    certify_communities,
)
from gpucore.families.communities.result import CommunityResult
from gpucore.format import counted
from gpucore.members import Members, sides
from gpucore.solutions.form import Answer, NotASolution, Property, SolutionForm, Table, only

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Checks without which labels are no hierarchy of communities.
_BASIC = ("partition", "hierarchy")
_MEMBERS = ("vertex", "node", "id", "name")
_LABELS = ("community", "membership", "module", "cluster", "label", "value")


def _table(graph: Graph, result: CommunityResult, most: int | None) -> Table:
    """Return the community of each vertex; if there are several levels, that of each level too."""
    (members,) = sides(graph)
    columns: dict[str, Any] = {
        "vertex": members.labels(np.arange(members.count)[:most]),
        "community": result.community[:most].tolist(),
    }
    for level in range(1, len(result.levels)):
        columns[f"level_{level}"] = result.at_level(level)[:most].tolist()
    return Table("communities", columns, members.count)


def _result(graph: Graph, answer: Answer) -> CommunityResult:
    (members,) = sides(graph)
    if "community" in answer.arrays:
        community: NDArray[Any] = answer.arrays["community"]
        levels = [answer.arrays[key] for key in _levels(answer.arrays)]
    else:
        order, labels = _labels(members, answer)
        community = _numbered(labels, order)
        steps = [_numbered(answer.columns[key], order) for key in _levels(answer.columns)]
        levels = _hierarchy([*steps, community]) if steps else []
    result: CommunityResult = answer.result(
        CommunityResult, community=community, levels=tuple(levels)
    )
    return result


def _levels(columns: Any) -> list[str]:
    """Return the names of the columns of levels, the first level first."""
    found = [name for name in columns if name.startswith("level_") and name[6:].isdigit()]
    return sorted(found, key=lambda name: int(name[6:]))


def _labels(members: Members, answer: Answer) -> tuple[NDArray[np.int64], Any]:
    """Return the places of the vertices that have a label, each once, and the labels."""
    columns = answer.columns
    if "groups" in columns:
        groups = columns["groups"]
        flat = [member for group in groups for member in group]
        labels: Any = [at for at, group in enumerate(groups) for _ in group]
        return _each_once(members, members.numbers(flat)), labels
    label = next((title for title in _LABELS if title in columns), None)
    member = next((title for title in _MEMBERS if title in columns), None)
    if not answer.titled and label is None:
        titles = list(columns)
        label = titles[-1] if titles else None
        member = titles[0] if len(titles) == 2 else None
    if label is None:
        raise NotASolution("readable", "a table of communities has the columns vertex, community")
    if member is None:  # a label for each vertex, in their order
        count = len(columns[label])
        if count != members.count:
            raise NotASolution("partition", f"{count} labels for {members.count} vertices")
        return np.arange(count), columns[label]
    return _each_once(members, members.numbers(columns[member])), columns[label]


def _each_once(members: Members, places: NDArray[np.int64]) -> NDArray[np.int64]:
    number = np.bincount(places, minlength=members.count)
    for wrong, text in ((number > 1, "stands in two communities"), (number == 0, "is in none")):
        if wrong.any():
            name = members.labels(np.flatnonzero(wrong)[:1])[0]
            raise NotASolution("partition", f"{members.noun} {name} {text}")
    return places


def _numbered(labels: Any, order: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return labels of any kind as numbers from 0 without gaps, in the order of the vertices."""
    numbers = np.empty(order.size, np.int32)
    known: dict[str, int] = {}
    numbers[order] = [known.setdefault(str(label).strip(), len(known)) for label in labels]
    return numbers


def _hierarchy(steps: list[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
    """Return the map of each level from the community of each vertex at each level."""
    levels = [steps[0]]
    for at, (below, above) in enumerate(pairwise(steps), 1):
        level = np.full(int(below.max(initial=-1)) + 1, -1, np.int32)
        level[below] = above
        if (level[below] != above).any():
            v = int(np.flatnonzero(level[below] != above)[0])
            raise NotASolution(
                "hierarchy", f"level {at + 1} divides the community of vertex {v} at level {at}"
            )
        levels.append(level)
    return levels


def _certified(graph: Graph, result: CommunityResult, **more: Any) -> Certificate:
    return certify_communities(
        graph,
        result.community,
        result.levels,
        resolution=result.params.get("resolution", 1.0),
        **more,
    )


def _basic(graph: Graph, result: CommunityResult) -> Certificate:
    found = only(_certified(graph, result), _BASIC)
    return with_reported(found, result, absolute=MODULARITY_TOLERANCE)


def _connected(graph: Graph, result: CommunityResult) -> Certificate:
    return only(_certified(graph, result, connected=True), ("connected",))


def _rising(graph: Graph, result: CommunityResult) -> Certificate | str:
    if not result.levels:
        return "the file has no levels"
    return only(_certified(graph, result, rising=True), ("levels rise",))


def _locally_optimal(graph: Graph, result: CommunityResult) -> Certificate:
    found = _certified(graph, result).figures
    ok = found["largest_gain"] <= GAIN_TOLERANCE
    text = (
        f"{found['improvable']} of {counted(graph.num_vertices, 'vertex')} could gain by moving "
        f"alone to a neighbouring community, the one most by {found['largest_gain']:.3g}"
    )
    return certificate([Check("locally optimal", bool(ok), text)], {})


SOLUTION = SolutionForm(
    table=_table,
    result=_result,
    basic=_basic,
    properties=(
        Property("connected", "Each community is connected by edges inside it.", _connected),
        Property("levels rise", "Modularity does not fall from a level to the next.", _rising),
        Property(
            "locally optimal",
            "No vertex gains modularity by moving alone to a neighbouring community.",
            _locally_optimal,
        ),
    ),
    titles=tuple((member, label) for member in _MEMBERS for label in _LABELS[:-1]),
    arrays=("community",),
    params=("resolution",),
)
