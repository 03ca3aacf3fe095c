"""Numbers and names in texts: units that suit a size, the name that was meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import SupportsInt

_PLURALS = {
    "man": "men",
    "matrix": "matrices",
    "person": "people",
    "vertex": "vertices",
    "woman": "women",
}


def human_bytes(nbytes: float) -> str:
    """Return a size in binary units, with one decimal below 10.

    Examples
    --------
    >>> human_bytes(32 << 20), human_bytes(1536), human_bytes(200_000)
    ('32 MiB', '1.5 KiB', '195 KiB')
    """
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if nbytes < 1024 or unit == "TiB":
            break
        nbytes /= 1024
    whole = nbytes >= 10 or nbytes == int(nbytes)
    return f"{nbytes:.0f} {unit}" if whole else f"{nbytes:.1f} {unit}"


def human_time(seconds: float) -> str:
    """Return a duration with three digits.

    Examples
    --------
    >>> human_time(0.00123), human_time(4.5e-6), human_time(130)
    ('1.23 ms', '4.5 µs', '130 s')
    """
    if seconds >= 999.5:
        return f"{seconds:,.0f} s"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 0.9995:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def plural(noun: str) -> str:
    """Return the plural of a noun; of those that are not regular it knows ours.

    >>> plural("launch"), plural("pass"), plural("entry"), plural("vertex"), plural("person")
    ('launches', 'passes', 'entries', 'vertices', 'people')
    """
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("ch", "s")) else "s")


def counted(number: SupportsInt, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "vertex"), counted(12_345, "edge"), counted(0, "party")
    ('1 vertex', '12,345 edges', '0 parties')
    """
    count = int(number)
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question that goes between the two halves of an error on a misspelt name.

    Examples
    --------
    >>> meant("karat", ["karate", "lesmis"]), meant("zebra", ["karate", "lesmis"])
    (" (did you mean 'karate'?)", '')
    """
    near = get_close_matches(name, list(known), 1)
    return f" (did you mean {near[0]!r}?)" if near else ""
