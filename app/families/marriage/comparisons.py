"""The comparisons of stable marriage that are offered."""

from __future__ import annotations

from ...view import OfferedComparison, installed


def comparisons() -> tuple[OfferedComparison, ...]:
    """Return the comparisons whose methods are installed."""
    fast, mw, gs = ({"name": "marriage", "variant": variant} for variant in ("fast", "mw", "gs"))
    offered = (
        OfferedComparison(
            "Gale and Shapley beside McVitie and Wilson",
            "All free men in rounds, or each displaced man at once: other proposals in "
            "another order, and the same marriage at the end.",
            (gs, mw),
        ),
        OfferedComparison(
            "Men propose beside women propose",
            "Both marriages are stable. The proposing side gets the best partners of any stable "
            "marriage, and the other side the worst: compare the mean ranks.",
            ({**mw, "proposers": "men"}, {**mw, "proposers": "women"}),
            graph="irving_leather_8",
        ),
        OfferedComparison(
            "The paper's kernel beside the tuned one",
            "A thread for every man, against warps that read a list together.",
            (mw, fast),
        ),
        OfferedComparison(
            "One kernel under four schedules",
            "Four interleavings, four orders of proposals, other races lost: one marriage, since "
            "the man-optimal one does not depend on the order.",
            (mw,),
            schedules=4,
        ),
        OfferedComparison(
            "Kernel beside Gale and Shapley on a processor",
            "A queue of free men, on one processor core.",
            (fast, {"name": "gale_shapley"}),
        ),
        OfferedComparison(
            "Kernel beside McVitie and Wilson on a processor",
            "One man after the other, with a stack.",
            (fast, {"name": "mcvitie_wilson"}),
        ),
        OfferedComparison(
            "Kernel beside all threads of the processor",
            "Compare-and-swap as in the kernel, with a stack for every thread.",
            (fast, {"name": "mcvitie_wilson_omp"}),
        ),
        OfferedComparison(
            "Kernel beside the package matching",
            "Pure Python, for small instances.",
            (fast, {"name": "matching_library"}),
        ),
    )
    return installed("marriage", offered, solution="marriage")
