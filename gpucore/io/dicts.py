"""Edge lists of NetworkX: each line ends in a dictionary of the edge's attributes."""

from __future__ import annotations

import ast
import re
from typing import Any

from gpucore.io.edge_head import without_dict
from gpucore.io.stream import LineReader

#: Longest dictionary that is parsed, in bytes.
_LONGEST = 10_000
#: The usual one, which needs no parser.
_WEIGHT = re.compile(rb"\{'weight': ([^,{}'\"]+)\}")
NO_WEIGHT = "Edges without the attribute 'weight' have weight 1, as in NetworkX."
OTHERS = "Of the attributes of edges only 'weight' is read."


def has_weight(line: bytes) -> bool:
    """Return whether a line's dictionary has a weight; a line that cannot be read has none."""
    try:
        return "weight" in _attributes(line)
    except ValueError:
        return False


def without_dicts(
    reader: LineReader, block: bytes, separator: bytes, weighted: bool | None, notes: set[str]
) -> bytes:
    """Return a block with the weight in the place of each dictionary, or with nothing there.

    `weighted` is None if weights are left out, and False if there are none.

    Raises
    ------
    GraphError
        A dictionary cannot be read, or the weight is no number.
    """
    rows: list[bytes] = []
    for offset, line in enumerate(block[:-1].split(b"\n"), start=1):
        bare = without_dict(line)
        if bare is None:
            rows.append(line)
            continue
        end = line[line.index(b"{") :].strip()
        if (plain := _WEIGHT.fullmatch(end)) and weighted:
            rows.append(bare + separator + plain[1].strip())
            continue
        try:
            found = _attributes(line)
        except ValueError as error:
            reader.fail(str(error), reader.line + offset)
        if set(found) - {"weight"}:
            notes.add(OTHERS)
        if not weighted:
            if weighted is False and "weight" in found:
                reader.fail(
                    "this edge has the attribute 'weight', the first edge has none; give every "
                    "edge one, or none (networkx.write_edgelist with data=False writes none)",
                    reader.line + offset,
                )
            rows.append(bare)
            continue
        if "weight" not in found:
            notes.add(NO_WEIGHT)
        rows.append(bare + separator + _text(reader, reader.line + offset, found.get("weight", 1)))
    return b"\n".join(rows) + b"\n"


def _text(reader: LineReader, line: int, weight: Any) -> bytes:
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        reader.fail(f"the weight {weight!r:.60} is not a number", line)
    return repr(weight).encode()


def _attributes(line: bytes) -> dict[Any, Any]:
    """Return the dictionary at the end of a line, parsed as constants only."""
    text = line[line.index(b"{") :].strip()
    if text == b"{}":
        return {}
    if len(text) > _LONGEST:
        raise ValueError(f"the attributes of an edge take more than {_LONGEST} bytes")
    try:
        found = ast.literal_eval(text.decode())
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        found = None
    if not isinstance(found, dict):
        raise ValueError(
            f"{text[:60].decode(errors='replace')!r} is no dictionary of attributes; write the "
            "list with networkx.write_edgelist and data=False, or data=['weight']"
        )
    return found
