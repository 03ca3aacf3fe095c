"""Solutions written to files come back as they were, and those of other programs are read."""

import contextlib
import json
import random
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.io import mmread, mmwrite

import gpucore
from gpucore import check_solution, read_answer, save_solution
from gpucore.certify.work import certified
from gpucore.errors import GraphError, ParameterError, WarplensError
from gpucore.family import families, get_runner
from gpucore.solutions.check import family_of
from gpucore.solutions.form import forms
from gpucore.solutions.write import ENDINGS

#: A problem, a runner and its parameters for each family.
RUNS = {
    "matching": ("karate_weighted", "suitor_serial", {}),
    "redblue": ("karate_weighted", "greedy_random", {}),
    "bmatching": ("karate_weighted", "bgreedy", {"b": 2}),
    "bipartite": ("southern_women", "hopcroft_karp", {}),
    "marriage": ("nrmp_5", "gale_shapley", {}),
    "roommates": ("roommates:n=10,seed=1", "irving", {}),
    "communities": ("karate", "louvain_serial", {}),
    "sgd": ("southern_women", "sgd_serial", {"sweeps": 2, "biases": True}),
}


@pytest.fixture(scope="module")
def runs():
    """Return problem and result of each family."""
    found = {}
    for name, (spec, runner, params) in RUNS.items():
        family = families()[name]
        problem = gpucore.load(spec, kind=family.problem)
        if family.problem == "graph":
            problem = family.prepared(problem)
        found[name] = problem, gpucore.run(runner, problem, **params)
    return found


def test_every_family_declares_a_form():
    assert set(forms()) == set(RUNS) == set(families()) - {"toy"}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("family", RUNS)
def test_what_is_written_can_be_read_back(runs, family, ending, tmp_path):
    problem, result = runs[family]
    path = tmp_path / f"solution{ending}"
    if ending == ".mtx" and forms()[family].matrix is None:
        with pytest.raises(ParameterError, match="only matchings"):
            save_solution(path, problem, result, family)
        return
    save_solution(path, problem, result, family)
    answer = read_answer(path)
    complete = ending in (".json", ".npz")  # with family, parameters and measures
    if complete:
        assert family_of(answer) == family
        assert answer.measures == json.loads(json.dumps(result.figures))
    else:  # a table does not say how it was made
        answer = replace(answer, params=result.params)
    again = forms()[family].result(problem, answer)
    for name, array in result.solution().items():
        np.testing.assert_array_equal(getattr(again, name), array, err_msg=name)
    checked = check_solution(problem, answer, family)
    assert checked.ok, checked.findings
    if complete:  # the same result: its runner's certificate holds too
        proved = certified(get_runner(result.algorithm).certify, problem, again)
        assert proved.certificate.ok, proved.certificate


@pytest.mark.parametrize("ending", [".csv", ".json", ".npz"])
def test_roommates_with_capacities(tmp_path, ending):
    problem = gpucore.load("roommates:n=10,seed=1", kind="roommates")
    result = gpucore.run("irving_scott", problem, b=2)
    path = tmp_path / f"fixtures{ending}"
    save_solution(path, problem, result, "roommates")
    answer = replace(read_answer(path), params={"b": 2})
    again = forms()["roommates"].result(problem, answer)
    assert again.mates.tolist() == result.mates.tolist()
    checked = check_solution(problem, answer, "roommates")
    assert checked.ok, checked.findings


@pytest.mark.parametrize("family", ["matching", "communities"])
def test_a_changed_file_is_not_as_claimed(runs, family, tmp_path):
    problem, result = runs[family]
    path = tmp_path / "solution.json"
    save_solution(path, problem, result, family)
    found = json.loads(path.read_text())
    if family == "matching":
        found["pairs"].pop()
    else:
        found["communities"][0]["community"] = found["communities"][-1]["community"]
    path.write_text(json.dumps(found))
    assert not check_solution(problem, read_answer(path), family).ok


def test_matrices_are_those_that_scipy_reads(runs, tmp_path):
    graph, result = runs["matching"]
    save_solution(tmp_path / "m.mtx", graph, result, "matching")
    matrix = mmread(tmp_path / "m.mtx").toarray()
    assert (matrix == matrix.T).all()
    assert ((matrix != 0).sum(axis=0) == (result.mate >= 0)).all()
    assert matrix.sum() / 2 == pytest.approx(result.weight)


names = st.lists(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8),
    min_size=4, max_size=4, unique=True,
)  # fmt: skip


