"""The glossary: one data file, a page, and words that explain themselves in a text.

``terms.json`` has a term, its other forms, its meaning in one sentence, more about it, and a
source. The page ``/glossary`` shows all of it; :func:`glossed` marks words of a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import count
from pathlib import Path

from gpucore.errors import ParameterError

_NUMBERS = count()


@dataclass(frozen=True)
class Term:
    """One entry.

    Attributes
    ----------
    term : str
        The word.
    forms : tuple of str
        Its other forms, the plural for instance.
    meaning, more : str
        What it means, in one sentence; what else is worth knowing.
    source : str
        Where it is defined.
    """

    term: str
    forms: tuple[str, ...]
    meaning: str
    more: str
    source: str

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return "term-" + re.sub(r"\W+", "-", self.term.lower())


@cache
def terms() -> tuple[Term, ...]:
    """Return all entries, in the order of the alphabet."""
    text = (Path(__file__).parent / "terms.json").read_text("utf-8")
    return tuple(Term(**{**entry, "forms": tuple(entry["forms"])}) for entry in json.loads(text))


@cache
def _by_form() -> dict[str, Term]:
    return {form.lower(): term for term in terms() for form in (term.term, *term.forms)}


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_by_form(), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


def terms_in(text: str) -> list[Term]:
    """Return the terms that a text uses, each once, in the order of their first use.

    Examples
    --------
    >>> [term.term for term in terms_in("Warps of a block; a warp has 32 lanes.")]
    ['warp', 'block', 'lane']
    """
    return list(dict.fromkeys(_by_form()[word.lower()] for word in _pattern().findall(text)))


def glossed(text: str) -> str:
    """Return a text as HTML in which the first use of every term explains itself.

    Examples
    --------
    >>> glossed("No warp waits: 1 < 2").count('role="tooltip"')
    1
    """
    parts, place, seen = [], 0, set()
    for found in _pattern().finditer(text):
        term = _by_form()[found[0].lower()]
        if term.term not in seen:
            seen.add(term.term)
            parts += [escape(text[place : found.start()]), explained(term, found[0])]
            place = found.end()
    return "".join([*parts, escape(text[place:])])


def explained(term: Term, word: str) -> str:
    """Return a word that shows its meaning under the pointer and with the keyboard's focus."""
    name = f"ws-term-{next(_NUMBERS)}"
    return (
        f'<span class="ws-term" tabindex="0" aria-describedby="{name}">{escape(word)}'
        f'<span class="ws-meaning" role="tooltip" id="{name}">{escape(term.meaning)}</span></span>'
    )


def lookup(names: Iterable[str]) -> list[Term]:
    """Return entries by name.

    Raises
    ------
    ParameterError
        The glossary has no such word.
    """
    found = []
    for name in names:
        if name.lower() not in _by_form():
            known = ", ".join(term.term for term in terms())
            raise ParameterError(f"the glossary has no {name!r}; it has {known}")
        found.append(_by_form()[name.lower()])
    return found
