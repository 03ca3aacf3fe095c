"""Questions about runs of red/blue matching."""

from gpucore.families.redblue.timeline import Kind

from ...stories.questions import COMMON, Makers, how_many_more, next_vertex

QUESTIONS: Makers = {
    "next": next_vertex((Kind.PROPOSE,), "To which red vertex does {} propose next?"),
    "choice": next_vertex((Kind.RESPOND,), "Whose proposal does {} choose?"),
    "left": how_many_more((Kind.MATCH,), "How many pairs more?", "pairs"),
    **COMMON,
}
