"""Sentences about b-Suitor."""

import numpy as np

from . import said


def offers_at(now, state, b):
    """Return the keys (weight, proposer) of the offers that b holds."""
    initial = now.record.initial
    row = slice(initial["indptr"][b], initial["indptr"][b + 1])
    held = initial["indices"][row][state["offer"][row] == 1]
    weights = now.weights(b)
    return {(weights[p], p) for p in held.tolist()}


def worst(now, b):
    """Return the weakest offer that b holds once it is full; nothing while it is not."""
    offers = offers_at(now, now.before, b)
    full = len(offers) >= now.record.initial["capacity"][b]
    return min(offers, default=(np.inf, 0)) if full else None


def takes_the_offer(now, a, b, x):
    weight = now.weights(a)[b]
    before, after = offers_at(now, now.before, b), offers_at(now, now.after, b)
    return said(weight, x) and (weight, a) not in before and (weight, a) in after


def _falls(now, a, b, c, x):
    """Return the key that falls out and the one that pushes it, if b holds both; else nothing."""
    weights = now.weights(b)
    fallen, pushes = (weights[c], c), (weights[a], a)
    before, after = offers_at(now, now.before, b), offers_at(now, now.after, b)
    full = len(before) > now.record.initial["capacity"][b]
    if not said(weights[c], x) or not full or not {fallen, pushes} <= before:
        return None
    return None if fallen in after else (fallen, pushes)


def pushed_out(now, a, b, c, x):
    keys = _falls(now, a, b, c, x)
    return keys is not None and keys[0][0] < keys[1][0]


def pushed_out_by_equal(now, a, b, c, x):
    keys = _falls(now, a, b, c, x)
    return keys is not None and keys[0][0] == keys[1][0] and c < a


def holds_better_only(now, a, b, x):
    weight, least = now.weights(a)[b], worst(now, b)
    return least is not None and least[0] > weight and said(weight, x)


def holds_equal_one(now, a, b, x):
    weight, least = now.weights(a)[b], worst(now, b)
    return least is not None and least[0] == weight and least[1] > a and said(weight, x)


def better_ones_come(now, a, b, x):
    """As many better offers as b may hold are made in the run."""
    weights, events = now.weights(b), now.record.events
    key = (weights[a], a)
    made = events["a"][(events["kind"] == 1) & (events["b"] == b)].tolist()
    better = {p for p in made if (weights[p], p) > key}
    return len(better) >= now.record.initial["capacity"][b] and said(weights[a], x)


def no_candidate_left(now, a):
    """Each neighbour has been asked, or holds as many offers as it may, all of them better."""
    events = now.columns
    own = (events["a"] == a) & np.isin(events["kind"], (1, 3))
    asked = set(events["b"][own].tolist())
    for w, weight in now.weights(a).items():
        if w in asked:
            continue
        least = worst(now, w)
        if least is None or least < (weight, a):
            return False
    return True


RULES = {
    "{a} proposes to {b} with {x:n}, and {b} takes the offer": takes_the_offer,
    "at {b} the offer of {c} falls out ({x:n}), pushed by that of {a}": pushed_out,
    "at {b} the offer of {c} falls out ({x:n}), pushed by that of {a}, which is equal: "
    "the larger number wins": pushed_out_by_equal,
    "{a} proposes to {b} with {x:n}, but {b} holds better offers only": holds_better_only,
    "{a} proposes to {b} with {x:n}, but the weakest offer that {b} holds is equal: "
    "the larger number wins": holds_equal_one,
    "{a} proposes to {b} with {x:n}, but {b} refuses it for better ones that come at the same "
    "time": better_ones_come,
    "{a} has no candidate left for a proposal": no_candidate_left,
}
