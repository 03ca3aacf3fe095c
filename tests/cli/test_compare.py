"""warplens compare, and the module beneath it."""

import pytest

import gpucore
from gpucore.compare import Contestant, compare, differences
from gpucore.errors import ParameterError
from gpucore.problems.graph.prepare import for_matching


@pytest.fixture(scope="module")
def karate():
    return for_matching(gpucore.load("karate"))


def test_runners_agree_and_are_aligned(karate):
    comparison = compare(karate, ["suitor:nosync@host", "ld@host", "greedy", "suitor_omp"])
    assert [entry.differs for entry in comparison.entries] == [None, 0, 0, 0]
    assert comparison.certified
    assert comparison.objective == "weight"
    assert comparison.fastest.result.seconds == min(e.result.seconds for e in comparison.entries)


def test_a_runner_that_fails_does_not_stop_the_others():
    large = for_matching(gpucore.load("grid:rows=80,columns=80"))
    comparison = compare(large, ["networkx_exact", "greedy"])
    assert comparison.entries[0].result is None
    assert "vertices x edges" in comparison.entries[0].error
    assert comparison.entries[1].differs is None
    assert comparison.certified


def test_differences_are_counted(karate):
    greedy, exact = (
        entry.result for entry in compare(karate, ["greedy", "networkx_exact"]).entries
    )
    assert differences(greedy, exact) == (greedy.mate != exact.mate).sum()


@pytest.mark.parametrize(
    "text", ["", "suitor@", "suitor:", ":fast", "nope", "greedy@cuda", "greedy:x"]
)
def test_a_runner_is_named_in_one_way(text):
    with pytest.raises(ParameterError):
        Contestant.parse(text)


@pytest.mark.parametrize("text", ["suitor:fast@host", "suitor@auto", "greedy"])
def test_labels_can_be_read_back(text):
    assert Contestant.parse(text).label == text


def test_nothing_to_compare_is_an_error(karate):
    with pytest.raises(ParameterError, match="at least one"):
        compare(karate, [])


def test_json(call_json):
    code, found = call_json("compare", "karate", "suitor:nosync@host", "greedy")
    assert code == 0
    assert [row["runner"] for row in found["runners"]] == ["suitor:nosync@host", "greedy"]
    assert found["runners"][1]["differs"] == 0
    assert all(row["certified"] for row in found["runners"])


def test_repetitions_are_counted(call_json):
    _, found = call_json("compare", "karate", "greedy", "--repeat", 3)
    assert found["runners"][0]["repetitions"] == 3


def test_table(call):
    result = call("compare", "karate", "suitor", "greedy", "--device", "host")
    assert result.exit_code == 0
    assert "identical" in result.stdout
    assert "reference" in result.stdout


def test_no_runner_finishing_exits_with_1(call):
    result = call("compare", "grid:rows=80,columns=80", "networkx_exact")
    assert result.exit_code == 1
    assert "failed" in result.stdout


def test_unknown_runner_exits_with_2(call):
    result = call("compare", "karate", "nope")
    assert result.exit_code == 2
    assert "nope" in result.stderr
