"""Exercises of the lab on red/blue matching accept right answers and explain wrong ones."""

import numpy as np
import pytest

from gpucore.families.redblue.colours import md5_hashes
from warplens.labs.kit.lines import Line, lines
from warplens.labs.matching.runs import path
from warplens.labs.redblue import chances, responding
from warplens.labs.redblue import runs as redblue
from warplens.labs.redblue.runs import watch

RESPOND = """
enum { BLUE, RED };
SIMT_KERNEL(respond)(int n, const long long* indptr, const int* indices,
                     const int* state, int* sigma)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || state[v] != RED) return;
    for (long long e = indptr[v]; e < indptr[v + 1]; ++e) {
        const int w = indices[e];
        if (state[w] == BLUE && sigma[w] == v) { sigma[v] = w; break; }
    }
}
"""
PUSH = RESPOND.replace(
    RESPOND[RESPOND.index("    if (v") :],
    "    if (v >= n || state[v] != BLUE || sigma[v] < 0) return;\n    sigma[sigma[v]] = v;\n}\n",
)


@pytest.fixture(scope="module")
def row():
    return watch(path(3, 4, 5, 2, 6, 1, 4), seed=redblue.BY_HAND)


@pytest.fixture(scope="module")
def small():
    return watch("delaunay:n=12,seed=5", select="random")


@pytest.fixture(scope="module")
def mesh():
    return chances.choices("delaunay:n=1000,seed=1")


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [
        (2, True, "4 proposes to 5, 6 proposes to 5. Then 3 takes 2, 5 takes 4."),
        (3, False, "those are the proposals"),
        (6, False, "have no red neighbour"),
        (None, None, "None"),
    ],
)
def test_the_first_round_by_hand(row, guess, ok, why):
    verdict = redblue.first_pairs(guess, row)
    assert verdict.ok is ok
    assert why.lower() in verdict.why.lower()


def test_the_text_says_what_the_kernels_do(row, small):
    assert redblue.first_colours(8) == "blue 0, 1, 2, 4, 6, 7; red 3, 5"
    assert len(row.story().splitlines()) == row.record.num_events
    assert row.rounds().startswith("round 1: 8 live, 4 matched, 0 dead")
    dead = int((small.result.mate < 0).sum())
    assert redblue.alone(dead, small).ok
    assert redblue.alone(dead + 1, small).ok is False
    assert redblue.alone(dead, small).why.count("in round") == dead


def test_no_schedule_changes_the_story():
    runs = [watch("karate", schedule=schedule) for schedule in range(3)]
    assert redblue.schedules(1, runs).ok
    assert "3 different orders" in redblue.schedules(3, runs).why
    other = watch("karate", seed=1)
    assert redblue.schedules(2, [*runs, other]).ok
    assert redblue.races(runs=1).endswith(" 0 races")


@pytest.mark.parametrize(
    ("quarter", "ok"),
    [
        (md5_hashes, True),
        (lambda v, r: md5_hashes(v, r + 2), False),
        (lambda v, r: np.zeros_like(v), False),
    ],
)
def test_hashes_are_compared_with_the_kernels(small, quarter, ok):
    verdict = redblue.same_bits(quarter, small)
    assert verdict.ok is ok
    assert "same bits" in verdict.why if ok else "In round 1 the kernel's colour" in verdict.why


def test_the_constants_are_those_of_md5():
    v, r = np.arange(50, dtype=np.uint32), 2735729615
    a, b, c, d = redblue.START
    words = v
    for sine, turn in zip(redblue.SINES, redblue.TURNS, strict=True):
        mixed = a + ((b & c) | (~b & d)) + sine + words
        a, b, c, d = d, b + redblue.rotate(mixed, turn), b, c
        words = words * np.uint32(r)
    np.testing.assert_array_equal(a + b + c + d + sum(redblue.START), md5_hashes(v, r))


@pytest.mark.parametrize(("guess", "ok"), [(0, True), (7, False), (None, None)])
def test_one_vertex_never_changes_its_colour(guess, ok):
    assert redblue.never_changes(guess, vertices=200, rounds=32).ok is ok


def test_the_best_chance_of_blue():
    measured = chances.sweep("gnp:n=3000,p=0.005,seed=1", seeds=2)
    assert np.abs(measured.first["gnp"][9] - 0.632) < 0.03
    assert chances.chance(0.53, measured).ok
    assert "Equal sides are nearly as good" in chances.chance(0.5, measured).why
    assert chances.chance(0.9, measured).ok is False
    assert chances.chance("half", measured).ok is None
    assert chances.chance(None, measured).ok is None
    assert measured.picture().html.count("stroke-dasharray") == 2
    assert "<circle" in chances.over_rounds("karate").html


def test_methods_side_by_side(mesh):
    table = str(mesh).splitlines()
    assert len(table) == 7
    assert table[2].split()[:5] == ["algorithm", "1,", "anyone", table[2].split()[3], "100.0%"]
    weight = 100 * mesh.rows["red/blue, heaviest"][1] / mesh.rows["algorithm 2"][1]
    assert chances.weight_of_two(round(weight), mesh).ok
    assert chances.weight_of_two(20, mesh).ok is False
    assert chances.weight_of_two(None, mesh).ok is None


def test_levels_are_counted_and_drawn():
    name = "delaunay:n=60,seed=1"
    html = chances.levels(name)._repr_html_()
    drawn = html.count("<figure")
    assert chances.contractions(drawn - 1, name).ok
    assert "60, " in chances.contractions(6, name).why
    assert chances.contractions(2, "path:n=4").ok


@pytest.mark.parametrize(
    ("source", "ok", "why"),
    [
        (RESPOND, True, "no race"),
        (PUSH, None, "a global store in line 8 and a global store in line 8"),
        (RESPOND.replace("state[w] == BLUE && ", ""), False, "not without data races"),
        (RESPOND.replace(" && sigma[w] == v", ""), False, "proposed, but its sigma is"),
        (RESPOND.replace("sigma[v] = w", ""), False, "but its sigma is -1"),
        (RESPOND.replace("sigma[v] = w", "sigma[w] = v + 1"), False, "not its turn"),
        (RESPOND.replace("int w", "int x"), False, "does not compile"),
    ],
)
def test_responses_are_tried_round_after_round(lab_compiler, source, ok, why):
    verdict = responding.kernel(source, schedules=2)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("edges", "ok", "why"),
    [
        ([(u, v) for u in range(23) for v in range(u)], True, "If they choose anyone instead"),
        ([(u, v) for u in range(24) for v in range(u)], False, "odd number"),
        ([(0, v, 2.5) for v in range(1, 24)], False, "make pairs rare"),
        ([(0, 24)], False, "from 0 to 23"),
        ([(0, 1, -1)], False, "above 0"),
        ([(0,)], False, "two ends"),
        ([], False, "two ends"),
        (3, False, "not iterable"),
    ],
)
def test_late_deaths(edges, ok, why):
    verdict = responding.late(edges)
    assert verdict.ok is ok
    assert why in verdict.why


def test_lines_are_named_and_inside_the_axes():
    html = lines(
        {"<up>": Line([0, 2], [0.0, 1.0]), "law": Line([0, 2], [1.0, 0.0], True)},
        label="rounds",
        ticks=[0, 1, 2],
    ).html
    assert html.count("<circle") == 2
    assert "&lt;up&gt;" in html
    assert ">rounds<" in html