@given(names, st.sampled_from([".csv", ".tsv", ".json"]))
def test_any_names_survive(tmp_path_factory, given_names, ending):
    path = tmp_path_factory.mktemp("names") / f"s{ending}"
    graph = gpucore.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [3.0, 1.0, 2.0], names=given_names)
    result = gpucore.run("suitor_serial", graph)
    save_solution(path, graph, result, "matching")
    again = forms()["matching"].result(graph, read_answer(path))
    assert again.mate.tolist() == result.mate.tolist()


# Files of other programs

PATH = gpucore.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2.0, 3.0, 2.0])


def checked(tmp_path, name, content, family, graph=PATH):
    path = tmp_path / name
    path.write_text(content)
    return check_solution(graph, read_answer(path), family)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.txt", "0 1\n2 3\n"),
        ("comments.txt", "# by hand\n0 1\n\n2 3\n"),
        ("titles.csv", "source,target\n0,1\n2,3\n"),
        ("order.csv", "weight,u,v\n2,0,1\n2,2,3\n"),
        ("mates.csv", "vertex;mate\n0;1\n1;0\n2;3\n3;2\n"),
        ("mate.txt", "1\n0\n3\n2\n"),
        ("pairs.json", "[[0, 1], [2, 3]]"),
        ("named.json", '{"pairs": [{"u": 0, "v": 1}, {"u": 3, "v": 2}]}'),
        ("mate.json", '{"mate": [1, 0, 3, 2]}'),
    ],
)
def test_matchings_of_other_programs(tmp_path, name, content):
    found = checked(tmp_path, name, content, "matching")
    assert found.ok, found.findings
    assert found.measures["weight"] == 4.0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("membership.txt", "0\n0\n1\n1\n"),  # igraph
        ("pairs.txt", "0 7\n3 9\n1 7\n2 9\n"),
        ("gephi.csv", "Id,Modularity Class,community\n0,5,a\n1,5,a\n2,6,b\n3,6,b\n"),
        ("networkx.json", "[[0, 1], [2, 3]]"),
        ("groups.json", "[[0, 1, 2], [3]]"),
        ("by_vertex.json", '{"0": "x", "1": "x", "2": "y", "3": "y"}'),
        ("list.json", '{"membership": [0, 0, 1, 1]}'),
    ],
)
def test_communities_of_other_programs(tmp_path, name, content):
    found = checked(tmp_path, name, content, "communities")
    assert found.ok, found.findings
    groups = [{0, 1, 2}, {3}] if name == "groups.json" else [{0, 1}, {2, 3}]
    expected = nx.community.modularity(nx.path_graph(4), groups)
    same = gpucore.Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    found = checked(tmp_path, name, content, "communities", same)
    assert found.measures["modularity"] == pytest.approx(expected)


def test_a_matching_that_networkx_found(tmp_path):
    """The heaviest matching of NetworkX, and one that SciPy writes as a matrix."""
    graph = gpucore.load("karate_weighted")
    u, v, w = (column.tolist() for column in graph.edges())
    other = nx.Graph()
    other.add_weighted_edges_from(zip(u, v, w, strict=True))
    pairs = nx.max_weight_matching(other)
    path = tmp_path / "networkx.json"
    path.write_text(json.dumps([[int(a), int(b)] for a, b in pairs]))
    found = check_solution(graph, read_answer(path), "matching", require=["heaviest", "maximal"])
    assert found.ok
    rows, columns = np.array(sorted(pairs)).T
    mmwrite(
        tmp_path / "scipy.mtx",
        sparse.coo_array((np.ones(rows.size), (rows, columns)), shape=(34, 34)),
    )
    same = check_solution(graph, read_answer(tmp_path / "scipy.mtx"), "matching")
    assert same.measures["weight"] == pytest.approx(found.measures["weight"])


def test_a_matrix_may_be_of_every_family_that_writes_one(runs, tmp_path):
    save_solution(tmp_path / "m.mtx", *runs["matching"], "matching")
    with pytest.raises(ParameterError, match=r"it may be of bipartite, bmatching, .* redblue"):
        family_of(read_answer(tmp_path / "m.mtx"))


def test_a_record_is_no_solution(tmp_path):
    run = gpucore.run("suitor", PATH, device="host", record="counters")
    run.record.save(tmp_path / "run.npz")
    with pytest.raises(GraphError, match="the record of a run, not a solution"):
        read_answer(tmp_path / "run.npz")


