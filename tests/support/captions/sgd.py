"""Sentences about ratings and locks."""

import numpy as np

from . import said

UPDATE = 1


def is_processed(now, a, b, x):
    at = now.event
    events = now.record.events
    rating = events["c"][at]
    more = now.after["processed"][rating] - now.before["processed"][rating]
    partners = now.after["partner"]
    return more == 1 and partners[a] == b and partners[b] == a and said(events["value"][at], x)


def _locked(now, vertex, other):
    """Whether an update of this launch, or one that was locked out itself, had the lock before."""
    events, at = now.columns, now.event
    launch = events["iteration"] == now.record.events["iteration"][at]
    mine = (events["a"] == vertex) | (events["b"] == vertex)
    another = np.where(events["a"] == vertex, events["b"], events["a"]) != other
    return bool(np.any(launch & mine & another))


def user_was_locked(now, a, b):
    return _locked(now, a, b) and now.after["waiting"][now.record.events["c"][now.event]] != 0


def item_was_locked(now, a, b):
    return _locked(now, b, a) and now.after["waiting"][now.record.events["c"][now.event]] != 0


RULES = {
    "the rating of {a} for {b} is processed; the prediction was off by {x:n}": is_processed,
    "the rating of {a} for {b} is deferred: {a} was locked": user_was_locked,
    "the rating of {a} for {b} is deferred: {b} was locked": item_was_locked,
}
