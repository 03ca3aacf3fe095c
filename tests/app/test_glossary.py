"""The glossary: whole entries, words that explain themselves, and a page."""

import re

import pytest

from gpucore.errors import ParameterError
from warplens.app.glossary import glossed, lookup, terms
from warplens.labs.kit.words import words

ASKED = [
    "warp",
    "lane",
    "divergence",
    "coalescing",
    "sector",
    "atomic",
    "barrier",
    "occupancy",
    "suitor",
    "modularity",
    "sweep",
    "stage",
    "Gini",
    "NMI",
    "RCP",
    "iteration",
    "launch",
    "round",
]


def test_the_glossary_has_the_words_of_the_pages():
    assert len(lookup(ASKED)) == len(ASKED)


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.term)
def test_an_entry_is_whole(term):
    assert term.meaning.endswith(".")
    assert ". " not in term.meaning  # one sentence
    assert term.more
    assert term.source


def test_no_word_has_two_meanings():
    forms = [form.lower() for term in terms() for form in (term.term, *term.forms)]
    assert len(forms) == len(set(forms))
    assert len({term.meaning for term in terms()}) == len(terms())


def test_a_word_is_described_where_it_stands():
    html = glossed("<b> Warps share; a warp waits.")
    assert html.startswith("&lt;b&gt; ")
    assert html.count('role="tooltip"') == 1  # the first use only
    named = re.search(r'tabindex="0" aria-describedby="([\w-]+)"', html)[1]
    assert f'id="{named}"' in html
    assert glossed("warp") != glossed("warp")  # ids differ on one page


def test_no_part_of_a_word_is_marked():
    assert "tooltip" not in glossed("unlocked warped")


def test_a_lab_shows_words_and_refuses_others():
    assert words("lane").html.count("aria-describedby") == 1
    with pytest.raises(ParameterError, match="no 'flux'; it has atomic"):
        words("flux")
