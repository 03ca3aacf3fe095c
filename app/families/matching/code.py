"""The code of the matching family: pseudo-code, kernel files, and why their lines cost.

The pseudo-code states, in our words, algorithms 3 and 4 (Suitor) and 1 and 2 (locally dominant) of
Naim, Manne, Halappanavar, Tumeo, Langguth, "Optimizing approximate weighted matching on Nvidia
Kepler K40", HiPC 2015.
"""

from __future__ import annotations

from gpucore.families.matching.record import Kind

from ...code.book import CodeBook, Listing, Reason, Step

_PAPER = "after Naim, Manne, Halappanavar, Tumeo and Langguth, HiPC 2015"

_SUITOR_LINES = (
    "give each warp some vertices: all need a partner",
    "while a warp holds vertices that need a partner",
    "    for each of them, u, one after the other",
    "        32 lanes read u's neighbours side by side",
    "        v ← the neighbour with u's heaviest edge",
    "            among those with a bid below its weight",
    "        if there is no such v: u stays alone",
    "    each lane proposes for one u, all at once",
    "        compare and install, as one atomic step:",
    "            v had no suitor: now it is u",
    "            v had the suitor x: u displaces x,",
    "                and x needs a partner again",
    "            v got a better bid meanwhile:",
    "                u needs a partner again",
    "    gather those who need a partner in a list",
    "    level the lists of a block's warps (SyncLB)",
    "matched: pairs that are each other's suitor",
)

_ATOMIC = "const Bid previous = atomicMax("
_FAST_ATOMIC = "return atomicMax(state.bids + v, bid);"

_SUITOR = Listing(
    title="Suitor: propose, be displaced, propose again",
    source=f"Algorithms 3 and 4, {_PAPER}",
    lines=_SUITOR_LINES,
    steps={
        Kind.PROPOSE_FREE: Step(
            10,
            "This vertex had no proposal yet, so it accepts any bid. The edge is matched only when "
            "the proposal is returned.",
            {"suitor.cu": _ATOMIC, "suitor_search.cuh": _FAST_ATOMIC},
        ),
        Kind.DISPLACE: Step(
            11,
            "The new bid is heavier than the one held so far, or as heavy and from a larger "
            "number. Bids only ever grow, which is why any order of proposals ends in the same "
            "matching.",
            {
                "suitor.cu": "return {accepted ? vertex_of(previous) : u, previous, accepted};",
                "suitor_proposals.cuh": "accepted ? vertex_of(previous) : number}",
            },
        ),
        Kind.OUTBID: Step(
            13,
            "Between looking at the neighbour and proposing to it, a better bid came from "
            "elsewhere: the atomic step notices, nothing is lost, and the vertex looks again.",
            {
                "suitor.cu": "const bool accepted = previous < bid;",
                "suitor_proposals.cuh": "const bool accepted = previous < bid;",
            },
        ),
        Kind.EXHAUSTED: Step(
            7,
            "Every neighbour already holds a bid that is better than one of this vertex would be, "
            "and bids never shrink: no candidate is left.",
            {
                "suitor.cu": "if (my_choice != 0) outcome = propose(",
                "suitor_proposals.cuh": "if (choice == 0) return EXHAUSTED;",
            },
        ),
        Kind.MOVE: Step(
            16,
            "Some warps of the block were left with many displaced vertices and others with few; "
            "handing vertices over lets them finish together.",
            {"suitor.cu": "if (i < taken) list[count + i] = pool[my_wanted + i];"},
        ),
    },
)

_LD_LINES = (
    "every vertex is free, and points to none",
    "for each vertex s, a thread each:  choose for s",
    "while vertices were matched in the last round",
    "    for each of them, u, a thread each",
    "        for each neighbour v of u",
    "            if v is free and points to u:",
    "                choose for v",
    "",
    "to choose for s",
    "    t ← the free neighbour with s's heaviest edge",
    "    if there is no such t: s stays alone",
    "    s points to t",
    "    if t points to s too:",
    "        match s and t, and queue both",
    "            for the next round",
)

_LD = Listing(
    title="Locally dominant edges: point, and match who points back",
    source=f"Algorithms 1 and 2, {_PAPER}",
    lines=_LD_LINES,
    steps={
        Kind.POINT: Step(
            12,
            "Among the neighbours that are still free, this edge is the heaviest. It is matched "
            "as soon as the other end finds the same.",
            {"ld.cu": "atomicExch(candidate + s, t);"},
        ),
        Kind.MATCH: Step(
            14,
            "The edge is the heaviest at both of its ends, locally dominant: no other choice at "
            "either end could be better. Whoever pointed to one of the two has to choose again.",
            {"ld.cu": "simt_store(mate + low, high);"},
        ),
        Kind.EXHAUSTED: Step(
            11,
            "All neighbours are matched to others, and matched edges stay: no candidate is left.",
            {"ld.cu": "if (t < 0) return;"},
        ),
    },
)

