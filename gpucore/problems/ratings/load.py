"""Load ratings: a data set, generator, list, matrix file, or a graph's adjacencies."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.datasets import DatasetInfo, check_counts, file_of, info_of, lines
from gpucore.datasets.remote import local_file
from gpucore.errors import GraphError
from gpucore.io.files import format_of, read_file
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.ratings.archive import read_archive
from gpucore.problems.ratings.matrix_market import read_matrix
from gpucore.problems.ratings.prepare import BYTES_PER_ENTRY, weights_as_ratings
from gpucore.problems.ratings.rating_list import read_list
from gpucore.problems.ratings.ratings import Ratings

#: Readers of formats of ratings; :data:`gpucore.io.files.FORMATS` has formats of graphs.
RATING_FORMATS = {
    "rating_list": read_list,
    "edge_list": read_list,  # an edge list with weights is a list of ratings
    "matrix_market": read_matrix,
    "npz": read_archive,
}
_OPTIONS = ("duplicates", "columns")
#: Endings of lists besides those of edge lists: ``u.data`` and ``ratings.dat`` of MovieLens.
RATING_LISTS = (".data", ".dat")


def load_ratings(spec: str | Path, **how: Any) -> Ratings:
    """Return the ratings that `spec` specifies.

    Parameters
    ----------
    spec : str or Path
        One of

        - a data set: ``"sample_ratings"``, ``"un_votes"``, and ``"insteval"`` once it is in the
          cache (:mod:`gpucore.datasets.remote`);
        - a generator of ratings: ``"scale_free:users=200,items=50,ratings=2000"``
          (:mod:`gpucore.problems.ratings.generate`);
        - the path of a file, perhaps gzip-compressed: a list of ratings (.csv, .tsv, .txt, .data,
          .dat, see :func:`gpucore.problems.ratings.rating_list.read_list`), or a matrix of any
          shape whose entries are the ratings (.mtx, or .npz of SciPy or ours);
        - any data set or generator of graphs or matrices: the entries of the matrix get made-up
          ratings (:func:`gpucore.problems.ratings.prepare.synthetic_ratings`).
    **how
        As in :func:`gpucore.load`: `seed` is that of made-up ratings, `form` may be "rating_list",
        "matrix_market", "npz" or "metis", and users and items are the vertices. The option
        `duplicates` is "mean" or "last": what to do if a user rates an item more than once; by
        default that is an error.

    Returns
    -------
    Ratings
        :func:`gpucore.problems.rebuild.rebuild` makes them again from their ``source``, unless they
        are from a file.

    Raises
    ------
    GraphError
        If `spec` does not give ratings; the text has the cause and the fix.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load_ratings("un_votes")
    Ratings('un_votes', users=200, items=6203, ratings=870109)
    >>> load_ratings("path:n=3").entries()[1].tolist()
    [1, 0, 2, 1]
    """
    return load(spec, "ratings", **how)


def read(source: Source, *, form: str | None = None, seed: int = 0, **options: Any) -> Ratings:
    """Read ratings from a file or an upload; nothing is random in it."""
    form = form or _form_of(source)
    if form in RATING_FORMATS:
        known = _OPTIONS if form in ("rating_list", "edge_list") else _OPTIONS[:1]
        for option in options:
            if option not in known:
                raise GraphError(
                    f"format {form} has no option {option!r} for ratings; it has "
                    f"{' and '.join(known)}"
                )
        return RATING_FORMATS[form](source, **options)
    graph = read_file(source, form=form, **options)
    vertices, entries = 2 * graph.num_vertices, graph.indices.size
    source.limits.check(f"the ratings of {source.name}", vertices, entries, BYTES_PER_ENTRY)
    return weights_as_ratings(graph)


def _form_of(source: Source) -> str:
    """Return the format by the name's ending, or else by the first bytes."""
    ending = Path(source.name.lower().removesuffix(".gz")).suffix
    form = "rating_list" if ending in RATING_LISTS else format_of(source)
    return "rating_list" if form == "edge_list" else form


def load_rating_dataset(name: str, *, limits: Limits | None = None) -> Ratings:
    """Return the ratings called `name`, with names where they have them.

    Raises
    ------
    GraphError
        If there are no such ratings, their file is not what the catalogue says, or it is neither
        in the package nor in the cache.

    Examples
    --------
    >>> load_rating_dataset("un_votes").names[0]
    'Afghanistan'
    """
    info = info_of(name, "ratings")
    (limits or Limits()).check(f"the ratings of {name}", info.vertices, info.edges, BYTES_PER_ENTRY)
    table = file_of(name, "table.txt.gz")
    if info.url:
        found = _read_columns(local_file(name), info)
    elif table.exists():
        found = _read_table(table, info)
    else:
        found = read_matrix(Source.of(file_of(name, "mtx.gz"), limits))
    check_counts(name, (*found.shape, found.num_ratings), (*info.shape, info.edges))
    source = {"kind": "dataset", "spec": name}
    return found.with_attributes(name=name, names=lines(name, "names"), source=source)


def _read_table(path: Path, info: DatasetInfo) -> Ratings:
    """Read lines of users with a digit for each item, or a dot for no rating."""
    users, items = info.shape
    cells = np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8)
    check_counts(info.name, (cells.size,), (users * (items + 1),))
    table = cells.reshape(users, items + 1)[:, :items]
    i, j = np.nonzero(table != ord("."))
    return Ratings.from_entries(i, j, table[i, j] - ord("0"), (users, items))


def _read_columns(path: Path, info: DatasetInfo) -> Ratings:
    """Read the columns of a fetched CSV file; users and items are numbered in ascending order."""
    with path.open() as file:
        titles = file.readline().strip().split(",")
        wanted = [titles.index(column) for column in info.columns]
        found = np.loadtxt(file, np.int64, delimiter=",", usecols=wanted)
    i, j = (np.unique(found[:, side], return_inverse=True)[1] for side in (0, 1))
    return Ratings.from_entries(i, j, found[:, 2])
