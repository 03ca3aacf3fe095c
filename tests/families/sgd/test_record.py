"""The order of events in the record of a factorisation."""

import numpy as np

from gpucore.families.sgd.record import Kind, locks_first


def in_order(*events):
    """Return the ratings of (kind, user, item) events, numbered as logged, in their order."""
    kinds, users, items = (np.array(column, np.int32) for column in zip(*events, strict=True))
    zeros = np.zeros(len(events), np.int32)
    logged = np.arange(len(events), dtype=np.int32)
    columns = {"kind": kinds, "a": users, "b": items, "c": logged, "iteration": zeros}
    return locks_first(columns)["c"].tolist()


def test_a_lock_holder_that_moves_back_takes_along_those_it_locked_out():
    """User 0 is locked for item 5, of which user 1 has the lock and logs last."""
    found = in_order((Kind.DEFER_ITEM, 0, 5), (Kind.DEFER_USER, 0, 6), (Kind.UPDATE, 1, 5))
    assert found == [2, 0, 1]


def test_who_was_locked_out_of_the_user_had_no_lock_of_the_item():
    """Otherwise the first two events would have locked out each other, and nothing would move."""
    found = in_order((Kind.DEFER_USER, 0, 5), (Kind.DEFER_ITEM, 0, 5), (Kind.UPDATE, 1, 5))
    assert found == [2, 1, 0]
