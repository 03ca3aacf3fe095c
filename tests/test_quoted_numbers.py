"""Every number that a document quotes is the one that ``tools/headline.py`` computes."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff"),
    *("benchmarks/README.md", "labs/README.md", "paper/paper.md", "pyproject.toml"),
    *("gpucore/__init__.py", "app/site/template/home.html"),
    *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")),
]
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COUNT = rf"(\d+|{'|'.join(WORDS[2:])})"
DECIMAL = r"(\d+(?:\.\d+)?)"
WHOLE = r"(\d+(?:,\d+)*)"
MEAN = rf" in the geometric mean of eight graphs \({DECIMAL} at least"
#: Quotations: a number's name, and the words around it. A group stands for each of its values.
RULES = (
    ("papers", rf"\b{COUNT} papers\b"),
    ("families", rf"\b{COUNT} families\b"),
    ("variants", rf"\b{COUNT} kernel variants\b"),
    ("variants", rf"\ball of {COUNT} variants\b"),
    ("stories", rf"\b{COUNT} (?:stories|come with the package)\b"),
    ("notebooks", rf"\b{COUNT} notebooks\b"),
    ("one-launch", rf"search a graph of up to {WHOLE} vertices and {WHOLE} edges"),
    (
        "one-launch-dense",
        rf"one of more than {WHOLE} edges only where a vertex has at most {WHOLE} neighbours",
    ),
    (
        "starts-beside",
        rf"four starts up to {WHOLE} vertices and entries together, three up to {WHOLE}, and two "
        rf"up to {WHOLE}; up to {WHOLE} on request, as long as all copies have at most {WHOLE}\b",
    ),
    ("starts-in-turn", rf"entries are over {WHOLE} together are searched once"),
    ("one-cycle", rf"graphs? of more than {WHOLE} edges(?: have one cycle|:)"),
    ("settled", rf"graphs of up to {COUNT} million edges"),
    ("suitor-ms", rf"Suitor variant on one H100 are {DECIMAL} to {DECIMAL} ms"),
    ("suitor-cugraph", rf"{DECIMAL} times as fast as cuGraph's matching{MEAN}"),
    (
        "louvain-session",
        rf"In that session `fast` was {DECIMAL} times as fast as cuGraph's Louvain{MEAN}",
    ),
    ("louvain-cugraph", rf"\bis {DECIMAL} times as fast as cuGraph's Louvain{MEAN}"),
    ("leiden-cugraph", rf"{DECIMAL} times as fast as cuGraph's Leiden{MEAN}"),
    (
        "unseen-cugraph-louvain",
        rf"{DECIMAL} times as fast as the best of three of cuGraph's \({DECIMAL} at least",
    ),
    (
        "unseen-least-of-seeds",
        rf"cuGraph's least time of eight seeds on each it would be {DECIMAL} \({DECIMAL} at least",
    ),
    (
        "unseen-cugraph-leiden",
        rf"{DECIMAL} times as fast as the best of three of cuGraph's Leiden \({DECIMAL} at least",
    ),
    ("unseen-ecl-mm", rf"{DECIMAL} times as fast as ECL-MM's best of three \({DECIMAL} at least"),
    ("two-cards", rf"{DECIMAL} to {DECIMAL} times as fast as one\b"),
    ("suitor-edges", rf"(?:generates|Suitor on) {DECIMAL} billion edges"),
    ("louvain-edges", rf"(?:runs|Louvain) on {DECIMAL} billion"),
    ("first-run", rf"every variant runs within {DECIMAL} s\b"),
    ("page-mib", rf"adds {DECIMAL} MiB of memory when it opens, and {DECIMAL} MiB after a run"),
    ("page-seconds", rf"\b{DECIMAL} s of processor time until it is open"),
    ("classroom", rf"takes {DECIMAL} ms to a student in the median, {DECIMAL} ms at most"),
)


@pytest.fixture(scope="module")
def numbers():
    path = ROOT / "tools" / "headline.py"
    spec = importlib.util.spec_from_file_location("headline", path)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(sys.modules, "headline", module)  # dataclasses look it up
        spec.loader.exec_module(module)
        return module.numbers()


def text_of(name):
    """Return a document as one line, without the tables that a tool wrote."""
    text = re.sub(
        r"<!-- (?:summary|numbers).*?<!-- end -->", "", (ROOT / name).read_text(), flags=re.S
    )
    return " ".join(text.split())


def quotations(text):
    """Yield name, words and values of every quotation in a text."""
    for name, rule in RULES:
        for found in re.finditer(rule, text, re.IGNORECASE):
            values = [value.lower() for value in found.groups()]
            values = [str(WORDS.index(value)) if value in WORDS else value for value in values]
            yield name, found, tuple(values)


def wrong(text, numbers):
    """Return the quotations of a text that differ from the numbers."""
    return [
        f"{found[0]!r} should have {' and '.join(numbers[name].values)}"
        for name, found, values in quotations(text)
        if values != numbers[name].values
    ]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_quoted_numbers_are_those_of_the_results(document, numbers):
    assert not wrong(text_of(document), numbers)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_speed_up_is_quoted_from_elsewhere(document):
    text = text_of(document)
    spans = [found.span() for _, found, _ in quotations(text)]
    claims = re.finditer(rf"\b{DECIMAL} ?(?:times|×) (?:as fast|faster)", text)
    assert not [
        claim[0]
        for claim in claims
        if not any(begin <= claim.start() and claim.end() <= end for begin, end in spans)
    ]


def test_every_rule_finds_a_quotation():
    texts = [text_of(document) for document in DOCUMENTS]
    assert not [
        rule for _, rule in RULES if not any(re.search(rule, one, re.IGNORECASE) for one in texts)
    ]


def test_wrong_quotations_are_found(numbers):
    text = text_of("paper/paper.md")
    for right, false in (
        ("24.8 times", "17 times"),
        ("seven papers", "six papers"),
        ("eight families", "seven families"),
        ("(17.3 at least", "(13.9 at least"),
    ):
        assert right in text
        assert wrong(text.replace(right, false, 1), numbers)
