"""Questions about runs of matrix factorisation."""

from gpucore.families.sgd.timeline import Kind

from ...stories.questions import COMMON, Makers, how_many_more, iterations_left, next_vertex

QUESTIONS: Makers = {
    "next": next_vertex((Kind.UPDATE,), "For which item is a rating of {} processed next?"),
    "deferred": how_many_more(
        (Kind.DEFER_USER, Kind.DEFER_ITEM), "How many more times does a rating wait?", "deferrals"
    ),
    "iterations": iterations_left("How many launches more?", "launches"),
    **COMMON,
}
