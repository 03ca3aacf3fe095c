"""Instances of stable roommates, and slow, simple reference methods."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from gpucore.problems.roommates.roommates import Roommates


def numbered_from_1(*rows):
    """Return lists as papers write them, "2 3 4"."""
    return [[int(word) - 1 for word in row.split()] for row in rows]


#: R. W. Irving, J. Algorithms 6 (1985): 1-6, 2-3, 4-5 is stable; phase 2 has one rotation.
SOLVABLE = numbered_from_1(
    "4 6 2 5 3", "6 3 5 1 4", "4 5 1 6 2", "2 6 5 1 3", "4 2 3 6 1", "5 1 4 2 3"
)
#: Gale and Shapley's four (1962): whoever is paired with the last person blocks with another.
UNSOLVABLE = numbered_from_1("2 3 4", "3 1 4", "1 2 4", "1 2 3")


@st.composite
def roommates(draw, most=8):
    """Draw lists: complete ones, thin ones, and from a few people to `most`."""
    n = draw(st.integers(0, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    share = draw(st.sampled_from([1.0, 0.9, 0.7, 0.4]))
    wanted = np.triu(rng.random((n, n)) < share, 1)
    return Roommates.from_lists([rng.permutation(np.flatnonzero(w)) for w in wanted | wanted.T])


def every_matching(n, pairs):
    """Yield every matching as a tuple of mates, -1 for none."""

    def extend(p, mate):
        while p < n and mate[p] is not None:
            p += 1
        if p == n:
            yield tuple(mate)
            return
        for q in [-1, *(q for q in range(p + 1, n) if (p, q) in pairs and mate[q] is None)]:
            taken = list(mate)
            taken[p] = q
            if q >= 0:
                taken[q] = p
            yield from extend(p + 1, taken)

    yield from extend(0, [None] * n)


def blocking(lists, mate):
    """Return the pairs that both prefer to what they have."""

    def wants(p, q):
        return mate[p] < 0 or lists[p].index(q) < lists[p].index(mate[p])

    pairs = [(p, q) for p, row in enumerate(lists) for q in row if p < q]
    return [(p, q) for p, q in pairs if mate[p] != q and wants(p, q) and wants(q, p)]


def stable_matchings(problem):
    """Return every stable matching, by trying all matchings."""
    lists = problem.lists()
    pairs = {(p, q) for p, row in enumerate(lists) for q in row}
    found = every_matching(problem.num_vertices, pairs)
    return {mate for mate in found if not blocking(lists, mate)}


@st.composite
def fixtures(draw, most=6):
    """Draw lists, and how many mates each person may have: from none to more than are listed."""
    problem = draw(roommates(most=most))
    n = problem.num_vertices
    return problem, draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))


def stable_fixtures(problem, room):
    """Return every stable solution, a set of pairs each, by trying all sets of pairs."""
    lists = problem.lists()
    pairs = [(p, q) for p, row in enumerate(lists) for q in row if p < q]
    found = set()

    def wants(p, q, mates):
        own = mates[p]
        worse = [other for other in own if lists[p].index(other) > lists[p].index(q)]
        return len(own) < room[p] or (room[p] > 0 and worse)

    def extend(at, mates):
        if at < len(pairs):
            p, q = pairs[at]
            extend(at + 1, mates)
            if len(mates[p]) < room[p] and len(mates[q]) < room[q]:
                extend(at + 1, mates | {p: mates[p] | {q}, q: mates[q] | {p}})
            return
        free = [(p, q) for p, q in pairs if q not in mates[p]]
        if not any(wants(p, q, mates) and wants(q, p, mates) for p, q in free):
            found.add(frozenset((p, q) for p, q in pairs if q in mates[p]))

    extend(0, {p: frozenset() for p in range(problem.num_vertices)})
    return found
