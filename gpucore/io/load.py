"""One way in for every graph: by the name of a data set, a generator's specification, a path."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gpucore import datasets
from gpucore.errors import GraphError
from gpucore.generate import GENERATORS
from gpucore.graph import Graph
from gpucore.io.files import read_file
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.prepare import STEPS
from gpucore.progress import Cancel, Progress, check

#: Steps of preparation that a record may name; families take at most five.
_MOST_STEPS = 16


def load(
    spec: str | Path,
    *,
    form: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Graph:
    """Return the graph that `spec` names.

    Parameters
    ----------
    spec : str or Path
        One of

        - a bundled data set: ``"karate"`` (:func:`gpucore.datasets.datasets` lists them);
        - a generator: ``"rmat:scale=10,edge_factor=16,seed=1"``, ``"grid:rows=8,columns=8"``
          (:mod:`gpucore.generate`);
        - the path of a file, perhaps gzip-compressed: Matrix Market (.mtx), edge list (.txt,
          .csv, .tsv, .edges, .edgelist, .el), METIS (.graph, .metis), NumPy archive (.npz).
    form : {"matrix_market", "edge_list", "metis", "npz"}, optional
        Format of a file whose name does not tell.
    progress, cancel
        See :mod:`gpucore.progress`. The phases are "reading" (compressed bytes) or
        "generating", and "building".
    limits : Limits, optional
        Larger graphs are refused before memory is taken; by default what fits in free memory.
    **options
        Of the format: `base`, `weights`, `compact` for edge lists
        (:func:`gpucore.io.edge_list.read_graph`).

    Returns
    -------
    Graph

    Raises
    ------
    GraphError
        For everything that keeps `spec` from being a graph, with cause and mend.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load("karate")
    Graph('karate', vertices=34, edges=78)
    >>> load("path:n=3").edges()[0].tolist()
    [0, 1]
    """
    check(cancel)
    if isinstance(spec, str):
        if spec in datasets.datasets():
            return datasets.load_dataset(spec, limits=limits)
        kind, colon, parameters = spec.partition(":")
        if kind in GENERATORS:
            if progress is not None:
                progress("generating", 0, 0)
            return _generate(kind, parameters, limits)
        path = Path(spec)
        bare = not path.suffix and path.name == spec
        if not path.exists() and (bare or (colon and len(kind) > 1 and "=" in parameters)):
            raise GraphError(
                f"there is no graph {spec!r}: it is neither a file, nor a data set "
                f"({', '.join(datasets.datasets())}), nor a generator ({', '.join(GENERATORS)}) "
                "with its parameters after a colon"
            )
    return read_file(
        Source.of(spec), form=form, progress=progress, cancel=cancel, limits=limits, **options
    )


def load_bytes(
    name: str,
    data: bytes,
    *,
    form: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Graph:
    r"""Return the graph in the bytes of a file, for instance of an upload.

    Parameters
    ----------
    name : str
        The file's name; its ending tells the format, and errors begin with it.
    data : bytes
        The file's content.
    form, progress, cancel, limits, **options
        As in :func:`load`; ``Limits.public()`` suits uploads by strangers.

    Examples
    --------
    >>> load_bytes("triangle.txt", b"1 2\n2 3\n3 1\n")
    Graph('triangle', vertices=3, edges=3)
    """
    source = Source(name, data=bytes(data))
    return read_file(source, form=form, progress=progress, cancel=cancel, limits=limits, **options)


def rebuild(source: Mapping[str, Any], *, limits: Limits | None = None) -> Graph:
    """Make a graph again from its ``source``: data sets and generators, with prepared steps.

    A source comes out of a record, which anybody may have written. Whatever it says, no file is
    read but those of the data sets, and `limits` hold.

    Raises
    ------
    GraphError
        For graphs from files and from memory, which only their owner has, and for names that
        are neither a data set's nor a generator's.

    Examples
    --------
    >>> from gpucore.prepare import for_matching
    >>> graph = for_matching(load("karate"), seed=5)
    >>> rebuild(graph.source) == graph
    True
    """
    if source.get("kind") not in ("dataset", "generator"):
        raise GraphError(
            f"a graph from {source.get('kind', 'nowhere')} cannot be made again from its record; "
            "open the file itself"
        )
    spec = str(source.get("spec"))
    kind, colon, _ = spec.partition(":")
    if spec not in datasets.datasets() and not (colon and kind in GENERATORS):
        raise GraphError(
            f"the record's graph {spec[:60]!r} is neither a data set nor generated, and no file "
            "is read because a record names it; open the graph itself"
        )
    graph = load(spec, limits=limits)
    steps = source.get("prepared", ())
    if len(steps) > _MOST_STEPS:
        raise GraphError(f"a graph is prepared in at most {_MOST_STEPS} steps, not {len(steps)}")
    for given in steps:
        parameters = {key: value for key, value in given.items() if key != "step"}
        if given.get("step") not in STEPS:
            raise GraphError(f"there is no step {given.get('step')!r} of preparation")
        graph = STEPS[given["step"]](graph, **parameters)
    return graph


def _generate(kind: str, text: str, limits: Limits | None) -> Graph:
    """Call a generator with the parameters ``key=value,key=value``."""
    function = GENERATORS[kind]
    known = inspect.signature(function, eval_str=True).parameters
    public = [name for name in known if name != "limits"]
    values: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in public or not equals:
            raise GraphError(
                f"generator {kind} has no parameter {key!r}; it takes "
                f"{kind}:{','.join(f'{name}=' for name in public)}"
            )
        values[key] = _value(kind, key, value, known[key].annotation)
    needed = [name for name in public if known[name].default is inspect.Parameter.empty]
    if missing := [name for name in needed if name not in values]:
        raise GraphError(
            f"generator {kind} needs {', '.join(missing)}, for instance "
            f"{kind}:{','.join(f'{name}=8' for name in needed)}"
        )
    return function(**values, limits=limits)


def _value(kind: str, key: str, text: str, annotation: Any) -> Any:
    """Convert the text of a parameter to the type that the generator's signature names."""
    if annotation is bool:
        convert: Callable[[str], Any] = {"true": True, "false": False}.__getitem__
        text = text.lower()
    elif annotation is int:
        convert = int
    elif annotation in (float, float | None):
        convert = float
    else:
        return text
    try:
        return convert(text)
    except (ValueError, KeyError):
        name = {bool: "true or false", int: "a whole number"}.get(annotation, "a number")
        raise GraphError(f"generator {kind}: {key} must be {name}, not {text!r}") from None
