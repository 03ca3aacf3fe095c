"""Hypothesis strategies of preference lists, and their meaning in plain dictionaries."""

from __future__ import annotations

from hypothesis import strategies as st


@st.composite
def preference_lists(draw, most=7):
    """Draw lists of men and of women, best first; not every entry is mutual."""
    men, women = draw(st.integers(0, most)), draw(st.integers(0, most))
    sides = ((men, women), (women, men))
    return tuple(
        [draw(st.lists(st.sampled_from(range(others)), unique=True)) if others else []
         for _ in range(own)]
        for own, others in sides
    )  # fmt: skip


def mutual_lists(men_lists, women_lists):
    """Return both sides' lists without the entries that are not mutual."""
    return (
        [[w for w in row if m in women_lists[w]] for m, row in enumerate(men_lists)],
        [[m for m in row if w in men_lists[m]] for w, row in enumerate(women_lists)],
    )


def rank_tables(men_lists, women_lists):
    """Return his rank of her and hers of him for every mutual pair, as a dictionary."""
    men, women = mutual_lists(men_lists, women_lists)
    return {
        (m, w): (row.index(w) + 1, women[w].index(m) + 1) for m, row in enumerate(men) for w in row
    }


def wives(preferences):
    """Return every man's wife, or -1, in the marriage that is best for the men, and his proposals.

    The men propose one by one; a man who is displaced goes on.
    """
    men, women = preferences.lists()
    ranks = [{m: rank for rank, m in enumerate(row)} for row in women]
    asked, husband = [0] * len(men), {}
    free = list(range(len(men)))
    while free:
        man = free.pop()
        while asked[man] < len(men[man]):
            woman = men[man][asked[man]]
            asked[man] += 1
            rival = husband.get(woman)
            if rival is None or ranks[woman][man] < ranks[woman][rival]:
                husband[woman] = man
                man = rival
                if man is None:
                    break
    found = {m: w for w, m in husband.items()}
    return [found.get(m, -1) for m in range(len(men))], sum(asked)
