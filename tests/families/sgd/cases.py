"""Problems and runs for the tests of factorisation."""

from __future__ import annotations

import numpy as np

import gpucore
from gpucore.families.sgd.params import NOT_SERIALISABLE
from gpucore.families.sgd.record import Kind
from gpucore.family import get_runner
from gpucore.problems.ratings.ratings import Ratings

VARIANTS = get_runner("sgd").variant_names

OFFLINE = ("agm_e", "agm_n", "sgm", "diag", "blkdiag")
SERIALISABLE = [name for name in VARIANTS if name not in NOT_SERIALISABLE]


def random_ratings(users=40, items=15, count=220, seed=1, skew=2.0):
    """Return low-rank ratings with noise; the items of small numbers have most."""
    rng = np.random.default_rng(seed)
    u = rng.integers(0, users, count)
    i = (rng.random(count) ** skew * items).astype(int)
    cells = np.unique(u * items + i)
    u, i = cells // items, cells % items
    p, q = rng.normal(0, 0.6, (users, 3)), rng.normal(0, 0.6, (items, 3))
    values = 3.5 + (p[u] * q[i]).sum(1) + rng.normal(0, 0.2, len(u))
    return Ratings.from_entries(u, i, values.astype(np.float32), (users, items))


def factor(ratings, variant, device="host", **more):
    """Factor ratings; the result is certified."""
    params = {"sweeps": 2, "rate": 0.03, "threads": 8, **more}
    result = gpucore.run("sgd", ratings, device=device, variant=variant, **params)
    assert result.certificate.ok, str(result.certificate)
    return result


def schedule_of(result):
    """Return for each sweep a list of (pass, step, rating, kind), in the order of the record."""
    events = result.record.events
    sweeps = [p["sweep"] for p in result.record.header["passes"]]
    found = [[] for _ in range(1 + max(sweeps))]
    columns = (events[name].tolist() for name in ("iteration", "batch", "c", "kind"))
    for iteration, step, rating, kind in zip(*columns, strict=True):
        found[sweeps[iteration]].append((iteration, step, rating, Kind(kind)))
    return found


def letters(numbers):
    """Return the paper's letters of ratings: a, b, c, ..."""
    return "".join("abcdefghijklmnopqrstuvwxyz"[number] for number in numbers)
