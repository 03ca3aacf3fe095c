import hashlib
import re
import tomllib
from importlib import resources
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from families.roommates.cases import stable_matchings
from scipy.sparse.csgraph import maximum_bipartite_matching

from gpucore import datasets
from gpucore.datasets import catalogue, file_of
from gpucore.datasets import names as dataset_names
from gpucore.errors import GraphError
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.bipartite.load import (
    load_bipartite,
    load_bipartite_dataset,
)
from gpucore.problems.graph.load import load_dataset
from gpucore.problems.preferences.load import load_preference_dataset, load_preferences
from gpucore.problems.rebuild import rebuild
from support.matrices import matrix_of

GRAPHS = datasets.names("graph")
FILES = resources.files("gpucore.datasets")
ROOT = Path(__file__).parents[1]


def test_names():
    assert {"karate", "florentine", "lesmis", "football", "minnesota"} <= set(GRAPHS)
    assert "southern_women" not in GRAPHS
    sizes = [catalogue()[name].edges for name in GRAPHS]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs(name):
    graph, info = load_dataset(name), catalogue()[name]
    assert (graph.num_vertices, graph.num_edges) == (info.vertices, info.edges)
    assert graph.name == name
    assert load(name) == rebuild(graph.source) == graph
    assert info.licence
    assert info.citation
    assert info.title
    assert graph.names is None or len(set(graph.names)) == graph.num_vertices


@pytest.mark.parametrize("name", [n for n in GRAPHS if catalogue()[n].edges < 700])
def test_known_answers(name):
    graph, answers = load_dataset(name).to_networkx(), catalogue()[name].answers
    assert len(nx.max_weight_matching(nx.Graph(graph.edges), True)) == answers["max_matching"]
    if "max_weight" in answers:
        matching = nx.max_weight_matching(graph)
        assert sum(graph[u][v]["weight"] for u, v in matching) == answers["max_weight"]
    communities = nx.community.louvain_communities(graph, seed=1)
    found = nx.community.modularity(graph, communities)
    assert 0.9 * answers["modularity"] < found < answers["modularity"] + 1e-4


def test_karate_is_networkxs():
    weighted = load_dataset("karate_weighted")
    club = nx.karate_club_graph()
    assert nx.utils.edges_equal(weighted.to_networkx().edges(data=True), club.edges(data=True))
    assert (load_dataset("karate").indices == weighted.indices).all()
    assert weighted.edges()[2].sum() == 231


def test_names_belong_to_their_vertices():
    florentine = load_dataset("florentine")
    reference = nx.florentine_families_graph()
    u, v, _ = florentine.edges()
    found = {
        frozenset((florentine.names[a], florentine.names[b])) for a, b in zip(u, v, strict=True)
    }
    assert found == {frozenset(edge) for edge in reference.edges}
    lesmis = load_dataset("lesmis")
    by_name = {name: lesmis.degrees[i] for i, name in enumerate(lesmis.names)}
    assert max(by_name, key=by_name.get) == "Valjean"
    assert by_name["Valjean"] == 36


def test_coordinates():
    minnesota = load_dataset("minnesota")
    x, y = minnesota.coordinates.T
    assert -98 < x.min() < x.max() < -89
    assert 43 < y.min() < y.max() < 50
    u, v, _ = minnesota.edges()
    ends = minnesota.coordinates
    assert np.median(np.linalg.norm(ends[u] - ends[v], axis=1)) < 0.2  # roads join near places
    airports = load_dataset("usairports")
    places = dict(zip(airports.names, airports.coordinates.tolist(), strict=True))
    assert places["JFK New York, NY"] == pytest.approx([-73.7789, 40.6397], abs=1e-3)


