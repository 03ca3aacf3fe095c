"""Load a problem of any kind: a data set, a generated problem, or a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from gpucore.datasets.remote import is_remote, local_file
from gpucore.errors import GraphError, ParameterError
from gpucore.format import meant
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.params import check_text
from gpucore.problem import ProblemKind, get_kind, kinds
from gpucore.progress import Cancel, Progress, check, check_hooks

if TYPE_CHECKING:
    from gpucore.problems.bipartite.graph import BipartiteGraph
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.problems.roommates.roommates import Roommates


@overload
def load(
    spec: str | Path,
    kind: Literal["graph"] = ...,
    *,
    form: str | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    limits: Limits | None = ...,
    **options: Any,
) -> Graph: ...
@overload
def load(spec: str | Path, kind: Literal["bipartite"], **how: Any) -> BipartiteGraph: ...
@overload
def load(spec: str | Path, kind: Literal["preferences"], **how: Any) -> Preferences: ...
@overload
def load(spec: str | Path, kind: Literal["roommates"], **how: Any) -> Roommates: ...
@overload
def load(spec: str | Path, kind: Literal["ratings"], **how: Any) -> Ratings: ...
@overload
def load(spec: str | Path, kind: str, **how: Any) -> Any: ...
def load(
    spec: str | Path,
    kind: str = "graph",
    *,
    form: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Any:
    """Return the problem that `spec` specifies.

    Parameters
    ----------
    spec : str or Path
        One of

        - a bundled data set: ``"karate"`` (:mod:`gpucore.datasets` lists them);
        - a generator: ``"rmat:scale=10,edge_factor=16,seed=1"``, ``"grid:rows=8,columns=8"``
          (:mod:`gpucore.problems.graph.generate`);
        - a graph of a collection: ``"suitesparse:GROUP/NAME"``, ``"snap:NAME"``
          (:mod:`gpucore.datasets.remote`);
        - the path of a file, perhaps gzip-compressed: Matrix Market (.mtx), edge list (.txt,
          .csv, .tsv, .edges, .edgelist, .el, and out.NAME of KONECT), DIMACS (.gr, .col, .clq,
          .dimacs), METIS (.graph, .metis), NumPy archive (.npz);
        - a folder of slabs (:mod:`gpucore.problems.graph.distributed.slabs`).

        Other kinds have data sets, generators and formats of their own, and are made of a graph
        too; see :func:`gpucore.problems.bipartite.load.load_bipartite`,
        :func:`gpucore.problems.preferences.load.load_preferences`,
        :func:`gpucore.problems.roommates.load.load_roommates` and :func:`gpucore.load_ratings`.
    kind : {"graph", "bipartite", "preferences", "roommates", "ratings"}
        What to load.
    form : {"matrix_market", "edge_list", "dimacs", "metis", "npz"}, optional
        Format of a file, if its name does not show it.
    seed : int
        Seed of random parts when a problem of another kind is converted.
    progress, cancel
        See :mod:`gpucore.progress`. The phases are "reading" (compressed bytes) or
        "generating", and "building".
    limits : Limits, optional
        Larger problems are refused before memory is taken; by default what fits in free memory.
    **options
        Options of the format: `base`, `weights`, `compact`, `columns` for edge lists
        (:func:`gpucore.io.edge_list.read_graph`). `columns` says which columns of a list are read,
        by title or by number from 1: ``columns="source=from,target=3"``.

    Returns
    -------
    Graph, BipartiteGraph, Preferences, Roommates or Ratings
        :func:`gpucore.problems.rebuild.rebuild` makes it again from its ``source``, unless it is
        from a file. Of a file, ``source["notes"]`` has a sentence for each thing that was assumed.

    Raises
    ------
    GraphError
        If `spec` is not a problem of this kind; the text has the cause and the fix.
    ParameterError
        If there is no such kind.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load("karate")
    Graph('karate', vertices=34, edges=78)
    >>> load("path:n=3").edges()[0].tolist()
    [0, 1]
    >>> load("karate", kind="roommates")
    Roommates('karate', people=34, pairs=78)
    """
    wanted, form = _checked(kind, form, progress, cancel, limits)
    hooks: dict[str, Any] = {"progress": progress, "cancel": cancel}
    read = wanted.load(wanted.read)
    if isinstance(spec, str) and is_remote(spec):
        source = Source.of(local_file(spec, **hooks), limits, **hooks)
        found = read(source, form=form, seed=seed, **options)
        return found.with_attributes(name=spec, source={"kind": "collection", "spec": spec})
    if isinstance(spec, str):
        for own in (wanted.name, *wanted.accepts):
            if get_kind(own).specifies(spec):
                _check_no_file_options(spec, form, options)
            found = get_kind(own).named(spec, progress, limits)
            if found is not None:
                if own == kind:
                    return found
                return wanted.load(wanted.convert)(found, seed=seed, limits=limits)
        _refuse(wanted, spec)
    return read(Source.of(spec, limits, **hooks), form=form, seed=seed, **options)


@overload
def load_bytes(name: str, data: bytes, kind: Literal["graph"] = ..., **how: Any) -> Graph: ...
@overload
def load_bytes(
    name: str, data: bytes, kind: Literal["bipartite"], **how: Any
) -> BipartiteGraph: ...
@overload
def load_bytes(name: str, data: bytes, kind: Literal["preferences"], **how: Any) -> Preferences: ...
@overload
def load_bytes(name: str, data: bytes, kind: Literal["roommates"], **how: Any) -> Roommates: ...
@overload
def load_bytes(name: str, data: bytes, kind: Literal["ratings"], **how: Any) -> Ratings: ...
@overload
def load_bytes(name: str, data: bytes, kind: str, **how: Any) -> Any: ...
def load_bytes(
    name: str,
    data: bytes,
    kind: str = "graph",
    *,
    form: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Any:
    r"""Return the problem in the bytes of a file, for instance of an upload.

    Parameters
    ----------
    name : str
        The file's name; its ending determines the format, and error texts begin with it.
    data : bytes
        The file's content.
    kind, form, seed, progress, cancel, limits, **options
        As in :func:`load`; use ``Limits.public()`` for untrusted uploads.

    Examples
    --------
    >>> load_bytes("triangle.txt", b"1 2\n2 3\n3 1\n")
    Graph('triangle', vertices=3, edges=3)
    >>> eden = b"man,Adam,Eve\nwoman,Eve,Adam\nwoman,Lilith,Adam\n"
    >>> load_bytes("eden.csv", eden, kind="preferences")
    Preferences('eden', men=1, women=2, pairs=1)
    """
    wanted, form = _checked(kind, form, progress, cancel, limits)
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ParameterError(f"data must be bytes, not {type(data).__name__}")
    source = Source(
        check_text("the file's name", name),
        data=bytes(data),
        limits=limits or Limits(),
        progress=progress,
        cancel=cancel,
    )
    return wanted.load(wanted.read)(source, form=form, seed=seed, **options)


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


class OtherKind(GraphError):
    """A name is that of another kind of problem.

    Attributes
    ----------
    fact : str
        What it is.
    kind : ProblemKind
        Its kind.
    """

    def __init__(self, fact: str, kind: ProblemKind) -> None:
        super().__init__(f"{fact}; {kind.loader} loads it")
        self.fact, self.kind = fact, kind


def _refuse(kind: ProblemKind, spec: str) -> None:
    """Raise GraphError unless a text can be a file's path."""
    if _exists(spec):
        return
    if spec == "-":
        raise GraphError("the standard input is not read; save it as a file, and name that")
    for other in kinds().values():
        if other.name != kind.name and other.has_name(spec.partition(":")[0]):
            raise OtherKind(f"{spec.partition(':')[0]} is {other.noun}, not {kind.noun}", other)
    if not is_no_path(spec):
        return
    near = [kind, *(get_kind(name) for name in kind.accepts)]
    datasets = [name for one in near for name in one.datasets()]
    generators = [name for one in near for name in one.load_generators()]
    question = meant(spec.partition(":")[0], [*datasets, *generators])
    raise GraphError(
        f"{kind.missing} {spec!r}{question}: it is neither a file, nor a data set "
        f"({', '.join(datasets)}), nor a generator ({', '.join(generators)}) with its parameters "
        "after a colon"
    )


def _exists(spec: str) -> bool:
    try:
        return bool(spec) and Path(spec).exists()
    except (OSError, ValueError):  # no file can have such a name
        return False


def is_no_path(spec: str) -> bool:
    """Return True if a text is no file's path and does not look like one."""
    path = Path(spec)
    kind, colon, parameters = spec.partition(":")
    bare = not path.suffix and path.name == spec
    return not _exists(spec) and (bare or bool(colon and len(kind) > 1 and "=" in parameters))
