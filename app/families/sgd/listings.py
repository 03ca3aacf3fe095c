"""Pseudo-code of the schedules, in our words, and the line of each event.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, sections III to V; Recht, Re, Wright, Niu, "Hogwild!", NIPS 2011.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpucore.families.sgd.record import Kind


@dataclass(frozen=True)
class Pseudo:
    """Pseudo-code of a schedule.

    Attributes
    ----------
    title, source : str
        Heading, and the section of the paper.
    lines : tuple of str
    at : mapping of Kind to str
        For each kind of event, text that only its line has.
    """

    title: str
    source: str
    lines: tuple[str, ...]
    at: dict[Kind, str]


_UPDATE = (
    "",
    "to update u and m by their rating r",
    "    e ← r − (mean + p[u] · q[m])",
    "    p[u] ← p[u] + rate (e q[m] − reg p[u])",
    "    q[m] ← q[m] + rate (e p[u] − reg q[m])",
)
_EDGE_LOCKED = (
    "    repeat, pass after pass:",
    "        for each rating (u, m) of todo, all at once",
    "            if u is locked: defer (u, m)",
    "            else lock u",
    "                if m is locked: unlock u, defer it",
    "                else lock m",
    "                    update u and m",
    "                    unlock both",
    "        barrier; todo ← what was deferred",
    "    until todo is empty",
)
_AT_LOCKS = {
    Kind.UPDATE: "                    update u and m",
    Kind.DEFER_USER: "            if u is locked: defer",
    Kind.DEFER_ITEM: "                if m is locked: unlock u",
}
_NODE_LOCKED = (
    "        for each thread w, all at once",
    "            m ← its item; keep q[m] in shared memory",
    "            for each rating (u, m) without a mark",
    "                if u is locked: defer (u, m)",
    "                else lock u",
    "                    update u and m",
    "                    mark (u, m), unlock u",
)
_AT_NODES = {
    Kind.UPDATE: "                    update u and m",
    Kind.DEFER_USER: "                if u is locked: defer",
}
_MATCHINGS = (
    "to find matchings beforehand             (1)",
    "    while there are ratings left",
    "        M[i] ← a maximal matching of them",
    "        take M[i] away; i ← i + 1",
)
_BLOCKED = (
    "    for each block of T items",
    "        each thread keeps one item in shared memory",
    "        for each matching M[i] of {what}",
    "            for each thread with a rating in M[i]",
    "                update u and m",
    "            barrier",
)


def _blocked(what: str) -> tuple[str, ...]:
    return tuple(line.format(what=what) for line in _BLOCKED)


def _edge_locked(todo: str) -> Pseudo:
    lines = ("for each sweep", f"    todo ← {todo}", *_EDGE_LOCKED, *_UPDATE)
    return Pseudo("Edge-locked", "Section IV-A", lines, _AT_LOCKS)


PSEUDO: dict[str, Pseudo] = {
    "el": _edge_locked("the ratings, item by item"),
    "el_shuffled": _edge_locked("the ratings, in random order"),
    "nl": Pseudo(
        "Node-locked",
        "Section IV-B",
        (
            "for each sweep, for each block of T items",
            "    repeat, pass after pass:",
            *_NODE_LOCKED,
            "        barrier",
            "    until all ratings of the block have marks",
            *_UPDATE,
        ),
        _AT_NODES,
    ),
    "nl_el": Pseudo(
        "Node-locked, then edge-locked",
        "Section V-B",
        (
            "for each sweep",
            "    for each block of T items, once:",
            "        each thread has an item, locks users only",
            "        and defers ratings of locked users",
            "    todo ← the ratings that were deferred",
            *_EDGE_LOCKED,
            *_UPDATE,
        ),
        _AT_LOCKS,
    ),
    "el_sgm": Pseudo(
        "Edge-locked for hot items, matchings for the others",
        "Section V-B",
        (
            "for each sweep",
            "    todo ← ratings of items of high degree",
            *_EDGE_LOCKED,
            "    for each block of T of the other items",
            "        for each matching of the block",
            "            update its ratings, one a thread",
            "            barrier",
            *_UPDATE,
        ),
        _AT_LOCKS,
    ),
    "agm_e": Pseudo(
        "All-graph matchings, edge by edge",
        "Section III-A1",
        (
            *_MATCHINGS,
            "",
            "for each sweep, for each matching M[i]",
            "    for each rating (u, m) of M[i], all at once",
            "        update u and m",
            "    barrier",
            *_UPDATE,
        ),
        {Kind.UPDATE: "        update u and m"},
    ),
    "agm_n": Pseudo(
        "All-graph matchings, node by node",
        "Section III-A2",
        (*_MATCHINGS, "", "for each sweep", *_blocked("the graph"), *_UPDATE),
        {Kind.UPDATE: "                update u and m"},
    ),
    "sgm": Pseudo(
        "Sub-graph matchings",
        "Section III-A3",
        (
            "sort the items by falling degree",
            *_MATCHINGS[:1],
            *_MATCHINGS[1:],
            "",
            "for each sweep",
            *_blocked("the block"),
            *_UPDATE,
        ),
        {Kind.UPDATE: "                update u and m"},
    ),
    "diag": Pseudo(
        "Diagonals",
        "Section III-B1",
        (
            "for each sweep",
            "    for each diagonal d of the matrix",
            "        for each rating (u, m) with u − m = d,",
            "            all at once",
            "                update u and m",
            "        barrier",
            *_UPDATE,
        ),
        {Kind.UPDATE: "                update u and m"},
    ),
    "blkdiag": Pseudo(
        "Diagonals of tiles",
        "Section III-B2",
        (
            "cut the matrix into tiles of C users × R items",
            "",
            "for each sweep",
            "    for each diagonal of tiles",
            "        for each tile, all at once, one a thread",
            "            for each rating (u, m), one by one",
            "                update u and m",
            "        barrier",
            *_UPDATE,
        ),
        {Kind.UPDATE: "                update u and m"},
    ),
    "hogwild": Pseudo(
        "No synchronisation",
        "Hogwild!, after Recht and others, 2011",
        (
            "for each sweep",
            "    for each rating (u, m) in random order,",
            "        all at once",
            "            update u and m",
            "            (others may do so, too: some",
            "             updates are lost)",
            *_UPDATE,
        ),
        {Kind.UPDATE: "            update u and m"},
    ),
    "nl_batched": Pseudo(
        "Node-locked, in batches",
        "After section IV-B; ours",
        (
            "shuffle the items, the longest first",
            "",
            "for each sweep, for each warp, all at once",
            "    while there are items: m ← the next one",
            "        keep q[m] in registers",
            "        until all ratings of m are done",
            "            each lane without one chooses a rating",
            "            ask for p[u] of all chosen ratings",
            "            for each user u that came last time",
            "                update u and m, all lanes together",
            "                put p[u] back",
            "            for each user u asked for",
            "                if p[u] is not there: try again",
            "                else the rating can be processed",
            *_UPDATE,
        ),
        {
            Kind.UPDATE: "                update u and m",
            Kind.DEFER_USER: "                if p[u] is not there:",
        },
    ),
    "fast": Pseudo(
        "Stripes of users and items",
        "Ours, after Gemulla and others, KDD 2011",
        (
            "cut the users and the items into stripes",
            "",
            "for each sweep, for each block, all at once",
            "    keep a stripe of items in shared memory",
            "    for each turn",
            "        wait for the block that had the users",
            "        tile ← its ratings by a stripe of users",
            "        for each round, for each thread",
            "            update u and m by its next rating,",
            "                others of the round read the old m",
            "            m moves by the sum of the changes",
            "        hand the users over to the next block",
            *_UPDATE,
        ),
        {Kind.UPDATE: "            update u and m by its next"},
    ),
}

#: Why each event happens, by kind: with locks, with sets that share nothing, and without both.
WHY = {
    "locked": {
        Kind.UPDATE: "The thread holds both ends, so no other thread reads or writes their "
        "vectors until it gives the locks back.",
        Kind.DEFER_USER: "Another thread holds the user. Waiting would stop the whole warp, and "
        "two threads that wait for each other would never go on; so the rating is left for the "
        "next pass.",
        Kind.DEFER_ITEM: "The user was free, the item was not: the user's lock is given back, or "
        "others would wait for a thread that does nothing.",
    },
    "matched": {
        Kind.UPDATE: "No other rating that is processed now has this user or this item, so no lock "
        "is needed. The price is the barrier: all threads wait for the slowest.",
    },
    "summed": {
        Kind.UPDATE: "The user is this thread's alone. Others of the block may change the item in "
        "the same round: integers are added up, in any order, so no change is lost and the result "
        "is the same every time.",
    },
    "free": {
        Kind.UPDATE: "Nothing keeps another thread from the same vectors. In a sparse matrix that "
        "seldom happens, and a lost update costs little: the error falls all the same.",
    },
}
