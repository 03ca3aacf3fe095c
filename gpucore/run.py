"""Run an algorithm by name, and certify its result."""

from __future__ import annotations

TYPE_CHECKING = False  # this module is imported with gpucore, so it imports what it needs later
if TYPE_CHECKING:
    from typing import Any

    from gpucore.device import Device
    from gpucore.family import Algorithm
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart
    from gpucore.progress import Cancel, Progress
    from gpucore.result import Result


def make_params(algorithm: Algorithm, given: dict[str, Any], *, on_ranks: bool = False) -> Any:
    """Build the algorithm's parameters from keywords; ParameterError for unknown names.

    With `on_ranks` they are those of the algorithm on ranks, see :mod:`gpucore.ranks`.
    """
    import dataclasses

    from gpucore.errors import ParameterError, WarplensError
    from gpucore.ranks import rank_algorithm

    kind = rank_algorithm(algorithm).params if on_ranks else algorithm.params
    known = {f.name for f in dataclasses.fields(kind)}
    where = " on ranks" if on_ranks else ""
    for name in given:
        if name not in known:
            raise ParameterError(
                f"{algorithm.name} has no parameter {name!r}{where}; "
                f"it has {', '.join(sorted(known))}"
            )
    try:
        return kind(**given)
    except WarplensError:
        raise
    except (TypeError, ValueError) as error:  # a value that cannot even be compared
        raise ParameterError(f"{algorithm.name} cannot use a parameter's value: {error}") from error


def check_problem(problem: Any, kind: str, runner: str) -> None:
    """Raise GraphError unless a value is a graph, or a problem of the kind that `runner` solves.

    Which graphs an algorithm takes is its own check.
    """
    from gpucore.errors import GraphError
    from gpucore.problem import get_kind
    from gpucore.problems.graph.graph import Graph

    if isinstance(problem, Graph) or getattr(type(problem), "kind", None) == kind:
        return
    wanted = get_kind(kind)
    raise GraphError(
        f"{runner} needs {wanted.noun}, not {type(problem).__name__}; load one with {wanted.loader}"
    )


def check_part(algorithm: Algorithm, graph: Any) -> None:
    """Raise GraphError for a part of a graph that a run on one device cannot take."""
    from gpucore.errors import GraphError
    from gpucore.problems.graph.part import GraphPart

    if not isinstance(graph, GraphPart):
        return
    if graph.ranks != 1:
        raise GraphError("a part of a graph is for a run on ranks; start them by mpiexec")
    if algorithm.certify_part is None:
        raise GraphError(
            f"{algorithm.name} takes no graph that is in a device's memory only; load it with "
            "gpucore.load"
        )


def check_entries(algorithm: Algorithm, graph: Any, params: Any) -> None:
    """Raise GraphError for more entries, or a longer row, than the kernels can number."""
    from gpucore import limits
    from gpucore.errors import GraphError

    entries = len(getattr(graph, "indices", ()))
    variant = str(getattr(params, "variant", ""))
    if entries > limits.NARROW_ENTRIES and variant not in algorithm.wide:
        able = ", ".join(algorithm.wide)
        advice = f"use one of its variants that can: {able}" if able else "take a smaller graph"
        raise GraphError(
            f"the graph has {entries:,} entries, and the kernels of {algorithm.name} {variant} "
            f"number {limits.NARROW_ENTRIES:,} at most (32 bits); {advice}"
        )
    if entries > limits.LONGEST_ROW:
        longest = int((graph.indptr[1:] - graph.indptr[:-1]).max())
        if longest > limits.LONGEST_ROW:
            raise GraphError(
                f"a vertex has {longest:,} neighbours, and kernels take {limits.LONGEST_ROW:,} at "
                "most; remove it or divide its edges"
            )


def run(
    name: str,
    graph: Graph | GraphPart,
    *,
    device: str | Device = "auto",
    record: str = "off",
    record_budget: int = 64 << 20,
    certify: bool = True,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    ranks: int | None = None,
    **params: Any,
) -> Result:
    """Run an algorithm on a graph and certify its result.

    Parameters
    ----------
    name : str
        Algorithm, see :func:`algorithms`.
    graph : Graph
        The problem; on ranks that are processes also this rank's
        :class:`~gpucore.problems.graph.part.GraphPart`. On one device a part with all rows is a
        graph without a copy on the host, see
        :func:`gpucore.problems.graph.distributed.load.load_whole`.
    device : {"auto", "cuda", "host"} or Device
        Where to run; "auto" takes a usable GPU if there is one.
    record : {"off", "counters", "events"}
        How much of the run to record.
    record_budget : int
        Bytes the record may take on the device; events and rows that do not fit are only counted.
    certify : bool
        Check the result with independent code and attach the certificate.
    progress, cancel
        See :mod:`gpucore.progress`.
    ranks : int, optional
        Number of threads to run on, each with a device; see :mod:`gpucore.ranks`. In processes that
        mpiexec started, all of them are the ranks, unless 1 is given.
    **params
        Parameters of the algorithm.

    Returns
    -------
    Result
        The family's result. Of several processes, rank 0 gets the complete and certified one, the
        others their own parts of the solution.

    Raises
    ------
    ParameterError
        There is no such algorithm or parameter, or a value is out of its range.
    GraphError
        `graph` is not a problem, is of another kind, or is too large.
    DeviceError
        The device is missing or out of memory.
    Cancelled
        If `cancel` was set.
    """
    from gpucore.certify.work import attended, certified
    from gpucore.device import Device, get_device
    from gpucore.family import get_algorithm, get_family
    from gpucore.params import check_flag, check_text, check_whole
    from gpucore.problems.graph.part import GraphPart
    from gpucore.progress import check_hooks
    from gpucore.ranks import has_whole_result, number_of_ranks, run_on_ranks
    from gpucore.record.recorder import macro_of

    algorithm = get_algorithm(check_text("the algorithm's name", name))
    check_problem(graph, get_family(algorithm.family).problem, name)
    check_whole("record_budget", record_budget, 0)
    check_flag("certify", certify)
    check_hooks(progress, cancel)
    count = number_of_ranks(ranks)
    parameters = make_params(algorithm, params, on_ranks=count is not None)
    if count is not None:
        result = run_on_ranks(
            algorithm, graph, parameters, device=device, ranks=count,
            record=record, record_budget=record_budget, certify=certify, cancel=cancel,
            progress=progress,
        )  # fmt: skip
        certify = certify and has_whole_result(count)
    else:
        check_part(algorithm, graph)
        check_entries(algorithm, graph, parameters)
        target = device if isinstance(device, Device) else get_device(device)
        with target.cancel_with(cancel, progress):
            if algorithm.compiles is not None:
                macro = macro_of(record)
                target.compile_ahead(algorithm.compiles(parameters, macro > 0), macro)
            result = algorithm.run(
                graph, parameters, device=target, record=record, record_budget=record_budget
            )
    if not certify or (isinstance(graph, GraphPart) and count is not None):
        return result
    in_blocks = algorithm.certify_part
    with attended(progress, cancel):
        if isinstance(graph, GraphPart):
            assert in_blocks is not None
            return certified(lambda part, found: in_blocks(part, found, target), graph, result)
        return certified(algorithm.certify, graph, result)
