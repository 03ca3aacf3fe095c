"""Families: their declarations, and their algorithms and methods by name.

A family is a folder of :mod:`gpucore.families` whose ``__init__.py`` declares a ``FAMILY``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

from gpucore.declarations import declarations, resolve
from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.compiles import Compiles
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart
    from gpucore.progress import Cancel
    from gpucore.record.kind import RecordKind
    from gpucore.result import Result

#: The package whose folders are families.
PACKAGE = "gpucore.families"


@dataclass(frozen=True)
class Algorithm:
    """An algorithm with kernels, which runs on every device.

    Attributes
    ----------
    name : str
        Name on the command line.
    title : str
        Display label.
    source : str
        Paper and section.
    params : type
        Frozen dataclass of parameters; its defaults are the algorithm's.
    variants : tuple of str
        Values of ``params.variant``, the default first.
    run : callable
        ``run(problem, params, *, device, record, record_budget)``; see :func:`gpucore.run`.
    certify : callable
        ``certify(problem, result)`` returns the certificate.
    certify_part : callable or None
        ``certify_part(part, result, device)`` returns the certificate where the graph is in the
        device's memory only: a :class:`~gpucore.problems.graph.part.GraphPart` with all rows.
        None if the algorithm takes no such graph.
    compiles : callable or None
        ``compiles(params, recorded)`` returns what a run compiles on a GPU, so that the first run
        does so side by side; see :mod:`gpucore.compiles`. None leaves it to the run.
    wide : tuple of str
        Variants whose kernels number entries by 64 bits; the others refuse 2**31 entries.
    ranks : str
        ``"module:NAME"`` of its :class:`gpucore.ranks.RankAlgorithm`; empty if it runs on one
        device only.
    family : str
        Name of the family; set by :func:`algorithms`.
    labels : mapping of str to str
        Readable names of the variants, for pages; the command line keeps their own names.
    """

    name: str
    title: str
    source: str
    params: type
    variants: tuple[str, ...]
    run: Callable[..., Result]
    certify: Callable[[Any, Any], Certificate]
    certify_part: Callable[[GraphPart, Any, Device], Certificate] | None = None
    compiles: Callable[[Any, bool], Compiles] | None = None
    wide: tuple[str, ...] = ()
    ranks: str = ""
    family: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def label(self, variant: str) -> str:
        """Return a variant's readable name; its own name if it has no other."""
        return self.labels.get(variant, variant)


class RunMethod(Protocol):
    """Signature of every method on the processor.

    A method that records has two more parameters, ``record`` and ``record_budget``, with the
    meaning that they have in :func:`gpucore.run`.
    """

    def __call__(
        self, graph: Any, *, threads: int | None = None, cancel: Cancel | None = None
    ) -> Result:
        """Solve the problem on `graph`; single-threaded methods ignore `threads`."""
        ...


@dataclass(frozen=True)
class Method:
    """A method on the processor: our own, or a peer, which is another library's.

    Attributes
    ----------
    name : str
        Name on the command line.
    title : str
        Display label.
    source : str
        Paper and section, or the library.
    run : callable
        ``run(graph, *, threads=None, cancel=None) -> Result``; without `threads` a parallel method
        uses every available core. Where `records` is True, it also takes ``record`` and
        ``record_budget``.
    available : callable
        Returns None if the method can run here, else the reason and the fix.
    certify : callable
        ``certify(graph, result) -> Certificate``, as strict as the method allows.
    records : bool
        Whether its runs can be recorded, and so played beside those of kernels.
    parallel : bool
        Whether it uses more than one thread.
    family : str
        Name of the family; set by :func:`methods`.
    """

    name: str
    title: str
    source: str
    run: RunMethod
    available: Callable[[], str | None]
    certify: Callable[[Any, Any], Certificate]
    records: bool = False
    parallel: bool = False
    family: str = ""


Runner = TypeVar("Runner", Algorithm, Method)


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
        Algorithms with kernels: name, and reference to the declaration.
    methods, peers : str
        Tuples of :class:`Method`: our own, and other libraries'.
    record : str
        The :class:`~gpucore.record.kind.RecordKind` of its records.
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
    networkx_least : mapping of str to BreakEven
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

    def load_algorithm(self, name: str) -> Algorithm:
        """Return one of the family's algorithms."""
        return replace(self.load(self.algorithms[name]), family=self.name)

    def load_algorithms(self) -> dict[str, Algorithm]:
        """Return the family's algorithms by name, sorted."""
        return _by_name(map(self.load_algorithm, self.algorithms))

    def load_methods(self) -> dict[str, Method]:
        """Return the family's methods and peers by name, sorted."""
        parts = [self.load(reference) for reference in (self.methods, self.peers) if reference]
        return _by_name(replace(method, family=self.name) for part in parts for method in part)

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

    def prepared(self, graph: Graph, *, seed: int = 0) -> Graph:
        """Turn any graph into a problem of the family; `seed` is for random steps."""
        if not self.prepare:
            return graph
        found: Graph = self.load(self.prepare)(graph, seed=seed)
        return found

    def better(self, one: float, other: float) -> bool:
        """Return whether an objective of `one` is better than `other`.

        Examples
        --------
        >>> Family("loss", "", "", ("loss", "min")).better(0.1, 0.2)
        True
        """
        return one > other if self.objective[1] == "max" else one < other


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
        raise ParameterError(f"there is no family {name!r}; the known ones are {known}") from None


@cache
def algorithms() -> dict[str, Algorithm]:
    """Return all algorithms by name."""
    return _by_name(a for family in families().values() for a in family.load_algorithms().values())


def families_of_algorithms() -> dict[str, Family]:
    """Return the family of each algorithm by the algorithm's name; imports none of them.

    Examples
    --------
    >>> all(name in family.algorithms for name, family in families_of_algorithms().items())
    True
    """
    return {own: family for family in families().values() for own in family.algorithms}


@cache
def get_algorithm(name: str) -> Algorithm:
    """Return the algorithm called `name`, or raise ParameterError with the known names."""
    known = families_of_algorithms()
    if name in known:
        return known[name].load_algorithm(name)
    raise ParameterError(
        f"there is no algorithm {name!r}; the known ones are {', '.join(sorted(known))}"
    )


@cache
def methods() -> dict[str, Method]:
    """Return all methods on the processor by name, whether they can run here or not.

    Examples
    --------
    >>> methods()["greedy"].title
    'Greedy'
    """
    return _by_name(m for family in families().values() for m in family.load_methods().values())


def get_runner(name: str) -> Algorithm | Method:
    """Return the algorithm or method called `name`, or raise ParameterError."""
    known = methods()
    return known[name] if name in known else get_algorithm(name)


def get_method(name: str) -> Method:
    """Return the method called `name`, or raise ParameterError with the known names."""
    try:
        return methods()[name]
    except KeyError:
        known = ", ".join(methods())
        raise ParameterError(
            f"there is no CPU method {name!r}; the known ones are {known}"
        ) from None
