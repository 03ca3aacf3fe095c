"""Variants of the factorisation: online and offline schedules, hybrids, updates without locks."""

from gpucore.runner import Variant

_PASSES = (
    "Every column is a pass over the ratings that are left. Look at “Deferred”: high in the "
    "order of the items, low when they are shuffled."
)
_SCANS = (
    "Every column is a pass over the items of all threads. Look at “Scanned” against “Updates”: "
    "later passes scan whole lists for the few ratings that are left."
)
_MATCHINGS = (
    "A column is a launch with all matchings. Look at “Idle slots”: the last matchings are small, "
    "and threads wait at the barrier."
)
_BLOCKS = (
    "Every column is a block of items. Look at “Idle slots”: the item of the highest degree of a "
    "block sets its length."
)
_DIAGONALS = (
    "A column is a launch with all diagonals. Look at “Barriers” and “Idle slots”: a sparse "
    "matrix has little on a diagonal."
)

VARIANTS = (
    Variant(
        "el_shuffled",
        "Edge-locked, in random order (EL)",
        about="Edge-locked, with the ratings in random order: neighbours seldom share an item, so "
        "few are deferred.",
        look_for=_PASSES,
    ),
    Variant(
        "el",
        "Edge-locked, by item (EL)",
        about="Edge-locked: a thread takes a rating and locks its user and its item. If one of "
        "them is locked, the rating is deferred to the next pass. Ratings in the order of the "
        "items: neighbours share an item, and one of two waits.",
        look_for=_PASSES,
    ),
    Variant(
        "nl",
        "Node-locked (NL)",
        about="Node-locked: a thread has an item, keeps its vector in shared memory, and locks one "
        "user after the other. What was deferred is found by scanning the item's list again.",
        look_for=_SCANS,
    ),
    Variant(
        "nl_batched",
        "Node-locked, in batches (NL)",
        about="Node-locked, tuned: a warp has an item, and takes the vectors of up to 32 users at "
        "a time out of memory; where one is missing, another warp has it. The warp asks for the "
        "next users while it processes the ratings of the last ones, one after the other.",
        look_for=_SCANS,
    ),
    Variant(
        "nl_el",
        "Node-locked first, then edge-locked (NL+EL)",
        about="The first pass node-locked, with little contention and vectors in shared memory; "
        "the few ratings that are left are edge-locked.",
        look_for=_SCANS,
    ),
    Variant(
        "el_sgm",
        "Edge-locked hubs, matchings for the rest (EL+SGM)",
        about="Edge-locked for the items of the highest degrees, matchings for the others. The "
        "paper's negative result: those few items defer each other.",
        look_for=_BLOCKS,
    ),
    Variant(
        "agm_e",
        "Matchings of the whole graph (AGM-E)",
        about="Maximal matchings of the whole graph, found beforehand. The ratings of a matching "
        "share nothing, so threads take any of them; a barrier separates matchings.",
        look_for=_MATCHINGS,
    ),
    Variant(
        "agm_n",
        "Matchings of the whole graph, in blocks (AGM-N)",
        about="The same matchings, but a thread keeps one item of a block in shared memory, and "
        "waits in matchings that have no rating of its item.",
        look_for=_MATCHINGS,
    ),
    Variant(
        "sgm",
        "Matchings of each block (SGM)",
        about="Items by falling degree, in blocks of as many as there are threads, with matchings "
        "of each block alone: fewer steps in which a thread has nothing to do.",
        look_for=_BLOCKS,
    ),
    Variant(
        "diag",
        "Diagonals",
        about="A diagonal of the matrix has no user and no item twice, so it needs no search for "
        "matchings; sparse diagonals leave threads idle.",
        look_for=_DIAGONALS,
    ),
    Variant(
        "blkdiag",
        "Diagonals of blocks",
        about="Diagonals of tiles: a thread processes a whole tile, so there are fewer barriers.",
        look_for=_DIAGONALS,
    ),
    Variant(
        "hogwild",
        "No locks (Hogwild)",
        about="No locks and no barriers: two threads may write one vector, and one of the two "
        "updates is lost.",
        look_for="One launch a sweep, without locks and barriers: no deferral, no idle slot but "
        "the last.",
    ),
    Variant(
        "fast",
        "Tuned for speed",
        about="Tuned for speed: blocks work on tiles that share nothing, with the vectors of their "
        "items in shared memory. Threads of a block may update one item in the same round: it "
        "moves by the sum of their changes, and no lock is needed.",
        look_for="One launch a sweep. Look at “Idle slots”: threads of a block meet in every "
        "round, and a block waits for the one that had its next users.",
    ),
)
