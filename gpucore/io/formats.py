"""Which format a file has: by its name, and by how its text begins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from gpucore.errors import GraphError
from gpucore.io.dimacs import is_dimacs
from gpucore.io.stream import LineReader, Source

#: Formats that NetworkX reads: how a text begins, endings, the name, and NetworkX's function.
_FOREIGN = (
    (re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<graphml", re.S),
     (".graphml",), "GraphML", "read_graphml"),
    (re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<gexf", re.S), (".gexf",), "GEXF", "read_gexf"),
    (re.compile(rb"\s*(?:[Cc]reator[^\n]*\s*|#[^\n]*\s*|comment[^\n]*\s*|[Vv]ersion[^\n]*\s*)*graph\s*\["),
     (".gml",), "GML", "read_gml"),
    (re.compile(rb"\s*(?:%[^\n]*\s*)*\*(?:vertices|network)", re.I),
     (".net", ".paj"), "Pajek", "read_pajek"),
)  # fmt: skip
_JSON = re.compile(rb'\s*(?:\{\s*"|\[\s*[\[{])')
#: What stands in the header of a tar archive, and where.
_TAR, _TAR_AT = b"ustar", 257
_START = 1 << 16
_SAFE = re.compile(r"[\w./ ,+=@-]{1,200}")


def format_of(source: Source, endings: Mapping[str, Sequence[str]]) -> str:
    """Return the name of a file's format.

    Parameters
    ----------
    source : Source
        The file.
    endings : mapping
        Endings of names by format. A name that is an edge list's may be of another text.

    Raises
    ------
    GraphError
        The format is not known, or one that other programs read; the text has what to do.
    """
    ending = Path(source.name.lower().removesuffix(".gz")).suffix
    known = next((form for form, names in endings.items() if ending in names), None)
    if known not in (None, "edge_list"):
        return str(known)
    with LineReader(source.quiet) as reader:
        try:
            start = reader.read(_START)
        except GraphError:
            if known is None:
                raise
            return known  # its reader says what is wrong, and where
    found = _by_text(source, start, ending)
    if found is not None:
        return found
    if known is not None:
        return known
    if Path(source.name).name.startswith("out.") or _is_konect(start):
        return "edge_list"
    names = " ".join(name for each in endings.values() for name in each)
    raise GraphError(
        f"the format of {source.name} is not known by its name, which should end in one of "
        f"{names} (or with .gz after it); rename it (in Python: form= names the format)"
    )


def _by_text(source: Source, start: bytes, ending: str) -> str | None:
    """Return the format that a text shows by itself."""
    text = start.removeprefix(b"\xef\xbb\xbf")
    if text[:15].lower().lstrip(b"%").startswith(b"matrixmarket"):
        return "matrix_market"
    if text.startswith(b"PK"):
        return "npz"
    if text[_TAR_AT:].startswith(_TAR):
        raise GraphError(
            f"{source.name} is a tar archive; unpack it (tar xf), and name the file of the problem"
        )
    if is_dimacs(text):
        return "dimacs"
    if _JSON.match(text):
        raise GraphError(
            f"{source.name} is JSON, of which only preferences are read; write graphs and ratings "
            "as a list with titles (source,target,weight or user,item,rating), in a file .csv"
        )
    for begin, endings, name, function in _FOREIGN:
        if begin.match(text) or ending in endings:
            _refuse(source, name, function)
    return None


def _is_konect(start: bytes) -> bool:
    return bool(re.match(rb"%\s*(sym|asym|bip)\s+\w+", start, re.IGNORECASE))


def _refuse(source: Source, name: str, function: str) -> NoReturn:
    """Raise the error for a format that NetworkX reads, with the command that converts it."""
    path = source.name if _SAFE.fullmatch(source.name) else "FILE"
    target = f"{path.removesuffix('.gz').rsplit('.', 1)[0]}.npz"
    code = (
        "import networkx; from gpucore.io.files import save; from "
        "gpucore.problems.graph.convert import from_networkx; "
        f"g = networkx.{function}('{path}'); h = from_networkx(g); save(h, '{target}')"
    )
    raise GraphError(
        f"{source.name} is in the format {name}, which is not read; write its edges as a list with "
        f'the titles source,target,weight (on the command line: python -c "{code}")'
    )