def test_groups():
    club = nx.karate_club_graph()
    names = catalogue()["karate"].groups
    truth = [names[group] for group in datasets.ground_truth("karate")]
    assert truth == [club.nodes[v]["club"] for v in club]
    assert datasets.ground_truth("lesmis") is None
    for name in GRAPHS:
        if (groups := datasets.ground_truth(name)) is None:
            assert not catalogue()[name].groups
            continue
        u, v, _ = load_dataset(name).edges()
        inside = np.mean(groups[u] == groups[v])
        sizes = np.bincount(groups) / groups.size
        assert inside > 3 * (sizes**2).sum() or inside > 0.8  # far more than by chance


def test_southern_women():
    matrix = load_bipartite_dataset("southern_women")
    assert matrix.shape == (18, 14)
    assert matrix.num_edges == 89
    assert (matrix.names[0], matrix.names[-1]) == ("Evelyn Jefferson", "E14")
    mates = maximum_bipartite_matching(matrix.to_matrix())
    assert (mates >= 0).sum() == catalogue()["southern_women"].answers["max_matching"]


@pytest.mark.parametrize("name", dataset_names("bipartite"))
def test_matrices(name):
    graph, info = load_bipartite_dataset(name), catalogue()[name]
    assert graph.shape == info.shape
    assert (graph.num_vertices, graph.num_edges) == (info.vertices, info.edges)
    assert load_bipartite(name) == rebuild(graph.source) == graph
    stored = matrix_of(Source.of(file_of(name, "mtx.gz")))
    assert (graph.to_matrix() != (stored != 0)).nnz == 0
    mates = maximum_bipartite_matching(graph.to_matrix())
    assert (mates >= 0).sum() == info.answers["max_matching"]
    assert not info.weighted


def test_matrices_are_named_from_small_to_large():
    assert dataset_names("bipartite") == ("southern_women", "dfl001", "mbeacxc")
    women = load_bipartite_dataset("southern_women")
    assert (women.names[0], women.names[18]) == ("Evelyn Jefferson", "E1")


@pytest.mark.parametrize("name", dataset_names("preferences"))
def test_preferences_and_their_stable_marriages(name):
    preferences, info = load_preference_dataset(name), catalogue()[name]
    assert (preferences.num_men, preferences.num_women) == info.shape
    assert (preferences.num_vertices, preferences.num_pairs) == (info.vertices, info.edges)
    assert preferences == load_preferences(name)
    assert rebuild(preferences.source) == preferences.graph()
    assert len(preferences.names) == info.vertices
    found = list(stable_marriages(preferences))
    assert len(found) == info.answers["stable"]
    assert min(found) == info.answers["considered"]


@pytest.mark.parametrize("name", dataset_names("roommates"))
def test_roommates_and_their_stable_matchings(name):
    problem, info = load(name, kind="roommates"), catalogue()[name]
    assert (problem.num_vertices, problem.num_pairs) == (info.vertices, info.edges)
    assert rebuild(problem.source) == problem.graph()
    assert len(problem.names) == info.vertices
    assert len(stable_matchings(problem)) == info.answers["stable"]


def stable_marriages(preferences):
    """Try all marriages; yield the sum of the men's ranks in the stable ones."""
    wanted, admitted = preferences.lists()
    places = [1] * len(admitted)
    if preferences.woman_capacity is not None:
        places = preferences.woman_capacity.tolist()
    for women in all_marriages(wanted, places):
        if not any(
            women.count(w) < places[w] or max(admitted[w].index(x) for x in men_of(w, women)) > rank
            for m, chosen in enumerate(women)
            for w in wanted[m][: wanted[m].index(chosen)]
            for rank in [admitted[w].index(m)]
        ):
            yield sum(wanted[m].index(w) + 1 for m, w in enumerate(women))


def all_marriages(wanted, places, begun=()):
    """Yield whom the men marry, in every way in which all of them do."""
    if len(begun) == len(wanted):
        yield begun
        return
    for woman in wanted[len(begun)]:
        if begun.count(woman) < places[woman]:
            yield from all_marriages(wanted, places, (*begun, woman))


