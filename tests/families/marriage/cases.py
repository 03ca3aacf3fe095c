"""Instances of stable marriage, and slow, simple reference methods."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from gpucore.problems.preferences.preferences import Preferences


@st.composite
def instances(draw, most=6, capacities=False):
    """Draw incomplete lists of two sides, or shared ones; with capacities if asked for."""
    men, women = draw(st.integers(0, most)), draw(st.integers(0, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    room = {}
    if capacities:
        room = {
            "man_capacity": rng.integers(1, 4, men),
            "woman_capacity": rng.integers(1, 4, women),
        }
    if draw(st.integers(0, 3)) == 0:
        return Preferences.shared(rng.permutation(women), rng.permutation(men) + 1, **room)
    wanted = rng.random((men, women)) < draw(st.sampled_from([1.0, 0.7, 0.3]))
    his = [rng.permutation(np.flatnonzero(row)).tolist() for row in wanted]
    hers = [rng.permutation(np.flatnonzero(row)).tolist() for row in wanted.T]
    return Preferences.from_lists(his, hers, **room)


def capacities_of(preferences):
    """Return the men's and the women's capacities as lists."""
    sizes = (preferences.num_men, preferences.num_women)
    given = (preferences.man_capacity, preferences.woman_capacity)
    return [[1] * n if c is None else c.tolist() for n, c in zip(sizes, given, strict=True)]


def best_for_men(preferences):
    """Return the pairs of deferred acceptance, one proposal at a time, as a sorted list."""
    his, hers = preferences.lists()
    room_his, room_hers = capacities_of(preferences)
    read = [0] * len(his)
    women_have = [[] for _ in hers]
    men_have = [0] * len(his)
    asking = [m for m in range(len(his)) if his[m]]
    while asking:
        m = asking.pop(0)
        if men_have[m] == room_his[m] or read[m] == len(his[m]):
            continue
        w = his[m][read[m]]
        read[m] += 1
        women_have[w].append(m)
        men_have[m] += 1
        if len(women_have[w]) > room_hers[w]:
            worst = max(women_have[w], key=hers[w].index)
            women_have[w].remove(worst)
            men_have[worst] -= 1
            asking.append(worst)
        asking.append(m)
    return sorted((m, w) for w, own in enumerate(women_have) for m in own)


def blocking(preferences, pairs):
    """Return the pairs that block a marriage, sorted by man and his rank."""
    his, hers = preferences.lists()
    room_his, room_hers = capacities_of(preferences)

    def agrees(own, person, other, has, room):
        return len(has) < room or own[person].index(other) < max(map(own[person].index, has))

    wives = [[w for m, w in pairs if m == man] for man in range(len(his))]
    husbands = [[m for m, w in pairs if w == woman] for woman in range(len(hers))]
    return [
        (m, w)
        for m, row in enumerate(his)
        for w in row
        if (m, w) not in pairs
        and agrees(his, m, w, wives[m], room_his[m])
        and agrees(hers, w, m, husbands[w], room_hers[w])
    ]


def arrays(pairs):
    """Return pairs as the arrays men and women."""
    both = np.array(sorted(pairs), np.int32).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def stable_marriages(preferences):
    """Return every stable marriage of a small instance, by trying all of them."""
    his, _ = preferences.lists()

    def extend(man, pairs):
        if man == len(his):
            yield sorted(pairs)
            return
        taken = {w for _, w in pairs}
        yield from extend(man + 1, pairs)
        for w in his[man]:
            if w not in taken:
                yield from extend(man + 1, [*pairs, (man, w)])

    return [pairs for pairs in extend(0, []) if not blocking(preferences, pairs)]
