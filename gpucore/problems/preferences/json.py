"""Preferences as JSON: sides by name, lists of numbers, or tables of ranks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from gpucore.errors import GraphError
from gpucore.io.stream import Source
from gpucore.params import is_number
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.preferences.ranks import RANKS, of_ranks
from gpucore.problems.preferences.sides import (
    SIDES,
    Side,
    instance,
    read_text,
    shown,
    whole,
)

FORM = "preferences_json"
#: Bytes of Python objects per character that begins one: a list, an object with its key, an entry
#: after a comma, a text.
_COSTS = {"[": 88, "{": 300, ",": 44, '"': 40}


def read_json(source: Source) -> Preferences:
    r"""Read an instance from JSON.

    Parameters
    ----------
    source : Source
        One object. Its sides are

        - ``"men"`` and ``"women"``, or ``"residents"`` and ``"hospitals"``: objects with a list
          of names for each name, best first; or lists of lists of numbers, counted from
          ``"base"``, 0 (the default) or 1;
        - or ``"men_ranks"`` and ``"women_ranks"``: tables with a row for each man (woman) and
          in it the rank of each woman (man), 1 for the best; with ``"ties": "index"`` equal
          ranks go by number, else they are refused.

        ``"capacities"`` are the numbers of partners that people may have, by side: an object from
        names to numbers (by default 1), or a list for all; with hospitals, it may be the object or
        list of the hospitals. ``"name"`` is the name of the instance.

    Raises
    ------
    GraphError
        If it is not JSON, not such an object, or inconsistent; the text names the place.

    Examples
    --------
    >>> text = '{"men": {"Adam": ["Eve"]}, "women": {"Eve": ["Adam"], "Lilith": []}}'
    >>> read_json(Source("eden.json", data=text.encode())).names
    ('Adam', 'Eve', 'Lilith')
    """
    found = read_object(source)
    with named(source):
        return _instance(source, found)


def read_object(source: Source) -> Mapping[str, Any]:
    """Return the object in a JSON file; GraphError if an object in it has a key twice."""
    text = read_text(source)
    _check_size(source, text)
    found = _parse(source.name, text)
    source.building()
    return found


@contextmanager
def named(source: Source) -> Iterator[None]:
    """Add the file's name to the beginning of an error's text, if it is missing."""
    try:
        yield
    except GraphError as error:
        text = str(error)
        if text.startswith(f"{source.name}:"):
            raise
        raise GraphError(f"{source.name}: {text}") from None


def _check_size(source: Source, text: str) -> None:
    """Refuse a text whose objects would not fit into memory, before parsing it."""
    need = 2 * len(text) + sum(cost * text.count(mark) for mark, cost in _COSTS.items())
    if need > source.limits.max_bytes:
        raise GraphError(
            f"{source.name}: to read it takes about {need >> 20} MiB of memory, more than the "
            f"{source.limits.max_bytes >> 20} allowed here; take a smaller instance"
        )


def _parse(name: str, text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise GraphError(
            f"{name}, line {error.lineno}: this is not JSON ({error.msg}, column {error.colno})"
        ) from None
    except GraphError as error:
        raise GraphError(f"{name}: {error}") from None
    except RecursionError:
        raise GraphError(f"{name}: it is nested too deeply") from None
    except ValueError:  # more digits than Python accepts
        raise GraphError(f"{name}: it holds a number that is far too long") from None
    if not isinstance(value, dict):
        raise GraphError(f"{name}: preferences are an object of JSON, not {shown(value)}")
    return value


_WANTED = 'the preferences are an object {"men": {name: [names]}, "women": {name: [names]}}'


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object; raise GraphError if it has a key twice (Python would use the last)."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise GraphError(f"{shown(twice)} stands twice in one object; give everybody one name")
    return found


def _no_number(text: str) -> NoReturn:
    raise GraphError(f"{text} is no number of JSON's")


def _instance(source: Source, found: Mapping[str, Any]) -> Preferences:
    words = next((words for words in (*SIDES, RANKS) if set(words) & set(found)), None)
    if words is None:
        content = f"the keys {shown(list(found))}" if found else "nothing"
        raise GraphError(f"{_WANTED}, and this one has {content}")
    extra = ("name", "ties") if words == RANKS else ("name", "base", "capacities")
    for key in found:
        if key not in (*words, *extra):
            raise GraphError(
                f"{shown(key)} means nothing beside {words[0]!r}; known are "
                f"{', '.join((*words, *extra))}"
            )
    for word in words:
        if word not in found:
            raise GraphError(f"{word!r} is missing; both sides state their preferences")
    name = found.get("name", "")
    if not isinstance(name, str):
        raise GraphError(f'"name" must be a text, not {shown(name)}')
    if words == RANKS:
        return _of_ranks(source, found, name)
    base = found.get("base", 0)
    if not whole(base) or base > 1:
        raise GraphError(f'"base", the first number, is 0 or 1, not {shown(base)}')
    sides = [side_of(word, found[word], base) for word in words]
    if (sides[0].names is None) is not (sides[1].names is None):
        raise GraphError(
            f"one side has names and the other one numbers; give {words[0]} and {words[1]} alike"
        )
    if sides[0].names is not None and "base" in found:
        raise GraphError('"base" is for numbers, and this instance has names')
    for side, given in zip(sides, _capacities(words, found.get("capacities")), strict=True):
        side.capacities = _of_side(side, given)
    return instance(source, (sides[0], sides[1]), form=FORM, name=name)


def side_of(word: str, given: Any, base: int = 0) -> Side:
    """Return a side, given as an object of names or as a list of lists of numbers."""
    if isinstance(given, dict):
        names, lists = list(given), list(given.values())
    elif isinstance(given, list):
        names, lists = None, given
    else:
        raise GraphError(
            f"{word!r} must be an object of names with their lists, or a list of lists of "
            f"numbers, not {shown(given)}"
        )
    for at, choices in enumerate(lists):
        who = names[at] if names else at + base
        if not isinstance(choices, list):
            raise GraphError(
                f"{word}: the list of {shown(who)} must be a list, not {shown(choices)}"
            )
        for choice in choices:
            if not (whole(choice) if names is None else isinstance(choice, str)):
                wanted = "names" if names else "whole numbers"
                raise GraphError(
                    f"{word}: the list of {shown(who)} must hold {wanted}, not {shown(choice)}"
                )
    return Side(word, names, lists, base)


def _capacities(words: Sequence[str], given: Any) -> tuple[Any, Any]:
    """Return the entry with the capacities of each side, None without one."""
    if given is None:
        return None, None
    if isinstance(given, dict) and given and set(given) <= set(words):
        return given.get(words[0]), given.get(words[1])
    if words == SIDES[1]:
        return None, given
    raise GraphError(f'"capacities" says whose they are: {{"{words[1]}": ...}}, not {shown(given)}')


def _of_side(side: Side, given: Any) -> list[int] | None:
    """Return the capacity of each member of a side."""
    if given is None:
        return None
    members: Sequence[Any] = side.names or range(len(side.choices))
    if isinstance(given, dict) and side.names:
        for name in given:
            if name not in set(side.names):
                raise GraphError(
                    f"a capacity is given to {shown(name)}, who is not among the {side.word}"
                )
        values = [given.get(name, 1) for name in side.names]
    elif isinstance(given, list) and len(given) == len(members):
        values = given
    else:
        wanted = "an object of names and numbers or " if side.names else ""
        raise GraphError(
            f"the capacities of the {side.word} must be {wanted}a list of {len(members)} numbers, "
            f"not {shown(given)}"
        )
    for who, value in zip(members, values, strict=True):
        if not whole(value, 1) or value > np.iinfo(np.int32).max:
            raise GraphError(
                f"the capacity of {shown(who)} must be a whole number of at least 1, not "
                f"{shown(value)}"
            )
    return values


def _of_ranks(source: Source, found: Mapping[str, Any], name: str) -> Preferences:
    ties = found.get("ties", "refuse")
    if ties not in ("refuse", "index"):
        raise GraphError(f'"ties" is "refuse" or "index", not {shown(ties)}')
    his, hers = (_table(word, found[word]) for word in RANKS)
    return of_ranks(source, his, hers, FORM, ties=ties, name=name)


def _table(word: str, rows: Any) -> np.ndarray:
    """Return a table of ranks, shape (n, k)."""
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise GraphError(f"{word!r} must be a list of lists of numbers")
    width = len(rows[0]) if rows else 0
    for at, row in enumerate(rows):
        if len(row) != width:
            raise GraphError(
                f"{word}: row {at} has {len(row)} ranks and row 0 has {width}; everybody ranks "
                "everybody in such a table, give incomplete preferences as lists"
            )
        for place, rank in enumerate(row):
            if not is_number(rank):
                raise GraphError(f"{word}: row {at}, place {place} is {shown(rank)}, no number")
    try:
        return np.array(rows).reshape(len(rows), width)
    except (OverflowError, ValueError) as error:
        raise GraphError(f"{word}: {error}") from None
