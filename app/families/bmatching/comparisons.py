"""The comparisons of b-matching that are offered."""

from __future__ import annotations

from ...view import OfferedComparison

_fast, _eager, _delayed = (
    {"name": "bmatching", "variant": variant} for variant in ("fast", "eager", "delayed")
)
COMPARISONS = (
    OfferedComparison(
        "Eager beside delayed",
        "What falls out is proposed again at once, or in the next round: other events, other "
        "numbers of falls and refusals, and the same b-matching.",
        (_eager, _delayed),
    ),
    OfferedComparison(
        "One mate beside three",
        "With b = 1 a stack has a single slot, and many are left alone. With b = 3 fewer "
        "offers fall out, since there is more room.",
        ({**_eager, "b": 1}, {**_eager, "b": 3}),
    ),
    OfferedComparison(
        "b = 1 is Suitor",
        "With one slot a stack is Suitor's bid: the mates are the same.",
        ({**_fast, "b": 1}, {"name": "suitor_serial"}),
    ),
    OfferedComparison(
        "The same b for all, or half the degree",
        "Three mates each, or as many as half of the neighbours: hubs get tall stacks.",
        ({**_fast, "b": 3}, {**_fast, "b": "degree/2"}),
    ),
    OfferedComparison(
        "A warp a vertex beside a thread",
        "32 lanes look along one list together, or along 32 lists side by side.",
        ({**_eager, "worker": "warp"}, {**_eager, "worker": "thread"}),
    ),
    OfferedComparison(
        "One kernel under four schedules",
        "Four interleavings, four orders of proposals, other offers that fall out on the way: "
        "one b-matching, since a stack only exchanges an offer for a better one.",
        (_eager,),
        schedules=4,
    ),
    OfferedComparison(
        "Kernel beside the greedy algorithm",
        "All edges from the heaviest to the lightest, each taken where both ends have room.",
        (_fast, {"name": "bgreedy"}),
    ),
    OfferedComparison(
        "Kernel beside b-Suitor on all threads",
        "The same rule on the threads of this processor, with a lock for each stack.",
        (_fast, {"name": "bsuitor_omp"}),
    ),
    OfferedComparison(
        "Kernel beside NetworKit",
        "NetworKit's b-Suitor runs on one core. Where weights are equal it may break "
        "ties in another way.",
        (_fast, {"name": "networkit_bsuitor"}),
    ),
)
