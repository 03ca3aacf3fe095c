"""The book of exercises: a hint, then the reason, the answer on demand."""

import pytest

from gpucore.errors import ParameterError
from warplens import labs
from warplens.labs.communities import runs as communities
from warplens.labs.kit import book
from warplens.labs.kit.exercises import Verdict, judge
from warplens.labs.matching import runs as matching


@pytest.fixture(autouse=True)
def empty_book():
    book.forget()
    yield
    book.forget()


@book.exercise("test/four-{name}")
def four(guess, name="a"):
    return judge(guess, 4, "Two and two.", known={22: "That is a text."}, rough=0.0)


def test_a_hint_comes_first_then_the_reason_then_the_answer():
    first = str(four(22))
    assert "That is a text." in first
    assert "Two and two" not in first
    assert "4" not in first
    assert "Two and two" not in str(four(22))  # the same cell again is no second try
    second = str(four(5))
    assert "Two and two" in second
    assert "says 4" not in second
    assert 'labs.answer("test/four-a")' in second
    assert "The run says" in str(four(7)) or "says 4" not in str(four(7))
    assert "says 4" in str(labs.answer("test/four-a"))


@pytest.mark.parametrize("guess", ["four", "4", [4], True, float("nan"), float("inf")])
def test_a_guess_in_another_form_is_no_try(guess):
    verdict = str(four(guess))
    assert verdict.startswith(f"Not counted. {guess!r} is not a number")
    assert "Put a number" in verdict
    assert book._BOOK["test/four-a"].tries == []
    with pytest.raises(ParameterError, match="has no guess yet"):
        labs.answer("test/four-a")
    four(3)
    four(guess)
    assert book._BOOK["test/four-a"].tries == ["3"]
    assert "says 4" in str(labs.answer("test/four-a"))


def test_the_book_counts_what_was_solved_without_the_answer():
    four(3)
    four(4)
    four(None, "b")
    four(3, "c")
    labs.answer("test/four-c")
    four(4, "c")
    assert labs.passed("test/four-a")
    assert not labs.passed("test/four-c")
    html = labs.score()._repr_html_()
    assert "1 of 3 exercises solved" in html
    assert "not tried" in html
    assert "solved, with the answer shown" in html


def test_the_answer_of_an_exercise_that_was_not_run_is_refused():
    with pytest.raises(ParameterError, match="run its cell first"):
        labs.answer("test/nothing")


def test_rough_guesses_are_accepted_as_such():
    verdict = judge(10, 12, "", rough=0.25)
    assert verdict.ok
    assert "Near enough: you said 10; the run says 12" in verdict.why
    assert judge(8, 12, "", rough=0.25).ok is False


def test_the_cell_as_it_came_gets_no_verdict():
    text = 'choose = """\n' + "x\n"
    assert not book.untouched(text)
    shipped = next(cell for cell in book._cells() if "def choose(neighbours)" in cell)
    source = shipped[: shipped.index("\n\n\n")]
    assert book.untouched(source)
    verdict = book._enter(
        "test/rule", source, Verdict(False, "It fails. So it is."), "", came=book.untouched(source)
    )
    assert verdict.ok is None
    assert str(verdict).startswith("Your turn.")
    assert "So it is" not in str(verdict)
    assert book._BOOK["test/rule"].tries == []


def test_an_exception_in_a_rule_becomes_a_sentence():
    def choose(near, strength, everything):
        return max(near, key=lambda each: each[1] / each[2])[0]

    verdict = communities.rule(choose)
    assert verdict.ok is False
    assert "stopped in its line 2" in verdict.why
    assert "ZeroDivisionError" in verdict.why


def test_an_exception_that_is_not_the_readers_is_raised():
    @book.exercise("test/bug")
    def check(rule):
        raise ZeroDivisionError("ours")

    with pytest.raises(ZeroDivisionError):
        check(lambda: 0)


@pytest.mark.parametrize(("compare", "ok"), [("strict", True), ("equal", False)])
def test_ties_are_tried(compare, ok):
    def choose(neighbours):
        best, heaviest = None, 0
        for vertex, weight, bid in neighbours:
            better = weight > bid if compare == "strict" else weight >= bid
            if better and weight > heaviest:
                best, heaviest = vertex, weight
        return best

    verdict = matching.rule(choose)
    assert verdict.ok is ok, verdict.why
    assert ok or "equal weights" in verdict.why
