"""Names of variables, from those of symbols."""

from __future__ import annotations

import re


def plain_name(symbol: str) -> str:
    """Return a name of the source for a symbol.

    Examples
    --------
    >>> plain_name("_ZN12_GLOBAL__N_17physicsL5tableE")
    'physics::table'
    >>> plain_name("_ZZN12_GLOBAL__N_14stepEPiE5calls")
    'calls'
    """
    text = symbol.removeprefix("_Z").removeprefix("Z").removeprefix("N")
    names, index = [], 0
    if symbol.startswith("_ZZ"):  # of a function: the last name alone
        text = text[text.rindex("E") + 1 :]
    while found := re.compile(r"[LK]?(\d+)").match(text, index):
        end = found.end() + int(found[1])
        names.append(text[found.end() : end])
        index = end
    return "::".join(name for name in names if not name.startswith("_GLOBAL__N")) or symbol
