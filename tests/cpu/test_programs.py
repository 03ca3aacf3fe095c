"""Programs of others, found by path: what is written for them, what is read, and their failures.

The programs here are scripts that speak the same formats; SciPy solves the problems for them.
"""

import sys
import threading

import pytest

from gpucore.cpu.programs import FOLDER, find_program
from gpucore.errors import Cancelled, DeviceError, MissingDependency, ParameterError
from gpucore.family import get_runner
from gpucore.loading import load
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.graph.graph import Graph
from support.running import uncertified

LOUVAIN = """
import numpy as np, sys
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
with open(sys.argv[1], "rb") as file:
    n, entries = np.fromfile(file, "<i8", 2)
    indptr, indices = np.fromfile(file, "<i8", n + 1), np.fromfile(file, "<i4", entries)
    weights = np.fromfile(file, "<f4", entries)
    assert not file.read()
assert sys.argv[2] in ("gve", "nu") and int(sys.argv[3]) > 0
_, labels = connected_components(csr_matrix((weights, indices, indptr), (n, n)))
labels.astype("<i4").tofile(sys.argv[4])
print("milliseconds 12.500000 passes 2 sweeps 7")
"""
ECL = """
import numpy as np, sys
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
with open(sys.argv[1], "rb") as file:
    n, entries = np.fromfile(file, "<i4", 2)
    indptr, indices = np.fromfile(file, "<i4", n + 1), np.fromfile(file, "<i4", entries)
    assert not file.read()
half = n // 2
rows = indptr[: half + 1]
matrix = csr_matrix((np.ones(rows[-1]), indices[: rows[-1]] - half, rows), (half, half))
columns = maximum_bipartite_matching(matrix, perm_type="column")
print("initRuntime: 0.001000 s\\nsizeof_initialMatching: 0 edges")
print("apSearchTime: 0.002000 s\\ntotalRunTime: 0.003000 s")
print("Edges in the maximum matching:")
for row, column in enumerate(columns):
    if column >= 0:
        print(row, column + half)
"""


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Put a program into the folder of programs."""
    monkeypatch.setenv(FOLDER, str(tmp_path))

    def put(name, text):
        path = tmp_path / name
        path.write_text(f"#!{sys.executable}\n{text}")
        path.chmod(0o755)
        return path

    return put


@pytest.mark.parametrize("name", ["gve_louvain", "nu_louvain"])
def test_communities_of_a_program_are_read_and_certified(programs, name):
    programs("louvain-communities", LOUVAIN)
    method, graph = get_runner(name), load("karate")
    assert method.available() is None
    result = uncertified(method.name, graph, threads=2)
    assert result.seconds == 0.0125
    assert (result.num_communities, result.figures["sweeps"]) == (1, 7)
    assert result.modularity == pytest.approx(0)
    assert method.certify(graph, result).ok
    two = Graph.from_edges(5, [0, 1, 3], [1, 2, 4], [1, 2, 3])
    assert uncertified(method.name, two).community.tolist() == [0, 0, 0, 1, 1]


def test_a_matching_of_a_program_is_read_and_certified(programs):
    programs("ecl-mm", ECL)
    method, matrix = get_runner("ecl_mm"), load_bipartite("karate")
    result = uncertified(method.name, matrix)
    assert (result.seconds, result.figures["initial_seconds"]) == (0.003, 0.001)
    assert method.certify(matrix, result).ok
    best = uncertified("hopcroft_karp", matrix)
    assert result.cardinality == best.cardinality


def test_a_program_takes_square_matrices_only(programs):
    programs("ecl-mm", ECL)
    wide = BipartiteGraph.from_entries([0], [2], shape=(1, 3))
    with pytest.raises(ParameterError, match="takes square matrices"):
        uncertified("ecl_mm", wide)


def test_a_missing_program_is_named_with_its_home(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_program("ecl-mm") is None
    for name, home, needs in (
        ("ecl_mm", "burtscher/ECL-MM", "printEdgesInMatching"),
        ("nu_louvain", "puzzlef", "benchmarks/peers/louvain_communities.cu"),
    ):
        assert home in get_runner(name).available()
        assert needs in get_runner(name).available()
    with pytest.raises(MissingDependency, match="name its folder in WARPLENS_PEERS"):
        uncertified("nu_louvain", load("karate"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import sys; sys.exit('no CUDA device')", "gave no result: no CUDA device"),
        ("print('milliseconds 1.0 passes 1 sweeps 1')", "wrote no communities"),
        ("open(__import__('sys').argv[4], 'w').write('x' * 40)", "wrote no communities"),
        ("import os; os.abort()", "ended with status -6"),
    ],
)
def test_a_program_that_fails_is_an_error_with_its_reason(programs, text, words):
    programs("louvain-communities", text)
    with pytest.raises(DeviceError, match=words):
        uncertified("gve_louvain", load("karate"))


def test_a_program_that_cannot_start_is_an_error(programs):
    programs("ecl-mm", "").write_text("no program")
    with pytest.raises(DeviceError, match="cannot be started"):
        uncertified("ecl_mm", load_bipartite("karate"))


def test_a_cancelled_program_is_ended(programs, tmp_path):
    mark = tmp_path / "begun"
    programs("ecl-mm", f"import time\nopen({str(mark)!r}, 'w')\ntime.sleep(600)")

    class Begun(threading.Event):
        def is_set(self):
            return mark.exists()

    with pytest.raises(Cancelled):  # without waiting for the program
        uncertified("ecl_mm", load_bipartite("karate"), cancel=Begun())
