"""Sentences about ratings and locks."""

import numpy as np

from . import said

UPDATE, DEFER_ITEM = 1, 3


def is_processed(now, a, b, x):
    at = now.event
    events = now.record.events
    rating = events["c"][at]
    more = now.after["processed"][rating] - now.before["processed"][rating]
    partners = now.after["partner"]
    return more == 1 and partners[a] == b and partners[b] == a and said(events["value"][at], x)


def _locked(now, end, vertex, *holders):
    """Whether an event of this launch whose worker had the lock of a vertex came before."""
    events, at = now.columns, now.event
    launch = events["iteration"] == now.record.events["iteration"][at]
    had = launch & (events[end] == vertex) & np.isin(events["kind"], holders)
    return bool(np.any(had)) and now.after["waiting"][now.record.events["c"][at]] != 0


def user_was_locked(now, a, b):
    return _locked(now, "a", a, UPDATE, DEFER_ITEM)  # who lacked the item had the user for a moment


def item_was_locked(now, a, b):
    return _locked(now, "b", b, UPDATE)


RULES = {
    "the rating of {a} for {b} is processed; the prediction was off by {x:n}": is_processed,
    "the rating of {a} for {b} is deferred: {a} was locked": user_was_locked,
    "the rating of {a} for {b} is deferred: {b} was locked": item_was_locked,
}
