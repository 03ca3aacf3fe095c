"""Load ratings: a data set, generator, list, matrix file, or a graph's adjacencies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpucore.datasets import check_counts, file_of, info_of, lines
from gpucore.errors import GraphError
from gpucore.io.files import format_of, read_file
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.problem import load_bytes_as, load_problem
from gpucore.problems.ratings.archive import read_archive
from gpucore.problems.ratings.matrix_market import read_matrix
from gpucore.problems.ratings.prepare import BYTES_PER_ENTRY, weights_as_ratings
from gpucore.problems.ratings.rating_list import read_list
from gpucore.problems.ratings.ratings import Ratings
from gpucore.progress import Cancel, Progress

#: Readers of formats of ratings; :data:`gpucore.io.files.FORMATS` has formats of graphs.
RATING_FORMATS = {
    "rating_list": read_list,
    "edge_list": read_list,  # an edge list with weights is a list of ratings
    "matrix_market": read_matrix,
    "npz": read_archive,
}
#: Endings of lists besides those of edge lists: ``u.data`` and ``ratings.dat`` of MovieLens.
RATING_LISTS = (".data", ".dat")


def load_ratings(
    spec: str | Path,
    *,
    form: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Ratings:
    """Return the ratings that `spec` specifies.

    Parameters
    ----------
    spec : str or Path
        One of

        - a bundled data set: ``"sample_ratings"``, ``"insteval"``, ``"un_votes"``;
        - a generator of ratings: ``"scale_free:users=200,items=50,ratings=2000"``
          (:mod:`gpucore.problems.ratings.generate`);
        - the path of a file, perhaps gzip-compressed: a list of ratings (.csv, .tsv, .txt, .data,
          .dat, see :func:`gpucore.problems.ratings.rating_list.read_list`), or a matrix of any
          shape whose entries are the ratings (.mtx, or .npz of SciPy or ours);
        - any data set or generator of graphs or matrices: the entries of the matrix get made-up
          ratings (:func:`gpucore.problems.ratings.prepare.synthetic_ratings`).
    form : {"rating_list", "matrix_market", "npz", "metis"}, optional
        Format of a file, if its name does not show it.
    seed : int
        Seed of made-up ratings.
    progress, cancel, limits
        As in :func:`gpucore.load`; users and items are the vertices.
    **options
        ``duplicates="mean"`` or ``"last"``: what to do if a user rates an item more than once; by
        default an error.

    Returns
    -------
    Ratings
        :func:`gpucore.problems.rebuild.rebuild` makes them again from their ``source``, unless they
        are from a file.

    Raises
    ------
    GraphError
        If `spec` is no ratings; the text has the cause and the fix.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load_ratings("insteval")
    Ratings('insteval', users=2972, items=1128, ratings=73421)
    >>> load_ratings("path:n=3").entries()[1].tolist()
    [1, 0, 2, 1]
    """
    common: dict[str, Any] = {"progress": progress, "cancel": cancel, "limits": limits}
    found: Ratings = load_problem("ratings", spec, form=form, seed=seed, **common, **options)
    return found


def load_ratings_bytes(
    name: str,
    data: bytes,
    *,
    form: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Ratings:
    r"""Return the ratings in the bytes of a file, for instance of an upload.

    Parameters
    ----------
    name : str
        The file's name; its ending determines the format, and error texts begin with it.
    data : bytes
        The file's content.
    form, seed, progress, cancel, limits, **options
        As in :func:`load_ratings`; use ``Limits.public()`` for untrusted uploads.

    Examples
    --------
    >>> load_ratings_bytes("films.csv", b"user,film,stars\nAnn,Alien,5\nBo,Oz,3.5\n").names
    ('Ann', 'Bo', 'Alien', 'Oz')
    """
    common: dict[str, Any] = {"progress": progress, "cancel": cancel, "limits": limits}
    found: Ratings = load_bytes_as("ratings", name, data, form=form, seed=seed, **common, **options)
    return found


def read(
    source: Source,
    *,
    form: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Ratings:
    """Read ratings from a file or an upload; nothing is random in it."""
    limits = limits or Limits()
    common: dict[str, Any] = {"progress": progress, "cancel": cancel, "limits": limits}
    form = form or _form_of(source, limits)
    if form in RATING_FORMATS:
        for option in options:
            if option != "duplicates":
                raise GraphError(
                    f"format {form} has no option {option!r} for ratings; it has duplicates"
                )
        return RATING_FORMATS[form](source, **common, **options)
    graph = read_file(source, form=form, **common, **options)
    vertices, entries = 2 * graph.num_vertices, graph.indices.size
    limits.check(f"the ratings of {source.name}", vertices, entries, BYTES_PER_ENTRY)
    return weights_as_ratings(graph)


def _form_of(source: Source, limits: Limits) -> str:
    """Return the format by the name's ending, or else by the first bytes."""
    ending = Path(source.name.lower().removesuffix(".gz")).suffix
    form = "rating_list" if ending in RATING_LISTS else format_of(source, limits)
    return "rating_list" if form == "edge_list" else form


def load_rating_dataset(name: str, *, limits: Limits | None = None) -> Ratings:
    """Return the bundled ratings called `name`, with names where they have them.

    Raises
    ------
    GraphError
        If there are no such ratings, or their file is not what the catalogue says.

    Examples
    --------
    >>> load_rating_dataset("un_votes").names[0]
    'Afghanistan'
    """
    info = info_of(name, "ratings")
    found = read_matrix(Source.of(file_of(name, "mtx.gz")), limits=limits)
    check_counts(name, (*found.shape, found.num_ratings), (*info.shape, info.edges))
    source = {"kind": "dataset", "spec": name}
    return found.with_attributes(name=name, names=lines(name, "names"), source=source)
