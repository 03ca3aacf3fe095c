"""The table of what the papers have: equal to the registry, and every reference resolves."""

from pathlib import Path

import pytest

from gpucore import algorithms
from gpucore.bench.papers.declare import papers
from gpucore.bench.papers.parts import not_in_papers, page, place_of
from gpucore.errors import ParameterError
from gpucore.family import methods

ROOT = Path(__file__).parents[3]
TABLE = (ROOT / "PAPERS.md").read_text()


def test_the_table_is_that_of_the_registry():
    assert page(papers()) == TABLE, "run python tools/papers.py"


@pytest.mark.parametrize("name", papers())
def test_every_part_is_found_where_the_table_says(name):
    parts = papers()[name].parts
    assert {part.kind for part in parts} >= {"variant", "parameter", "comparator"}
    for part in parts:
        assert part.here or part.note, part.what
        assert part.place
        for reference in part.here:
            assert (ROOT / place_of(reference)).is_file()


@pytest.mark.parametrize("name", papers())
def test_every_variant_parameter_and_method_of_the_family_is_named(name):
    paper = papers()[name]
    section = TABLE.partition(f"## {paper.title}")[2].partition("\n## ")[0]
    for algorithm in algorithms().values():
        if algorithm.family == paper.family and len(algorithm.variants) > 1:
            for variant in algorithm.variant_names:
                assert f"`{algorithm.name}.variant={variant}`" in section
        if algorithm.family == paper.family and algorithm.ranks:
            assert f"`{algorithm.name}.ranks`" in section
    for method in methods().values():
        if method.family == paper.family:
            assert f"`{method.name}`" in section
    for figure in paper.figures:
        assert f"| {figure.number} |" in section


def test_what_is_ours_is_not_the_papers():
    ours = {reference for reference, _ in not_in_papers(papers()["suitor"])}
    assert "suitor.variant=fast" in ours
    assert not ours & {r for part in papers()["suitor"].parts for r in part.here}


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("nope", "no algorithm 'nope'"),
        ("suitor.variant=nope", "no variant 'nope'"),
        ("suitor.nope", "no parameter 'nope'"),
        ("gpucore.load:nope", "no 'nope' in gpucore.load"),
        ("gpucore.nope:load", "no 'load' in gpucore.nope"),
        ("gpucore/nope.cu", "no file gpucore/nope.cu"),
    ],
)
def test_a_wrong_reference_is_an_error(reference, words):
    with pytest.raises(ParameterError, match=words):
        place_of(reference)
