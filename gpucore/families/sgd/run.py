"""Matrix factorisation by stochastic gradient descent on the GPU, in many schedules.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.sgd.certificate import certify, ratings_of
from gpucore.families.sgd.compiles import compiles
from gpucore.families.sgd.factors import first_factors
from gpucore.families.sgd.log import Log
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.result import SgdResult
from gpucore.families.sgd.sweeps import SCHEDULES, Schedule
from gpucore.families.sgd.variants import VARIANTS
from gpucore.families.sgd.work import Errors, Work
from gpucore.problems.ratings.split import split
from gpucore.record import Recorder
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.ratings.ratings import Ratings

#: Warps with rows of their own in a record; further warps share these rows.
RECORDED_WARPS = 1 << 12


def run(problem: Graph, params: SgdParams, context: Context) -> SgdResult:
    """Factor a matrix of ratings in the schedule of its variant; see :func:`gpucore.run`.

    Returns
    -------
    SgdResult
        Among its figures: ``rmse`` and ``test_rmse`` after the last sweep (None without test
        ratings), both for every sweep, ``updates_per_second``, ``prepare_seconds`` of the
        preprocessing, and ``passes`` over the ratings.
    """
    return run_schedule(SCHEDULES[params.variant], problem, params, context)


def run_schedule(
    schedule: Schedule, problem: Graph, params: SgdParams, context: Context
) -> SgdResult:
    """Factor a matrix of ratings in a given schedule; else as :func:`run`."""
    device, ratings = context.device, ratings_of(problem)
    parts = split(ratings, params.test, params.split_seed)
    work = _put_on_device(parts.train, params, context)
    start = time.perf_counter()
    sweep = schedule.prepare(work)
    device.synchronize()
    prepared = time.perf_counter() - start
    train = Errors(work, work.users, work.items, work.values)
    test = Errors(work, *(device.asarray(np.array(array)) for array in parts.test))
    log = Log.of(parts.train)
    work.settle()
    log.add(train, test)
    for number in range(params.sweeps):
        with device.timer() as timer:
            sweep(number)
        log.seconds.append(timer.seconds)
        work.settle()
        log.add(train, test)
        device.report(f"sweep {number + 1} of {params.sweeps}: error {log.rmse[-1]:.4f}")
    return SgdResult.of_run(
        ratings,
        parts,
        work.factors(),
        log,
        algorithm="sgd",
        device=device.describe(),
        params=params.as_dict(),
        figures={"prepare_seconds": prepared, "passes": len(work.passes)},
        raw=work.recorder.collect(),
        passes=work.passes,
        lanes=SCHEDULES[params.variant].lanes(params),
    )


def _put_on_device(train: Ratings, params: SgdParams, context: Context) -> Work:
    device = context.device
    vectors = 4 * params.padded * (train.num_users + train.num_items)
    ratings = SCHEDULES[params.variant].rating_bytes * train.num_ratings
    device.require_memory(ratings + vectors, "the factorisation")
    first = first_factors(train, params)
    workers = params.threads or (1 << 30)
    lanes = min(32, params.padded // 2)
    work = Work.on(device, Recorder(device, "off", warps=1), params, train, first)
    warps = max(1, min(RECORDED_WARPS, -(-min(workers, work.workers) * lanes // 32)))
    work.recorder = context.recorder(warps=warps)
    return work


ALGORITHM = Runner(
    name="sgd",
    title="SGD matrix factorisation",
    source="IPDPS 2016, sections III and IV",
    params=SgdParams,
    variants=VARIANTS,
    records=True,
    run=run,
    certify=certify,
    compiles=compiles,
)
