"""Sentences about searches, paths and repairs; rows come before columns."""

import numpy as np

PHASE, FLIP = 1, 4


def _phase(now, a):
    """Whether this is the phase of that number."""
    return int(np.count_nonzero(now.columns["kind"] == PHASE)) + 1 == int(a)


def _unmatched(now):
    """Return how many columns have no row that names them back."""
    rows = now.record.header["parts"][0]["size"]
    mate = now.before["mate"]
    columns = np.arange(rows, len(mate))
    return sum(1 for c in columns if mate[c] < 0 or mate[mate[c]] != c)


def begins(now, a):
    return _phase(now, a)


def begins_with(now, a, x):
    return _phase(now, a) and _unmatched(now) == int(x)


def _neighbours(now, a, b):
    return b in now.weights(a)


def reaches_matched(now, a, b, c, x):
    joined = now.before["mate"][b] == c
    return joined and _neighbours(now, a, b) and now.after["wave"][c] == int(x) + 1


def reaches_unmatched(now, a, b):
    return _neighbours(now, a, b) and now.before["mate"][b] < 0


def reaches_unmatched_from(now, a, b, c):
    return reaches_unmatched(now, a, b) and now.before["mate"][c] < 0


def _takes(now, a, b):
    after = now.after["mate"]
    return after[a] == b and after[b] == a and _neighbours(now, a, b)


def had_or_has(now, a, b, *rows):
    """The column had one of these rows, or it has been given b before."""
    had = now.before["mate"][a]
    return had == b or had in rows


def row_goes(now, a, b, c):
    return _takes(now, a, b) and had_or_has(now, a, b, c)


def path_ends(now, a, b):
    return _takes(now, a, b) and had_or_has(now, a, b, -1)


def _given_before(now, a, over):
    events = now.columns
    given = (events["kind"] == FLIP) & (events["a"] == a) & (events["b"] == over)
    launch = events["iteration"] == now.record.events["iteration"][now.event]
    return now.before["mate"][a] == over and bool((given & launch).any())


def takes_over_row(now, a, b, over):
    return _takes(now, a, b) and _given_before(now, a, over)


def takes_over_row_and_goes(now, a, b, over, c):
    return _takes(now, a, b) and _given_before(now, a, over) and c != over


def has_gone(now, a, b, c):
    """Another walk has given the column to that row before."""
    events = now.columns
    gone = (events["kind"] == FLIP) & (events["a"] == b) & (events["b"] == c)
    return bool(gone.any())


def is_taken(now, a, b):
    events = now.columns
    return bool(((events["kind"] == FLIP) & (events["a"] == b)).any())


def names_another(now, a, b, c):
    before = now.before["mate"]
    return before[a] == b and before[b] == c != a and now.after["mate"][a] < 0


def names_a_column(now, a, b):
    before = now.before["mate"]
    return before[a] == b and before[b] != a and now.after["mate"][a] < 0


def was_not_walked(now, a):
    """The row has no column: the path that was found to it is not walked."""
    return now.after["mate"][a] < 0


def takes_over(now, a, b, c):
    return now.before["mate"][b] == c and _neighbours(now, a, b)


def takes_over_unmatched(now, a, b):
    return now.before["mate"][b] < 0 and _neighbours(now, a, b)


def leave_the_search(now, a, b):
    return now.before["mate"][a] == b and not now.after["wave"][[a, b]].any()


def leaves_the_search(now, a):
    return not now.after["wave"][a]


def to_begin_with(now, a, b):
    free = now.before["mate"][a] < 0 and now.before["mate"][b] < 0
    phases = np.count_nonzero(now.columns["kind"] == PHASE)
    return free and not phases and now.after["mate"][a] == b


_AGAIN = "the search starts again from every one"
_ON = "trees that found no path go on growing"
_TAKES = "column {a} takes row {b}"
_OVER = _TAKES + ", over {over}, which another walk gave it"
_GOES = "; {c} goes to the column that reached it"
RULES = {
    "phase {a:n} begins, unmatched columns: {x:n}; " + _AGAIN: begins_with,
    "phase {a:n} begins, unmatched columns: {x:n}; " + _ON: begins_with,
    "phase {a:n} begins; " + _AGAIN: begins,
    "phase {a:n} begins; " + _ON: begins,
    "column {a} reaches row {b}, whose column {c} joins level {x:n}": reaches_matched,
    "column {a} reaches row {b}, which is unmatched: an augmenting path": reaches_unmatched,
    "column {a} reaches row {b}, which is unmatched: an augmenting path from column "
    "{c}": reaches_unmatched_from,
    _TAKES + _GOES: row_goes,
    _TAKES + "; the path ends here": path_ends,
    _OVER + _GOES: takes_over_row_and_goes,
    _OVER + "; the path ends here": takes_over_row,
    "the walk at row {a} stops: column {b} has gone to row {c} on another walk": has_gone,
    "the walk at row {a} stops: column {b} is taken on another walk": is_taken,
    "row {a} is unmatched again: it names column {b}, but that column has row {c}": names_another,
    "row {a} is unmatched again: it names column {b}": names_a_column,
    "row {a} is unmatched again: the path that ended here was not walked": was_not_walked,
    "column {a}, whose tree found no path, takes over row {b} with its column {c}": takes_over,
    "column {a}, whose tree found no path, takes over row {b}, which is unmatched: an augmenting "
    "path": takes_over_unmatched,
    "row {a} and its column {b} leave the search, since the tree was augmented": leave_the_search,
    "row {a} leaves the search, since the tree was augmented": leaves_the_search,
    "column {a} is matched to row {b} to begin with": to_begin_with,
}
