"""The code of factorisations: pseudo-code, kernel files, and why their lines cost."""

from __future__ import annotations

from collections.abc import Mapping

from gpucore.families.sgd.record import Kind

from ...code.book import CodeBook, Listing, Reason, Step
from .listings import PSEUDO, WHY, Pseudo

_ONLINE, _OFFLINE, _SHARED = "sgd_online.cu", "sgd_offline.cu", "sgd.cuh"
_BATCHED, _TAKEN, _STRIPES = "sgd_batched.cu", "sgd_batched.cuh", "sgd_stripes.cu"
_RULE = {_SHARED: "const float error = __fsub_rn(value, predicted)"}

#: File and text of the line of each kind of event, by schedule.
_EDGE_LOCKED: dict[Kind, Mapping[str, str]] = {
    Kind.UPDATE: {_ONLINE: "update<true, true>(has_both, ", **_RULE},
    Kind.DEFER_USER: {_ONLINE: "const bool has_user = take(user_locks + user, mine, me);"},
    Kind.DEFER_ITEM: {_ONLINE: "const bool has_both = take(item_locks + item, has_user, me);"},
}
_NODE_LOCKED: dict[Kind, Mapping[str, str]] = {
    Kind.UPDATE: {_ONLINE: "update<true, false>(held, ", **_RULE},
    Kind.DEFER_USER: {_ONLINE: "const bool held = take(user_locks + user, mine, me);"},
}
_BOTH: dict[Kind, Mapping[str, str]] = {
    Kind.UPDATE: _RULE,
    Kind.DEFER_USER: {_ONLINE: "got = atomicCAS(lock, 0, 1) == 0;"},
    Kind.DEFER_ITEM: _EDGE_LOCKED[Kind.DEFER_ITEM],
}
_COLUMNS: dict[Kind, Mapping[str, str]] = {
    Kind.UPDATE: {_OFFLINE: "TELL(UPDATE, user, item, which, error, s);", **_RULE},
}
_SETS: dict[Kind, Mapping[str, str]] = {
    Kind.UPDATE: {
        _OFFLINE: "TELL(UPDATE, user, item, which, error, step + (int)((i - begin) / workers));",
        **_RULE,
    },
}
_PLACES: dict[str, dict[Kind, Mapping[str, str]]] = {
    "el": _EDGE_LOCKED,
    "el_shuffled": _EDGE_LOCKED,
    "nl": _NODE_LOCKED,
    "nl_batched": {
        Kind.UPDATE: {
            _BATCHED: "const float error = move(item, held, rule, lanes);",
            _TAKEN: "const float error = __fsub_rn(held.rating.value, predicted)",
        },
        Kind.DEFER_USER: {_BATCHED: "asked.held[i] = atomicExch(asked.at[i], TAKEN);"},
    },
    "nl_el": _BOTH,
    "el_sgm": {**_EDGE_LOCKED, Kind.UPDATE: _RULE},
    "agm_e": _SETS,
    "agm_n": _COLUMNS,
    "sgm": _COLUMNS,
    "diag": _SETS,
    "blkdiag": {
        Kind.UPDATE: {_OFFLINE: "TELL(UPDATE, user, item, which, error, mine);", **_RULE},
    },
    "fast": {Kind.UPDATE: {_STRIPES: "TELL(UPDATE, "}},
    "hogwild": {
        Kind.UPDATE: {_ONLINE: "if (works && me.lane == 0) TELL(UPDATE", **_RULE},
    },
}
#: Kernel files by schedule, the main one first.
_FILES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("el", "el_shuffled", "nl", "nl_el", "hogwild"), (_ONLINE, _SHARED)),
    **dict.fromkeys(("agm_e", "agm_n", "sgm", "diag", "blkdiag"), (_OFFLINE, _SHARED)),
    "el_sgm": (_ONLINE, _OFFLINE, _SHARED),
    "nl_batched": (_BATCHED, _TAKEN, _SHARED),
    "fast": (_STRIPES, "sgd_stripes.cuh", "sgd_half.cuh", _SHARED),
}
#: Why updates exclude each other where there are no locks; by schedule, else by sets.
_WHY = {"hogwild": "free", "fast": "summed"}


def _line(pseudo: Pseudo, kind: Kind) -> int:
    """Return the number of the line of an event, from 1."""
    return 1 + next(i for i, line in enumerate(pseudo.lines) if line.startswith(pseudo.at[kind]))


def _listing(variant: str) -> Listing:
    """Return the pseudo-code of a schedule with its places in the kernels."""
    pseudo, places = PSEUDO[variant], _PLACES[variant]
    locked = Kind.DEFER_USER in pseudo.at
    why = WHY["locked" if locked else _WHY.get(variant, "matched")]
    steps = {int(kind): Step(_line(pseudo, kind), why[kind], places[kind]) for kind in pseudo.at}
    return Listing(pseudo.title, pseudo.source, pseudo.lines, steps)


_ONE_ASKS = "one lane of a thread of the schedule asks for the lock, and the others wait for it"

_REASONS = (
    Reason(_ONLINE, "got = atomicCAS(lock, 0, 1) == 0;", "lanes", _ONE_ASKS),
    Reason(
        _ONLINE,
        "got = atomicCAS(lock, 0, 1) == 0;",
        "cas",
        "another thread holds the lock of the same user or item, most often of a popular one",
    ),
    Reason(
        _SHARED,
        "load_pair<RACY_USER>(p + place_of_pair(i, me))",
        "sectors",
        "the threads of a warp have users of their own, whose vectors lie apart; each vector is "
        "read whole",
    ),
)

CODE = CodeBook(
    listings={("sgd", variant): _listing(variant) for variant in _FILES},
    files={("sgd", variant): names for variant, names in _FILES.items()},
    reasons=_REASONS,
)
