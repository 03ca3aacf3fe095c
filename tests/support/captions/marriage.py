"""Sentences about proposals, ranks and engagements."""

from functools import lru_cache

ENGAGE = 1


@lru_cache(maxsize=1)
def _lists(preferences):
    return preferences.lists()


def _ranks(now, a, b):
    """Return the place of b in the list of a, and that of a in the list of b, both from 1."""
    preferences = now.graph.preferences
    men = preferences.num_men
    ranked = []
    for person, other in ((a, b), (b, a)):
        side, own = (0, person) if person < men else (1, person - men)
        row = _lists(preferences)[side][own]
        ranked.append(row.index(other - men if person < men else other) + 1)
    return ranked


def _better(now, a, b, state):
    """Whether b is engaged to one that she prefers to a."""
    mate = state["mate"][b]
    return mate >= 0 and _ranks(now, mate, b)[1] < _ranks(now, a, b)[1]


def _right(now, a, b, place, rank):
    return _ranks(now, a, b) == [int(place), int(rank)]


def leaves(now, a, b, place, c, rank):
    before, after = now.before["mate"], now.after["mate"]
    changed = before[b] == c and after[b] == a and after[c] < 0
    return changed and not _better(now, a, b, now.before) and _right(now, a, b, place, rank)


def was_alone(now, a, b, place, rank):
    free = now.before["mate"][b] < 0 and now.after["mate"][b] == a
    return free and _right(now, a, b, place, rank)


def stays_with(now, a, b, place, c, rank):
    kept = now.before["mate"][b] == c == now.after["mate"][b]
    return kept and _better(now, a, b, now.before) and _right(now, a, b, place, rank)


def holds_a_better_one(now, a, b, place, rank):
    return _better(now, a, b, now.before) and _right(now, a, b, place, rank)


def has_a_better_one(now, a, b, place, rank):
    """She is engaged to a better one, or a better one has proposed to her in this round."""
    asked = any(
        now.before["aim"][other] == b and _ranks(now, other, b)[1] < int(rank)
        for other in range(len(now.before["aim"]))
    )
    return (asked or _better(now, a, b, now.before)) and _right(now, a, b, place, rank)


def came_to_the_end(now, a):
    preferences = now.graph.preferences
    men = preferences.num_men
    side, own = ("men", a) if a < men else ("women", a - men)
    length = int(preferences.list_lengths(side)[own])
    return now.before["place"][a] == length and now.record.final["mate"][a] < 0


def another_was_faster(now, a, b, place):
    events = now.columns
    engaged = (events["kind"] == ENGAGE) & (events["b"] == b) & (events["a"] != a)
    return bool(engaged.any()) and _ranks(now, a, b)[0] == int(place)


def asks(now, a, b, place, rank):
    return now.after["aim"][a] == b and _right(now, a, b, place, rank)


_ASKS = "{a} proposes to {b}, his choice number {place:n}; she ranks him {rank:n} and "
_MEN = {
    _ASKS + "leaves {c}": leaves,
    _ASKS + "was alone": was_alone,
    _ASKS + "stays with {c}": stays_with,
    _ASKS + "holds a better one": holds_a_better_one,
    _ASKS + "answers when all have proposed": asks,
    "{a} passes {b} by, his choice number {place:n}: she ranks him {rank:n} and has a better "
    "one": has_a_better_one,
    "{a} has come to the end of his list and stays alone": came_to_the_end,
    "{a} comes too late to {b}, his choice number {place:n}: another was faster, so he looks at "
    "her again": another_was_faster,
}
_SWAPPED = {"his": "her", "him": "her", "he": "she", "she": "he", "her": "him"}
RULES = _MEN | {
    " ".join(_SWAPPED.get(word, word) for word in text.split(" ")): claim
    for text, claim in _MEN.items()
}
