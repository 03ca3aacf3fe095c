"""The sample graph gives the schedules that the paper describes, step by step."""

import string

import pytest

from gpucore.problems.ratings.load import load_ratings

LETTERS = string.ascii_lowercase[:12]
RATINGS = load_ratings("sample_ratings")
USER = dict(zip(LETTERS, RATINGS.by_item()[1].tolist(), strict=True))
ITEM = {x: m for m, edges in enumerate(("abcde", "fgh", "ij", "kl")) for x in edges}


def meet(x, y):
    return USER[x] == USER[y] or ITEM[x] == ITEM[y]


def matchings(order):
    """Return maximal matchings, each greedy in the given order of what is left."""
    found = []
    while order:
        chosen = ""
        for x in order:
            if not any(meet(x, y) for y in chosen):
                chosen += x
        found.append(chosen)
        order = [x for x in order if x not in chosen]
    return found


def passes(order):
    """Return the edges that each pass of the edge-locked schedule takes on, by two threads."""
    found = []
    while order:
        found.append(order)
        pairs = [order[at : at + 2] for at in range(0, len(order), 2)]
        order = "".join(pair[1] for pair in pairs if len(pair) == 2 and meet(*pair))
    return found


def test_the_edges_that_the_paper_names():
    assert RATINGS.shape == (6, 4)
    assert [ITEM[x] for x in LETTERS] == [
        m for m, many in enumerate((5, 3, 2, 2)) for _ in range(many)
    ]
    assert [USER[x] for x in "abfg"] == [0, 1, 0, 1]
    assert "".join(str(USER[x]) for x in LETTERS) == "012340134501"
    assert RATINGS.num_silent_users == 0
    assert RATINGS.names == ("u0", "u1", "u2", "u3", "u4", "u5", "m0", "m1", "m2", "m3")
    assert set(RATINGS.values.tolist()) == {1, 2, 4, 5}


@pytest.mark.parametrize("key", [LETTERS.index, lambda x: (USER[x], ITEM[x])])
def test_maximal_matchings(key):
    found = matchings(sorted(LETTERS, key=key))
    assert [set(m) for m in found] == [set(m) for m in ("agi", "bfj", "chk", "dl", "e")]
    steps = [(len(m) + 1) // 2 for m in found]  # AGM-E with two threads
    assert (steps[0], sum(steps)) == (2, 8)
    assert sum(bool(set(m) & set("ijkl")) for m in found) == 4  # AGM-N, the second block
    assert [set(m) for m in matchings("ijkl")] == [set("ik"), set("jl")]  # SGM: two steps


def test_edge_locked_passes():
    assert passes(LETTERS)[1] == "bdhjl"
    assert passes("kebdjchgfail") == ["kebdjchgfail", "dga"]


def test_node_locked_passes():
    both = list(zip("abcde", "fgh", strict=False))
    assert [y for x, y in both if meet(x, y)] == ["f", "g"]
    assert not any(meet(x, y) for x, y in zip("ij", "kl", strict=True))


def test_diagonals():
    cells = [(u, m) for u in range(6) for m in range(4)]
    assert len({u - m for u, m in cells}) == 9
    assert max(sum(u - m == d for u, m in cells) for d in range(-3, 6)) == 4
    diagonal = [x for x in LETTERS if USER[x] == ITEM[x]]  # d3, counted from the top right
    assert diagonal == ["a", "g"]
    assert not any(meet(x, y) for x in "ij" for y in diagonal)
    assert len({u // 2 - m // 2 for u, m in cells}) == 4
