"""Kinds of problems: their declarations, and one function that loads any of them.

A kind is a folder of :mod:`gpucore.problems` whose ``__init__.py`` declares a ``KIND``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpucore.datasets.remote import is_remote, local_file
from gpucore.declarations import declarations, resolve
from gpucore.errors import GraphError, ParameterError
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.params import check_text
from gpucore.progress import Cancel, Progress, check, check_hooks

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
    loader : str
        Full name of the function that loads one, for error messages.
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
    steps : str
        Mapping of names to preparation steps, which add themselves to ``source``.
    convert : str
        ``convert(problem, *, seed, limits)`` converts a problem of a kind in `accepts`.
    accepts : tuple of str
        Kinds that can be converted, in the order of lookup.
    for_run : str
        ``for_run(problem, recorded)`` converts a loaded problem to the one that runs take; by
        default they are the same.
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
    loader: str
    read: str
    generators: str
    size: str
    help: str
    dataset: str = ""
    generators_key: str = ""
    generators_title: str = ""
    steps: str = ""
    convert: str = ""
    accepts: tuple[str, ...] = ()
    for_run: str = ""
    permute: str = ""
    layout: str = "forces"
    archive: str = ""
    archive_key: str = ""
    archive_arrays: tuple[str, ...] = ()
    benchmarks: str = ""
    small: str = ""

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


def load_problem(
    name: str,
    spec: str | Path,
    *,
    form: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Any:
    """Return the problem of a kind that `spec` specifies.

    Parameters
    ----------
    name : str
        The kind.
    spec : str or Path
        A data set, a generator with its parameters, both of this kind or of one that it accepts,
        a graph of a collection (``"suitesparse:GROUP/NAME"``, ``"snap:NAME"``, see
        :mod:`gpucore.datasets.remote`), or the path of a file.
    form : str, optional
        Format of a file, if its name does not show it.
    seed : int
        Seed of random parts when a problem of another kind is converted.
    progress, cancel
        See :mod:`gpucore.progress`.
    limits : Limits, optional
        Larger problems are refused before memory is taken; by default what fits in free memory.
    **options
        Options of the format.

    Raises
    ------
    GraphError
        If `spec` is no such problem; the text has the cause and the fix.
    Cancelled
        If `cancel` was set.
    """
    kind, form = _checked(name, form, progress, cancel, limits)
    common: dict[str, Any] = {"progress": progress, "cancel": cancel, "limits": limits}
    if isinstance(spec, str) and is_remote(spec):
        path = local_file(spec, progress=progress, cancel=cancel)
        found = kind.load(kind.read)(Source.of(path), form=form, seed=seed, **common, **options)
        return found.with_attributes(name=spec, source={"kind": "collection", "spec": spec})
    if isinstance(spec, str):
        for own in (kind.name, *kind.accepts):
            if get_kind(own).specifies(spec):
                _check_no_file_options(spec, form, options)
            found = get_kind(own).named(spec, progress, limits)
            if found is not None and own == kind.name:
                return found
            if found is not None:
                return kind.load(kind.convert)(found, seed=seed, limits=limits)
        _refuse(kind, spec)
    read = kind.load(kind.read)
    return read(Source.of(spec), form=form, seed=seed, **common, **options)


def load_bytes_as(
    name: str,
    file: str,
    data: bytes,
    *,
    form: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Any:
    """Return the problem of a kind in the bytes of a file; its name determines the format."""
    kind, form = _checked(name, form, progress, cancel, limits)
    common: dict[str, Any] = {"progress": progress, "cancel": cancel, "limits": limits}
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ParameterError(f"data must be bytes, not {type(data).__name__}")
    read = kind.load(kind.read)
    return read(
        Source(check_text("the file's name", file), data=bytes(data)),
        form=form,
        seed=seed,
        **common,
        **options,
    )


def _checked(
    name: str, form: str | None, progress: object, cancel: Any, limits: object
) -> tuple[ProblemKind, str | None]:
    """Return the kind and the format, or raise ParameterError for arguments of wrong types."""
    check_hooks(progress, cancel)
    check(cancel)
    if limits is not None and not isinstance(limits, Limits):
        raise ParameterError(f"limits must be gpucore.limits.Limits, not {limits!r}")
    return get_kind(name), None if form is None else check_text("the format", form)


def _check_no_file_options(spec: str, form: str | None, options: Mapping[str, Any]) -> None:
    """Raise GraphError for options that only the reader of a file would take."""
    given = [*(["form"] if form is not None else []), *options]
    if given:
        raise GraphError(
            f"{spec} is no file, so it takes no options of a file's format; leave out "
            f"{', '.join(given)}"
        )


def _refuse(kind: ProblemKind, spec: str) -> None:
    """Raise GraphError unless a text can be a file's path."""
    if _exists(Path(spec)):
        return
    for other in kinds().values():
        if other.name != kind.name and other.has_name(spec.partition(":")[0]):
            raise GraphError(
                f"{spec.partition(':')[0]} is {other.noun}, not {kind.noun}; "
                f"{other.loader} loads it"
            )
    if not is_no_path(spec):
        return
    near = [kind, *(get_kind(name) for name in kind.accepts)]
    datasets = ", ".join(name for one in near for name in one.datasets())
    generators = ", ".join(name for one in near for name in one.load_generators())
    raise GraphError(
        f"{kind.missing} {spec!r}: it is neither a file, nor a data set ({datasets}), nor a "
        f"generator ({generators}) with its parameters after a colon"
    )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # no file can have such a name
        return False


def is_no_path(spec: str) -> bool:
    """Return True if a text is no file's path and does not look like one."""
    path = Path(spec)
    kind, colon, parameters = spec.partition(":")
    bare = not path.suffix and path.name == spec
    return not _exists(path) and (bare or bool(colon and len(kind) > 1 and "=" in parameters))
