"""The comparisons of stable marriage that are offered."""

from __future__ import annotations

from ...view import OfferedComparison

_fast, _mw, _gs = ({"name": "marriage", "variant": variant} for variant in ("fast", "mw", "gs"))
COMPARISONS = (
    OfferedComparison(
        "Gale and Shapley beside McVitie and Wilson",
        "All free men in rounds, or each displaced man at once: other proposals in "
        "another order, and the same marriage at the end.",
        (_gs, _mw),
    ),
    OfferedComparison(
        "Men propose beside women propose",
        "Both marriages are stable. The proposing side gets the best partners of any stable "
        "marriage, and the other side the worst: compare the mean ranks.",
        ({**_mw, "proposers": "men"}, {**_mw, "proposers": "women"}),
        graph="irving_leather_8",
    ),
    OfferedComparison(
        "The paper's kernel beside the tuned one",
        "A thread for every man, against warps that read a list together.",
        (_mw, _fast),
    ),
    OfferedComparison(
        "One kernel under four schedules",
        "Four interleavings, four orders of proposals, other races lost: one marriage, since "
        "the man-optimal one does not depend on the order.",
        (_mw,),
        schedules=4,
    ),
    OfferedComparison(
        "Kernel beside Gale and Shapley on a processor",
        "A queue of free men, on one processor core.",
        (_fast, {"name": "gale_shapley"}),
    ),
    OfferedComparison(
        "Kernel beside McVitie and Wilson on a processor",
        "One man after the other, with a stack.",
        (_fast, {"name": "mcvitie_wilson"}),
    ),
    OfferedComparison(
        "Kernel beside all threads of the processor",
        "Compare-and-swap as in the kernel, with a stack for every thread.",
        (_fast, {"name": "mcvitie_wilson_omp"}),
    ),
    OfferedComparison(
        "Kernel beside the package matching",
        "Pure Python, for small instances.",
        (_fast, {"name": "matching_library"}),
    ),
)
