"""The code of red/blue matching: pseudo-code, kernel files, and why their lines cost.

The pseudo-code states, in our words, algorithms 3 and 4 of Fagginger Auer and Bisseling, "A GPU
algorithm for greedy graph matching", Facing the Multicore-Challenge II, 2012.
"""

from __future__ import annotations

from gpucore.families.redblue.timeline import Kind

from ...code.book import CodeBook, Listing, Reason, Step

_ROUNDS = (
    "repeat, round by round:                  (3)",
    "    draw an odd random number r",
    "    for each live vertex v, all at once",
    "        v is blue with probability p, else red",
    "    for each blue vertex v, all at once",
    "        if no neighbour is live: v will be dead",
    "        else propose to a red neighbour",
    "    for each red vertex v, all at once",
    "        if no neighbour is live: v will be dead",
    "        else respond to one that proposed to v",
    "    for each live vertex v, all at once",
    "        if v and its choice chose each other:",
    "            match the two",
    "        if v has no live neighbour: v is dead",
    "until no vertex is live",
)
_COLOUR = (
    "",
    "to colour v                              (4)",
    "    a, b, c, d ← the four words MD5 begins with",
    "    for i from 1 to 16",
    "        mix b, c and d, add a, v and word i of MD5",
    "        rotate that, add it to b; shift the four",
    "        v ← r v",
    "    blue if their sum is below p 2^32",
)
_SELECT = (
    "",
    "to choose one of several neighbours",
    "    heaviest: that with the heaviest edge",
    "    anyone: the first in the list, from a",
    "        place on that depends on v and r",
    "    first: the first in the list",
)

#: Kind of event, line, explanation.
_WHY: dict[Kind, tuple[int, str]] = {
    Kind.COLOUR: (
        4,
        "Colours make two sides, as in a bipartite graph: a vertex that proposes gets no proposal, "
        "so no lock is needed. Every round draws new colours, so that the same vertices do not "
        "fail to match for ever.",
    ),
    Kind.PROPOSE: (
        7,
        "All blue vertices choose at once, from what the last launch left. Several may choose the "
        "same red one; that happens more often if their lists are alike.",
    ),
    Kind.RESPOND: (
        10,
        "The red vertex looks for proposals in its own list: if the proposers wrote to it, they "
        "would race for one word.",
    ),
    Kind.MATCH: (
        13,
        "Both have chosen each other. A vertex that was not chosen tries again in the next round, "
        "with another colour perhaps.",
    ),
    Kind.DIE: (
        14,
        "All its neighbours are matched, so it can never be. It need not be looked at any more; "
        "when all are matched or dead, the matching is maximal.",
    ),
}

#: File and text of its line, by main file and kind of event.
_PLACES: dict[str, dict[Kind, dict[str, str]]] = {
    "redblue.cu": {
        Kind.COLOUR: {"redblue.cu": "state[mine.vertex] = colour;"},
        Kind.PROPOSE: {"redblue.cu": "if (mine.there) sigma[mine.vertex] = !blue"},
        Kind.RESPOND: {"redblue.cu": "sigma[mine.vertex] = lonely ? LONELY : chosen(best);"},
        Kind.MATCH: {"redblue.cu": "if (matched) mate[mine.vertex] = other;"},
        Kind.DIE: {"redblue.cu": "if (matched || dies) state[mine.vertex]"},
    },
    "redblue_fast.cu": {
        Kind.COLOUR: {"redblue_fast.cuh": "vertices.state[vertex] = colour;"},
        Kind.PROPOSE: {"redblue_fast.cuh": "if (proposing || found.lonely) vertices.sigma[vertex]"},
        Kind.RESPOND: {"redblue_fast.cuh": "vertices.mate[other] = vertex;"},
        Kind.MATCH: {"redblue_fast.cu": "if (matched && i < blue) TELL(MATCH"},
        Kind.DIE: {"redblue_fast.cu": "if (dies) TELL(DIE, vertex"},
    },
}


def _listing(file: str) -> Listing:
    """Return the pseudo-code with its places in a kernel file."""
    return Listing(
        "Colour, propose, respond, match",
        "Algorithms 3 and 4, after Fagginger Auer and Bisseling, 2012",
        _ROUNDS + _COLOUR + _SELECT,
        {int(kind): Step(line, why, _PLACES[file][kind]) for kind, (line, why) in _WHY.items()},
    )


_OWN_LIST = "each lane walks along the list of a vertex of its own, so the lanes are lists apart"
_WAITS = "lanes of the other colour have nothing to do, and all wait for the longest list"

_REASONS = (
    Reason(
        "redblue.cu",
        "const unsigned char its = state[other];",
        sectors="each lane looks up the state of another neighbour, and neighbours' numbers lie "
        "anywhere",
        lanes=_WAITS,
    ),
    Reason(
        "redblue.cu", "const unsigned char theirs = state[other];", sectors=_OWN_LIST, lanes=_WAITS
    ),
    Reason(
        "redblue.cu",
        "if (theirs != BLUE || sigma[other] != mine.vertex) continue;",
        sectors=_OWN_LIST,
    ),
)

_SHARED = ("redblue.cuh", "scatter.cuh")
_FILES = {"paper": "redblue.cu", "fast": "redblue_fast.cu"}

CODE = CodeBook(
    listings={("redblue", variant): _listing(file) for variant, file in _FILES.items()},
    files={
        ("redblue", "paper"): (_FILES["paper"], *_SHARED),
        ("redblue", "fast"): (_FILES["fast"], "redblue_fast.cuh", *_SHARED),
    },
    reasons=_REASONS,
    notes={
        "paper": "“All at once”: a thread for each vertex, and a launch for each of the four.",
        "fast": "The tuned kernels come to the same matching: live vertices stand in lists by "
        "colour and degree, a red one that responds makes the match itself, and the end of a round "
        "draws the colours of the next.",
    },
)
