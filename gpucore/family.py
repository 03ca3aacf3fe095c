"""Families: their declarations, and their runners by name.

A family is a folder of :mod:`gpucore.families` whose ``__init__.py`` declares a ``FAMILY``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gpucore.declarations import declarations, resolve
from gpucore.errors import ParameterError
from gpucore.format import meant
from gpucore.problem import get_kind

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.record.kind import RecordKind
    from gpucore.runner import Runner

#: The package whose folders are families.
PACKAGE = "gpucore.families"


class BreakEven(NamedTuple):
    """From how many edges on a function of NetworkX is faster here; None: at no measured size.

    Attributes
    ----------
    fresh : int or None
        With the conversion of the graph.
    converted : int or None
        For a graph of which NetworkX keeps a conversion.
    """

    fresh: int | None
    converted: int | None


@dataclass(frozen=True)
class Family:
    """Declaration of a family; texts of the form ``"module:NAME"`` are imported when used.

    Attributes
    ----------
    name : str
        The folder's name.
    title : str
        Display label.
    problem : str
        Kind of problem it solves, see :mod:`gpucore.problems`.
    objective : (str, {"max", "min"})
        The figure that compares solutions, and whether larger or smaller is better.
    prepare : str
        ``prepare(graph, *, seed=0)`` turns any graph into a problem of the family.
    algorithms : mapping of str to str
        Runners with kernels: name, and reference to the :class:`~gpucore.runner.Runner`.
    methods, peers : str
        Tuples of runners: our own on the processor, and those of other libraries.
    record : str
        The :class:`~gpucore.record.kind.RecordKind` of its records.
    solution : str
        The :class:`~gpucore.solutions.SolutionForm` of its solutions.
    bench : str
        The :class:`~gpucore.bench.suite.Suite` of its benchmarks.
    figures : str
        The :class:`~gpucore.bench.papers.declare.Paper` whose figures its benchmarks repeat.
    papers : tuple of int
        Numbers in the README's list of papers.
    builds_on : tuple of str
        Other families whose modules this one may import.
    files : mapping of str to str
        Parameters that the command line may give as a file: name, and reference to a function that
        returns the value from the text. No other code opens a file that a parameter names.
    exports : mapping of str to str
        Names that the family adds to the package ``gpucore``, and references to the objects.
    networkx : mapping of str to str
        Functions of NetworkX that the family can answer: name, and reference to ours; see
        :mod:`gpucore.networkx_backend`.
    networkx_about : mapping of str to str
        How an answer differs from NetworkX's, for those functions that run an algorithm.
    networkx_least : mapping
        From how many edges on these functions are faster here than in NetworkX, as measured by
        ``benchmarks/networkx_break_even.py``. Functions that are not there always run here:
        NetworkX has none of its own.
    networkx_tests : mapping of str to str
        Tests of NetworkX's own suite, as ``"test_file.py::test_name"``, that right answers do not
        pass, and why.
    """

    name: str
    title: str
    problem: str
    objective: tuple[str, Literal["max", "min"]]
    prepare: str = ""
    algorithms: Mapping[str, str] = field(default_factory=dict)
    methods: str = ""
    peers: str = ""
    record: str = ""
    solution: str = ""
    bench: str = ""
    figures: str = ""
    papers: tuple[int, ...] = ()
    builds_on: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    exports: Mapping[str, str] = field(default_factory=dict)
    networkx: Mapping[str, str] = field(default_factory=dict)
    networkx_about: Mapping[str, str] = field(default_factory=dict)
    networkx_least: Mapping[str, BreakEven] = field(default_factory=dict)
    networkx_tests: Mapping[str, str] = field(default_factory=dict)

    def load(self, reference: str) -> Any:
        """Import the object that one of the texts refers to."""
        return resolve(reference, f"{PACKAGE}.{self.name}")

    def load_algorithm(self, name: str) -> Runner:
        """Return one of the family's runners with kernels."""
        return self._own(self.load(self.algorithms[name]))

    def load_algorithms(self) -> dict[str, Runner]:
        """Return the family's runners with kernels by name, sorted."""
        return _by_name(map(self.load_algorithm, self.algorithms))

    def load_methods(self) -> dict[str, Runner]:
        """Return the family's other runners by name, sorted."""
        parts = [self.load(reference) for reference in (self.methods, self.peers) if reference]
        return _by_name(self._own(runner) for part in parts for runner in part)

    def load_runners(self) -> dict[str, Runner]:
        """Return all runners of the family by name, those with kernels first."""
        return {**self.load_algorithms(), **self.load_methods()}

    def _own(self, runner: Runner) -> Runner:
        records = runner.records and bool(self.record)  # a record needs the family's declaration
        return replace(runner, family=self.name, records=records)

    def load_record(self) -> RecordKind:
        """Return the declaration of the family's records; RecordError if there is none."""
        if not self.record:
            from gpucore.errors import RecordError

            raise RecordError(f"runs of the family {self.name!r} are not recorded")
        kind: RecordKind = self.load(self.record)
        return kind

    def load_suite(self) -> Any:
        """Return the :class:`~gpucore.bench.suite.Suite` of the family's benchmarks."""
        return self.load(self.bench)

    def read_files(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return parameters of the command line; texts that may name a file become its values."""
        return {
            name: self.load(self.files[name])(value)
            if name in self.files and isinstance(value, str)
            else value
            for name, value in params.items()
        }

    def prepared(self, graph: Graph, *, seed: int = 0, **options: Any) -> Graph:
        """Turn any graph into a problem of the family; `seed` is for random steps.

        Lists stay as they are for a family that takes them; for others they become the graph of
        their pairs. Other options are those of the family's preparation, such as `weights`
        of matchings.

        Raises
        ------
        ParameterError
            The preparation has no such option.
        """
        if get_kind(graph.kind).has_lists(graph):
            lists: Any = graph
            if graph.kind == self.problem:
                return graph
            graph = lists.graph()
        if not self.prepare:
            return graph
        prepare = self.load(self.prepare)
        if unknown := set(options) - set(signature(prepare).parameters):
            raise ParameterError(
                f"the preparation of graphs for {self.name} has no option {', '.join(unknown)}; "
                "leave it out"
            )
        found: Graph = prepare(graph, seed=seed, **options)
        return found

    def better(self, one: float, other: float) -> bool:
        """Return whether an objective of `one` is better than `other`.

        Examples
        --------
        >>> Family("loss", "", "", ("loss", "min")).better(0.1, 0.2)
        True
        """
        return one > other if self.objective[1] == "max" else one < other


def as_declared(graph: Graph) -> Graph:
    """Stand for a family's own preparation, which a suite or a view puts in its place."""
    raise NotImplementedError(f"{graph!r} is prepared by its family")


def _by_name(found: Iterable[Runner]) -> dict[str, Runner]:
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


def families() -> dict[str, Family]:
    """Return all families by name.

    Examples
    --------
    >>> all(family.name == name for name, family in families().items())
    True
    """
    return declarations(PACKAGE, "FAMILY")


def exported(name: str) -> Any:
    """Return the object that a family adds to the package ``gpucore``; imports that family only."""
    return next(f.load(f.exports[name]) for f in families().values() if name in f.exports)


def get_family(name: str) -> Family:
    """Return the family called `name`, or raise ParameterError with the known names."""
    try:
        return families()[name]
    except KeyError:
        known = ", ".join(families())
        raise ParameterError(
            f"there is no family {name!r}{meant(name, families())}; the known ones are {known}"
        ) from None


@cache
def algorithms() -> dict[str, Runner]:
    """Return all runners with kernels by name."""
    return _by_name(a for family in families().values() for a in family.load_algorithms().values())


@cache
def methods() -> dict[str, Runner]:
    """Return all other runners by name, whether they can run here or not.

    Examples
    --------
    >>> methods()["greedy"].title
    'Greedy'
    """
    return _by_name(m for family in families().values() for m in family.load_methods().values())


@cache
def get_runner(name: str) -> Runner:
    """Return the runner called `name`, or raise ParameterError with the known names."""
    known = {own: family for family in families().values() for own in family.algorithms}
    if name in known:  # nothing but this one is imported
        return known[name].load_algorithm(name)
    try:
        return methods()[name]
    except KeyError:
        raise ParameterError(
            f"there is no algorithm {name!r}{meant(name, [*known, *methods()])}; algorithms: "
            f"{', '.join(sorted(known))}; CPU methods: {', '.join(methods())}"
        ) from None
