"""Questions about runs of weighted matching."""

from gpucore.families.matching.order import Kind

from ...stories.questions import COMMON, Makers, how_many_more, iterations_left, next_vertex

QUESTIONS: Makers = {
    "next": next_vertex(
        (Kind.PROPOSE_FREE, Kind.DISPLACE), "Which vertex accepts {} as its suitor next?"
    ),
    "displaced": next_vertex(
        (Kind.DISPLACE,), "{} is about to displace a suitor. Which one?", answer="c"
    ),
    "left": how_many_more((Kind.DISPLACE,), "How many displacements more?", "displacements"),
    "iterations": iterations_left("How many iterations more?", "iterations"),
    **COMMON,
}
