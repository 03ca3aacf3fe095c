"""The comparisons that the compare page of factorisations offers."""

from __future__ import annotations

from ...view import OfferedComparison, Value


def _kernel(variant: str, **more: Value) -> dict[str, Value]:
    return {"name": "sgd", "variant": variant, **more}


#: As methods for processors have it.
_DEFAULTS = {"sweeps": 20, "test": 0.1, "threads": 0, "order_seed": 0}

COMPARISONS = (
    OfferedComparison(
        "Locks against barriers",
        "Edge-locked threads lose turns to deferrals, matchings lose them to barriers: with two "
        "threads on the sample graph both take about as long.",
        (_kernel("el_shuffled"), _kernel("agm_e")),
    ),
    OfferedComparison(
        "In order, or shuffled",
        "Figures 6(a) and 6(b). In the order of the items, neighbours in the list share an item: "
        "nearly half of the first pass is deferred.",
        (_kernel("el"), _kernel("el_shuffled")),
    ),
    OfferedComparison(
        "Edges or nodes",
        "A thread for every rating, or for every item: one lock for an update instead of two, and "
        "the item of the highest degree sets the time.",
        (_kernel("el_shuffled"), _kernel("nl")),
    ),
    OfferedComparison(
        "Matchings of the graph, or of a block",
        "Figures 4(d) and 4(f). The second block of two items needs a step for every matching of "
        "the whole graph that it is part of, or only two of its own.",
        (_kernel("agm_n"), _kernel("sgm")),
    ),
    OfferedComparison(
        "Diagonals, or tiles",
        "Figure 5: eight diagonals of single ratings, or four of tiles.",
        (_kernel("diag"), _kernel("blkdiag")),
    ),
    OfferedComparison(
        "Nodes first, then edges",
        "The hybrid that pays off: node-locked as long as there is little contention, edge-locked "
        "for the rest.",
        (_kernel("nl"), _kernel("nl_el")),
    ),
    OfferedComparison(
        "The hybrid that does not pay off",
        "Locks for the items of high degree and matchings for the others: the locked items defer "
        "each other.",
        (_kernel("el_shuffled"), _kernel("el_sgm")),
    ),
    OfferedComparison(
        "Locks, or none",
        "Hogwild defers nothing. Updates of one vector at the same time may be lost, and the error "
        "hardly shows it.",
        (_kernel("el_shuffled"), _kernel("hogwild")),
    ),
    OfferedComparison(
        "One kernel under four schedules",
        "Each interleaving decides differently who gets a lock: four orders, four factorisations, "
        "and every one equals a serial order.",
        (_kernel("el", threads=8),),
        schedules=4,
    ),
    OfferedComparison(
        "Kernel against one thread of the processor",
        "The same rule and as many sweeps, one rating after the other.",
        (_kernel("el_shuffled", **_DEFAULTS), {"name": "sgd_serial"}),
    ),
    OfferedComparison(
        "Kernel against tiles on all threads of the processor",
        "DSGD: tiles that share nothing, and a barrier between them.",
        (_kernel("el_shuffled", **_DEFAULTS), {"name": "sgd_dsgd_omp"}),
    ),
    OfferedComparison(
        "The paper's best against the tuned kernel",
        "One lock for each end of a rating, or tiles that need none.",
        (_kernel("el_shuffled"), _kernel("fast")),
    ),
)
