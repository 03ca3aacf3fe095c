"""A cost model of the schedules, and the schedule that it would take.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V. The paper compares two costs of the vertex of the highest
degree d: offline d p + b d, online d (p + l) + b / f. They are :func:`offline_cost` and
:func:`online_cost`. Our refinement, :func:`predict`, counts for each schedule what its slowest
worker does (:mod:`gpucore.families.sgd.structure`), and bounds a sweep by what the device can
update and lock in all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from gpucore.errors import ParameterError
from gpucore.families.sgd.structure import Load, Structure

#: Schedules that :func:`predict` knows: those of the paper.
SCHEDULES = (
    *("el_shuffled", "el", "nl", "nl_el", "el_sgm"),
    *("agm_e", "agm_n", "sgm", "diag", "blkdiag"),
)


@dataclass(frozen=True)
class Costs:
    """What a device needs for the parts of a schedule, in seconds.

    Attributes
    ----------
    update : float
        The paper's p: one update by one worker.
    lock : float
        The paper's l: the locks of one update. Atomics on one address, one after the other.
    barrier : float
        The paper's b: one barrier of all workers inside a kernel.
    launch : float or None
        Start of a kernel, and reading how many ratings it left: the barrier between the passes of
        an online schedule. None: as `barrier`, as in the paper.
    atomic : float or None
        One over the rate of atomics on many addresses by all workers. None: as `lock`, as in the
        paper, which has only the rate on one address.
    stream : float
        One over the rate of updates by all workers together.
    scan : float
        One look at the mark of a rating; the node-locked schedule looks many times.

    Raises
    ------
    ParameterError
        A cost is negative.
    """

    update: float
    lock: float
    barrier: float
    launch: float | None = None
    atomic: float | None = None
    stream: float = 0.0
    scan: float = 0.0

    def __post_init__(self) -> None:
        for name in self.__match_args__:
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ParameterError(f"{name} is {value!r}; use seconds, 0 or more")


#: Bytes of an update with k = 16: both vectors read and written, and the rating.
_BYTES = 4 * 16 * 4 + 12
#: The paper's platforms. Their locks are those of figure 9: 600 and 45 million atomics a second on
#: one address. The paper gives neither p nor b; 1 and 5 microseconds are our assumption, and
#: updates of k = 16 at the 288 and 320 GB/s that the vendors state.
PLATFORMS = {
    "K40": Costs(update=1e-6, lock=1 / 600e6, barrier=5e-6, stream=_BYTES / 288e9),
    "R9-290X": Costs(update=1e-6, lock=1 / 45e6, barrier=5e-6, stream=_BYTES / 320e9),
}


def offline_cost(degree: float, costs: Costs) -> float:
    """Return the paper's least time of an offline schedule, d p + b d, in seconds.

    Parameters
    ----------
    degree : float
        Degree d of the vertex that has most edges.
    costs : Costs

    Examples
    --------
    >>> offline_cost(1000, Costs(update=1.0, lock=0.5, barrier=3.0))
    4000.0
    """
    return degree * costs.update + costs.barrier * degree


def online_cost(degree: float, costs: Costs, fraction: float) -> float:
    """Return the paper's most time of an online schedule, d (p + l) + b / f, in seconds.

    Parameters
    ----------
    degree : float
        Degree d of the vertex that has most edges.
    costs : Costs
    fraction : float
        Fraction f of the edges of that vertex that are processed between two barriers, over 0 up
        to 1.

    Raises
    ------
    ParameterError
        `fraction` is out of range.

    Examples
    --------
    >>> online_cost(1000, Costs(update=1.0, lock=0.5, barrier=3.0), 0.01)
    1800.0
    """
    if not 0 < fraction <= 1:
        raise ParameterError(f"fraction is {fraction!r}; use a number over 0, at most 1")
    return degree * (costs.update + costs.lock) + costs.barrier / fraction


class Terms(NamedTuple):
    """Predicted seconds of a sweep, by what they are spent on.

    Attributes
    ----------
    path : float
        Updates, locks and scans of the worker that ends last.
    updates, atomics : float
        All updates, and all atomics, at the device's rates.
    barriers, launches : float
        Barriers inside kernels, and launches.
    """

    path: float
    updates: float
    atomics: float
    barriers: float
    launches: float

    @property
    def seconds(self) -> float:
        """The longest of the first three, which overlap, and the last two."""
        return max(self.path, self.updates, self.atomics) + self.barriers + self.launches


def terms(structure: Structure, costs: Costs, schedule: str) -> Terms:
    """Return what a sweep of a schedule spends its time on; our refinement of the paper's costs.

    =========== ====================================================================
    schedule    one after the other
    =========== ====================================================================
    el_shuffled d updates and locks (paper), or n / workers; a launch a pass (b / f)
    el          the same, with more passes: neighbours share an item
    nl          a block's busiest item; rescans; a launch a pass of a block
    nl_el       the first pass of nl, el_shuffled for the ratings that it left
    el_sgm      el_shuffled for the busiest items, then sgm for the others
    agm_e       d barriers (paper), n / workers updates and one more a matching
    agm_n       a barrier and an update for each of a block's matchings
    sgm         the same; the matchings of a block alone, items by degree
    diag        a barrier a diagonal with ratings, at most |M| + |U| - 1 (paper)
    blkdiag     the same, at most |M| / R + |U| / C - 1 (paper); the largest tile
    =========== ====================================================================

    Raises
    ------
    ParameterError
        The model does not know the schedule.
    """
    if schedule not in structure.loads:
        raise ParameterError(
            f"the model has no schedule {schedule!r}; it has {', '.join(structure.loads)}"
        )
    load: Load = structure.loads[schedule]
    launch = costs.barrier if costs.launch is None else costs.launch
    atomic = costs.lock if costs.atomic is None else costs.atomic
    return Terms(
        path=load.updates * costs.update + load.locks * costs.lock + load.scans * costs.scan,
        updates=structure.num_ratings * costs.stream,
        atomics=load.atomics * atomic,
        barriers=load.barriers * costs.barrier,
        launches=load.launches * launch,
    )


def predict(structure: Structure, costs: Costs) -> dict[str, float]:
    """Return the predicted seconds of a sweep for every schedule, preprocessing left out.

    Parameters
    ----------
    structure : Structure
        The matrix, counted once.
    costs : Costs
        The device's, measured or chosen.

    Examples
    --------
    >>> from gpucore.problems.ratings.load import load_ratings
    >>> sample = Structure.of(load_ratings("sample_ratings"), workers=2)
    >>> found = predict(sample, PLATFORMS["K40"])
    >>> found["blkdiag"] < found["diag"]
    True
    """
    return {name: terms(structure, costs, name).seconds for name in SCHEDULES}


def choose(structure: Structure, costs: Costs, among: Collection[str] = SCHEDULES) -> str:
    """Return the schedule whose predicted time is the least.

    Parameters
    ----------
    structure : Structure
    costs : Costs
    among : collection of str
        Schedules to choose from.

    Raises
    ------
    ParameterError
        There is nothing to choose from, or the model does not know one of them.
    """
    if not among:
        raise ParameterError("there is no schedule to choose from")
    return min(among, key=lambda name: terms(structure, costs, name).seconds)
