"""Opening records: from a visitor's file, or from the gallery.

A record names its graph but does not hold it. Graphs of the collection and of generators are made
again and must have the record's fingerprint; for any other graph the page asks for its file. Files
are untrusted: their content is checked before anything is computed from it, and any error raises
one :class:`~gpucore.errors.RecordError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import GraphError, ParameterError, RecordError, WarplensError
from gpucore.family import get_runner
from gpucore.format import counted, human_bytes
from gpucore.problems.graph.graph import Graph
from gpucore.problems.rebuild import kind_of_spec, rebuild
from gpucore.record import Record
from gpucore.record.replay import record_kind

from ..limits import PageLimits
from ..sources.graphs import clean_name, read_limits

if TYPE_CHECKING:
    from ..view import View

#: Largest numbers of iterations and warps in the charts of an opened record.
MOST_ITERATIONS = 1 << 20
MOST_WARPS = 1 << 22


def read_record(name: str, content: bytes, limits: PageLimits, view: View) -> Record:
    """Return the record in an uploaded file.

    Parameters
    ----------
    name : str
        Name on the visitor's computer.
    content : bytes
        The file.
    limits : PageLimits
        `upload_bytes` bounds the file, twice `record_bytes` its unpacked size.
    view : View
        View of the page that plays it.

    Raises
    ------
    RecordError
        The file is not a record, is damaged or too large, or belongs to another page.
    """
    label = clean_name(name)
    if len(content) > limits.upload_bytes:
        raise RecordError(
            f"{label} is larger than the {human_bytes(limits.upload_bytes)} taken here"
        )
    record = Record.from_bytes(label, content, max_bytes=2 * limits.record_bytes)
    check_record(record, view)
    return record


def check_record(record: Record, view: View) -> None:
    """Raise RecordError unless a page can play a record."""
    header = record.header
    if header["family"] != view.family:
        raise RecordError(
            f"the record is one of the family {header['family'][:40]!r}, and this page plays "
            f"{view.family!r}; open it on its own page"
        )
    try:
        algorithm = get_runner(header["algorithm"])
    except ParameterError as error:
        raise RecordError(f"the record cannot be played: {error}") from None
    if algorithm.family != view.family:
        raise RecordError("the record's algorithm belongs to another family; it is damaged")
    n, own_sizes = header["graph"]["n"], record_kind(view.family).own_sizes
    for state in (record.initial, record.final):
        for name, values in state.items():
            if len(values) != n and name not in own_sizes:
                raise RecordError(
                    f"the state {name!r} has {len(values):,} values for {n:,} vertices; the "
                    "record is damaged, make it again"
                )
    _check_rows(record)
    with damaged("its charts lack numbers"):
        record.steps["objective"]
        for measure in view.warp_measures:
            measure.values(record.warps)


def _check_rows(record: Record) -> None:
    """Check the numbers that the charts use as indices."""
    for name, most in (("iteration", MOST_ITERATIONS), ("warp", MOST_WARPS)):
        for table in (record.warps, record.events):
            values = table.get(name)
            if values is None or not np.issubdtype(values.dtype, np.integer):
                raise RecordError(f"the record has no column {name!r}; it is damaged")
            if len(values) and not 0 <= int(values.min()) <= int(values.max()) < most:
                raise RecordError(
                    f"the record names {name} {int(values.max()):,} or one below 0; it is damaged"
                )


def can_rebuild(record: Record) -> bool:
    """Return whether a record's graph is of the collection or generated.

    The name is checked here, too, and not only by
    :func:`gpucore.problems.rebuild.rebuild`: no record may make the server read one of its files.
    """
    source = record.header["graph"].get("source")
    if not isinstance(source, dict) or not isinstance(source.get("spec"), str):
        return False
    known = kind_of_spec(source["spec"]) is not None
    return known and source.get("kind") in ("dataset", "generator")


def graph_of(record: Record, limits: PageLimits) -> Graph:
    """Make a record's graph again, prepared as it was.

    Raises
    ------
    RecordError
        The graph cannot be made, or it is a different graph.
    """
    if not can_rebuild(record):
        raise RecordError(wanted(record))
    with damaged("its graph cannot be made again"):
        try:
            graph = rebuild(record.header["graph"]["source"], limits=read_limits(limits))
        except GraphError as error:
            raise RecordError(f"the record's graph cannot be made again: {error}") from error
    if not is_of(record, graph):
        raise RecordError(
            f"the graph that is called {graph.name!r} here is not the one that the record was "
            "made on: their fingerprints differ"
        )
    return graph


def check_sizes(record: Record, graph: Graph) -> None:
    """Raise RecordError unless the header has the sizes of the record's graph."""
    stated = record.header["graph"]
    if (stated["n"], stated["m"]) != (graph.num_vertices, graph.num_edges):
        raise RecordError(
            "the record does not state the sizes of its graph; it is damaged, make it again"
        )


def is_of(record: Record, graph: Graph) -> bool:
    """Return whether a record was made on a graph."""
    return bool(record.header["graph"].get("fingerprint") == graph.fingerprint)


def wanted(record: Record, title: str = "Graph") -> str:
    """Return the sentence that asks for a record's graph; `title` is that of the card to use."""
    graph = record.header["graph"]
    name = f"{graph['name'][:60]!r} " if graph["name"] else ""
    size = f"{counted(graph['n'], 'vertex')} and {counted(graph['m'], 'edge')}"
    return (
        f"the record was made on a graph from a file, {name}with {size}, "
        "and a record does not hold its graph; choose that file under "
        f"{title}, Your file, and the record plays"
    )


@contextmanager
def damaged(what: str = "its numbers contradict each other") -> Iterator[None]:
    """Turn exceptions that a damaged record causes in NumPy into one RecordError."""
    try:
        yield
    except WarplensError:
        raise
    except MemoryError as error:
        raise RecordError(
            "there is not enough memory for the record; open a smaller one"
        ) from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RecordError(
            f"the record is damaged, {what} ({type(error).__name__}); make it again"
        ) from error