def men_of(woman, women):
    return [man for man, wife in enumerate(women) if wife == woman]


def test_unknown_names_and_limits():
    with pytest.raises(GraphError, match=r"no graph data set 'karat'; there are florentine"):
        load_dataset("karat")
    with pytest.raises(GraphError, match=r"no bipartite data set 'karate'; there are southern"):
        load_bipartite_dataset("karate")
    with pytest.raises(GraphError, match=r"34 vertices are more than the 10 allowed here"):
        load("karate", limits=Limits(max_vertices=10))


def test_a_damaged_copy_is_noticed(monkeypatch):
    entry = catalogue()["karate"]
    monkeypatch.setitem(catalogue(), "karate", entry.__class__(**vars(entry) | {"edges": 79}))
    with pytest.raises(GraphError, match=r"karate is damaged: .* install the package again"):
        load_dataset("karate")


def test_attribution_names_every_data_set():
    text = (FILES / "README.md").read_text()
    for name, info in catalogue().items():
        assert re.search(rf"`{name}`: .*{re.escape(info.licence)}", text)


#: Reasons why a data set needs no licence.
FREE = {"public domain", "facts of a publication"}


def test_the_licence_of_the_package_covers_what_it_bundles():
    """A bundled data set has a licence of the package's SPDX expression, which names no other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    allowed = set(project["license"].split(" AND "))
    licences = {name: info.licence for name, info in catalogue().items() if not info.url}
    used = {name: set(text.split(" AND ")) for name, text in licences.items() if text not in FREE}
    assert {name: found - allowed for name, found in used.items() if found - allowed} == {}
    assert set().union(*used.values()) == allowed
    assert (FILES / "LICENSES.txt").is_file()
    assert project["license-files"] == ["LICENSE", "gpucore/datasets/LICENSES.txt"]
    assert (ROOT / "LICENSE").read_text().startswith("BSD 3-Clause License")


def test_what_is_not_bundled_has_an_address_and_a_digest():
    fetched = [info for info in catalogue().values() if info.url]
    assert [(info.name, info.licence) for info in fetched] == [("insteval", "GPL-2.0-or-later")]
    for info in fetched:
        assert re.fullmatch(r"https://\S+\.csv", info.url)
        assert re.fullmatch(r"[0-9a-f]{64}", info.sha256)
        assert not any(file.name.startswith(info.name) for file in (FILES / "data").iterdir())


def test_files_are_small_and_reproducible():
    files = list((FILES / "data").iterdir())
    assert sum(len(file.read_bytes()) for file in files) < 1_100_000
    assert len({hashlib.sha256(file.read_bytes()).digest() for file in files}) == len(files)
    stems = {file.name.split(".")[0] for file in files}
    assert stems == {name for name, info in catalogue().items() if not info.url}


@pytest.mark.parametrize("kind", ["dataset", "generator"])
def test_no_file_is_read_because_a_record_names_it(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "gnp:n=5"
    path.write_text("1 2\n2 3\n")
    hidden = tmp_path / "secret.txt"
    hidden.write_text("1 2\n")
    for spec in (str(path), str(hidden), "secret.txt", "./secret.txt", f"x:{hidden}", "karate/.."):
        with pytest.raises(GraphError, match="no file is read because a record names it"):
            rebuild({"kind": kind, "spec": spec})
    with pytest.raises(GraphError, match="has no parameter"):
        rebuild({"kind": kind, "spec": f"gnp:{hidden}"})
    with pytest.raises(GraphError, match="at most 16 steps"):
        rebuild({"kind": kind, "spec": "karate", "prepared": [{"step": "drop_loops"}] * 17})
    with pytest.raises(GraphError, match="allowed here"):
        rebuild({"kind": kind, "spec": "gnp:n=1000,p=0.5,seed=1"}, limits=Limits(max_vertices=10))
