"""Load any instance of stable marriage: a data set, generator, file, or a graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpucore.datasets import check_counts, file_of, info_of
from gpucore.errors import GraphError
from gpucore.io.files import format_of, read_file
from gpucore.io.matrix_market import read_header
from gpucore.io.npz import names_of_arrays
from gpucore.io.stream import LineReader, Source
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.bipartite.archive import read_archive
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.matrix_market import read_bipartite
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.csv import is_table, read_csv
from gpucore.problems.preferences.instance import SMALL
from gpucore.problems.preferences.json import read_json
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.preferences.prepare import as_preferences, for_marriage
from gpucore.problems.preferences.ranks import RANKS, read_ranks
from gpucore.problems.preferences.sides import TEXTS, ending_of, hinted

#: Readers of formats of preferences; :data:`gpucore.io.files.FORMATS` has formats of graphs.
PREFERENCE_FORMATS: dict[str, Callable[..., Preferences]] = {
    "preferences_json": read_json,
    "preferences_csv": read_csv,
    "preference_ranks": read_ranks,
}


def load_preferences(spec: str | Path, **how: Any) -> Preferences:
    """Return the instance of stable marriage that `spec` specifies.

    Parameters
    ----------
    spec : str or Path
        One of

        - a bundled instance: ``"gale_shapley_3"``
          (:func:`gpucore.datasets.names`);
        - a generator of instances: ``"easy:n=1000,seed=1"``
          (:mod:`gpucore.problems.preferences.generate`);
        - the path of a file, perhaps gzip-compressed: preferences as JSON (.json, see
          :func:`gpucore.problems.preferences.json.read_json`), as a table with a line for each
          person (.csv, .tsv, .txt, see :func:`gpucore.problems.preferences.csv.read_csv`), or as
          ranks in an archive of NumPy's (.npz, see
          :func:`gpucore.problems.preferences.ranks.read_ranks`);
        - any argument of :func:`gpucore.load` and
          :func:`gpucore.problems.bipartite.load.load_bipartite`. The rows and columns of a matrix
          (a general Matrix Market file, a SciPy archive) rank their entries at random; any other
          graph becomes the instance of Lemma 3.1, with random weights if it has none.
    **how
        As in :func:`gpucore.load`: `form` may also be one of :data:`PREFERENCE_FORMATS`, `seed` is
        that of random preferences over a matrix and of random weights of a graph; vertices are men
        and women, entries the pairs.

    Returns
    -------
    Preferences
        :meth:`~gpucore.problems.preferences.preferences.Preferences.graph` makes the graph for
        pages and records; :func:`gpucore.problems.rebuild.rebuild` makes it again from its
        ``source``, unless it is from a file. One-sided entries of a file are left out;
        ``source["purged"]`` is their number.

    Raises
    ------
    GraphError
        If `spec` is not an instance; the text has the cause and the fix.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load_preferences("gale_shapley_4")
    Preferences('gale_shapley_4', men=4, women=4, pairs=16)
    >>> load_preferences("path:n=3").lists()[0]
    [[1], [2, 0], [1]]
    """
    return load(spec, "preferences", **how)


def read(source: Source, *, form: str | None = None, seed: int = 0, **options: Any) -> Preferences:
    """Read preferences, or make them from a graph or matrix, in a file or an upload."""
    form = form or _form_of(source, "side=" in str(options.get("columns", "")))
    if form in PREFERENCE_FORMATS:
        known = ("columns",) if form == "preferences_csv" else ()
        if others := [option for option in options if option not in known]:
            raise GraphError(
                f"format {form} has no option {others[0]!r}; it has {' '.join(known) or 'none'}"
            )
        return PREFERENCE_FORMATS[form](source, **options)
    if form == "matrix_market" and not options and _is_general(source):
        graph: Graph = read_bipartite(source)
    elif form == "npz" and not options:
        graph = read_archive(source)
    else:
        with hinted(source, _HINT):
            graph = read_file(source, form=form, **options)
    return of_graph(graph, seed=seed, limits=source.limits)


_HINT = "lines of preferences begin with man, woman, resident or hospital"


def _form_of(source: Source, sided: bool = False) -> str:
    """Return the format by the name's ending and, if that is ambiguous, by the content."""
    ending = ending_of(source)
    if ending == ".json":
        return "preferences_json"
    if ending in TEXTS and (sided or is_table(source)):
        return "preferences_csv"
    form = format_of(source)
    if form == "npz" and set(RANKS) & names_of_arrays(source):
        return "preference_ranks"
    return form


def _is_general(source: Source) -> bool:
    with LineReader(source.quiet) as reader:
        return read_header(reader).symmetry == "general"


def of_graph(graph: Graph, *, seed: int = 0, limits: Limits | None = None) -> Preferences:
    """Convert a graph like :func:`~gpucore.problems.preferences.prepare.for_marriage`.

    Unlike there, the graph may be large.
    """
    if isinstance(graph, BipartiteGraph):
        return as_preferences(for_marriage(graph, seed=seed))
    what = f"the preferences of {graph.name or 'the graph'}"
    (limits or Limits()).check(what, 2 * graph.num_vertices, graph.indices.size)
    return Preferences.from_graph(for_matching(graph, seed=seed))


def for_run(problem: Preferences, recorded: bool) -> Any:
    """Return a graph of preferences, which records need, or the preferences unchanged.

    They are unchanged with more than two million pairs, or in the shared form if the run is not
    recorded.
    """
    if problem.num_pairs <= SMALL and (recorded or not problem.is_shared):
        return problem.graph()
    return problem


def load_preference_dataset(name: str, *, limits: Limits | None = None) -> Preferences:
    """Return the bundled instance called `name`, with the names of its people.

    Raises
    ------
    GraphError
        If there is no such instance, or its file is not what the catalogue says.

    Examples
    --------
    >>> load_preference_dataset("gale_shapley_3").names
    ('α', 'β', 'γ', 'A', 'B', 'C')
    """
    info = info_of(name, "preferences")
    found = read_json(Source.of(file_of(name, "json"), limits))
    counts = (found.num_men, found.num_women, found.num_pairs)
    check_counts(name, counts, (*info.shape, info.edges))
    about = {"kind": "dataset", "spec": name, "purged": found.source["purged"]}
    return replace(found, name=name, source=about)
