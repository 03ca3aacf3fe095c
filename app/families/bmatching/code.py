"""The code of b-matching: pseudo-code, kernel files, and why their lines cost.

The pseudo-code states, in our words, algorithms 2 and 3 of Khan, Pothen, Patwary, Satish, Sundaram,
Manne, Halappanavar and Dubey, "Efficient approximation algorithms for weighted b-matching", SIAM J.
Sci. Comput. 38(5), 2016.
"""

from __future__ import annotations

from gpucore.families.bmatching.order import Kind

from ...code.book import CodeBook, Listing, Reason, Step

_SOURCE = "Algorithms 2 and 3, after Khan, Pothen and others, 2016"

_LINES = (
    "each vertex u keeps a stack of b(u) offers",
    "for each vertex u, all at once",
    "    b(u) times: propose for u",
    "matched: offers that are mutual",
    "",
    "to propose for x",
    "    v ← the heaviest edge of x below its cursor",
    "        at whose end the offer would be taken",
    "    if there is no such v: x has no candidate",
    "    move the cursor of x to v",
    "    put the offer of x into the stack of v:",
    "        it has room, or a worse offer: taken",
    "        its b(v) offers are all better: refused;",
    "            propose for x again",
    "        its worst offer, of y, falls out:",
)
_EAGER = ("            propose for y, at once",)
_DELAYED = ("            y proposes in the next round",)
_FAST = (
    "            in the first round: y proposes later;",
    "            afterwards: at once, by the same lane",
)

#: Line and explanation of each kind of event.
_WHY: dict[Kind, tuple[int, str]] = {
    Kind.PROPOSE: (
        12,
        "A stack only ever exchanges an offer for a better one. That is why any order of "
        "proposals ends in the same b-matching, that of the greedy algorithm.",
    ),
    Kind.DROP: (
        15,
        "The stack held b(v) offers already, so one had to go: the worst. Its proposer has one "
        "mate less than it asked for, and looks further down its list.",
    ),
    Kind.OUTBID: (
        13,
        "Between the look at the stack and the offer, better ones came from elsewhere. Nothing "
        "is lost: the vertex goes on with its next neighbour.",
    ),
    Kind.EXHAUSTED: (
        9,
        "All neighbours below the cursor hold b(v) better offers, and stacks only get better: no "
        "later proposal would be taken either.",
    ),
}

_PUSH = "const Bid previous = atomicMax(words + i, offer);"
_CASCADE = {
    "bsuitor.cuh": _PUSH,
    "bsuitor.cu": "proposes ? with_vertex(turn.choice, u) : 0, lane);",
}
_RAISE = "{ return atomicMax(word, offer); }"
_TUNED = {"bsuitor_offers.cuh": _RAISE}

#: By variant: the lines after those that all share, and a line of the kernels for each event.
_PLACES: dict[str, dict[Kind, dict[str, str]]] = {
    "eager": {
        Kind.PROPOSE: _CASCADE,
        Kind.DROP: {"bsuitor.cu": "u = next;", "bsuitor.cuh": "if (previous < offer) offer ="},
        Kind.OUTBID: {"bsuitor.cu": "u = next;", "bsuitor.cuh": "if (simt_load(words + i) > offer"},
        Kind.EXHAUSTED: {"bsuitor.cu": "if (choice == 0) simt_store(s.cursors + u, 0);"},
    },
    "delayed": {
        Kind.PROPOSE: _CASCADE,
        Kind.DROP: {
            "bsuitor.cu": "if (next >= 0 && next != u && member == 0) put_off(round, next);",
            "bsuitor.cuh": "if (previous < offer) offer =",
        },
        Kind.OUTBID: {
            "bsuitor.cu": "else if (u >= 0 && next != u) --left;",
            "bsuitor.cuh": "if (simt_load(words + i) > offer",
        },
        Kind.EXHAUSTED: {"bsuitor.cu": "if (choice == 0) simt_store(s.cursors + u, 0);"},
    },
    "fast": {
        Kind.PROPOSE: {**_TUNED, **_CASCADE},
        Kind.DROP: {
            "bsuitor_fast.cuh": "if (ours) u = state.own(outcome.loser);",
            "bsuitor.cu": "put_off(round, next);",
        },
        Kind.OUTBID: {"bsuitor_offers.cuh": "place += held[i] > offer;"},
        Kind.EXHAUSTED: {"bsuitor_fast.cuh": "else if (u == own) left = 0;"},
    },
}
_ENDS = {"eager": _EAGER, "delayed": _DELAYED, "fast": _FAST}


def _listing(variant: str) -> Listing:
    """Return the pseudo-code of a variant with its places in the kernels."""
    steps = {int(k): Step(line, why, _PLACES[variant][k]) for k, (line, why) in _WHY.items()}
    return Listing("A stack of offers", _SOURCE, _LINES + _ENDS[variant], steps)


_ANYWHERE = "each lane looks up {} of another neighbour, whose number lies anywhere in the array"
_TURNS = "a lane whose vertex has made its proposals has nothing to do while others go on"

_REASONS = (
    Reason(
        "bsuitor.cu",
        "const unsigned weight = __float_as_uint(w), worst = simt_load(s.offers.worst + v);",
        sectors=_ANYWHERE.format("the worst weight"),
    ),
    Reason(
        "bsuitor.cu",
        "const int v = s.heads.indices[e];",
        lanes="the rest of a sorted list below the cursor is often shorter than a warp",
    ),
    Reason(
        "bsuitor.cu",
        "else if (atomicCAS(s.cursors + u, cursor, choice) != cursor)",
        cas="two workers may look for the same proposer at a time, and one of them moves its "
        "cursor",
    ),
    Reason(
        "bsuitor.cuh",
        _PUSH,
        sectors=_ANYWHERE.format("and raises a word of the stack"),
        lanes=_TURNS,
        atomic="one atomicMax raises a word of the stack and returns what it held, which goes on "
        "to the next word: no lock is needed",
    ),
    Reason(
        "bsuitor_offers.cuh",
        _RAISE,
        sectors=_ANYWHERE.format("and raises a word of the stack"),
        atomic="one atomicMax raises a word of the stack and returns what it held",
    ),
    Reason(
        "bsuitor_search.cuh",
        "worst[j] = edge[j] ? state.worst_weight(vertex_of(edge[j])) : 0;",
        sectors=_ANYWHERE.format("the worst weight (4 bytes instead of 8 b)"),
        lanes="only edges between the vertex's own worst offer and its cursor are worth a random "
        "read",
    ),
)

_LISTS = ("bsuitor.cu", "bsuitor.cuh", "bid.cuh")

_FAST_FILES = ("bsuitor_fast.cuh", "bsuitor_offers.cuh", "bsuitor_search.cuh", "bsuitor_fast.cu")

CODE = CodeBook(
    listings={("bmatching", variant): _listing(variant) for variant in _ENDS},
    files={
        ("bmatching", "eager"): _LISTS,
        ("bmatching", "delayed"): _LISTS,
        ("bmatching", "fast"): (*_FAST_FILES, *_LISTS),
    },
    reasons=_REASONS,
    notes={
        "fast": "One b from 1 to 8 for all vertices runs in bsuitor_fast.cuh: the first round "
        "finds the b heaviest edges of every vertex in one stream. Larger or different b run in "
        "bsuitor.cu, delayed, with all lists sorted.",
        "delayed": "Every round is a launch of its own.",
    },
)
