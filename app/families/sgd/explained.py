"""A short explanation of each schedule."""

from __future__ import annotations

_TEXTS = {
    "el": "Edge-locked: a thread takes a rating and locks its user and its item. If one of them is "
    "locked, the rating is deferred to the next pass. Ratings in the order of the items: "
    "neighbours share an item, and one of two waits.",
    "el_shuffled": "Edge-locked, with the ratings in random order: neighbours seldom share an "
    "item, so few are deferred.",
    "nl": "Node-locked: a thread has an item, keeps its vector in shared memory, and locks one "
    "user after the other. What was deferred is found by scanning the item's list again.",
    "nl_el": "The first pass node-locked, with little contention and vectors in shared memory; the "
    "few ratings that are left are edge-locked.",
    "el_sgm": "Edge-locked for the items of the highest degrees, matchings for the others. The "
    "paper's negative result: those few items defer each other.",
    "agm_e": "Maximal matchings of the whole graph, found beforehand. The ratings of a matching "
    "share nothing, so threads take any of them; a barrier separates matchings.",
    "agm_n": "The same matchings, but a thread keeps one item of a block in shared memory, and "
    "waits in matchings that have no rating of its item.",
    "sgm": "Items by falling degree, in blocks of as many as there are threads, with matchings of "
    "each block alone: fewer steps in which a thread has nothing to do.",
    "diag": "A diagonal of the matrix has no user and no item twice, so it needs no search for "
    "matchings; sparse diagonals leave threads idle.",
    "blkdiag": "Diagonals of tiles: a thread processes a whole tile, so there are fewer barriers.",
    "hogwild": "No locks and no barriers: two threads may write one vector, and one of the two "
    "updates is lost.",
    "nl_batched": "Node-locked, tuned: a warp has an item, and takes the vectors of up to 32 users "
    "at a time out of memory; where one is missing, another warp has it. The warp asks for the "
    "next users while it processes the ratings of the last ones, one after the other.",
    "fast": "Tuned for speed: blocks work on tiles that share nothing, with the vectors of their "
    "items in shared memory. Threads of a block may update one item in the same round: it moves by "
    "the sum of their changes, and no lock is needed.",
}


def explained(variant: str) -> str:
    """Return a short explanation of a schedule."""
    return _TEXTS.get(variant, f"The schedule {variant}.")
