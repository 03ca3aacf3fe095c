"""Matrices of the benchmarks: scale-free and road-like ones, as in table II of the paper."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.sgd.certificate import CLOSE, ratings_of
from gpucore.families.sgd.cost import Structure
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.probe import measure_costs
from gpucore.families.sgd.work import items_at_a_time, resident_workers
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.ratings.split import split

if TYPE_CHECKING:
    from gpucore.bench.suite import Case
    from gpucore.device import Device
    from gpucore.families.sgd.result import SgdResult
    from gpucore.problems.graph.graph import Graph

SCALE_FREE, ROAD, SMALL = "scale-free", "road", "small"
#: Largest degree of a road network: those of table II have 7 to 9, its other matrices thousands.
MOST_ROADS = 12
#: Road-like matrices by name; two ratings a road, 2.5 roads a crossing.
ROADS = {f"road{n}": f"road:rows={n},columns={n}" for n in (20, 200, 300, 500, 1000)}
#: Generated ones of rising size, and roads.
STANDARD = (
    *("ratings100k", "ratings1m", "ratings20m"),
    *("road200", "road300", "road500", "road1000"),
)
#: Those of table II that collections have: IMDB, CITP, LIVEJ, CTR; and ratings of lectures.
REAL = (
    "insteval",
    "suitesparse:Pajek/IMDB",
    "suitesparse:SNAP/cit-Patents",
    "suitesparse:SNAP/soc-LiveJournal1",
    "suitesparse:DIMACS10/road_central",
)
SMALL_ONES = ("sample_ratings", "scale_free:users=200,items=60,ratings=2000", "road20")
#: Matchings, and matchings times vertices, that a benchmark waits for: some 15 s.
MOST_MATCHINGS, MOST_MATCHING_WORK = 1_500, 6e8
#: Diagonals, each of which needs a barrier: some seconds a sweep.
MOST_DIAGONALS = 1_100_000
#: Bytes of a rating: user, item, value.
RATING_BYTES = 12


def load(name: str) -> Graph:
    """Load one of :data:`ROADS`, or anything that ``load_ratings`` takes, under that name."""
    return load_ratings(ROADS.get(name, name)).with_attributes(name=name)


def sets_of(name: str) -> list[str]:
    """Return the sets that a matrix belongs to by its name: "small", or none.

    >>> sets_of("suitesparse:DIMACS10/road_central"), sets_of("road20")
    ([], ['small'])
    """
    return [SMALL] if name in ("insteval", "ratings100k", *SMALL_ONES) else []


def class_of(users: int, items: int, max_degree: int) -> str:
    """Return the paper's class of a matrix: a road network is square, and no crossing is large.

    >>> class_of(1000, 1000, 9), class_of(6, 4, 5), class_of(138_493, 26_744, 125_579)
    ('road', 'scale-free', 'scale-free')
    """
    return ROAD if users == items and max_degree <= MOST_ROADS else SCALE_FREE


def facts(graph: Graph) -> dict[str, Any]:
    """Return numbers of a matrix for the results file."""
    ratings = ratings_of(graph)
    most = int(ratings.degrees.max())
    return {
        "users": ratings.num_users,
        "items": ratings.num_items,
        "sets": [
            class_of(ratings.num_users, ratings.num_items, most),
            *sets_of(ratings.name),
        ],
        "max_degree": most,
    }


def least_bytes(graph: Graph, *, k: int = 16, sweeps: int = 20) -> int:
    """Return what the contest's sweeps must move: each rating read, each vector in and out."""
    ratings = ratings_of(graph)
    vectors = 2 * 4 * k * (ratings.num_users + ratings.num_items)
    return int(sweeps * (RATING_BYTES * 0.9 * ratings.num_ratings + vectors))


def update_bytes(k: int, *, half: bool = False) -> int:
    """Return what an update moves if nothing stays in a cache: two vectors in and out, a rating.

    Parameters
    ----------
    k : int
        Components of a vector.
    half : bool
        Whether the user's vector is in half precision.
    """
    return 2 * 4 * k + 2 * (2 if half else 4) * k + RATING_BYTES


def facts_on(graph: Graph, device: Device) -> dict[str, Any]:
    """Return what the cost model knows of the training ratings, for the device's workers."""
    params = SgdParams()
    train = split(ratings_of(graph), params.test, params.split_seed).train
    workers, items = (of(device, params.padded) for of in (resident_workers, items_at_a_time))
    return dataclasses.asdict(Structure.of(train, workers, items_at_a_time=items))


def on_device(device: Device) -> dict[str, Any]:
    """Return the device's microbenchmarks."""
    found = measure_costs(device).as_dict()
    for rows in found["atomics"].values():
        for place, rates in rows.items():
            rows[place] = [[threads, rate] for threads, rate in rates.items()]
    found["barriers"] = [[blocks, seconds] for blocks, seconds in found["barriers"].items()]
    return found


def skip(case: Case, known: dict[str, Any]) -> str:
    """Return why a schedule is not run on a matrix: its preprocessing or barriers take too long."""
    variant, vertices = case.params.get("variant"), known["users"] + known["items"]
    if variant in ("agm_e", "agm_n", "sgm", "el_sgm"):
        # AGM-N finds the matchings of AGM-E.
        load = known["on_device"]["loads"]["agm_e" if variant == "agm_n" else variant]
        matchings = int(load["barriers"])
        if matchings > MOST_MATCHINGS or matchings * vertices > MOST_MATCHING_WORK:
            return (
                f"skipped: its preprocessing needs at least {matchings:,} matchings of a matrix "
                f"of {vertices:,} users and items, one after the other"
            )
    if variant == "diag":
        diagonals = int(known["on_device"]["loads"]["diag"]["barriers"])
        if diagonals > MOST_DIAGONALS:
            return f"skipped: a sweep needs {diagonals:,} barriers, one a diagonal with ratings"
    return ""


def recheck(graph: Graph, result: SgdResult) -> bool:
    """Return whether the test error, computed again in double precision, is the reported one."""
    ratings, params = ratings_of(graph), result.params
    test = split(ratings, params["test"], params["split_seed"]).test
    factors = result.factors
    finite = all(np.isfinite(a).all() for a in (factors.users, factors.items))
    said = result.test_rmse
    return finite and said is not None and abs(factors.rmse(*test) - said) <= CLOSE * said


def digest(result: SgdResult) -> str:
    """Return a short string equal for equal vectors."""
    both = hashlib.sha256(np.ascontiguousarray(result.users, "<f4").data)
    both.update(np.ascontiguousarray(result.items, "<f4").data)
    return both.hexdigest()[:16]
