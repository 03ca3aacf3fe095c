"""warplens run: results, records, parameters, and what goes wrong."""

from dataclasses import replace

import pytest

from gpucore.record import Record

STABLE_KEYS = {
    "algorithm",
    "variant",
    "device",
    "seconds",
    "certified",
    "weight",
    "cardinality",
    "graph",
    "vertices",
    "edges",
    "params",
    "record",
    "warplens",
}


@pytest.mark.parametrize("name", ["suitor", "ld", "greedy"])
def test_json_is_one_object_with_the_stable_keys(call_json, name):
    code, found = call_json("run", name, "karate", "--device", "auto")
    assert code == 0
    assert set(found) >= STABLE_KEYS
    assert found["algorithm"] == name
    assert found["certified"] is True
    assert (found["vertices"], found["edges"]) == (34, 78)
    assert found["seconds"] > 0


def test_all_methods_find_the_same_weight(call_json):
    weights = {
        call_json("run", *words, "rmat:scale=7,seed=1")[1]["weight"]
        for words in (
            ("suitor", "--device", "host"),
            ("suitor", "--device", "host", "--variant", "nosync", "--policy", "random"),
            ("suitor", "--device", "host", "--seed", "7", "-p", "vertices_per_warp=8"),
            ("ld", "--device", "host"),
            ("suitor_omp", "-p", "threads=2"),
            ("greedy",),
        )
    }
    assert len(weights) == 1


def test_the_parameters_of_the_run_are_in_the_object(call_json):
    words = ("--variant", "nosync", "-p", "threads_per_block=192", "-p", "vertices-per-warp=16")
    _, found = call_json("run", "suitor", "karate", "--device", "host", *words)
    assert found["variant"] == "nosync"
    assert found["params"]["threads_per_block"] == 192
    assert found["params"]["vertices_per_warp"] == 16


def test_the_first_line_says_what_ran(call):
    assert call("run", "irving", "karate").stdout.startswith("irving on karate: 34 people")
    assert call("run", "suitor", "karate").stdout.startswith("suitor fast on karate: 34 vertices")


def test_a_file_is_a_graph(call_json, small_graph):
    _, found = call_json("run", "suitor", small_graph, "--device", "host")
    assert (found["weight"], found["cardinality"]) == (5.0, 1)


def test_weights_of_an_unweighted_graph_come_from_their_seed(call_json):
    spec = "grid:rows=6,columns=6"
    first, again, other = (
        call_json("run", "greedy", spec, "--weights-seed", seed)[1]["weight"] for seed in (1, 1, 2)
    )
    assert first == again != other


@pytest.mark.parametrize("level", ["events", "counters"])
@pytest.mark.parametrize("runner", ["suitor", "suitor_omp"])
def test_the_record_is_written(call_json, tmp_path, runner, level):
    path = tmp_path / "run.npz"
    words = ("--device", "host", "--record", path, "--record-level", level)
    code, found = call_json("run", runner, "karate", *words)
    assert code == 0
    assert found["record"] == str(path)
    record = Record.load(path)
    assert record.header["algorithm"] == runner
    assert record.header["level"] == level
    assert (len(next(iter(record.events.values()))) > 0) == (level == "events")


def test_without_a_certificate_certified_is_null(call_json):
    code, found = call_json("run", "suitor", "karate", "--no-certify")
    assert code == 0
    assert found["certified"] is None


def test_people_get_a_table(call):
    result = call("run", "suitor", "karate", "--device", "host")
    assert result.exit_code == 0
    for words in ("suitor", "karate", "34 vertices", "cardinality", "certified"):
        assert words in result.stdout


def test_a_refuted_result_exits_with_1(call, monkeypatch):
    """A certificate that fails must reach the exit code and the table."""
    from gpucore.family import get_runner

    greedy = get_runner("greedy")

    def swindle(graph, params, context):
        result = greedy.run(graph, params, context)
        result.mate[:] = -1
        return result

    known = {"greedy": replace(greedy, run=swindle)}
    monkeypatch.setattr("gpucore.family.get_runner", known.__getitem__)
    result = call("run", "greedy", "karate")
    assert result.exit_code == 1
    assert "NO:" in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "cause"),
    [
        (("nope", "karate"), 2, "no algorithm 'nope'"),
        (("suitor", "karate", "--variant", "nope"), 2, "variant"),
        (("suitor", "karate", "-p", "colour=red"), 2, "no parameter 'colour'"),
        (("suitor", "karate", "-p", "colour"), 2, "key=value"),
        (("suitor", "karate", "-p", "a=1", "-p", "a=2"), 2, "twice"),
        (("suitor", "karate", "-p", "threads_per_block=7", "--device", "host"), 2, "threads_per"),
        (("greedy", "karate", "--device", "cuda"), 2, "on the processor"),
        (("greedy", "karate", "--variant", "fast"), 2, "no parameter 'variant'"),
        (("networkx_exact", "karate", "--record", "x.npz"), 2, "keeps no record"),
        (("suitor", "karate", "--device", "cuda", "--policy", "random"), 2, "--policy"),
        (("suitor", "karate", "--policy", "sequential", "--seed", "1"), 2, "--seed is of random"),
        (("suitor", "karate", "--record-level", "counters"), 2, "give --record"),
        (("suitor", "atlantis"), 3, "atlantis"),
        (("suitor", "karate", "--record", "no/such/place.npz"), 3, "does not exist"),
        (("suitor", "rmat:scale=99"), 3, "scale"),
    ],
)
def test_errors_are_one_line_and_an_exit_code(call, words, code, cause):
    result = call("run", *words)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("warplens: ")
    assert cause in result.stderr


def test_ranks_are_threads_without_a_launcher(call_json):
    code, found = call_json("run", "suitor", "karate", "--device", "host", "--ranks", "3")
    assert code == 0
    assert (found["ranks"], found["transport"], found["certified"]) == (3, "rounds", True)
    assert min(found["rounds"], found["messages"], found["bytes_sent"]) > 0
    same = call_json("run", "suitor", "karate", "--device", "host")[1]
    assert found["weight"] == same["weight"]


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("suitor", "karate", "--ranks", "0"), "ranks is 0"),
        (("suitor", "karate", "--ranks", "2", "--variant", "nosync"), "no variant 'nosync' on"),
        (("suitor", "karate", "-p", "transport=peers"), "no parameter 'transport'"),
        (("marriage", "nrmp_5", "--ranks", "2"), "marriage runs on one device, not on ranks"),
        (("greedy", "karate", "--ranks", "2"), "greedy is a method on the processor"),
    ],
)
def test_ranks_that_are_not_possible(call, words, cause):
    result = call("run", *words)
    assert result.exit_code == 2
    assert cause in result.stderr
