"""Kinds of problems: their declarations.  :func:`gpucore.load` loads any of them.

A kind is a folder of :mod:`gpucore.problems` whose ``__init__.py`` declares a ``KIND``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpucore.declarations import declarations, resolve
from gpucore.errors import ParameterError
from gpucore.limits import Limits
from gpucore.progress import Progress

#: The package whose folders are kinds of problems.
PACKAGE = "gpucore.problems"


@dataclass(frozen=True)
class Size:
    """Size of a problem.

    Attributes
    ----------
    numbers : mapping of str to int
        Counts by stable names, "vertices" and "edges" among them.
    words : str
        The counts as a phrase.
    """

    numbers: Mapping[str, int]
    words: str


@dataclass(frozen=True)
class Benchmarks:
    """Problems of fixed definition and size, generated once and kept on disk.

    Attributes
    ----------
    has : callable
        ``has(name)``: whether there is one of this name.
    arrays : callable
        ``arrays(name)`` generates the arrays of a problem, by array name.
    problem : callable
        ``problem(arrays, name, source)`` builds the problem from these arrays.
    """

    has: Callable[[str], bool]
    arrays: Callable[[str], dict[str, Any]]
    problem: Callable[..., Any]


@dataclass(frozen=True)
class ProblemKind:
    """Declaration of a kind of problem; texts ``"module:NAME"`` are imported when used.

    Attributes
    ----------
    name : str
        The folder's name, the `kind` of data sets, and the attribute `kind` of problems.
    noun : str
        Noun with its article: "a graph".
    missing : str
        Beginning of the error for an unknown name: "there is no graph".
    read : str
        ``read(source, *, form, seed, progress, cancel, limits, **options)`` reads a file.
    dataset : str
        ``dataset(name, *, limits)`` loads a bundled problem.
    generators : str
        Mapping of names to generators; each takes `limits`.
    generators_key, generators_title : str
        Key in JSON, and heading, of a list of these generators.
    size : str
        ``size(problem)`` returns a :class:`Size`.
    members : str
        ``members(problem)`` returns the sides of a problem with their words and names, each as
        :class:`gpucore.members.Members`.
    steps : str
        Mapping of names to preparation steps, which add themselves to ``source``.
    step_notes : str
        Mapping of those steps that change what the owner gave to a sentence on it, in which the
        step's parameters may stand in braces; see :mod:`gpucore.notes`.
    convert : str
        ``convert(problem, *, seed, limits)`` converts a problem of a kind in `accepts`.
    accepts : tuple of str
        Kinds that can be converted, in the order of lookup.
    for_run : str
        ``for_run(problem, recorded)`` converts a loaded problem to the one that runs take; by
        default they are the same.
    lists : str
        Class of its problems that are lists, not graphs; their method ``graph`` returns the graph
        of their pairs. Empty if all its problems are graphs.
    permute : str
        ``permute(problem, seed)`` puts the problem into a random order; empty if the order does not
        affect results.
    layout : str
        Layout that the app uses, see :mod:`app.layout`.
    archive, archive_key : str
        ``archive(rows, header, attributes)`` builds the problem of one of our archives; its header
        has this key.
    archive_arrays : tuple of str
        Arrays of such an archive besides those of every graph; `archive` gets them among the
        attributes.
    benchmarks : str
        Its :class:`Benchmarks`.
    small : str
        Name of a small problem, on which :mod:`gpucore.warm` runs every variant.
    help : str
        Examples of names of such problems, for the command line.
    """

    name: str
    noun: str
    missing: str
    read: str
    generators: str
    size: str
    members: str
    help: str
    dataset: str = ""
    generators_key: str = ""
    generators_title: str = ""
    steps: str = ""
    step_notes: str = ""
    convert: str = ""
    accepts: tuple[str, ...] = ()
    for_run: str = ""
    lists: str = ""
    permute: str = ""
    layout: str = "forces"
    archive: str = ""
    archive_key: str = ""
    archive_arrays: tuple[str, ...] = ()
    benchmarks: str = ""
    small: str = ""

    @property
    def loader(self) -> str:
        """The call that loads one, for error messages."""
        return "gpucore.load" + ("" if self.name == "graph" else f'(..., kind="{self.name}")')

    def load(self, reference: str) -> Any:
        """Import the object that one of the texts refers to."""
        return resolve(reference, f"{PACKAGE}.{self.name}")

    def load_generators(self) -> Mapping[str, Callable[..., Any]]:
        """Return the generators by name."""
        found: Mapping[str, Callable[..., Any]] = self.load(self.generators)
        return found

    def datasets(self) -> tuple[str, ...]:
        """Return the names of the data sets of this kind."""
        from gpucore.datasets import names

        return names(self.name)

    def specifies(self, spec: str) -> bool:
        """Return whether a text is the name of a data set, or a generator and a colon."""
        name, colon, _ = spec.partition(":")
        return spec in self.datasets() or (bool(colon) and name in self.load_generators())

    def has_name(self, name: str) -> bool:
        """Return whether a data set or a generator has this name."""
        return name in self.datasets() or name in self.load_generators()

    def named(self, spec: str, progress: Progress | None, limits: Limits | None) -> Any:
        """Return the data set or generated problem that a text specifies; else None."""
        from gpucore.specification import generate

        if spec in self.datasets():
            return self.load(self.dataset)(spec, limits=limits)
        name, _, parameters = spec.partition(":")
        if name not in self.load_generators():
            return None
        if progress is not None:
            progress("generating", 0, 0)
        return generate(self.load_generators(), name, parameters, limits)

    def prepared_for_run(self, problem: Any, *, recorded: bool) -> Any:
        """Return the problem as runs take it; recorded runs may need a graph."""
        return self.load(self.for_run)(problem, recorded) if self.for_run else problem

    def has_lists(self, problem: Any) -> bool:
        """Return whether a problem of this kind is lists, not a graph."""
        return bool(self.lists) and isinstance(problem, self.load(self.lists))


def kinds() -> dict[str, ProblemKind]:
    """Return all kinds of problems by name.

    Examples
    --------
    >>> kinds()["graph"].noun
    'a graph'
    """
    return declarations(PACKAGE, "KIND")


def get_kind(name: str) -> ProblemKind:
    """Return the kind called `name`, or raise ParameterError with the known names."""
    try:
        return kinds()[name]
    except KeyError:
        known = ", ".join(kinds())
        raise ParameterError(f"there is no kind {name!r} of problems; there are {known}") from None


def size_of(problem: Any) -> Size:
    """Return the size of a problem of any kind."""
    kind = get_kind(problem.kind)
    found: Size = kind.load(kind.size)(problem)
    return found
