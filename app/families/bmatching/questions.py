"""Questions about runs of b-matching."""

from gpucore.families.bmatching.order import Kind

from ...stories.questions import COMMON, Makers, how_many_more, next_vertex

QUESTIONS: Makers = {
    "next": next_vertex((Kind.PROPOSE,), "Which vertex takes the next offer of {}?"),
    "falls out": next_vertex(
        (Kind.DROP,), "An offer falls out at {}. Whose is it?", subject="b", answer="c"
    ),
    "left": how_many_more((Kind.DROP,), "How many offers more fall out?", "offers that fall out"),
    **COMMON,
}
