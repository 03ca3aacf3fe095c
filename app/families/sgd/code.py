"""The code of factorisations: pseudo-code, kernel files, and why their lines cost."""

from __future__ import annotations

from gpucore.families.sgd.record import Kind

from ...code.book import CodeBook, Listing, Reason, Step
from .listings import PSEUDO
from .pseudo import Pseudo

_ONLINE, _SHARED = "sgd_online.cu", "sgd.cuh"

#: Why each event happens, by kind: with locks, with sets that share nothing, and without both.
_REASONS_OF = {
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
#: Why updates exclude each other where there are no locks; by schedule, else by sets.
_WHY = {"hogwild": "free", "fast": "summed"}


def _line(pseudo: Pseudo, text: str) -> int:
    """Return the number of the line that begins with a text, from 1."""
    return next(i for i, line in enumerate(pseudo.lines, 1) if line.startswith(text))


def _listing(variant: str) -> Listing:
    """Return the pseudo-code of a schedule with its places in the kernels."""
    pseudo = PSEUDO[variant]
    locked = Kind.DEFER_USER in pseudo.at
    why = _REASONS_OF["locked" if locked else _WHY.get(variant, "matched")]
    steps = {
        int(kind): Step(_line(pseudo, text), why[kind], places)
        for kind, (text, places) in pseudo.at.items()
    }
    return Listing(pseudo.title, pseudo.source, pseudo.lines, steps)


_ONE_ASKS = "one lane of a thread of the schedule asks for the lock, and the others wait for it"

_REASONS = (
    Reason(
        _ONLINE,
        "got = atomicCAS(lock, 0, 1) == 0;",
        lanes=_ONE_ASKS,
        cas="another thread holds the lock of the same user or item, most often of a popular one",
    ),
    Reason(
        _SHARED,
        "load_pair<RACY_USER>(p + place_of_pair(i, me))",
        sectors="the threads of a warp have users of their own, whose vectors lie apart; each "
        "vector is read whole",
    ),
)

CODE = CodeBook(
    listings={("sgd", variant): _listing(variant) for variant in PSEUDO},
    files={("sgd", variant): pseudo.files for variant, pseudo in PSEUDO.items()},
    reasons=_REASONS,
)
