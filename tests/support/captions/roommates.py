"""Sentences about proposals that are held, lists that are cut, rotations and odd parties."""

import numpy as np

from gpucore.problems.roommates.roommates import as_roommates

PROPOSE, FIND, MOVE, PARTY = 1, 5, 6, 7


def _list(now, person):
    lists = as_roommates(now.graph)
    return lists.others[lists.indptr[person] : lists.indptr[person + 1]].tolist()


def _rank(now, person, other):
    return _list(now, person).index(other) + 1


def _proposes(now, state, person, other):
    lists = as_roommates(now.graph)
    return state["bid"][lists.indptr[person] + _rank(now, person, other) - 1] == 1


def _room(now, person):
    capacity = now.record.final.get("capacity")
    return 1 if capacity is None else int(capacity[person])


def _held(now, state, person):
    """Return from whom a person holds proposals, the best first."""
    return [other for other in _list(now, person) if _proposes(now, state, other, person)]


def _left(now, state, person):
    """Return who is left in a list: each stands before the end of the other's list, too."""
    return [
        other
        for other in _list(now, person)
        if _rank(now, person, other) <= state["last"][person]
        and _rank(now, other, person) <= state["last"][other]
    ]


def _right(now, a, b, place, rank):
    return (_rank(now, a, b), _rank(now, b, a)) == (int(place), int(rank))


def _changes(now, a, b):
    return not _proposes(now, now.before, a, b) and _proposes(now, now.after, a, b)


def had_room(now, a, b, place, rank):
    free = len(_held(now, now.before, b)) < _room(now, b)
    return free and _changes(now, a, b) and _right(now, a, b, place, rank)


def lets_the_worst_go(now, a, b, place, rank, c):
    held = _held(now, now.before, b)
    worst = held[-1] == c and len(held) == _room(now, b) and _rank(now, b, a) < _rank(now, b, c)
    gone = not _proposes(now, now.after, c, b)
    return worst and gone and _changes(now, a, b) and _right(now, a, b, place, rank)


def would_refuse(now, a, b, place):
    """All that b has room for are better, or the list of a is cut before b."""
    held = _held(now, now.before, b)
    better = len(held) == _room(now, b) and all(_rank(now, b, c) < _rank(now, b, a) for c in held)
    cut = _room(now, b) == 0 or _rank(now, a, b) > now.before["last"][a]
    return _rank(now, a, b) == int(place) and (better or cut)


def cuts_the_list(now, a, place):
    """The list ends with the worst proposal that is held, and no better person is deleted."""
    held = _held(now, now.before, a)
    worst = _rank(now, a, held[-1]) if held else 0
    return int(place) == now.after["last"][a] == worst < now.before["last"][a]


def came_to_the_end(now, a):
    """Everyone left in the list has got a proposal."""
    left = _left(now, now.before, a)
    return all(_proposes(now, now.before, a, other) for other in left)


def is_in_a_rotation(now, a, batch, b, c):
    """b is the first in the list to whom a does not propose, and c goes on in the rotation."""
    others = [o for o in _left(now, now.before, a) if not _proposes(now, now.before, a, o)]
    events = now.record.events
    mine = (events["kind"] == FIND) & (events["batch"] == int(batch))
    follows = c in events["a"][mine]
    return others[0] == b and _left(now, now.before, b)[-1] == c and follows


def moves_on(now, a, b, place, rank, c):
    """The rotation was found with these three."""
    events = now.columns
    found = (events["kind"] == FIND) & (events["a"] == a) & (events["b"] == b)
    gone = not _proposes(now, now.after, c, b) and _proposes(now, now.before, c, b)
    named = bool(np.any(found & (events["c"] == c)))
    return named and gone and _changes(now, a, b) and _right(now, a, b, place, rank)


def is_in_an_odd_party(now, a, b):
    """The party is a cycle of an odd number, at least three, all of it in the last rotation."""
    events, party = now.record.events, now.record.final["party"]
    cycle, at = [a], int(party[a])
    while at != a and len(cycle) < len(party):
        cycle, at = [*cycle, at], int(party[at])
    now_found = events["iteration"] == events["iteration"][now.event]
    found = set(events["a"][now_found & (events["kind"] == FIND)].tolist())
    return party[a] == b and len(cycle) % 2 == 1 and len(cycle) >= 3 and set(cycle) == found


_ASKS = "{a} proposes to {b}, choice number {place:n}; {b} ranks {a} as number {rank:n} and "
RULES = {
    _ASKS + "had room": had_room,
    _ASKS + "lets {c} go": lets_the_worst_go,
    "{a} passes {b} by, choice number {place:n}: {b} would refuse": would_refuse,
    "{a} deletes all who stand behind place {place:n} of the list": cuts_the_list,
    "{a} has come to the end of the list": came_to_the_end,
    "{a} is in rotation {batch:n}: the next choice is {b}, whose list ends with "
    "{c}": is_in_a_rotation,
    "{a} moves on to {b}, choice number {place:n}; {b} ranks {a} as number {rank:n} and lets {c} "
    "go": moves_on,
    "{a} is in an odd party, followed by {b}: no solution is stable": is_in_an_odd_party,
}
