"""Pseudo-code of the schedules, in our words, with the places of each event; kernel files.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, sections III to V; Recht, Re, Wright, Niu, "Hogwild!", NIPS 2011.
"""

from __future__ import annotations

from gpucore.families.sgd.record import Kind

from .pseudo import At, Pseudo

_ONLINE, _OFFLINE, _SHARED = "sgd_online.cu", "sgd_offline.cu", "sgd.cuh"
_BATCHED, _TAKEN, _STRIPES = "sgd_batched.cu", "sgd_batched.cuh", "sgd_stripes.cu"
_LOCKS, _SETS = (_ONLINE, _SHARED), (_OFFLINE, _SHARED)
_RULE = {_SHARED: "const float error = __fsub_rn(value, predicted)"}


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
_AT_LOCKS: At = {
    Kind.UPDATE: (
        "                    update u and m",
        {_ONLINE: "update<true, true>(has_both, ", **_RULE},
    ),
    Kind.DEFER_USER: (
        "            if u is locked: defer",
        {_ONLINE: "const bool has_user = take(user_locks + user, mine, me);"},
    ),
    Kind.DEFER_ITEM: (
        "                if m is locked: unlock u",
        {_ONLINE: "const bool has_both = take(item_locks + item, has_user, me);"},
    ),
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
_AT_NODES: At = {
    Kind.UPDATE: (
        "                    update u and m",
        {_ONLINE: "update<true, false>(held, ", **_RULE},
    ),
    Kind.DEFER_USER: (
        "                if u is locked: defer",
        {_ONLINE: "const bool held = take(user_locks + user, mine, me);"},
    ),
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


def _sets(line: str, step: str) -> At:
    """Return the place of updates in a kernel of sets; `step` is its argument of the record."""
    logged = f"TELL(UPDATE, user, item, which, error, {step});"
    return {Kind.UPDATE: (line, {_OFFLINE: logged, **_RULE})}


def _blocked(what: str) -> tuple[str, ...]:
    return tuple(line.format(what=what) for line in _BLOCKED)


def _edge_locked(todo: str) -> Pseudo:
    lines = ("for each sweep", f"    todo ← {todo}", *_EDGE_LOCKED, *_UPDATE)
    return Pseudo("Edge-locked", "Section IV-A", lines, _LOCKS, _AT_LOCKS)


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
        _LOCKS,
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
        _LOCKS,
        {
            **_AT_LOCKS,
            Kind.UPDATE: (_AT_LOCKS[Kind.UPDATE][0], _RULE),
            Kind.DEFER_USER: (
                _AT_LOCKS[Kind.DEFER_USER][0],
                {_ONLINE: "got = atomicCAS(lock, 0, 1) == 0;"},
            ),
        },
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
        (_ONLINE, _OFFLINE, _SHARED),
        {**_AT_LOCKS, Kind.UPDATE: (_AT_LOCKS[Kind.UPDATE][0], _RULE)},
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
        _SETS,
        _sets("        update u and m", "step + (int)((i - begin) / workers)"),
    ),
    "agm_n": Pseudo(
        "All-graph matchings, node by node",
        "Section III-A2",
        (*_MATCHINGS, "", "for each sweep", *_blocked("the graph"), *_UPDATE),
        _SETS,
        _sets("                update u and m", "s"),
    ),
    "sgm": Pseudo(
        "Sub-graph matchings",
        "Section III-A3",
        (
            "sort the items by falling degree",
            *_MATCHINGS,
            "",
            "for each sweep",
            *_blocked("the block"),
            *_UPDATE,
        ),
        _SETS,
        _sets("                update u and m", "s"),
    ),
    "diag": Pseudo(
        "Diagonals",
        "Section III-B1",
        (
            "for each sweep",
            "    for each diagonal d that has ratings",
            "        for each rating (u, m) with u − m = d,",
            "            all at once",
            "                update u and m",
            "        barrier",
            *_UPDATE,
        ),
        _SETS,
        _sets("                update u and m", "step + (int)((i - begin) / workers)"),
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
        _SETS,
        _sets("                update u and m", "mine"),
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
        _LOCKS,
        {
            Kind.UPDATE: (
                "            update u and m",
                {_ONLINE: "if (works && me.lane == 0) TELL(UPDATE", **_RULE},
            )
        },
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
        (_BATCHED, _TAKEN, _SHARED),
        {
            Kind.UPDATE: (
                "                update u and m",
                {
                    _BATCHED: "const float error = move(item, held, rule, lanes);",
                    _TAKEN: "const float error = __fsub_rn(held.rating.value, predicted)",
                },
            ),
            Kind.DEFER_USER: (
                "                if p[u] is not there:",
                {_BATCHED: "asked.held[i] = atomicExch(asked.at[i], TAKEN);"},
            ),
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
        (_STRIPES, "sgd_stripes.cuh", "sgd_half.cuh", _SHARED),
        {
            Kind.UPDATE: (
                "            update u and m by its next",
                {_STRIPES: "TELL(UPDATE, "},
            )
        },
    ),
}