_SIDE_BY_SIDE = "the lanes take neighbouring entries of one vertex's adjacency"
_ANYWHERE = (
    "each lane looks up {} of another neighbour, and the neighbours' numbers lie anywhere in "
    "the array"
)
_SHORT = "the vertex has fewer neighbours than the warp has lanes, and the last lanes get none"
_OWN_ROW = "each lane walks along the adjacency of a vertex of its own, so the lanes are rows apart"
_KEPT = "the candidate found by all lanes is kept by one of them, which will propose"

_REASONS = (
    Reason(
        "suitor.cu",
        "if (edge >= floor",
        sectors=_ANYWHERE.format("the bid"),
        lanes=f"{_SHORT}, and edges that cannot win are dropped before the bid is read",
    ),
    Reason("suitor.cu", "const int v = graph.indices[e];", sectors=_SIDE_BY_SIDE, lanes=_SHORT),
    Reason("suitor.cu", "const float w = graph.weights[e];", sectors=_SIDE_BY_SIDE, lanes=_SHORT),
    Reason(
        "suitor.cu",
        _ATOMIC,
        sectors=_ANYWHERE.format("and changes the bid"),
        lanes="each lane proposes for one vertex of a batch, and the batch was not full or "
        "vertices had no candidate",
        atomic="atomicMax compares and installs the bid in one operation, where the paper's lock "
        "per vertex needs several",
    ),
    Reason(
        "suitor.cu",
        "list[kept + __popc(",
        lanes="only lanes whose vertex has to propose again, or that displaced another, have one "
        "to keep",
    ),
    Reason(
        "suitor.cu",
        "if (lane == j) {",
        lanes=_KEPT,
    ),
    Reason(
        "suitor.cu",
        "my_vertex = u;",
        lanes=_KEPT,
    ),
    Reason(
        "suitor_groups.cuh",
        "weight[j] = i < s.degree ?",
        sectors="groups of lanes read the adjacencies of different vertices, and each of them "
        "begins in a sector of its own",
    ),
    Reason(
        "suitor_search.cuh",
        "edge[j] = i < s.degree ? pack(__ldcs",
        sectors="groups of lanes read the adjacencies of different vertices, which lie apart",
    ),
    Reason(
        "suitor_search.cuh",
        "offer[j] = edge[j] ?",
        sectors=_ANYWHERE.format("the offer (half as many bytes as a bid)"),
        lanes="only edges inside the vertex's window are worth a read from anywhere in memory",
    ),
    Reason(
        "suitor_search.cuh",
        _FAST_ATOMIC,
        sectors=_ANYWHERE.format("and changes the bid"),
        atomic="atomicMax compares and installs the bid in one operation",
    ),
    Reason(
        "ld.cu",
        "const int t = p.indices[e];",
        sectors=_OWN_ROW,
        lanes="lanes with a short adjacency are done and wait for the one with the longest",
    ),
    Reason("ld.cu", "taken[j] = edge[j] > best ?", sectors=_ANYWHERE.format("the mate")),
    Reason("ld.cu", "if (simt_load(mate + t) < 0) {", sectors=_ANYWHERE.format("the mate")),
    Reason(
        "ld.cu",
        "const Bid edge = pack(p.weights[e], t);",
        sectors=_OWN_ROW,
    ),
    Reason(
        "ld.cu",
        "const int v = indices[e];",
        sectors=_OWN_ROW,
    ),
    Reason("ld.cu", "if (simt_load(candidate + v) == u", sectors=_ANYWHERE.format("the candidate")),
    Reason(
        "ld.cu",
        "if (atomicCAS(mate + high, -1, low) != -1)",
        cas="both ends may discover the pair at the same moment, and one of them may match it",
    ),
    Reason("bid.cuh", "return (Bid)top << 32", lanes="the reduction needs every lane of the warp"),
)

_FAST = (
    "suitor_fast.cuh",
    "suitor_proposals.cuh",
    "suitor_hubs.cuh",
    "suitor_search.cuh",
    "suitor_groups.cuh",
    "hub_pieces.cuh",
    "suitor_fast.cu",
)
_WARP_BASED = ("suitor.cu", "matching.cuh", "bid.cuh")

CODE = CodeBook(
    listings={"suitor": _SUITOR, "ld": _LD},
    files={
        **{
            ("suitor", variant): _WARP_BASED
            for variant in ("nosync", "sync_lb", "sync_nolb", "hybrid")
        },
        ("suitor", "fast"): (*_FAST, *_WARP_BASED),
        **{("ld", variant): ("ld.cu", "matching.cuh", "bid.cuh") for variant in ("ld", "warp")},
    },
    reasons=_REASONS,
    notes={
        "nosync": "NoSync leaves the levelling out: every warp goes on alone.",
        "sync_nolb": "SyncNoLB waits where the lists would be levelled, but leaves them alone.",
        "hybrid": "Hybrid levels in the first iterations only; then every warp goes on alone.",
        "fast": "The tuned kernels make the same proposals in another order: groups of lanes "
        "search for several vertices at a time, and a lane follows a chain to its end.",
        "warp": "The lanes of a warp read the adjacency of one vertex; its first lane points.",
    },
)
