"""The pseudo-code of stable roommates, in our words.

R. W. Irving, "An efficient algorithm for the stable roommates problem", J. Algorithms 6 (1985);
with the terms of D. Gusfield, R. W. Irving, "The Stable Marriage Problem", 1989, chapter 4.
"""

from __future__ import annotations

from gpucore.families.roommates.timeline import Kind

from ...code.book import CodeBook, Listing, Step

_IRVING = (
    "phase 1: for each person p",
    "    while p has no proposal that is held:",
    "        q ← the next on p's list",
    "        if q would refuse: p passes q by",
    "        if there is no q: p is at the end, stop",
    "        else p proposes to q, who holds it",
    "        q deletes all who stand behind p",
    "        p ← the person whom q lets go, if any",
    "",
    "phase 2: while a person has a second choice",
    "    p ← that person",
    "    repeat, until a person comes again:",
    "        q ← the second choice on p's list",
    "        p ← the last on q's list",
    "    the people of the cycle: a rotation",
    "    if each has only two others, both of it:",
    "        an odd party: no matching is stable",
    "    else eliminate it: for each p of it",
    "        p proposes to the second choice, q",
    "        q deletes all who stand behind p",
)
_SCOTT = (
    "phase 1: for each person p, of capacity b(p)",
    "    while p has fewer than b(p) proposals held:",
    "        q ← the next on p's list",
    "        if q would refuse: p passes q by",
    "        if there is no q: p is at the end, stop",
    "        else p proposes to q, who holds it",
    "        if q holds b(q): q deletes all behind",
    "            the worst of them, who is let go",
    "",
    "phase 2: while a person has a next choice",
    "    p ← that person",
    "    repeat, until a person comes again:",
    "        q ← the next choice on p's list",
    "        p ← the last on q's list",
    "    the people of the cycle: a rotation",
    "    if each has only two others, both of it:",
    "        an odd party: no solution is stable",
    "    else eliminate it: for each p of it",
    "        p proposes to the next choice, q",
    "        q deletes all behind the worst it holds",
)

_WHY: dict[Kind, tuple[int, str]] = {
    Kind.PROPOSE: (
        6,
        "A person keeps the best proposal so far, as a woman does in stable marriage; but here the "
        "same person proposes, too. Whoever is let go proposes again.",
    ),
    Kind.PASS: (
        4,
        "The pair is deleted: the other holds a better proposal, and only ever gets better ones.",
    ),
    Kind.CUT: (
        7,
        "Whoever holds a proposal never takes a worse one, so all pairs behind it are deleted, in "
        "the lists of both.",
    ),
    Kind.ALONE: (
        5,
        "All on the list have refused or are deleted. In every stable matching this person is "
        "single.",
    ),
    Kind.FIND: (
        15,
        "If one person of the cycle moves on to the second choice, so must the next, and so on "
        "around: the rotation has to be eliminated as a whole.",
    ),
    Kind.MOVE: (
        19,
        "All of the rotation move on at once. If there was a stable matching before, there is one "
        "after it.",
    ),
    Kind.PARTY: (
        17,
        "If all of them moved on, their lists would be empty. By Tan's theorem such an odd cycle "
        "is in every stable partition, so no matching is stable.",
    ),
}


def _listing(title: str, source: str, lines: tuple[str, ...]) -> Listing:
    steps = {int(kind): Step(line, why) for kind, (line, why) in _WHY.items()}
    return Listing(title, source, lines, steps)


CODE = CodeBook(
    listings={
        "irving": _listing(
            "Proposals, then rotations",
            "After Irving, 1985, with the odd parties of Tan, 1991",
            _IRVING,
        ),
        "irving_scott": _listing(
            "The same for several mates", "After Irving and Scott, 2007", _SCOTT
        ),
    },
    files={("irving", ""): (), ("irving_scott", ""): ()},
)
