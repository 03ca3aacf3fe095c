"""Start an algorithm on ranks: threads of this process, or the processes of an MPI launcher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gpucore.device import Device, get_device
from gpucore.errors import GraphError, ParameterError
from gpucore.params import check_whole
from gpucore.problems.graph.part import GraphPart, cut
from gpucore.ranks import mpi
from gpucore.ranks.agree import agree
from gpucore.ranks.session import session, under_mpi
from gpucore.ranks.threads import MAX_THREADS, run_threads
from gpucore.ranks.world import make_world

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel, Progress
    from gpucore.ranks.comm import Comm
    from gpucore.result import Result
    from gpucore.runner import Runner


@dataclass(frozen=True)
class RankAlgorithm:
    """How an algorithm runs on ranks; the text :attr:`gpucore.runner.Runner.ranks` names it.

    Attributes
    ----------
    params : type
        Frozen dataclass of parameters, with :class:`gpucore.ranks.RankParams` as a base.
    run : callable
        ``run(part, graph, params, world, *, record, record_budget)`` solves the problem on one
        rank. `part` is the rank's :class:`~gpucore.problems.graph.part.GraphPart`; `graph` is the
        whole graph, or None where no rank has it. It returns a result: the complete one on rank
        0, elsewhere with the rank's own part of the solution.
    load : callable
        ``load(spec, comm, device, *, seed, progress, cancel)`` returns the rank's part of an input
        that ranks read or generate in parts, None for other inputs; all ranks call.
    certify : callable
        ``certify(part, result, comm, device)`` certifies the result where no rank has the whole
        graph; all ranks call, and get the same certificate. The rows stay where they are.
    """

    params: type
    run: Callable[..., Result]
    load: Callable[..., GraphPart | None]
    certify: Callable[[GraphPart, Any, Comm, Device], Certificate]


def rank_algorithm(algorithm: Runner) -> RankAlgorithm:
    """Return how an algorithm runs on ranks; ParameterError if it does not."""
    from gpucore.family import algorithms, get_family

    if algorithm.where != "device":
        raise ParameterError(
            f"{algorithm.name} is a method on the processor: it does not run on ranks"
        )
    if not algorithm.ranks:
        able = ", ".join(name for name, other in algorithms().items() if other.ranks)
        raise ParameterError(
            f"{algorithm.name} runs on one device, not on ranks; these run on ranks: {able}"
        )
    return get_family(algorithm.family).load(algorithm.ranks)


def number_of_ranks(ranks: int | None) -> int | None:
    """Return how many ranks a run has, None for a run on one device without ranks.

    Parameters
    ----------
    ranks : int or None
        What the caller asks for; None means all processes of the launcher, if there is one.

    Raises
    ------
    ParameterError
        The launcher started another number of processes.
    """
    place = mpi.launched()
    if ranks is None:
        return place[1] if place is not None and place[1] > 1 else None
    check_whole("ranks", ranks, 1, MAX_THREADS if place is None else None)
    if place is not None and ranks not in (1, place[1]):
        raise ParameterError(
            f"ranks is {ranks}, but the launcher started {place[1]} processes; leave ranks out"
        )
    return ranks


def has_whole_result(ranks: int) -> bool:
    """Return whether this process gets the complete result of a run on this number of ranks."""
    place = mpi.launched()
    return place is None or place[1] != ranks or place[0] == 0


def load_part(
    algorithm: Runner,
    spec: str,
    device: Device | None,
    *,
    seed: int,
    progress: Progress | None,
    cancel: Cancel | None,
) -> GraphPart | None:
    """Return this process's part of an input that ranks read or generate in parts.

    Returns
    -------
    GraphPart or None
        None if no launcher started this process, the algorithm does not run on ranks, or the input
        is one that every rank loads whole.
    """
    if not under_mpi() or not algorithm.ranks or device is None:
        return None
    comm = session().comm
    own = _own_device(comm, device)
    hooks: dict[str, Any] = {"progress": progress if comm.rank == 0 else None, "cancel": cancel}
    return rank_algorithm(algorithm).load(spec, comm, own, seed=seed, **hooks)


def run_on_ranks(
    algorithm: Runner,
    problem: Graph | GraphPart,
    params: Any,
    *,
    ranks: int,
    device: str | Device,
    record: str,
    record_budget: int,
    certify: bool,
    cancel: Cancel | None,
    progress: Progress | None,
) -> Result:
    """Run an algorithm on ranks; see :func:`gpucore.run`.

    With `certify` the result of a :class:`GraphPart` is certified; that of a whole graph is left to
    the caller.

    Returns
    -------
    Result
        Complete on rank 0, and the only one with threads; other processes get their own parts.
    """
    declared = rank_algorithm(algorithm)

    def body(comm: Comm, stop: Cancel | None) -> Result:
        own = _own_device(comm, device)
        with own.cancel_with(stop, progress if comm.rank == 0 else None):
            agree(comm, algorithm.name, params, problem, record, record_budget)
            world = make_world(comm, own, params.transport)
            part, whole = _part(problem, comm)
            result = declared.run(
                part, whole, params, world, record=record, record_budget=record_budget
            )
            if world.memory is not None:
                world.memory.close()
            if certify and whole is None:
                found = declared.certify(part, result, comm, own)
                result = replace(result, certificate=found)
            return result

    if under_mpi() and ranks > 1:
        return _with_session(body, cancel)
    return run_threads(ranks, body, cancel=cancel)


def _with_session(body: Callable[[Comm, Cancel | None], Result], cancel: Cancel | None) -> Result:
    """Run the body of this process's rank; an error that other ranks do not have ends them all."""
    own = session()
    try:
        return body(own.comm, cancel)
    except Exception as error:
        if not getattr(error, "names_ranks", False):
            own.fail(error)
        raise


def _part(problem: Graph | GraphPart, comm: Comm) -> tuple[GraphPart, Graph | None]:
    """Return this rank's part, and the whole graph if it is known."""
    if isinstance(problem, GraphPart):
        if (problem.rank, problem.ranks) != (comm.rank, comm.size):
            raise GraphError(
                f"this is part {problem.rank} of {problem.ranks}, and the rank is {comm.rank} of "
                f"{comm.size}; give each rank its own part (in processes that mpiexec started)"
            )
        return problem, None
    return cut(problem, comm.size)[comm.rank], problem


def _own_device(comm: Comm, device: str | Device) -> Device:
    """Return this rank's own device: a card each where a host has several."""
    base = device if isinstance(device, Device) else get_device(device)
    hosts = comm.allgather(comm.host_name())
    local = hosts[: comm.rank].count(hosts[comm.rank])
    return base if local == 0 and comm.kind == "threads" else base.sibling(local)
