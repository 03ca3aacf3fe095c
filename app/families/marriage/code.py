"""The code of stable marriage: pseudo-code, kernel files, and why their lines cost.

The pseudo-code states, in our words, algorithm 1 of Manne, Naim, Lerring, Halappanavar, "On stable
marriages and greedy matchings", CSC 2016, and its form with a stack (section 2.1).
"""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.families.marriage.order import Kind

from ...code.book import CodeBook, Listing, Reason, Step

_PAPER = "after Manne, Naim, Lerring and Halappanavar, CSC 2016"

_ROUNDS = (
    "Q ← all men",
    "while Q is not empty, round by round:    (1)",
    "    for each man u of Q, all at once",
    "        w ← the next woman on u's list",
    "        while w has a better man: w ← the next",
    "        if the list is at its end: u stays alone",
    "        else u proposes to w",
    "    for each woman w who was proposed to",
    "        v ← the man she had, if any",
    "        the best of the proposals is her suitor",
    "        v and all others go to the next Q",
)
_STACK = (
    "for each man m, all at once:        (1, stack)",
    "    u ← m",
    "    while there is u:",
    "        w ← the next woman on u's list",
    "        if there is none: u stays alone, stop",
    "        if w has a better man: pass her by",
    "        else if w's suitor is still v (CAS):",
    "            u is her suitor now",
    "            u ← v, who goes on with his list",
    "        else look at w again: another was faster",
)
_FAST = (
    "a pool of all men; every lane, all at once:",
    "    if it has no man: u ← the next of the pool",
    "    w ← the next woman on u's list",
    "    if there is none: u stays alone",
    "    if w has a better man:",
    "        pass her by",
    "    else atomic minimum of her word with",
    "            (her rank of u, u, u's place):",
    "        what stood there is better: refused",
    "        else u is her suitor, and the lane goes",
    "            on with the man who stood there",
    "    when the pool is empty and few are at work:",
    "        all lanes of a warp read one man's list",
)

_HOLDS = (
    "A woman never goes back to one whom she likes less, so a man who is refused once is refused "
    "for ever: he never asks a woman twice."
)
_ALONE = (
    "Every woman on his list has a man she likes better, and only ever improves. In every stable "
    "marriage the same people stay alone."
)
_SKIP = "She would refuse, so the proposal is not made: she only ever improves."
_LEFT = (
    "The man she leaves goes on with his list at once, below her. This is the step of Suitor, too: "
    "a displaced vertex proposes again."
)
_LATE = (
    "Between the look and the swap another man was faster. Her word is read again: she may still "
    "take him."
)
_BETTER = "A better man came between his look and his proposal."

#: Kind of event, line, explanation, pieces of text of the kernel files.
StepRow = tuple[Kind, int, str, Mapping[str, str]]

_IN_ROUNDS: tuple[StepRow, ...] = (
    (Kind.SKIP, 5, _SKIP, {"marriage.cu": "TELL(SKIP, man, choice.woman"}),
    (Kind.ALONE, 6, _ALONE, {"marriage.cu": "TELL_ALONE(man);"}),
    (
        Kind.PROPOSE,
        7,
        "All free men propose before any is answered, so the round's outcome depends on no order.",
        {"marriage.cu": "TELL(PROPOSE, man"},
    ),
    (Kind.ENGAGE, 10, _HOLDS, {"marriage.cu": "TELL(ENGAGE, man"}),
    (
        Kind.REFUSE,
        11,
        "Another proposal of this round, or the man she has, is better. He tries the next woman "
        "in the next round.",
        {"marriage.cu": "TELL(REFUSE, man"},
    ),
)
_BY_STACK: tuple[StepRow, ...] = (
    (Kind.ALONE, 5, _ALONE, {"marriage.cu": "TELL_ALONE(turn.man);"}),
    (Kind.SKIP, 6, _SKIP, {"marriage.cu": "TELL(SKIP, turn.man"}),
    (Kind.ENGAGE, 9, f"{_HOLDS} {_LEFT}", {"marriage.cu": "TELL(ENGAGE, turn.man"}),
    (Kind.FAILED, 10, _LATE, {"marriage.cu": "TELL(FAILED, turn.man"}),
    (Kind.REFUSE, 10, _BETTER, {"marriage.cu": "TELL(REFUSE, turn.man"}),
)
_TUNED: tuple[StepRow, ...] = (
    (Kind.ALONE, 4, _ALONE, {"marriage_fast.cu": "TELL_ALONE(turn.man);"}),
    (
        Kind.SKIP,
        6,
        _SKIP,
        {"marriage_fast.cu": "TELL(SKIP, turn.man"},
    ),
    (Kind.REFUSE, 9, _BETTER, {"marriage_fast.cu": "TELL(REFUSE, turn.man"}),
    (
        Kind.ENGAGE,
        10,
        f"{_LEFT} One atomic minimum writes the proposal and returns whom she leaves, and the "
        "place in his list: it cannot fail.",
        {"marriage_fast.cu": "TELL(ENGAGE, turn.man"},
    ),
)


def _listing(title: str, source: str, lines: tuple[str, ...], rows: tuple[StepRow, ...]) -> Listing:
    steps = {int(kind): Step(line, why, places) for kind, line, why, places in rows}
    return Listing(title, source, lines, steps)


_LISTS = "const Choice choice = choice_at(lists, turn.man, place);"
_WORD = "Offer held = simt_load(suitor + choice.woman);"

_REASONS = (
    Reason(
        "marriage.cu",
        _LISTS,
        sectors="each lane reads the list of a man of its own, so the lanes are lists apart",
    ),
    Reason(
        "marriage.cu",
        _WORD,
        sectors="each lane asks for another woman's word, and they lie anywhere",
        lanes="chains of displacements have different lengths, and all lanes wait for the longest",
    ),
)

CODE = CodeBook(
    listings={
        ("marriage", "gs"): _listing(
            "Gale and Shapley, in rounds", f"Algorithm 1, {_PAPER}", _ROUNDS, _IN_ROUNDS
        ),
        ("marriage", "mw"): _listing(
            "McVitie and Wilson, with a stack", f"Algorithm 1, {_PAPER}", _STACK, _BY_STACK
        ),
        ("marriage", "fast"): _listing("Minimum, and go on", "Ours; see the kernel", _FAST, _TUNED),
    },
    files={
        ("marriage", "gs"): ("marriage.cu", "marriage.cuh"),
        ("marriage", "mw"): ("marriage.cu", "marriage.cuh"),
        ("marriage", "fast"): (
            "marriage_fast.cu",
            "marriage_shared.cu",
            "marriage_seats.cu",
            "marriage.cuh",
        ),
    },
    reasons=_REASONS,
    notes={
        "gs": "Algorithm 1 has a queue; here all men of a round propose at once. If women "
        "propose, read “woman” for “man” and “man” for “woman”.",
        "mw": "A stack instead of the queue: a displaced man is next. The stack never holds "
        "more than one man, so it is a variable. If women propose, read “woman” for “man”.",
        "fast": "Instances in which all have one list, and those with capacities, have kernels of "
        "their own. If women propose, read “woman” for “man”.",
    },
)