def test_labels_of_numpy(tmp_path):
    np.save(tmp_path / "labels.npy", np.array([4, 4, 2, 2]))
    assert check_solution(PATH, read_answer(tmp_path / "labels.npy"), "communities").ok


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("deep.json", "[" * 100_000, "not JSON"),
        ("cut.json", '{"pairs": [', "not JSON"),
        ("ragged.csv", "u,v\n0,1\n2\n", "row 2 has 1 column,"),
        ("twice.csv", "u,u\n0,1\n", "same title"),
        ("picture.png", "0 1\n", "is read from"),
        ("keys.json", '[{"u": 0, "v": 1}, {"v": 2}]', "different keys"),
        ("bytes.npz", "0 1\n", "not a sound .npz"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, content, cause):
    (tmp_path / name).write_text(content)
    with pytest.raises(GraphError, match=cause):
        read_answer(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("u,v\n0,9\n", "no vertex '9': numbers are 0 to 3"),
        ("u,v\n0,x\n", "no vertex 'x'"),
        ("u,v\n0,-1\n", "no vertex '-1'"),
        (f"u,v\n0,{'9' * 400}\n", "no vertex '999"),
        ("u,v\n0,1.5\n", "no vertex '1.5'"),
    ],
)
def test_unknown_members_are_named(tmp_path, content, cause):
    with pytest.raises(GraphError, match=cause):
        checked(tmp_path, "s.csv", content, "matching")


def test_a_required_property_that_is_missing(tmp_path):
    (tmp_path / "s.txt").write_text("0 1\n")
    answer = read_answer(tmp_path / "s.txt")
    assert check_solution(PATH, answer, "matching").ok
    assert not check_solution(PATH, answer, "matching", require=["maximal"]).ok
    with pytest.raises(ParameterError, match="there is no property 'best' here; there are"):
        check_solution(PATH, answer, "matching", require=["best"])


def test_names_and_words_of_the_owner(tmp_path):
    text = {
        "residents": {"ann": ["north", "south"], "bob": ["north", "south"]},
        "hospitals": {"north": ["ann", "bob"], "south": ["ann", "bob"]},
        "capacities": {"north": 1, "south": 1},
    }
    (tmp_path / "school.json").write_text(json.dumps(text))
    problem = gpucore.load(str(tmp_path / "school.json"), kind="preferences")
    result = gpucore.run("gale_shapley", problem)
    save_solution(tmp_path / "out.csv", problem, result, "marriage")
    assert (tmp_path / "out.csv").read_text().splitlines() == [
        "resident,hospital,rank_by_resident,rank_by_hospital",
        "ann,north,1,1",
        "bob,south,2,2",
    ]
    (tmp_path / "wrong.csv").write_text("resident,hospital\nann,south\nbob,north\n")
    wrong = check_solution(problem, read_answer(tmp_path / "wrong.csv"), "marriage")
    (stable,) = (finding for finding in wrong.findings if finding.name == "stable")
    assert stable.holds is False
    assert "resident ann and hospital north" in stable.detail
    assert "man" not in stable.detail.replace("many", "")


def test_what_is_no_solution_is_named():
    graph = gpucore.load("karate")
    with pytest.raises(ParameterError, match=r"Answer of gpucore\.read_answer, not ndarray"):
        gpucore.check_solution(graph, np.zeros(34, np.int32), "matching")


#: What may stand in a file of JSON where something else is expected.
ODD = [None, "abc", float("nan"), -1, 10**30, 1.5, [], [1], {}, True, "", [None], [[1]], ["x"]]
PARAMS = ("b", "resolution", "k", "mean", "proposers", "capacity", "successor", "starts", "levels")


@pytest.mark.parametrize("family", RUNS)
def test_odd_values_in_a_file_end_in_a_verdict_or_in_an_error_of_ours(runs, family, tmp_path):
    problem, result = runs[family]
    path = tmp_path / "solution.json"
    save_solution(path, problem, result, family)
    good, rng = path.read_text(), random.Random(family)
    for _ in range(60):
        content = json.loads(good)
        spoil(content, rng)
        path.write_text(json.dumps(content))
        with contextlib.suppress(WarplensError):
            check_solution(problem, read_answer(path), family)


def spoil(content, rng):
    """Delete or replace something on a random way into the content, or add a parameter."""
    while True:
        key = rng.choice(list(content) if isinstance(content, dict) else range(len(content)))
        if not (isinstance(content[key], dict | list) and content[key] and rng.random() < 0.75):
            break
        content = content[key]
    if isinstance(content, dict) and rng.random() < 0.2:
        key = rng.choice(PARAMS)
    content[key] = rng.choice(ODD)
    if rng.random() < 0.2:
        del content[key]


@pytest.mark.parametrize(
    ("content", "family", "cause"),
    [
        ('{"u": [0, 1], "v": [1]}', "matching", "different lengths"),
        ('{"vertex": ["0", "1"], "mate": ["1"]}', "matching", "different lengths"),
        ("[0, [1], 2, 3]", "matching", "mates are numbers"),
    ],
)
def test_columns_that_are_no_table(tmp_path, content, family, cause):
    found = checked(tmp_path, "s.json", content, family)
    assert not found.ok
    assert cause in found.findings[0].detail
