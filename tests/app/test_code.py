"""Code panes: pseudo-code for every event, kernels in pieces, and the card that shows them."""

import pytest

from gpucore.errors import ParameterError
from gpucore.families.matching.record import Kind
from gpucore.family import algorithms
from warplens.app.code.book import (
    CodeBook,
    coloured,
    line_of,
    source_lines,
)
from warplens.app.families.matching.code import CODE
from warplens.app.pages import views

BOOKS = [view.code for view in views().values() if view.code is not None]


def test_every_variant_of_a_family_with_code_has_its_files_and_listing():
    for view in views().values():
        if view.code is None:
            continue
        for name, algorithm in algorithms().items():
            if algorithm.family == view.family:
                for variant in algorithm.variant_names:
                    assert view.code.sources(name, variant)
                    assert view.code.listing(name, variant)["lines"]


def test_every_kind_of_event_has_a_line():
    shown = set()
    for listing in CODE.listings.values():
        shown |= {Kind(kind) for kind in listing.steps}
    assert shown == {kind for kind in Kind if kind}


@pytest.mark.parametrize("book", BOOKS)
def test_every_line_exists(book: CodeBook):
    for (algorithm, variant), files in book.files.items():
        listing = book.listing(algorithm, variant)
        for step in listing["steps"].values():
            assert listing["lines"][step["line"] - 1].strip()
            assert step["why"].endswith(".")
            assert set(step["places"]) <= set(files)
            for file, line in step["places"].items():
                assert source_lines(file)[line - 1].strip()


@pytest.mark.parametrize("book", BOOKS)
def test_every_place_and_reason_names_one_line(book: CodeBook):
    texts = {(reason.file, reason.text) for reason in book.reasons}
    for listing in book.listings.values():
        for step in listing.steps.values():
            texts |= set(step.places.items())
    for file, text in texts:
        assert sum(text in line for line in source_lines(file)) == 1, (file, text)


def test_a_text_that_no_line_has_is_an_error():
    with pytest.raises(ParameterError, match="no line"):
        line_of("suitor.cu", "this is not in the file")


@pytest.mark.parametrize("file", ["suitor.cu", "suitor_fast.cu", "ld.cu", "matching.cuh"])
def test_the_pieces_of_a_file_are_the_file(file):
    assert ["".join(text for _, text in line) for line in coloured(file)] == list(
        source_lines(file)
    )
    kinds = {kind for line in coloured(file) for kind, _ in line}
    assert {"c", "k", "t", "n"} <= kinds
