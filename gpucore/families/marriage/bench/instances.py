"""The benchmark instances of stable marriage: the paper's two sets, complete lists, hospitals.

============ ============================================================ ============
name         what                                                                pairs
============ ============================================================ ============
easy25m      short random lists of 25 million men (figure 1 of the paper)  640 million
hard500k     two vectors for 500,000 men (figure 5)                        250 billion
classic5k    complete random lists of 5,000 men                             25 million
hospitals1m  1 million residents, 10 hospitals each; 10,000 hospitals       10 million
             with room for 90
============ ============================================================ ============

Any size can be asked for: ``easy200k``, ``hard2k``, ``classic300``. All are made with seed 1 by
:mod:`gpucore.problems.preferences.generate`, on the machine that measures: drawing the largest is
faster than reading it. The paper has five instances of every size.
"""

from __future__ import annotations

import hashlib
import math
import re
from typing import TYPE_CHECKING, cast

import numpy as np

from gpucore.problems.preferences.generate import PREFERENCE_GENERATORS
from gpucore.problems.preferences.preferences import SMALL, Preferences
from gpucore.problems.preferences.prepare import as_preferences

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Instances of the published tables, the most important first.
STANDARD = (
    "easy25m",
    "hard500k",
    "easy5m",
    "hard100k",
    "easy10m",
    "easy15m",
    "easy20m",
    "hard200k",
    "hard300k",
    "hard400k",
    "classic10k",
    "classic5k",
    "classic2k",
    "classic1k",
    "classic200",
    "easy100k",
    "hospitals1m",
)
#: Instances of the same kinds, small enough for the host device.
SMALL_ONES = ("easy2k", "easy5k", "hard200", "hard500", "classic100", "hospitals1k")
#: Residents per hospital, places of a hospital, and hospitals on a resident's list.
EACH, ROOM, APPLICATIONS = 100, 90, 10
#: Numbers of each array that enter a large instance's digest.
SAMPLE = 1 << 20

_NAME = re.compile(r"(easy|hard|classic|hospitals)([1-9]\d*)([km]?)")
_SPECIFICATION = re.compile(r"(?P<kind>\w+):(?:.*,)?(?:n|residents)=(?P<size>\d+)(?:,.*)?")


def kind_and_size(name: str) -> tuple[str, int] | None:
    """Return what kind of instance a name or a specification asks for, and how many men.

    >>> kind_and_size("easy25m"), kind_and_size("hard:n=300,seed=2"), kind_and_size("lists.csv")
    (('easy', 25000000), ('hard', 300), None)
    """
    if match := _NAME.fullmatch(name):
        return match[1], int(match[2]) * {"": 1, "k": 1000, "m": 1_000_000}[match[3]]
    match = _SPECIFICATION.fullmatch(name)
    if match is None or match["kind"] not in PREFERENCE_GENERATORS:
        return None
    return match["kind"], int(match["size"])


def sets_of(name: str) -> list[str]:
    """Return the sets to which an instance belongs.

    They are its kind; "one to one" unless hospitals take several residents, which few methods
    solve; and "small" if events can be recorded.

    >>> sets_of("easy25m"), sets_of("classic1k"), sets_of("hospitals1k"), sets_of("lists.csv")
    (['easy', 'one to one'], ['classic', 'one to one', 'small'], ['hospitals'], ['one to one'])
    """
    found = kind_and_size(name)
    if found is None:
        return ["one to one"]
    kind, n = found
    if kind == "hospitals":
        return [kind]
    pairs = {"easy": 1.5 * n * math.log(n), "hard": math.inf}.get(kind, n * n)
    return [kind, "one to one"] if pairs > SMALL else [kind, "one to one", "small"]


def specification(name: str) -> str:
    """Return the specification for ``load_preferences`` of a name; other text as it is.

    >>> specification("easy5k"), specification("gale_shapley_4")
    ('easy:n=5000,seed=1', 'gale_shapley_4')
    """
    found = kind_and_size(name) if _NAME.fullmatch(name) else None
    if found is None:
        return name
    kind, n = found
    if kind != "hospitals":
        return f"{kind}:n={n},seed=1"
    many = max(APPLICATIONS, n // EACH)
    return f"hospitals:residents={n},hospitals={many},capacity={ROOM},length={APPLICATIONS},seed=1"


def load(name: str) -> Graph:
    """Make the benchmark instance called `name`, or load other data of that name.

    Raises
    ------
    GraphError
        There is no such instance, or not enough memory for it.
    """
    from gpucore.problems.preferences.load import load_preferences

    return cast("Graph", load_preferences(specification(name)))


def prepare(problem: Graph) -> Graph:
    """Return the graph of a small instance, for records; shared lists stay as they are."""
    preferences = as_preferences(problem)
    if preferences.num_pairs <= SMALL and not preferences.is_shared:
        return preferences.graph()
    return problem


def digest(preferences: Preferences) -> str:
    """Return a digest of an instance; of large arrays it uses a million numbers.

    A fingerprint of all numbers would take longer than solving the instance.
    """
    capacities = (preferences.man_capacity, preferences.woman_capacity)
    lists = (preferences.indptr, preferences.women, preferences.her_rank)
    made = hashlib.sha256(repr(preferences).encode())
    for array in (*lists, preferences.order, preferences.standing, *capacities):
        if array is not None:
            step = max(1, array.size // SAMPLE)
            made.update(np.ascontiguousarray(array[::step]).astype("<i8").tobytes())
    return made.hexdigest()
