"""The paper has what the Journal of Open Source Software asks for, and every reference is cited."""

import re
from pathlib import Path

PAPER = Path(__file__).parents[1] / "paper"
TEXT = (PAPER / "paper.md").read_text()
ENTRIES = dict(re.findall(r"^@\w+\{(\w+),(.*?)^\}", (PAPER / "paper.bib").read_text(), re.M | re.S))
SECTIONS = (
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
)
#: References of which we know no DOI: workshops' papers without one, software, and DOIs not found.
WITHOUT_DOI = {"cugraph", "cupy", "marriage", "sgd", "visualgo"}


def test_required_sections_in_their_order():
    found = [line[2:] for line in TEXT.splitlines() if line.startswith("# ")]
    assert [name for name in found if name in SECTIONS] == list(SECTIONS)


def test_length():
    body = TEXT.split("---\n", 2)[2].partition("# References")[0]
    assert 750 <= len(body.split()) <= 1750


def test_references_are_cited_and_citations_exist():
    assert set(re.findall(r"@(\w+)", TEXT.split("---\n", 2)[2])) == ENTRIES.keys()


def test_references_have_their_doi():
    assert {name for name, entry in ENTRIES.items() if "doi = {10." not in entry} == WITHOUT_DOI
