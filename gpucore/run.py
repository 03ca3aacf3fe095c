"""Run a runner by name, and certify its result."""

from __future__ import annotations

TYPE_CHECKING = False  # this module is imported with gpucore, so it imports what it needs later
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.problems.roommates.roommates import Roommates
    from gpucore.progress import Cancel, Progress
    from gpucore.result import Result
    from gpucore.runner import Context, Runner


def make_params(
    runner: Runner, given: Mapping[str, Any], *, on_ranks: bool = False
) -> tuple[Any, int | None]:
    """Return the runner's parameters from keywords, and the number of threads among them.

    Every runner on the processor takes ``threads``; those of one thread ignore it. With `on_ranks`
    the parameters are those of the runner on ranks, see :mod:`gpucore.ranks`.

    Raises
    ------
    ParameterError
        A name or a value is unknown.
    """
    import dataclasses

    from gpucore.cpu.common import choose_threads
    from gpucore.errors import ParameterError, WarplensError
    from gpucore.ranks import rank_algorithm

    kind = rank_algorithm(runner).params if on_ranks else runner.params
    own = {f.name for f in dataclasses.fields(kind)}
    known = own if runner.where == "device" else own | {"threads"}
    for name in given:
        if name not in known:
            where = " on ranks" if on_ranks else ""
            raise ParameterError(
                f"{runner.name} has no parameter {name!r}{where}; it has {', '.join(sorted(known))}"
            )
    if "variant" in given and not on_ranks:
        runner.variant(given["variant"])
    threads = None if "threads" in own else given.get("threads")
    choose_threads(threads)
    try:
        return kind(**{name: value for name, value in given.items() if name in own}), threads
    except WarplensError:
        raise
    except (TypeError, ValueError) as error:  # a value that cannot even be compared
        raise ParameterError(f"{runner.name} cannot use a parameter's value: {error}") from error


def check_record(runner: Runner, record: str) -> None:
    """Raise ParameterError if a run is to be recorded of a runner that keeps no record."""
    from gpucore.errors import ParameterError
    from gpucore.record.recorder import check_level

    if check_level(record) != "off" and not runner.records:
        raise ParameterError(
            f"{runner.name} keeps no record; run it without one "
            "(on the command line: leave out --record)"
        )


def check_part(runner: Runner, graph: Any) -> None:
    """Raise GraphError for a part of a graph that a run on one device cannot take."""
    from gpucore.errors import GraphError
    from gpucore.problems.graph.part import GraphPart

    if not isinstance(graph, GraphPart):
        return
    if graph.ranks != 1:
        raise GraphError("a part of a graph is for a run on ranks; start them by mpiexec")
    if runner.certify_part is None:
        raise GraphError(
            f"{runner.name} takes no graph that is in a device's memory only; load it with "
            "gpucore.load"
        )


def check_entries(runner: Runner, graph: Any, params: Any) -> None:
    """Raise GraphError for more entries, or a longer row, than the kernels can number."""
    from gpucore import limits
    from gpucore.errors import GraphError

    entries = len(getattr(graph, "indices", ()))
    variant = str(getattr(params, "variant", ""))
    if entries > limits.NARROW_ENTRIES and variant not in runner.wide:
        able = ", ".join(runner.wide)
        advice = f"use one of its variants that can: {able}" if able else "take a smaller graph"
        raise GraphError(
            f"the graph has {entries:,} entries, and the kernels of {runner.name} {variant} "
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
    graph: Graph | GraphPart | Preferences | Roommates,
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
    """Solve a problem by a runner, and certify the result.

    Parameters
    ----------
    name : str
        An algorithm, see :func:`algorithms`, or a method on the processor.
    graph : Graph
        The problem, also as a graph of NetworkX or a sparse matrix of SciPy, which are converted
        and prepared as the family declares; on ranks that are processes also this rank's
        :class:`~gpucore.problems.graph.part.GraphPart`. On one device a part with all rows is a
        graph without a copy on the host, see
        :func:`gpucore.problems.graph.distributed.load.load_whole`.
    device : {"auto", "cuda", "host"} or Device
        Where kernels run; "auto" takes a usable GPU if there is one. A method on the processor
        takes "auto", "host" and "cpu".
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
        Parameters of the runner; methods on the processor also take ``threads``.

    Returns
    -------
    Result
        The family's result. Of several processes, rank 0 gets the complete and certified one, the
        others their own parts of the solution.

    Raises
    ------
    ParameterError
        There is no such runner or parameter, a value is out of its range, or a record is asked for
        that the runner does not keep.
    GraphError
        `graph` is not a problem, is of another kind, or is too large.
    DeviceError
        The device is missing or out of memory.
    MissingDependency
        The package or program that the runner needs is not installed.
    Cancelled
        If `cancel` was set.
    """
    from dataclasses import replace

    from gpucore.certify.work import attended, certified
    from gpucore.errors import MissingDependency
    from gpucore.family import get_family, get_runner
    from gpucore.notes import notes_of
    from gpucore.params import check_flag, check_text, check_whole
    from gpucore.problems.from_library import check_problem, from_library
    from gpucore.problems.graph.part import GraphPart
    from gpucore.progress import check_hooks
    from gpucore.ranks import has_whole_result, number_of_ranks, run_on_ranks
    from gpucore.runner import Context

    runner = get_runner(check_text("the algorithm's name", name))
    family = get_family(runner.family)
    graph = from_library(graph, family)
    check_problem(graph, family.problem, name)
    check_whole("record_budget", record_budget, 0)
    check_flag("certify", certify)
    check_hooks(progress, cancel)
    count = number_of_ranks(ranks)
    parameters, threads = make_params(runner, params, on_ranks=count is not None)
    check_record(runner, record)
    if reason := runner.available():
        raise MissingDependency(f"{name} cannot run here: {reason}")
    hooks: dict[str, Any] = {"progress": progress, "cancel": cancel}
    levels: dict[str, Any] = {"record": record, "record_budget": record_budget}
    if count is not None:
        problem: Any = graph  # its check is that of the program on ranks
        result = run_on_ranks(
            runner, problem, parameters, device=device, ranks=count, certify=certify,
            **levels, **hooks,
        )  # fmt: skip
        certify = certify and has_whole_result(count)
    else:
        check_part(runner, graph)
        context = Context(runner.target(device), threads, **levels, **hooks)  # type: ignore[arg-type]
        result = _run_here(runner, graph, parameters, context)
    result = replace(result, notes=notes_of(graph))
    if not certify or (isinstance(graph, GraphPart) and count is not None):
        return result
    in_blocks = runner.certify_part
    with attended(progress, cancel):
        if isinstance(graph, GraphPart):
            assert in_blocks is not None
            return certified(
                lambda part, found: in_blocks(part, found, context.device), graph, result
            )
        return certified(runner.certify, graph, result)


def _run_here(runner: Runner, graph: Any, params: Any, context: Context) -> Result:
    """Run on the device of a context, or on the processor where there is none."""
    from gpucore.record.recorder import macro_of

    device = context.device
    if device is None:
        if context.progress is not None:
            context.progress(f"running {runner.name}", 0, 0)
        return runner.run(graph, params, context)
    check_entries(runner, graph, params)
    with device.cancel_with(context.cancel, context.progress):
        if runner.compiles is not None:
            macro = macro_of(context.record)
            device.compile_ahead(runner.compiles(params, macro > 0), macro)
        return runner.run(graph, params, context)
