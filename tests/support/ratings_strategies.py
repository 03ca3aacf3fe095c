"""Hypothesis strategies of small ratings, with users and items that have none."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from gpucore.problems.ratings.ratings import Ratings

VALUES = st.one_of(st.integers(-5, 5).map(float), st.floats(-(2.0**70), 2.0**70, width=32))


@st.composite
def rating_dicts(draw, most=9):
    """Draw the numbers of users and items, and a dict from pairs to ratings, in any order."""
    shape = draw(st.integers(1, most)), draw(st.integers(1, most))
    pairs = st.tuples(st.integers(0, shape[0] - 1), st.integers(0, shape[1] - 1))
    return shape, draw(st.dictionaries(pairs, VALUES, min_size=1, max_size=30))


@st.composite
def ratings(draw, most=9):
    """Draw ratings."""
    shape, entries = draw(rating_dicts(most))
    users, items = np.array(list(entries)).T
    return Ratings.from_entries(users, items, list(entries.values()), shape)
