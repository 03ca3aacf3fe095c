"""Certificate of a factorisation: its errors, and that its updates are those of one worker.

The errors are computed again in double precision. If the run was recorded event by event, the
record must process every rating once a sweep. A schedule that excludes conflicts is serialisable:
one worker that processes the ratings in the recorded order ends with the same vectors, bit by bit
(``cpu/sgd_replay.cpp``, which shares no code with the kernels).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.reported import with_reported
from gpucore.errors import GraphError
from gpucore.families.sgd.factors import Factors, first_factors
from gpucore.families.sgd.native import replay
from gpucore.families.sgd.native_proof import rmse
from gpucore.families.sgd.params import NOT_SERIALISABLE, SgdParams
from gpucore.families.sgd.record import Kind, places_of
from gpucore.format import counted
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.ratings.split import split

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.ratings.split import Split
    from gpucore.record import Record

#: Differences of a reported error that single precision explains: relative to it, relative to the
#: largest rating, since a prediction is rounded as that is, and absolute.
CLOSE, NEAR, LEAST = 1e-5, 1e-6, 1e-7

#: Errors with which a component is stored, relative and absolute: exactly, and by "fast" in half
#: precision (absolute where numbers are subnormal).
EXACT, HALF = (0.0, 0.0), (2.0**-11, 2.0**-25)
#: The same in fixed point, absolute as a share of the largest first component; and the least of it.
FIXED, SMALLEST = (2.0**-23, 2.0**-20), 2.0**-10


def certify(problem: Graph, result: Any, *, serialisable: bool = True) -> Certificate:
    """Prove, or refute, a factorisation.

    Parameters
    ----------
    problem : Ratings
        The ratings.
    result : SgdResult
        Of any schedule or method; its ``params`` say how the ratings were split.
    serialisable : bool
        Whether the method excludes conflicts, so that its record has to prove it.

    Returns
    -------
    Certificate
        Figures ``rmse`` and ``test_rmse`` in double precision. A vector whose few ratings hardly
        depend on it may differ: errors are compared to within :data:`CLOSE`, or :data:`NEAR` of the
        largest rating.
    """
    params = SgdParams(**{k: v for k, v in result.params.items() if k in SgdParams.__match_args__})
    ratings = ratings_of(problem)
    parts = split(ratings, params.test, params.split_seed)
    factors = result.factors
    checks = [_shape(ratings, params, factors, np.shape(result.biases))]
    if not checks[-1].ok:
        return certificate(checks, {})
    checks.append(_finite(factors))
    if not checks[-1].ok:
        return certificate(checks, {})
    checks.append(_untouched(parts.train, params, factors))
    figures = _figures(parts, factors)
    record = result.record
    if record is not None and record.header["level"] == "events" and not record.lost_events:
        sweep, rating = _updates(record)
        place = places_of(parts.train, ratings)
        number = np.minimum(np.searchsorted(place, rating), len(place) - 1)
        checks.append(_every_rating(place, sweep, rating, params.sweeps))
        if checks[-1].ok and serialisable and params.variant not in NOT_SERIALISABLE:
            checks.append(_serialisable(parts.train, sweep, number, params, factors))
    also = {
        "test_rmse": None,
        "ratings": len(parts.train.values),
        "test_ratings": len(parts.test.users),
        "sweeps": params.sweeps,
        "mean": 0.0 if params.positive else float(parts.train.values.mean(dtype=np.float64)),
        **figures,
    }
    found = certificate(checks, figures)
    largest = float(np.abs(ratings.values).max(initial=0.0))
    return with_reported(found, result, also, relative=CLOSE, absolute=max(LEAST, NEAR * largest))


def ratings_of(problem: Graph) -> Ratings:
    """Return a problem if it has ratings, else raise GraphError."""
    if not isinstance(problem, Ratings):
        raise GraphError(
            "this graph has no ratings; load it as ratings (in Python: "
            "gpucore.problems.ratings.prepare.for_ratings makes some up)"
        )
    return problem


def _shape(ratings: Ratings, params: SgdParams, factors: Factors, biases: Any) -> Check:
    name = "one vector each"
    wanted = (ratings.num_users, params.padded), (ratings.num_items, params.padded)
    found = factors.users.shape, factors.items.shape
    own = (ratings.num_users + ratings.num_items if params.biases else 0,)
    if biases != own:
        return Check(name, False, f"biases have the shape {biases}, {own} is right")
    ok = wanted == found and not any(
        each[:, params.k :].any() for each in (factors.users, factors.items)
    )
    return Check(name, ok, f"{found[0]} and {found[1]}, {params.k} components used")


def _finite(factors: Factors) -> Check:
    arrays = (factors.users, factors.items, factors.user_bias, factors.item_bias)
    ok = all(np.isfinite(a).all() for a in arrays if a is not None)
    return Check("finite", ok, "all components are numbers" if ok else "a component is no number")


def _figures(parts: Split, factors: Factors) -> dict[str, float]:
    users, items = parts.train.entries()
    found = {"rmse": rmse(factors, users, items, parts.train.values)}
    if len(parts.test.users):
        found["test_rmse"] = rmse(factors, *parts.test)
    return found


def _untouched(train: Ratings, params: SgdParams, factors: Factors) -> Check:
    """Check that vectors and biases without a rating are those of the beginning."""
    users, items = train.entries()
    alone = [
        np.flatnonzero(np.bincount(rated, minlength=size) == 0)
        for rated, size in ((users, train.num_users), (items, train.num_items))
    ]
    count = sum(found.size for found in alone)
    if not count:
        return Check("others untouched", True, "every vector has a rating")
    begin = first_factors(train, params)
    fast = params.variant == "fast"
    fixed = FIXED[0], FIXED[1] * max(float(np.abs(begin.items).max(initial=0.0)), SMALLEST)
    changed = 0
    for some, now, then, (relative, absolute), bias in (
        (alone[0], factors.users, begin.users, HALF if params.half else EXACT, factors.user_bias),
        (alone[1], factors.items, begin.items, fixed if fast else EXACT, factors.item_bias),
    ):
        different = abs(now[some] - then[some]) > relative * abs(then[some]) + absolute
        moved = different.any(axis=1)
        if bias is not None:  # each begins with 0
            moved |= bias[some] != 0
        changed += int(moved.sum())
    text = f"{changed} of the {count} vectors without a rating have changed"
    return Check("others untouched", not changed, text)


def _updates(record: Record) -> tuple[np.ndarray, np.ndarray]:
    """Return the sweep and the rating of each update, in the order of the record."""
    events = record.events
    which = events["kind"] == Kind.UPDATE
    sweeps = np.array([p["sweep"] for p in record.header["passes"]], np.int64)
    return sweeps[events["iteration"][which]], events["c"][which]


def _every_rating(
    place: NDArray[np.integer], sweep: NDArray[np.integer], rating: NDArray[np.integer], sweeps: int
) -> Check:
    name = "every rating once a sweep"
    wanted = np.repeat(np.arange(sweeps), len(place)), np.tile(place, sweeps)
    order = np.lexsort((rating, sweep))
    if np.array_equal(sweep[order], wanted[0]) and np.array_equal(rating[order], wanted[1]):
        return Check(name, True, f"{counted(sweeps, 'sweep')} of {counted(len(place), 'rating')}")
    return Check(name, False, f"{len(rating):,} updates are not {sweeps} sweeps of {len(place):,}")


def _serialisable(
    train: Ratings,
    sweep: NDArray[np.integer],
    rating: NDArray[np.integer],
    params: SgdParams,
    found: Factors,
) -> Check:
    """Compare with one worker that processes the ratings in the recorded order."""
    state = first_factors(train, params)
    for number in range(params.sweeps):
        state = replay(train, state, rating[sweep == number], params, number)
    pairs = [(state.users, found.users), (state.items, found.items)]
    if state.user_bias is not None and found.user_bias is not None:
        pairs += [(state.user_bias, found.user_bias)]
    if state.item_bias is not None and found.item_bias is not None:
        pairs += [(state.item_bias, found.item_bias)]
    different = sum(int(np.any(a != b, axis=tuple(range(1, a.ndim))).sum()) for a, b in pairs)
    detail = "one worker in the recorded order ends with the same bits"
    if different:
        detail = f"{different} vectors differ from those of one worker in the recorded order"
    return Check("serialisable", not different, detail)
