"""Sentences about Suitor and locally dominant edges."""

from . import said


def had_no_suitor(now, a, b, x):
    before, after = now.before, now.after
    return before["suitor"][b] < 0 and after["suitor"][b] == a and said(now.weights(a)[b], x)


def _bids(now, a, b, c, x):
    """Return the new bid and the one that b holds, if b holds that of c; else nothing."""
    weights = now.weights(b)
    if now.before["suitor"][b] != c or not said(weights[a], x):
        return None
    return weights[a], weights[c]


def displaces_less(now, a, b, c, x):
    bids = _bids(now, a, b, c, x)
    return bids is not None and bids[0] > bids[1] and now.after["suitor"][b] == a


def displaces_as_much(now, a, b, c, x):
    bids = _bids(now, a, b, c, x)
    return bids is not None and bids[0] == bids[1] and a > c and now.after["suitor"][b] == a


def has_bid_more(now, a, b, c, x):
    bids = _bids(now, a, b, c, x)
    return bids is not None and bids[0] < bids[1] and now.after["suitor"][b] == c


def has_bid_as_much(now, a, b, c, x):
    bids = _bids(now, a, b, c, x)
    return bids is not None and bids[0] == bids[1] and c > a and now.after["suitor"][b] == c


def no_candidate_left(now, a):
    """Every neighbour holds a better bid or is matched, and the vertex ends without a mate."""
    state, final = now.before, now.record.final["suitor"]
    for w, weight in now.weights(a).items():
        holder = state["suitor"][w]
        matched = holder >= 0 and state["suitor"][holder] == w
        if not matched and (state["bid"][w], holder) <= (weight, a):
            return False
    return not any(final[w] == a for w in now.weights(a))


def is_heaviest_free(now, a, b, x):
    """b is free, and of the free neighbours' edges that of b is the heaviest, then the largest."""
    weights, suitor = now.weights(a), now.before["suitor"]
    free = {w: (weight, w) for w, weight in weights.items() if suitor[w] < 0}
    return b in free and free[b] == max(free.values()) and said(weights[b], x)


def point_to_each_other(now, a, b, x):
    target = now.before["target"]
    return target[a] == b and target[b] == a and said(now.weights(a)[b], x)


def moves_where_less_is_to_do(now, a, b, c):
    """The vertex was in the first warp, and has not been displaced into another since."""
    return now.before["warp"][a] == int(b) and now.after["warp"][a] == int(c)


RULES = {
    "{a} proposes to {b} with {x:n}, and {b} had no suitor": had_no_suitor,
    "{a} proposes to {b} with {x:n} and displaces {c}": displaces_less,
    "{a} proposes to {b} with {x:n} and displaces {c}, whose bid is equal: "
    "the larger number wins": displaces_as_much,
    "{a} proposes to {b} with {x:n}, but {c} has bid more": has_bid_more,
    "{a} proposes to {b} with {x:n}, but the bid of {c} is equal: "
    "the larger number wins": has_bid_as_much,
    "{a} has no candidate left and stays alone": no_candidate_left,
    "{a} moves from warp {b:n} to warp {c:n}, which has less to do": moves_where_less_is_to_do,
    "{a} points to {b}, its heaviest neighbour still free ({x:n})": is_heaviest_free,
    "{a} is matched with {b} ({x:n}): they point to each other": point_to_each_other,
}
